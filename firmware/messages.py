"""What leaves the house, by kind, as plain values: the fields that docs/protocol.md lists, each written here once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, TypedDict, cast

MS = 1_000_000  # ns


class Stamped(TypedDict):
    """One seat in a race. A seat that has not pressed has no times."""

    seat: int
    button: int | None
    name: str
    at_ns: int | None
    after_ns: int | None
    gap_ns: int | None
    error_ns: int | None
    band_ns: int | None
    source: str
    marks: Sequence[str]
    notes: str


class PhotoFinish(TypedDict):
    """A race that is judged."""

    rows: Sequence[Stamped]
    signal: bool
    first: Sequence[int]
    last: Sequence[int]
    ties: Sequence[Sequence[int]]
    closest: Sequence[int] | None
    verdict: Sequence[str]
    stamps: str


class Figured(PhotoFinish):
    """The same for a page."""

    figure: str


class Words(TypedDict):
    """Sentences for screen readers; empty where there is nothing to say."""

    display: str
    lasting: str
    question: str
    chosen: str
    asked: str
    verdict: str
    strip: str


class Flash(TypedDict):
    """What the display shows for a moment; later ones have higher numbers."""

    number: int
    text: str


class Seated(TypedDict):
    """Who plays with a button."""

    button: str
    name: str
    person: str


class Known(TypedDict):
    """Somebody whom the kit knows."""

    id: str
    name: str


class Ranked(TypedDict):
    """One seat among the scores."""

    seat: int
    label: str
    person: str | None
    name: str
    points: int
    place: int


class Scores(TypedDict):
    """A game, the first place in front."""

    game: int
    title: str
    over: bool
    rows: Sequence[Ranked]


class Race(TypedDict):
    """A race as it happens."""

    phase: str
    gaps: Sequence[tuple[str, int]]


class Answered(TypedDict):
    """What is answered already of the round under way, by one ask."""

    text: str
    said: Sequence[tuple[Sequence[int], str]]


Row = tuple[int, Sequence[int | None], Sequence[int]]  # of the table of rounds: round, points and totals by column
ROWS = "rows"  # each block of rows is news of its own: "rows 0", "rows 1"; `None`: it is gone


class Rounds(TypedDict):
    """The table of rounds, a column a player or a team. Its rows are told beside it, block by block."""

    columns: Sequence[Sequence[int]]
    buttons: Sequence[int | None]
    names: Sequence[str]
    many: int


class EnteredNumber(TypedDict):
    """A number of an earlier round, and what else it may be."""

    seat: int | None
    verb: str
    who: str
    text: str
    value: int
    low: int
    high: int
    step: int
    words: Sequence[str]


class Entered(TypedDict):
    """What was entered in an earlier round."""

    game: int
    round: int
    entries: Sequence[EnteredNumber]


class Game(TypedDict):
    """What everybody may see of a game."""

    title: str
    where: Sequence[str]
    asked: str
    said: Sequence[str]
    wrong: str
    known: Sequence[Answered]
    ok: str | None
    over: bool
    order: Sequence[int]
    turn: Sequence[int]
    on_kit: str
    pressing: Sequence[int]
    names: Sequence[str]
    buttons: Sequence[int | None]
    scores: Sequence[tuple[int, int, int]]
    beside: Sequence[str]
    race: Race | None


class ShownClock(NamedTuple):
    """A clock that the display shows. It is told once, as the `TimeLeft` of that moment (`told_at`)."""

    seat: int | None  # whose it is; None: everybody's
    ns: int  # the stamp at which it is up or, if it stands still, the time that is left
    runs: bool
    over: bool  # below 0 it counts on


class TimeLeft(TypedDict):
    """The same as pages get it: what was left when it was sent."""

    seat: int | None
    ms: int
    runs: bool
    over: bool


class TableNews(TypedDict, total=False):
    """What has changed of the table, by kind."""

    evidence: Figured | None
    words: Words
    flashes: Sequence[Flash]
    seats: Sequence[Seated]
    hands: Sequence[str]
    people: Sequence[Known]
    scores: Scores | None
    certificate: str | None
    sought: str | None
    game: Game | None
    invites: str
    covered: bool
    count: int | None
    clocks: Sequence[TimeLeft]  # until they are sent each is a `ShownClock`
    rounds: Rounds | None


class Button(TypedDict):
    """A player button on the page."""

    name: str
    lamp: bool
    press: bool


class Kit(TypedDict):
    """What a kit has."""

    title: str
    buttons: Sequence[Button]
    control: bool
    knob: bool
    display: bool
    leds: int
    shape: str
    sides: Mapping[str, Sequence[str]] | None
    sound: bool


class Offered(TypedDict):
    """An answer to what is asked first; without `agreed` nothing is changed then."""

    label: str
    agreed: Sequence[str] | None


class Asks(TypedDict):
    """What is asked before a wish is done."""

    lines: Sequence[str]
    latin: bool
    choices: Sequence[Offered]


WISHED = "wished"  # what has come of each wish is news of its own, by its id: "wished 4a1b"


class Wished(TypedDict):
    """What has come of a wish of the kit's page: why not, what is asked first; neither: it is done."""

    refused: str
    asks: Asks | None


class OnPage(TypedDict, total=False):
    """What the kit's own page is told besides."""

    kit: Kit
    picture: str
    contrast: int
    lamps: Sequence[str]
    strip: str
    tune: Sequence[tuple[int, int]]
    parts: Mapping[str, str | None]
    plugged: Mapping[str, bool]
    entered: Entered


class Place(TypedDict):
    """A place at the table, for somebody who chooses one."""

    button: str
    label: str
    name: str
    taken: bool
    mine: bool
    number: int | None
    colour: str


class PhoneQuestion(TypedDict, total=False):
    """A question for a phone; a choice has `options`, a word `letters` and `none`, a number what follows them."""

    id: str
    seat: int | None
    verb: str
    for_seats: Sequence[int]
    text: str
    does: str
    aside: bool
    early: bool
    said: Sequence[str]
    then: str | None
    options: Sequence[Sequence[int | str]]
    letters: int
    none: str
    low: int
    high: int | None
    prefill: int | None
    each: int | None
    step: int
    words: Sequence[str]
    alone: str
    tries: bool


class Early(TypedDict):
    """What a seat has answered before its turn, question by question: each with the answer in words."""

    seat: int
    said: Sequence[Sequence[str]]


class Opened(TypedDict):
    """The game on the table, and how it stands: sent back with a wish."""

    game: int
    mark: str


class Me(TypedDict):
    """What only one phone is told: of itself."""

    role: str
    tag: str
    wish: str
    places: Sequence[Place]
    seats: Sequence[int]
    asks: Sequence[PhoneQuestion]
    sent: Sequence[Sequence[int]]
    at_kit: Sequence[Sequence[int]]
    kept: Sequence[Early]
    missing: NotRequired[Sequence[int] | None]
    closes: NotRequired[bool]
    note: str
    own: bool
    opened: NotRequired[Opened]
    redo: NotRequired[bool]
    table: str
    code: bool
    history: str


class Ack(TypedDict):
    """What has become of an answer."""

    nonce: str
    refused: str
    saved: bool


class Tried(TypedDict):
    """What a seat's total would be with a number that is being typed."""

    ask: str
    value: int
    total: int | None


class OnPhone(TypedDict, total=False):
    """What a phone is told besides."""

    me: Me
    told: str
    refused: str
    agreed: Sequence[str]
    ack: Ack
    tried: Tried
    entered: Entered


def told_at(news: Mapping[str, object], now_ns: int) -> TableNews:
    """News as they are sent now: of clocks what is left. `now_ns`: CLOCK_MONOTONIC."""
    clocks = cast("Sequence[ShownClock]", news.get("clocks", ()))
    told = [TimeLeft(seat=c.seat, ms=(c.ns - now_ns * c.runs) // MS, runs=c.runs, over=c.over) for c in clocks]
    return cast("TableNews", {**news, "clocks": told} if "clocks" in news else {**news})


class Follower:
    """Somebody who is told of these kinds what has changed: only the newest of a kind counts."""

    def __init__(self, send: Callable[[Any], None], *kinds: str) -> None:
        self.send = send
        self._kinds = frozenset(kinds)
        self.shown: dict[str, object] = {}

    def hears(self, kind: str) -> bool:
        """Whether this kind is told, or the kind of which this is a part, as `rows 3` is one of `rows`."""
        return kind.partition(" ")[0] in self._kinds

    def fresh(self, news: Mapping[str, object]) -> dict[str, object]:
        """What of this was not told yet, and is from now on; values are never changed once they were told."""
        shown, fresh = self.shown, dict[str, object]()
        for kind, value in news.items():
            if self.hears(kind) and (kind not in shown or (shown[kind] is not value and shown[kind] != value)):
                fresh[kind] = value
        shown |= fresh
        return fresh

    def show(self, news: Mapping[str, object]) -> None:
        """Tell it."""
        if fresh := self.fresh(news):
            self.send(fresh)
