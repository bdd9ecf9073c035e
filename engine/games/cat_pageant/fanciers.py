"""Everybody gets a fancier: by name, where the kit knows it from earlier games, or by four numbers (R2)."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from msgspec.structs import replace

from engine import game, words
from engine.face import Face, Said, Who
from engine.game import Answer, answers, of_kind
from engine.games.cat_pageant import table
from engine.games.cat_pageant.rounds import place_question
from engine.games.cat_pageant.table import ENOUGH, LETTERS, NEW, NO, STATS, Event, Events, Known, Question, State
from engine.rules import RECALL, Offer, Refused, Seat, Value, put
from engine.words import N_


def fancier_question(state: State, seat: Seat) -> Question:
    """By name, where fanciers are known, or by four numbers; after the last seat the first round begins."""
    if seat == state.players:
        return place_question(state)
    return WhichFancier(seat) if free_fanciers(state) else Fancier(seat)


def free_fanciers(state: State) -> tuple[Known, ...]:
    """Known fanciers that no seat has taken."""
    return tuple([fancier for fancier in state.known if fancier.name not in state.named])


def whose(seat: Seat) -> Said:
    """Whose fancier it is."""
    return N_("FANCIER  {name}", name=Who((seat,)))


def printed(stats: Sequence[int]) -> str:
    """The numbers of a fancier, as far as they are entered."""
    match stats:
        case [low]:
            return N_("moxie {low}", low=low)
        case [low, high]:
            return N_("moxie {low}-{high}", low=low, high=high)
        case [low, high, hustle]:
            return N_("moxie {low}-{high}  hustle {hustle}", low=low, high=high, hustle=hustle)
        case [low, high, least, most]:
            return N_("moxie {low}-{high}  hustle {least}-{most}", low=low, high=high, least=least, most=most)
        case _:
            return N_("printed on the fancier")


class Setup(Question):
    """About the fancier of one seat. All seats have their own card before them: nobody waits for the others."""

    seat: Seat

    phase = "setup"

    def ahead(self, state: State) -> Mapping[Seat, State]:
        after = range(self.seat + 1, state.players)
        return {self.seat: state, **{seat: state.asking(fancier_question(state, seat)) for seat in after}}


# --- a known fancier --------------------------------------------------------------------------------------------------


class WhichFancier(Setup):
    """Which of the known fanciers has this seat, if any?"""

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(self.seat, "fancier", options=(*(known.name for known in free_fanciers(state)), NEW)),)

    @answers("fancier", N_("Which fancier?"))
    def choose(self, state: State, answer: Answer) -> Events:
        for known in state.known:
            if known.name == answer.value:
                return (FancierSaved(self.seat, known),)
        return (FancierNew(self.seat),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        return super().label(state, offer, value) if value in (None, NEW) else words.Name(value)

    def face(self, state: State) -> Face:
        return Face(whose(self.seat))


class FancierNew(Event):
    label = N_("new fancier")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.asking(Fancier(self.seat))


# --- a new fancier ----------------------------------------------------------------------------------------------------

RECALLING = Offer(None, RECALL, example=(("PIP", 2, 5, 1, 4),))


class Fancier(Setup):
    """The printed limits of this seat's fancier, one after the other (R2)."""

    def offers(self, state: State) -> tuple[Offer, ...]:
        """The next number of a fancier; before the first of all, the fanciers of earlier games."""
        seat = self.seat
        entered = state.stats[seat]
        at = len(entered)
        asked_for = Offer(seat, STATS[at], entered[-1] if at % 2 else 0, table.MAX_STAT)  # highest is not below lowest
        return (asked_for,) if seat or at or state.known else (asked_for, RECALLING)

    @answers(RECALL, N_("Known fanciers"))
    def recall(self, state: State, answer: Answer) -> Events:
        """Fanciers of earlier games. Raises `Refused` (`bad_value`) for anything but a carryover."""
        given = of_kind(tuple, answer.value)
        if len(given) > table.MAX_FANCIERS:
            refuse(f"{len(given)} fanciers: must be at most {table.MAX_FANCIERS}")
        names: set[str] = set()
        for fancier in given:
            if not isinstance(fancier, tuple) or len(fancier) != len(Known._fields):
                refuse(f"{fancier!r}: must be a name and four numbers")
            name, *stats = fancier
            if not isinstance(name, str) or not 0 < len(name) <= table.MAX_NAME or set(name) - set(LETTERS):
                refuse(f"name {name!r}: must be 1 to {table.MAX_NAME} of A to Z and 0 to 9")
            if name in names:
                refuse(f"name {name!r}: must be given only once")
            names.add(name)
            if any(type(stat) is not int or not 0 <= stat <= table.MAX_STAT for stat in stats):
                refuse(f"{name}: must have four whole numbers from 0 to {table.MAX_STAT}")
            if stats[0] > stats[1] or stats[2] > stats[3]:
                refuse(f"{name}: the highest value must not be below the lowest")
        return (FanciersKnown(tuple([Known(*fancier) for fancier in given])),)

    @answers("moxie_low", N_("Lowest moxie?"))
    @answers("moxie_high", N_("Highest moxie?"))
    @answers("hustle_low", N_("Lowest hustle?"))
    @answers("hustle_high", N_("Highest hustle?"))
    def enter(self, state: State, answer: Answer) -> Events:
        return (StatEntered(self.seat, answer.action.verb, answer.number),)

    def face(self, state: State) -> Face:
        entered = state.stats[self.seat]
        at, all_ = len(entered) + 1, len(STATS)
        right = N_("number {n} of {all}", n=at, all=all_), N_("{n} of {all}", n=at, all=all_)
        return Face(whose(self.seat), right, lines=(printed(entered),))


def refuse(reason: str) -> NoReturn:
    """Refuse fanciers that no earlier game can have stored."""
    raise Refused("bad_value", f"{RECALL}: {reason}")


class FanciersKnown(Event):
    label = N_("fanciers known")
    fanciers: tuple[Known, ...]

    def fold(self, state: State) -> State:
        state = replace(state, known=self.fanciers)
        return state.asking(fancier_question(state, 0))


class StatEntered(Event):
    """The next number of a fancier; after the last one its name is asked."""

    label = N_("number entered")
    seat: Seat
    stat: str
    value: int

    def fold(self, state: State) -> State:
        state = with_stats(state, self.seat, (*state.stats[self.seat], self.value))
        return state if len(state.stats[self.seat]) < len(STATS) else state.asking(Name(self.seat))


def with_stats(state: State, seat: Seat, stats: tuple[int, ...]) -> State:
    """The state with these numbers; once complete, both clips lie on the lowest values (R2)."""
    state = replace(state, stats=put(state.stats, seat, stats))
    if len(stats) < len(STATS):
        return state
    return replace(state, moxie=put(state.moxie, seat, stats[0]), hustle=put(state.hustle, seat, stats[2]))


# --- its name ---------------------------------------------------------------------------------------------------------


class Name(Setup):
    """Under which name is this fancier saved? Letter by letter."""

    letters: str = ""

    def offers(self, state: State) -> tuple[Offer, ...]:
        options = (ENOUGH if self.letters else NO, *LETTERS)
        return (Offer(self.seat, "name", options=options, letters=table.MAX_NAME - len(self.letters)),)

    @answers("name", N_("Save under a name?"))
    def spell(self, state: State, answer: Answer) -> Events:
        """One more letter; the name ends with `done`, or at its greatest length."""
        seat, letter = self.seat, answer.word
        if letter == NO:
            return (FancierUnnamed(seat),)
        if letter == ENOUGH:
            return (FancierSaved(seat, Known(self.letters, *state.stats[seat])),)
        name, entered = self.letters + letter, LetterEntered(seat, letter)
        return (
            (entered,) if len(name) < table.MAX_NAME else (entered, FancierSaved(seat, Known(name, *state.stats[seat])))
        )

    def face(self, state: State) -> Face:
        """At first whether to save the fancier at all."""
        if self.letters:
            return Face(whose(self.seat), lines=(self.letters,))
        return Face(whose(self.seat), big=N_("NAME IT?"), lines=(printed(state.stats[self.seat]),))


class LetterEntered(Event):
    label = N_("letters entered")
    seat: Seat
    letter: str

    def fold(self, state: State) -> State:
        return state.asking(Name(self.seat, of_kind(Name, state.ask).letters + self.letter))


class FancierSaved(Event):
    """Entered and named, or chosen by its name."""

    label = N_("fancier saved")
    seat: Seat
    fancier: Known

    def fold(self, state: State) -> State:
        """A fancier that has a name is known from now on; of two with the same name the newer one."""
        seat, fancier = self.seat, self.fancier
        others = tuple([known for known in state.known if known.name != fancier.name])
        state = replace(state, known=(fancier, *others), named=put(state.named, seat, fancier.name))
        return with_stats(state, seat, fancier[1:]).asking(fancier_question(state, seat + 1))


def renamed(events: Sequence[game.Event[Any]], name: str, by: str) -> tuple[game.Event[Any], ...]:
    """The events of a game with another name for a fancier, which does not begin with the same letter.

    Letters that spell the name go with it, also without an end, or with others between them that undo took back.
    """
    letters: dict[Seat, str] = {}
    for event in events:
        if isinstance(event, LetterEntered):
            letters[event.seat] = letters.get(event.seat, "") + event.letter
    typed = {seat for seat, text in letters.items() if spells(text, name)}

    def other(fancier: Known) -> Known:
        return fancier._replace(name=by) if fancier.name == name else fancier

    def changed(event: game.Event[Any]) -> game.Event[Any]:
        match event:
            case FancierSaved():
                return replace(event, fancier=other(event.fancier))
            case FanciersKnown():
                return replace(event, fanciers=tuple([other(fancier) for fancier in event.fanciers]))
            case LetterEntered(seat) if seat in typed:
                return replace(event, letter=by[0])
        return event

    return tuple([changed(event) for event in events])


def spells(letters: str, name: str) -> bool:
    """Whether a name can be read in these letters, without some of them."""
    rest = iter(letters)
    return all(letter in rest for letter in name)


class FancierUnnamed(Event):
    label = N_("fancier not named")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.asking(fancier_question(state, self.seat + 1))
