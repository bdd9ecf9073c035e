"""The contract: what is offered is taken, all else is refused in words and changes nothing; options; small helpers."""

from dataclasses import asdict, dataclass, fields
from functools import reduce
from itertools import accumulate, product
from random import Random

import pytest
from msgspec.structs import replace

from engine import games, play, rules
from engine.game import Answer, Corrected, Event, NoOptions, Question, Rules, State, act, answers
from engine.rules import Action, Board, Chance, Form, Offer, Refused, check, each_seat, option_values, put, read_options
from engine.words import either
from tests.engine.plain import SHIPPED
from tests.engine.table import questions, rows
from tests.simulators.players import random_game, random_options

OFFERS = (
    Offer(None, "next"),
    Offer(0, "take", 2, 5),
    Offer(1, "take", -3, 0),
    Offer(None, "who", options=(0, 2, "nobody")),
    Offer(None, "settle", due_ns=1000, race=True),
)


TAKEN: list[tuple[str, Action, Offer]] = [
    ("no value", Action(None, "next"), OFFERS[0]),
    ("lowest", Action(0, "take", 2), OFFERS[1]),
    ("highest", Action(0, "take", 5), OFFERS[1]),
    ("another seat's limits", Action(1, "take", -3), OFFERS[2]),
    ("a seat of the options", Action(None, "who", 2), OFFERS[3]),
    ("a word of the options", Action(None, "who", "nobody"), OFFERS[3]),
    ("due at its time", Action(None, "settle", at_ns=1000), OFFERS[4]),
    ("due later", Action(None, "settle", at_ns=1001), OFFERS[4]),
]


@pytest.mark.parametrize(("action", "offer"), rows(TAKEN))
def test_what_is_offered_is_taken(action: Action, offer: Offer) -> None:
    assert check(OFFERS, action) == offer


ALL = "offered: next (table), settle (table), take (seat 0), take (seat 1), who (table)"
REFUSED: list[tuple[str, Action, str, str]] = [
    ("unknown verb", Action(0, "fly"), "not_offered", f"seat 0 cannot fly now; {ALL}"),
    ("another seat", Action(2, "take", 3), "not_offered", f"seat 2 cannot take now; {ALL}"),
    ("a seat for the table", Action(0, "next"), "not_offered", f"seat 0 cannot next now; {ALL}"),
    ("the table for a seat", Action(None, "take", 3), "not_offered", f"the table cannot take now; {ALL}"),
    ("before its time", Action(None, "settle", at_ns=999), "not_offered", "settle is due at 1000 ns, not at 999 ns"),
    ("too low", Action(0, "take", 1), "bad_value", "take 1: must be a whole number from 2 to 5"),
    ("too high", Action(0, "take", 6), "bad_value", "take 6: must be a whole number from 2 to 5"),
    ("no number", Action(0, "take"), "bad_value", "take None: must be a whole number from 2 to 5"),
    ("a word for a number", Action(0, "take", "3"), "bad_value", "take '3': must be a whole number from 2 to 5"),
    ("true for a number", Action(1, "take", False), "bad_value", "take False: must be a whole number from -3 to 0"),
    (
        "a fraction",
        Action(0, "take", 3.0),  # type: ignore[arg-type]
        "bad_value",
        "take 3.0: must be a whole number from 2 to 5",
    ),
    ("not among the options", Action(None, "who", 1), "bad_value", "who 1: must be 0, 2 or nobody"),
    ("a seat as a word", Action(None, "who", "2"), "bad_value", "who '2': must be 0, 2 or nobody"),
    ("false for seat 0", Action(None, "who", False), "bad_value", "who False: must be 0, 2 or nobody"),
    ("no option", Action(None, "who"), "bad_value", "who None: must be 0, 2 or nobody"),
    ("a value for none", Action(None, "next", 1), "bad_value", "next 1: takes no value"),
]


@pytest.mark.parametrize(("action", "kind", "text"), rows(REFUSED))
def test_a_refusal_names_what_was_wrong_and_what_it_must_be(action: Action, kind: str, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        check(OFFERS, action)
    assert (refusal.value.kind, str(refusal.value)) == (kind, text)


def test_a_game_that_is_over_offers_nothing() -> None:
    with pytest.raises(Refused, match=r"^the table cannot next now; offered: nothing$"):
        check((), Action(None, "next"))


class Counted(State):
    total: int = 0

    @property
    def points(self) -> tuple[int, ...]:
        return (self.total, 0)


class Adding(Question[Counted]):
    phase = "count"
    offered = (Offer(None, "add", 1, 9), Offer(None, "roll"))

    @answers("add", "Add")
    def add(self, state: Counted, answer: Answer) -> tuple[Event[Counted], ...]:
        return (Added(answer.number), Added(100))

    @answers("roll", "Roll")
    def roll(self, state: Counted, answer: Answer) -> tuple[Event[Counted], ...]:
        return (Added(answer.dice().randint(1, 10**9)),)


class CountingEvent(Event[Counted]):
    pass


class Added(CountingEvent):
    label = "added"
    points: int

    def fold(self, state: Counted) -> Counted:
        return replace(state, total=state.total + self.points)


def count(total: int = 0) -> Counted:
    return Counted((0, 0), Adding(), total)


COUNTING: Rules[Counted, NoOptions] = Rules(
    name="counting", title="Counting", seats=(1, 2), event=CountingEvent, start=lambda players, options: count()
)
CHANCE = Chance(7, 0)


def test_act_gives_the_events_and_the_state_folded_from_them() -> None:
    state, events = act(COUNTING, count(), Action(None, "add", 3), CHANCE)
    assert (state, events) == (count(103), (Added(3), Added(100)))


def test_without_a_board_of_its_own_a_game_shows_its_points() -> None:
    assert COUNTING.board(count(3)) == Board("count", 1, None, (), (), (3, 0), ({}, {}))


def test_without_a_rule_of_its_own_those_with_most_points_win() -> None:
    winners = [COUNTING.winners(replace(count(3), corrected=fixed)) for fixed in ((0, 0), (0, 3), (0, 4))]
    assert winners == [(0,), (0, 1), (1,)]


def test_without_options_of_its_own_a_game_has_none() -> None:
    assert fields(COUNTING.options) == ()


def test_act_refuses_what_is_not_offered_and_leaves_the_state_as_it_was() -> None:
    state = count(5)
    with pytest.raises(Refused, match=r"^add 10: must be a whole number from 1 to 9$"):
        act(COUNTING, state, Action(None, "add", 10), CHANCE)
    assert state == count(5)


OTHERS = [("the same", CHANCE, True), ("seed", Chance(8, 0), False), ("step", Chance(7, 1), False)]


@pytest.mark.parametrize(("other", "same"), rows([*OTHERS, ("part", Chance(7, 0, 1), False)]))
def test_the_same_chance_falls_the_same_way_and_another_seed_step_or_part_another(other: Chance, same: bool) -> None:
    roll = Action(None, "roll")
    assert (act(COUNTING, count(), roll, other) == act(COUNTING, count(), roll, CHANCE)) is same


@pytest.mark.parametrize("points", [3, -3])
def test_correct_adds_to_one_seat(points: int) -> None:
    assert Corrected(1, points).fold(State((1, 2), Adding())) == State((1, 2 + points), Adding())


def test_seats_are_numbered_from_0() -> None:
    assert rules.seats_of(3) == (0, 1, 2)


@pytest.mark.parametrize(("index", "values"), [(0, "Xbc"), (1, "aXc"), (2, "abX")])
def test_put_changes_one_value(index: int, values: str) -> None:
    assert put(("a", "b", "c"), index, "X") == tuple(values)


N = None
ASKED = [
    ("everybody at once", each_seat((N, N), "take", low=0, high=9), (Offer(0, "take", 0, 9), Offer(1, "take", 0, 9))),
    ("not answered", each_seat((N, 4, N), "take"), (Offer(0, "take", joins=True), Offer(2, "take", joins=True))),
    ("0 is an answer", each_seat((0, N), "take"), (Offer(1, "take", joins=True),)),
    ("limits by seat", each_seat((N, N), "take", low=0, high=(3, 5)), (Offer(0, "take", 0, 3), Offer(1, "take", 0, 5))),
    ("only some", each_seat((N, N, N), "take", seats=(0, 2)), (Offer(0, "take"), Offer(2, "take"))),
    ("filled in", each_seat((N,), "take", low=0, high=9, prefill=1), (Offer(0, "take", 0, 9, prefill=1),)),
    ("all have answered", each_seat((1, 2), "take"), ()),
    ("in turn, by the order", rules.in_turn((2, 0, 1), (N, N, 4), "take", low=1, high=2), (Offer(0, "take", 1, 2),)),
    ("in turn, all have answered", rules.in_turn((1, 0), (4, 4), "take"), ()),
]


@pytest.mark.parametrize(("asked", "offers"), rows(ASKED))
def test_who_is_asked(asked: tuple[Offer, ...], offers: tuple[Offer, ...]) -> None:
    assert asked == offers


HIGHEST = [
    ("one", (3, 5, 1), (0, 1, 2), (1,)),
    ("several", (5, 3, 5), (0, 1, 2), (0, 2)),
    ("only among these", (9, 3, 5), (1, 2), (2,)),
    ("below zero", (-4, -2), (0, 1), (1,)),
]


@pytest.mark.parametrize(("totals", "seats", "best"), rows(HIGHEST))
def test_highest(totals: tuple[int, ...], seats: tuple[int, ...], best: tuple[int, ...]) -> None:
    assert rules.highest(totals, seats) == best


@dataclass(frozen=True, slots=True)
class Sample:
    loud: bool = rules.switch(False, "on or off")
    laps: int = rules.number(2, 1, 3, "a number")
    band: int | str = rules.number("kit", 5, 7, "a number or a word", "kit")
    pace: str = rules.choice("slow", "one of three words", "fast", "mad")


GOOD: list[tuple[str, object]] = [
    *[("loud", on) for on in (True, False)],
    *[("laps", laps) for laps in (1, 2, 3)],
    *[("band", band) for band in ("kit", 5, 7)],
    *[("pace", pace) for pace in ("slow", "fast", "mad")],
]
NO_BOOL: tuple[object, ...] = (0, "on", None)
NO_NUMBER: tuple[object, ...] = (0, 4, True, 2.0, "2", [2])
NO_BAND: tuple[object, ...] = (4, 8, True, "Kit", 5.0)
NO_WORD: tuple[object, ...] = ("Slow", 0, None, ["slow"])


@pytest.mark.parametrize(("name", "value"), GOOD)
def test_options_take_every_value_that_is_allowed(name: str, value: object) -> None:
    assert getattr(read_options(Sample, {name: value}), name) is value


LOUD, LAPS, BAND, PACE = "off or on", "1 to 3", "kit or 5 to 7", "slow, fast or mad"
BAD: list[tuple[str, object, str]] = [
    *[("loud", value, LOUD) for value in NO_BOOL],
    *[("laps", value, LAPS) for value in NO_NUMBER],
    *[("band", value, BAND) for value in NO_BAND],
    *[("pace", value, PACE) for value in NO_WORD],
]


@pytest.mark.parametrize(("name", "value", "words"), BAD, ids=[f"{name} {value!r}" for name, value, _ in BAD])
def test_a_wrong_option_is_refused_with_name_value_and_what_it_must_be(name: str, value: object, words: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_options(Sample, {name: value})
    assert (refusal.value.kind, str(refusal.value)) == ("bad_setup", f"option {name} = {value!r}: must be {words}")


CUPS = Form(2, ("red", "blue"), most=3)


@dataclass(frozen=True, slots=True)
class Other:
    """Options of the two rarer kinds."""

    entry: str = rules.choice("counts", "how it is entered", "kinds", programs=("cards",))
    cups: str = rules.table("red red+blue", "cups by place", CUPS)


@dataclass(frozen=True, slots=True)
class Titled:
    """Options with words for people."""

    dice_asked: bool = rules.switch(True, "dice are asked for")
    sets: int | str = rules.number("all", 1, 4, "sets of cards", "all", title="Card sets")
    limit_s: int = rules.timer(0, 600, "s for a turn; 0 is off", title="Turn timer")
    band: int | str = rules.dead_heat()
    mode: str = rules.choice("by_hand", "how it is rolled", "by_kit", title="Rolled", says={"by_hand": "by hand"})


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("dice_asked", False, "Dice asked: off"),
        ("sets", "all", "Card sets: all"),
        ("sets", 1, "Card sets: 1"),
        ("limit_s", 0, "Turn timer: off"),
        ("limit_s", 30, "Turn timer: 30 s"),
        ("band", "kit", "Tie within: measured"),
        ("band", 5, "Tie within: 5 ms"),
        ("mode", "by_hand", "Rolled: by hand"),
        ("mode", "by_kit", "Rolled: by_kit"),
    ],
)
def test_an_option_has_words_with_its_unit(name: str, value: object, words: str) -> None:
    option = next(option for option in fields(Titled) if option.name == name)
    assert f"{rules.option_title(option)}: {rules.option_says(option, value)}" == words


def test_a_choice_for_programs_can_be_set_but_is_not_offered_to_people() -> None:
    [entry, _] = fields(Other)
    assert read_options(Other, {"entry": "cards"}).entry == "cards"
    assert option_values(entry, programs=False) == ("counts", "kinds")


@pytest.mark.parametrize("text", ["none none", "red+red+blue none", "  blue   red "])
def test_a_table_takes_every_text_of_its_form(text: str) -> None:
    assert read_options(Other, {"cups": text}).cups == text


FORM = "2 entries, each none or up to 3 of red, blue joined by +"


@pytest.mark.parametrize(
    "value",
    ["", "red", "red red red", "red green", "red+ red", "red none+red", "red+red+red+red red", 2, None, ["red"]],
)
def test_a_table_of_another_form_is_refused(value: object) -> None:
    with pytest.raises(Refused) as refusal:
        read_options(Other, {"cups": value})
    assert str(refusal.value) == f"option cups = {value!r}: must be {FORM}"


def test_a_table_is_counted_by_entry_and_written_from_counts() -> None:
    assert (CUPS.counts("blue+red+blue none"), CUPS.text(((1, 2), (0, 0)))) == (((1, 2), (0, 0)), "red+blue+blue none")


def test_an_offer_with_an_example_takes_only_tuples() -> None:
    offers = (Offer(0, "lay", example=((0, 1), "red")),)
    assert check(offers, Action(0, "lay", ((5, 5), "blue"))) is offers[0]
    for value in (None, 3, "red"):
        with pytest.raises(Refused) as refusal:
            check(offers, Action(0, "lay", value))
        assert refusal.value.kind == "bad_value"
        assert "must be something like ((0, 1), 'red')" in str(refusal.value)


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match=r"^option 'lapse' is unknown: must be loud, laps, band or pace$") as refusal:
        read_options(Sample, {"laps": 1, "lapse": 2})
    assert refusal.value.kind == "bad_setup"


def test_option_values_are_all_that_is_allowed_also_in_words() -> None:
    values = [(False, True), (1, 2, 3), ("kit", 5, 6, 7), ("slow", "fast", "mad")]
    assert [option_values(option) for option in fields(Sample)] == values
    assert [rules.allowed(option) for option in fields(Sample)] == [LOUD, LAPS, BAND, PACE]


SEATS = {"cat_pageant": (2, 4), "if_it_fits": (2, 5), "kitty_paw": (2, 4), "pack_and_stack": (2, 6)}


@pytest.mark.parametrize("name", SEATS)
def test_a_game_is_for_so_many_players(name: str) -> None:
    assert games.rules(name).seats == SEATS[name]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_strip_is_about_something_that_there_is(name: str) -> None:
    rules, met = games.rules(name), set[str]()
    for players, seed in product(range(rules.seats[0], rules.seats[1] + 1), range(3)):
        game = random_game(rules, players, random_options(rules, Random(seed)), seed)
        for now in accumulate(
            (move.facts for move in game.moves),
            lambda now, facts: reduce(play.fold, facts, now),
            initial=play.opened(rules, game.facts[0]),
        ):
            board, run = now.board, now.board.race
            met.add(board.shows)
            assert board.shows != "rounds" or board.rounds
            assert board.shows != "places" or (board.order and set(board.turn) <= set(board.order))
            assert board.shows != "choosing" or (board.order and board.turn)
            assert (board.shows == "go") == (run is not None and run.phase == "running" and not run.gaps)
            assert (board.shows == "winners") == ("winner" in board.highlight)
    assert {"seats", "winners"} < met


LIMITS: list[tuple[str, str, object]] = [
    ("cat_pageant", "cube_limit", 16),
    ("cat_pageant", "placing_countdown", 11),
    ("cat_pageant", "entry", "moxie"),
    ("cat_pageant", "turn_timer_s", 601),
    ("pack_and_stack", "trucks_per_player", 3),
    ("pack_and_stack", "tie_band", 0),
    ("pack_and_stack", "counting", "slow"),
    ("pack_and_stack", "loading_timer_s", 601),
]


@pytest.mark.parametrize(("game", "name", "value"), LIMITS)
def test_an_option_of_a_game_beyond_its_limits_is_refused(game: str, name: str, value: object) -> None:
    with pytest.raises(Refused, match=name):
        read_options(games.rules(game).options, {name: value})


DEFAULTS = {
    "cat_pageant": (
        "initiative_tiebreak draw; media_counts_cube True; open_pageant per_cube; cube_limit none; "
        "placing_countdown 3; entry counts; turn_timer_s 0"
    ),
    "if_it_fits": (
        "advanced False; sleep_only_blocks False; sleepers_in_bonus True; bonus_for_all True; "
        "toy_is_turn True; entry counts; sleepers_asked True; turn_timer_s 0"
    ),
    "kitty_paw": (
        "mixed_deck False; level2_sets 2; end_counts_penalties False; last_penalty_two_players True; "
        "tie_band kit; last_by_hand False; response_limit_s 0; round_limit_s 0"
    ),
    "pack_and_stack": (
        "floor_at_zero False; reward_cards False; trucks_per_player auto; tie_band kit; loading_timer_s 0; "
        "counting quick; start hands_off; device_dice False"
    ),
    "pack_the_essentials": (
        "bonus_table underwear sock rat rat+toy; cat_lady physical; rats_in_total True; "
        "toys_fill_for_tiebreak True; solo_goal ≥; ask_tile False; entry counts; turn_timer_s 0"
    ),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_option_names_and_defaults_are_those_of_the_rules_page(name: str) -> None:
    assert "; ".join(f"{key} {value}" for key, value in asdict(games.rules(name).options()).items()) == DEFAULTS[name]


@pytest.mark.parametrize("name", games.names())
def test_every_default_and_every_value_of_every_option_can_be_set(name: str) -> None:
    options = games.rules(name).options
    assert read_options(options, asdict(options())) == options() == read_options(options, {})
    for option in fields(options):
        for value in option_values(option):
            assert getattr(read_options(options, {option.name: value}), option.name) == value


def test_every_verb_of_every_game_has_words() -> None:
    for name in games.names():
        games.rules(name)
    silent = {verb for kind in questions(Question) for verb, how in kind.verbs.items() if not how.label}
    assert silent == set()


def test_an_event_without_a_label_cannot_be_defined() -> None:
    with pytest.raises(TypeError, match="event Silent has no label"):

        class Silent(CountingEvent):
            def fold(self, state: Counted) -> Counted:
                return state


@pytest.mark.parametrize("name", games.names())
def test_a_game_is_called_as_its_file(name: str) -> None:
    assert games.rules(name).name == name


@pytest.mark.parametrize("name", ["os", "", "kitty_paw.RULES", "../play", "Kitty_Paw"])
def test_only_listed_games_are_opened(name: str) -> None:
    with pytest.raises(Refused) as refusal:
        games.rules(name)
    assert (refusal.value.kind, str(refusal.value)) == (
        "bad_setup",
        f"game {name!r} is unknown: must be {either(games.names())}",
    )
