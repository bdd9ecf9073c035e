"""Second scorer of Kitty Paw: presses, answers and cards by the rules page, without the engine."""

from collections.abc import Sequence
from typing import Any

from tests.engine.plain.outcome import Moved, Outcome, best, by_rounds


def level_with(presses: dict[int, tuple[int, int]], time: int, band_ns: int) -> list[int]:
    """The seats that pressed at this time, or too close to it to call."""
    errors = [error for at, error in presses.values() if at == time]
    return [
        seat
        for seat in sorted(presses)
        if presses[seat][0] == time or abs(presses[seat][0] - time) < max(*errors, presses[seat][1], band_ns)
    ]


def kitty_paw(players: int, options: dict[str, Any], moves: Sequence[Moved]) -> Outcome:
    """Every round by itself: who called, who was last, what the card was worth; then the sums."""
    band_ns = 0 if options["tie_band"] == "kit" else options["tie_band"] * 1_000_000
    levels = [1] * 6 + [2] * 4 + [3] * 2 if options["level2_sets"] == 2 else [1] * 6 + [2] * 2 + [3] * 2
    scored: list[list[int]] = [[] for _ in range(players)]
    turned: list[list[int]] = [[] for _ in range(players)]
    fixed = [0] * players
    racing, extra, removed, played = list(range(players)), False, 0, 0
    before: list[tuple[list[int], list[int]]] = []  # who played up to the regular end and each extra round; their cards

    def cards() -> list[int]:
        return [sum(scored[seat]) - sum(turned[seat]) for seat in range(players)]

    def ahead() -> list[int]:
        """The winners, were this the end; several are level."""
        front = list(range(players))
        for who, points in [*before, (racing, cards())]:
            if all(seat in who for seat in front):
                front = best([points[seat] + fixed[seat] for seat in range(players)], front)
        return front

    for moved in by_rounds(moves):
        idle = all(move.verb in ("fix", "next") for move in moved)  # the game was over already
        played += not idle
        penalised = len(racing) > 2 or options["last_penalty_two_players"]
        pressing = penalised and not options["last_by_hand"]
        presses: dict[int, tuple[int, int]] = {}
        calling: list[int] = []  # once settled: the caller, or those too close to call
        benched: list[int] = []  # no working button: nobody knows when they called or answered
        caller = None
        late: list[int] | None = None
        one_by_one = False  # the table names those who were last seat by seat
        right, points, read = None, 0, list[int]()
        scrapped = False
        for move in moved:
            over = False
            match move.verb:
                case "fix":
                    assert move.seat is not None
                    fixed[move.seat] += move.value
                case "meow":
                    assert move.seat is not None
                    presses[move.seat] = (move.at_ns, move.error_ns)
                case "take_back":
                    assert move.seat is not None
                    del presses[move.seat]
                    if calling == [move.seat]:
                        presses = {}
                    if len(calling) != 1 or calling[0] == move.seat:
                        calling = []
                case "settle":
                    over = bool(calling) or not pressing
                    calling = calling or sorted(
                        {*level_with(presses, min(at for at, _ in presses.values()), band_ns), *benched}
                    )
                case "bench":
                    benched.append(move.value)
                case "close" | "late":
                    over = True
                case "caller" if move.value == "nobody":
                    presses, calling = {}, []
                case "caller":
                    caller, over = move.value, True
                case "last" if move.value == "several" or one_by_one:
                    late = late if one_by_one and late else []
                    late += [move.value] if isinstance(move.value, int) else []
                    one_by_one = True
                case "last":
                    assert late is not None
                    late = late if move.value == "all" else [] if move.value == "nobody" else [move.value]
                case "check":
                    right = move.value == "yes"
                case "points":
                    points = move.value
                case "level":
                    read.append(move.value)
                case "scrap" | "timeout":
                    scrapped = True
            if over and caller is None and len(calling) == 1:
                caller = calling[0]
            if over and caller is not None:
                others = {seat: press for seat, press in presses.items() if seat != caller}
                dumb = {seat for seat in benched if seat != caller}
                late = [seat for seat in racing if seat != caller and seat not in others and seat not in dumb]
                if not penalised:
                    late = []
                elif options["last_by_hand"]:
                    late = [seat for seat in racing if seat != caller]
                else:
                    if not late and others:
                        late = level_with(others, max(at for at, _ in others.values()), band_ns)
                    late = sorted({*late, *dumb})

        kept = 0
        if not scrapped and not idle:
            assert caller is not None and late is not None and right is not None
            payers = late if right else [caller, *late]
            if not (extra or options["mixed_deck"]):
                read = [levels[played - 1]] * len(payers)
            for seat, paid in zip(payers, read, strict=True):
                turned[seat].append(paid)
            if right:
                scored[caller].append(points)
            kept = len(payers) + right
        removed += 0 if idle else -kept if extra else 4 - kept
        goal = [len(scored[s]) + len(turned[s]) * options["end_counts_penalties"] for s in range(players)]
        tied = ahead()
        if "next" in [move.verb for move in moved] and (extra or max(goal) >= 5 or played >= len(levels)) and tied[1:]:
            before.append((racing, cards()))
            extra, racing = True, tied
            if removed < len(racing):
                removed += sum(map(len, scored)) + sum(map(len, turned))
    totals = [points + fixed[seat] for seat, points in enumerate(cards())]
    tokens = [{"cards": len(scored[seat]), "penalties": len(turned[seat])} for seat in range(players)]
    return Outcome(totals, ahead(), played, tokens, removed)
