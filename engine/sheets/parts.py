"""The parts that the scores of a sheet are the sum of, where it says them: by ask, or by box."""

from engine.game import Category
from engine.sheets.sheet import Ask, Sheet, kind_of, per_of, title_of
from engine.sheets.state import CountedRound, SheetState, beginning, side_of, up_to, zeros
from engine.words import N_

ADDED = "total + points"  # what the total is where nothing else is said


def has_parts(sheet: Sheet) -> bool:
    """Whether there are several: points that are one formula over the asks of a round have none."""
    by_ask = sheet.per == "box" or (sheet.points is None and (sheet.race is None or bool(sheet.ask)))
    many = len(_counted(sheet)) + len(sheet.final) + (sheet.start != 0)
    return by_ask and many > 1 and " ".join(str(sheet.total).split()) == ADDED


def categories(state: SheetState) -> tuple[Category, ...]:
    """What was there at the start, the sum of each number or box over all rounds, and what each final ask added."""
    sheet, program = state.game.sheet, state.game.program
    before = beginning(program, state.players).totals
    found = dict[str, list[int]]()
    if any(before):
        _add(found, N_("start"), before)
    counted = _counted(sheet)
    for at in counted:
        _add(found, _name(sheet.ask[at]), zeros(state.players))
    for done in up_to(state.done):
        after = done.uncorrected
        gained = tuple([new - old for new, old in zip(after, before, strict=True)])
        before = after
        if state.game.flow.boxes:
            _add(found, _name(sheet.ask[done.round.answers[-1][0]]), gained)
            continue
        numbers = [_numbers(state, done, at) for at in counted]
        whole = [sum(own) == points for *own, points in zip(*numbers, gained, strict=True)]  # else too large: it was 0
        for at, each in zip(counted, numbers, strict=True):
            _add(found, _name(sheet.ask[at]), tuple([n if fits else 0 for n, fits in zip(each, whole, strict=True)]))
    for ask, after in zip(sheet.final, state.extra, strict=False):
        _add(found, _name(ask), tuple([new - old for new, old in zip(after, before, strict=True)]))
        before = after
    return tuple([Category(name, tuple(points)) for name, points in found.items()])


def _counted(sheet: Sheet) -> list[int]:
    """The places of the asks that are parts."""
    return [at for at, ask in enumerate(sheet.ask) if kind_of(ask) == "number" or sheet.per == "box"]


def _name(ask: Ask) -> str:
    """What people read; without the values that stand in some titles, which change."""
    title = title_of(ask)
    return ask.id.replace("_", " ") if "{" in title else title


def _add(found: dict[str, list[int]], name: str, points: tuple[int, ...]) -> None:
    """Add to a part; asks of one title are one part."""
    found[name] = [old + new for old, new in zip(found.get(name, [0] * len(points)), points, strict=True)]


def _numbers(state: SheetState, done: CountedRound, at: int) -> tuple[int, ...]:
    """By seat the number of an ask as it was counted: a side has those of all its seats."""
    sheet, numbers = state.game.sheet, dict(done.round.answers)[at]
    own = [0 if points is None else number or 0 for points, number in zip(done.points, numbers, strict=True)]
    if sheet.teams is None or per_of(sheet.ask[at]) != "each":
        return tuple(own)
    return tuple(
        [0 if done.points[seat] is None else sum([own[one] for one in side_of(state, seat)]) for seat in state.seats]
    )
