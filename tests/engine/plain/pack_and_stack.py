"""Second scorer of Pack & Stack: races, counts and losses by the rules page, without the engine."""

from collections.abc import Sequence
from typing import Any

from tests.engine.plain.outcome import Moved, Outcome, best, by_rounds


def pack_and_stack(players: int, options: dict[str, Any], moves: Sequence[Moved]) -> Outcome:
    """Every round by itself: what each load, truck and left-over box costs; then the bonus and the Reward cards."""
    known = options["counting"] == "checked" or options["device_dice"]
    points, fixed, played = [75] * players, [0] * players, 0
    held: list[set[str]] = [set() for _ in range(players)]
    left_to_draw = 3 if options["reward_cards"] else 0

    *rounds, fixes = by_rounds(moves)
    for moved in rounds:
        played += 1
        load: list[list[int]] = [[] for _ in range(players)]
        left: list[list[int]] = [[] for _ in range(players)]
        nothing_left = False
        empty, levels, area, unit = [0] * players, [0] * players, [0] * players, [2] * players
        counting = ("empties", "area", "left", "none_left", "voucher", "go_on")
        booking = max(n for n, move in enumerate(moved) if move.verb in counting)
        for n, move in enumerate(moved):
            seat = 0 if move.seat is None else move.seat
            match move.verb:
                case "fix":
                    fixed[seat] += move.value
                case "load":
                    load[seat].append(move.value)
                case "roll":
                    load[seat] = list(move.facts[0].event.boxes)
                case "new_order":
                    held[seat].remove(move.verb)
                    load[seat] = []
                case "replace_truck":
                    held[seat].remove(move.verb)
                case "voucher":
                    held[seat].remove(move.verb)
                    unit[seat] = 1
                case "empties":
                    empty[seat] = move.value
                case "levels":
                    levels[seat] = move.value
                case "area":
                    area[seat] = move.value
                case "left":
                    left[seat].append(move.value)
                case "none_left":
                    nothing_left = True
                case "reward":
                    held[seat].add(move.value)
            if n == booking:
                losses = []
                for s in range(players):
                    # boxes of colours that nobody rolled are not counted
                    lengths = [c for c in (1, 2, 3, 4, 5) if not known or load[s][c - 1]]
                    surplus = sum(
                        length * boxes
                        for length, boxes in zip(lengths, [0] * len(lengths) if nothing_left else left[s], strict=True)
                    )
                    packed = sum(length * boxes for length, boxes in enumerate(load[s], 1)) - surplus
                    air = levels[s] * area[s] - packed if known else empty[s]
                    assert air >= 0
                    losses.append(air + unit[s] * surplus)
                for s in range(players):
                    after = points[s] + fixed[s] - losses[s]
                    points[s] = (max(after, 0) if options["floor_at_zero"] else after) - fixed[s]
                    points[s] += 10 if losses[s] == min(losses) else 0
                won = losses.count(0) == 1 and left_to_draw > 0
                left_to_draw -= won
                assert won is any(later.verb == "reward" for later in moved[n:])
    for move in fixes:
        fixed[move.seat or 0] += move.value
    totals = [points[seat] + fixed[seat] for seat in range(players)]
    tokens = [{"rewards": len(cards)} for cards in held]
    return Outcome(totals, best(totals, range(players)), played, tokens)
