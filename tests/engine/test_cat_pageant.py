"""CAT Pageant: the worked examples of its rules page, every question in turn, and cats that are all known."""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any

import pytest

from engine import game
from engine.games.cat_pageant import RULES, kept
from engine.games.cat_pageant.fanciers import Fancier, FancierSaved, Name
from engine.games.cat_pageant.rounds import (
    Adopt,
    CardMoxie,
    Countdown,
    Groom,
    Hustle,
    Order,
    Pageants,
    Place,
    Result,
    ShowCat,
    adopt_question,
)
from engine.games.cat_pageant.scoring import Final, Media, Piles
from engine.games.cat_pageant.table import (
    LETTERS,
    MOST_MOXIE,
    STATS,
    TRICKS,
    WILD,
    Cat,
    Known,
    Options,
    Question,
    State,
    cats_a_cube,
    choices,
    draw_size,
    ended,
    initiative,
    media_bonus,
    most_cats,
    room,
    supply,
)
from engine.play import Fact, Play, answer, fix, fold, opened, resume, start, undo
from engine.rules import Action, Chance, Offer, Refused, Value, act, read_options, replace

S = 1_000_000_000
FANCIER = (3, 6, 1, 4)  # lowest and highest moxie, lowest and highest hustle
Answer = tuple[int | None, str, Value]


# --- playing ---------------------------------------------------------------------------------------------------------


def new(players: int = 3, **options: object) -> Play:
    """A game at its first question."""
    return opened(RULES, start(RULES, tuple("ABCD"[:players]), read_options(Options, options), seed=7))


def do(play: Play, *answers: Answer, at_s: float = 0) -> Play:
    """The play after answers of a seat, a verb and a value."""
    for seat, verb, value in answers:
        play = reduce(fold, answer(play, Action(seat, verb, value, round(at_s * S))), play)
    return play


def fanciers(play: Play, *stats: tuple[int, int, int, int]) -> Play:
    """The play after everybody's fancier; those not given are all alike."""
    for seat in range(len(play.players)):
        for verb, value in zip(STATS, stats[seat] if seat < len(stats) else FANCIER, strict=True):
            play = do(play, (seat, verb, value))
        play = do(play, (seat, "name", "no"))
    return play


def table(players: int = 3, *stats: tuple[int, int, int, int], **options: object) -> Play:
    """The first cubes have been placed; no countdown unless it is asked for."""
    return fanciers(new(players, **{"placing_countdown": 0, **options}), *stats)


def placed(play: Play, *hustle: int) -> Play:
    """So many cubes on hustle."""
    return do(play, *((seat, "hustle", cubes) for seat, cubes in enumerate(hustle)))


def drawn(play: Play, *hustle: int) -> Play:
    """Cubes are read, cats lie in the middle."""
    return do(placed(play, *hustle), (None, "draw", None))


def adopted(play: Play, cats: int) -> Play:
    """So many cats taken, by whoever is asked; then everybody passes."""
    for _ in range(cats):
        play = do(play, (ask(play).seat, "take", None))
    while isinstance(ask(play), Adopt):
        play = do(play, (None, "pass", None))
    return play


def ask(play: Play) -> Any:
    return play.state.ask


def offered(state: State) -> dict[tuple[int | None, str], Offer]:
    return {(offer.seat, str(offer.verb)): offer for offer in RULES.offers(state)}


def played(state: State, *answers: Answer) -> State:
    """The state after answers, without a play around it."""
    for seat, verb, value in answers:
        state, _ = act(RULES, state, Action(seat, verb, value), Chance(7, 0))
    return state


def at(
    question: Question,
    players: int = 3,
    *,
    now: Mapping[str, Any] | None = None,
    options: Mapping[str, object] | None = None,
    **fields: Any,
) -> State:
    """A state at a question of a later round, with these fields of the round and of the game."""
    state = RULES.start(players, read_options(Options, options or {}))
    order = tuple(range(players))
    state = replace(
        state, stats=(FANCIER,) * players, moxie=(3,) * players, hustle=(1,) * players, deck=20, ask=question
    )
    state = replace(state, round=replace(state.round, number=2, order=order))
    if now:
        state = replace(state, round=replace(state.round, **now))
    return replace(state, **fields) if fields else state


def known(
    question: Question,
    *cats: Cat,
    now: Mapping[str, Any] | None = None,
    open_pageant: str = "per_cube",
    **fields: Any,
) -> State:
    """Two players, every cat entered: these cats are beside the time card of seat 0."""
    count = {"hand": (cats, ()), "cats": (len(cats), 0), **fields}
    return at(question, 2, now=now, options={"entry": "cards", "open_pageant": open_pageant}, **count)


def groomed(trick: str, moxie: int) -> Cat:
    return Cat(trick, moxie, groomed=True, fresh=False)


def resting(trick: str, moxie: int) -> Cat:
    """An ungroomed cat of an earlier round."""
    return Cat(trick, moxie, fresh=False)


def pageants(cards: int, players: int = 3, **fields: Any) -> State:
    """So many cats left over; everybody has four cats of earlier rounds and cubes on show."""
    everybody = {"cats": (4,) * players, **fields}
    state = at(Pageants(), players, now={"middle": cards, "rest": (3,) * players}, **everybody)
    return played(state, (None, "pageants", None), (None, "all_done", None))


# --- fanciers and their names ----------------------------------------------------------------------------------------

PIP, MO = ("PIP", 2, 5, 1, 4), ("MO", 3, 6, 0, 2)


def recalled(*known: tuple[str, int, int, int, int]) -> Play:
    """A game of two whose kit has kept these fanciers."""
    return do(new(2, placing_countdown=0), (None, "recall", known))


def spelled(play: Play, seat: int, *letters: str) -> Play:
    """The fancier of a seat, entered and named."""
    numbers = [(seat, verb, value) for verb, value in zip(STATS, FANCIER, strict=True)]
    return do(play, *numbers, *((seat, "name", letter) for letter in letters))


def test_fanciers_of_earlier_games_are_asked_for_before_the_first_number() -> None:
    play = new()
    assert [offer.verb for offer in do(play, (0, "moxie_low", 3)).offers] == ["moxie_high"]
    assert [(offer.seat, offer.verb, offer.example) for offer in play.offers[1:]] == [(None, "recall", (PIP,))]


def test_the_example_of_fanciers_is_legal() -> None:
    play = new()
    assert do(play, (None, "recall", play.offers[1].example)).state.known == (PIP,)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        pytest.param((PIP, ("pip", 2, 5, 1, 4)), "name 'pip': 1 to 8 of A to Z and 0 to 9", id="small letters"),
        pytest.param((("", 2, 5, 1, 4),), "name '': 1 to 8 of A to Z and 0 to 9", id="no letter"),
        pytest.param((("ABCDEFGHI", 2, 5, 1, 4),), "name 'ABCDEFGHI': 1 to 8 of A to Z and 0 to 9", id="too long"),
        pytest.param(((7, 2, 5, 1, 4),), "name 7: 1 to 8 of A to Z and 0 to 9", id="a number"),
        pytest.param((PIP, PIP), "PIP twice", id="twice"),
        pytest.param((("PIP", 2, 5, 1, 21),), "PIP: four whole numbers from 0 to 20", id="too high"),
        pytest.param((("PIP", 2, 5, True, 4),), "PIP: four whole numbers from 0 to 20", id="not a number"),
        pytest.param((("PIP", 5, 2, 1, 4),), "PIP: a highest value below the lowest", id="moxie"),
        pytest.param((("PIP", 2, 5, 4, 1),), "PIP: a highest value below the lowest", id="hustle"),
        pytest.param((("PIP", 2, 5, 1),), "('PIP', 2, 5, 1): a name and four numbers are needed", id="three numbers"),
        pytest.param(("PIP",), "'PIP': a name and four numbers are needed", id="only a name"),
        pytest.param(tuple((f"F{n}", 2, 5, 1, 4) for n in range(13)), "13 fanciers; 12 at most", id="thirteen"),
    ],
)
def test_fanciers_that_cannot_be_are_refused(given: tuple[object, ...], why: str) -> None:
    with pytest.raises(Refused) as refused:
        do(new(), (None, "recall", given))
    assert (refused.value.kind, str(refused.value)) == ("bad_value", f"recall: {why}")


def test_no_fanciers_of_earlier_games_change_nothing() -> None:
    assert recalled().state == new(2, placing_countdown=0).state


def test_known_fanciers_are_offered_by_name() -> None:
    assert recalled(PIP, MO).offers == (Offer(0, "fancier", options=("PIP", "MO", "new")),)


def test_a_name_sets_all_four_numbers_and_is_used_last() -> None:
    play = recalled(PIP, MO)
    facts = answer(play, Action(0, "fancier", "MO"))
    state = reduce(fold, facts, play).state
    assert [fact.event for fact in facts] == [FancierSaved(0, Known(*MO))]
    assert (state.stats[0], state.moxie[0], state.hustle[0], state.known) == (MO[1:], 3, 0, (MO, PIP))


def test_nobody_is_offered_the_fancier_of_another_seat() -> None:
    assert do(recalled(PIP, MO), (0, "fancier", "MO")).offers[0].options == ("PIP", "new")


def test_where_all_known_fanciers_are_taken_the_numbers_are_asked_for() -> None:
    assert ask(do(recalled(PIP), (0, "fancier", "PIP"))) == Fancier(1)


def test_a_new_fancier_is_asked_for_its_numbers() -> None:
    play = do(recalled(PIP), (0, "fancier", "new"))
    assert [offer.verb for offer in play.offers] == ["moxie_low"]


def test_a_fancier_is_not_saved_by_a_plain_ok() -> None:
    play = spelled(new(2), 0)
    assert play.offers[0].options == ("no", *LETTERS)
    assert (ask(do(play, (0, "name", "no"))), do(play, (0, "name", "no")).state.known) == (Fancier(1), ())


def test_a_name_is_spelled_until_it_is_done() -> None:
    play = spelled(new(2), 0, "M")
    assert play.offers[0].options == ("done", *LETTERS)
    assert do(play, (0, "name", "O"), (0, "name", "done")).state.known == (("MO", *FANCIER),)


def test_a_name_of_eight_letters_is_complete() -> None:
    assert spelled(new(2), 0, *"TIGERCAT").state.known == (("TIGERCAT", *FANCIER),)


def test_the_fancier_that_is_saved_is_what_the_kit_keeps() -> None:
    play = spelled(new(2), 0, "M", "O")
    facts = answer(play, Action(0, "name", "done"))
    assert [fact.event for fact in facts] == [FancierSaved(0, Known("MO", *FANCIER))]
    assert kept(reduce(fold, facts, play).state) == (("MO", *FANCIER),)


def test_a_name_given_again_stands_for_the_newest_fancier() -> None:
    play = spelled(do(recalled(PIP), (0, "fancier", "new")), 0, *"PIP", "done")
    assert play.state.known == (("PIP", *FANCIER),)


def test_every_letter_is_a_step() -> None:
    play = spelled(new(2), 0, "M", "O")
    assert ask(reduce(fold, undo(play), play)) == Name(0, "M")


# --- the worked examples ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "cubes", "deck", "cats"),
    [pytest.param(2, 3, 42, 5, id="T1"), pytest.param(3, 4, 5, 5, id="T13")],
)
def test_the_first_player_draws(players: int, cubes: int, deck: int, cats: int) -> None:
    assert draw_size(players, cubes, deck) == cats


def test_t1_cats_drawn_lie_in_the_middle() -> None:
    play = drawn(table(2), 3, 0)
    assert (play.state.round.middle, play.state.deck) == (5, 37)


def taking(*, trick: str = "cube") -> State:
    """T2: a fancier of moxie 5 has cats of 3 and has just taken another."""
    state = known(Adopt(0), resting("show", 3), now={"middle": 2, "hustle": (1, 1)}, moxie=(5, 3))
    return played(state, (0, "take", None), (0, "trick", trick))


@pytest.mark.parametrize("moxie", [pytest.param(1, id="T2 lighter"), pytest.param(2, id="T2 just")])
def test_t2_a_cat_that_fits_is_adopted(moxie: int) -> None:
    state = played(taking(), (0, "moxie", moxie))
    assert state.hand[0][-1] == Cat("cube", moxie)


def test_t2_a_cat_that_is_too_heavy_is_refused() -> None:
    with pytest.raises(Refused, match=r"^moxie 3: a whole number from 1 to 2 is allowed$"):
        played(taking(), (0, "moxie", 3))


def test_t2_taking_a_cat_moves_a_hustle_cube_onto_it() -> None:
    state = taking()
    assert (state.round.hustle, state.round.middle, state.round.taken) == ((0, 1), 1, (1, 0))


def test_t3_without_a_cube_on_hustle_no_cat_may_be_taken() -> None:
    assert ask(drawn(table(2), 0, 0)) == Pageants()


def test_t3_who_has_no_cube_left_is_not_asked() -> None:
    play = do(drawn(table(2), 1, 2), (1, "take", None), (0, "take", None), (1, "take", None))
    assert (ask(play), play.state.round.middle) == (Pageants(), 1)


def test_t4_most_cats_take_the_pageant_card_too() -> None:
    state = played(pageants(1), (0, "shown", 2), (1, "shown", 0), (2, "shown", 1))
    assert (state.scored, state.round.won) == ((3, 0, 1), (0,))


def test_t5_each_pageant_has_its_own_winner() -> None:
    state = played(pageants(2), (0, "shown", 1), (1, "shown", 0), (2, "shown", 0))
    state = played(state, (0, "shown", 1), (1, "shown", 0), (2, "shown", 2))
    assert (state.round.won, state.scored) == ((0, 2), (3, 0, 3))


@pytest.mark.parametrize(
    ("tricks", "counts_cube", "points"),
    [
        pytest.param("media show groom registration", True, 3, id="T6"),
        pytest.param("media cube show show groom", True, 3, id="T17"),
        pytest.param("media cube show groom registration", True, 3, id="T18"),
        pytest.param("media media registration", True, 2, id="T19"),
        pytest.param("media media cube show groom registration", True, 6, id="T20 all"),
        pytest.param("media", True, 0, id="T20 alone"),
        pytest.param("media cube", False, 0, id="T21 off"),
        pytest.param("media cube", True, 1, id="T21 on"),
        pytest.param("cube show groom registration", True, 0, id="none"),
    ],
)
def test_media_bonus(tricks: str, counts_cube: bool, points: int) -> None:
    assert media_bonus(tricks.split(), counts_cube) == points


@pytest.mark.parametrize(
    ("copies", "cubes", "cats"),
    [
        pytest.param(0, 1, 1, id="T7 none"),
        pytest.param(1, 1, 2, id="T7 one"),
        pytest.param(2, 1, 3, id="T7 two"),
        pytest.param(2, 3, 9, id="T22"),
    ],
)
def test_show_cubes_show_so_many_cats(copies: int, cubes: int, cats: int) -> None:
    hand = tuple(groomed("cube", 1) for _ in range(12))
    now = {"show": (cubes, 0), "pageants": ("cube",), "shown": ((0, 0),)}
    state = known(ShowCat(0), *hand, now=now, tricks=(("show",) * copies, ()))
    while isinstance(state.ask, ShowCat):
        state = played(state, (0, "show", "1 cube 1"))
    assert (state.scored[0], cubes * cats_a_cube(copies)) == (cats + 1, cats)  # and the pageant card


def grooming(cubes: int, *cats: Cat, tricks: tuple[str, ...] = ("groom",)) -> State:
    """Seat 0 grooms, seat 1 has no cube to groom with."""
    now = {"rest": (cubes, 0), "shown": ((0, 0),)}
    return known(Groom(0), *cats, now=now, tricks=(tricks, ()), moxie=(4, 3))


def test_t8_a_groom_bonus_grooms_two_cats_with_one_cube() -> None:
    state = played(grooming(2, resting("cube", 1), resting("show", 2)), (0, "groom", "cube 1"), (0, "groom", "show 2"))
    assert (state.hand[0], state.round.rest[0]) == ((groomed("cube", 1), groomed("show", 2)), 1)


def test_t8_training_with_that_cube_is_still_one() -> None:
    state = played(grooming(2, resting("cube", 1)), (0, "train_moxie", None))
    assert (state.moxie[0], state.round.rest[0]) == (5, 1)


def test_t9_three_tricks_learned_are_all_active_and_none_can_be_shown() -> None:
    state = grooming(3, groomed("cube", 1), groomed("show", 2), resting("media", 3), tricks=())
    state = replace(state, round=replace(state.round, show=(1, 0)))
    for value in ("cube 1 groomed", "show 2 groomed", "media 3"):
        state = played(state, (0, "learn", None), (0, "trick", value))
    assert (state.tricks[0], state.hand[0], state.ask) == (("cube", "show", "media"), (), Result())


def test_t10_a_tie_goes_to_the_lowest_starting_hustle() -> None:
    state = at(Hustle.of(2), 2, hustle=(2, 3), stats=((3, 6, 1, 4), (3, 6, 2, 4)))
    assert played(state, (0, "hustle", 2), (1, "hustle", 1)).round.order == (0, 1)


def test_t11_the_order_goes_by_value_not_by_seat() -> None:
    assert initiative((5, 3, 4), (1, 1, 1), (0, 1, 2)) == (0, 2, 1)


def test_t11_the_order_holds_for_adopting_and_grooming() -> None:
    play = drawn(table(3, (3, 6, 2, 4), (3, 6, 1, 4), (3, 6, 2, 4)), 3, 2, 2)
    asked = []
    while not isinstance(ask(play), Pageants):
        asked.append(ask(play).seat)
        play = do(play, (asked[-1], "take", None)) if len(asked) < 4 else do(play, (None, "pass", None))
    play = do(play, (None, "pageants", None))
    while isinstance(ask(play), Groom):
        asked.append(ask(play).seat)
        play = do(play, (asked[-1], "done", None))
    assert (play.state.round.order, asked) == ((0, 2, 1), [0, 2, 1] * 3)


def test_t12_cubes_that_leave_hustle_do_not_change_the_order() -> None:
    play = do(drawn(table(2, (3, 6, 3, 4), FANCIER), 2, 3), (0, "take", None), (1, "take", None), (0, "take", None))
    assert (play.state.round.order, ask(play)) == ((0, 1), Adopt(1))


def short_deck(deck: int, *hustle: int) -> Play:
    """So many cats left when the first player draws; everybody has cats and cubes to show them."""
    play = placed(table(3, (3, 6, 2, 4)), *hustle)
    state = replace(play.state, deck=deck, cats=(2, 2, 2))
    return replace(play, state=state)


def shown(play: Play, *cats: int) -> Play:
    """The pageant is set, nobody grooms, and these cats are shown in it."""
    play = do(play, (None, "pageants", None), (None, "all_done", None))
    return do(
        play, *((seat, "shown", each) for seat, each in enumerate(cats) if (seat, "shown") in offered(play.state))
    )


def test_t13_a_short_deck_is_drawn_empty() -> None:
    play = do(short_deck(5, 4, 2, 2), (None, "draw", None))
    assert (play.state.round.middle, play.state.deck) == (5, 0)


def test_t14_all_adopted_from_an_empty_deck_is_an_open_pageant_and_the_end() -> None:
    play = shown(adopted(do(short_deck(5, 4, 2, 2), (None, "draw", None)), 5), 0, 1, 1)
    assert (play.state.round.pageants, ended(play.state)) == ((), True)


def test_t15_a_tied_pageant_puts_its_card_back_and_the_game_goes_on() -> None:
    play = shown(adopted(do(short_deck(5, 3, 2, 2), (None, "draw", None)), 4), 0, 1, 1)
    assert (play.state.deck, ended(play.state)) == (1, False)
    play = drawn(do(play, (None, "next", None)), 2, 0, 0)
    assert (play.state.round.middle, play.state.deck) == (1, 0)


@pytest.mark.parametrize(
    ("cats", "deck"), [pytest.param((0, 2, 1), 0, id="T16 won"), pytest.param((0, 1, 1), 1, id="T16 not won")]
)
def test_t16_the_last_card_of_the_deck_is_the_pageant_card(cats: tuple[int, ...], deck: int) -> None:
    play = adopted(do(short_deck(7, 3, 2, 2), (None, "draw", None)), 6)
    assert play.state.deck == 1
    play = shown(play, *cats)
    assert (play.state.round.drawn, play.state.deck, ended(play.state)) == (True, deck, deck == 0)


def misfits() -> State:
    """T23: a pageant for show cats; registration learned once."""
    hand = (groomed("show", 1), groomed(WILD, 2), groomed("groom", 3), groomed("groom", 4))
    now = {"show": (4, 0), "pageants": ("show",), "shown": ((0, 0),)}
    return known(ShowCat(0), *hand, now=now, tricks=(("registration",), ()))


def test_t23_fitting_wild_and_one_registered_cat_may_enter() -> None:
    state = played(misfits(), (0, "show", "1 show 1"), (0, "show", "1 wild 2"), (0, "show", "1 groom 3"))
    assert (state.pile[0], state.ask) == (6, CardMoxie(0))


def test_t23_a_second_misfit_may_not_enter() -> None:
    state = played(misfits(), (0, "show", "1 groom 3"))
    assert offered(state)[0, "show"].options == ("done", "1 show 1", "1 wild 2")


def test_t24_moxie_of_the_pile_and_media_bonus_are_the_total() -> None:
    assert RULES.scores(at(Media.of(2), 2, pile=(14, None), media=(3, None))) == (17, 0)


def test_t25_level_totals_go_to_most_ungroomed_cats() -> None:
    state = at(Final(), 2, pile=(17, 17), media=(0, 0), cats=(2, 3))
    assert RULES.winners(played(state, (0, "ungroomed", 1), (1, "ungroomed", 3))) == (1,)


def test_t26_four_players_leave_a_supply_of_four_cubes() -> None:
    state = new(4).state
    assert (state.cubes, supply(state)) == ((4, 4, 4, 4), 4)


@pytest.mark.parametrize("stat", [pytest.param("moxie", id="T27"), pytest.param("hustle", id="hustle too")])
def test_t27_nobody_trains_above_the_highest_value(stat: str) -> None:
    state = at(Groom(0), now={"rest": (1, 0, 0)}, moxie=(6, 3, 3), hustle=(4, 1, 1))
    with pytest.raises(Refused, match=f"cannot train_{stat} now"):
        played(state, (0, f"train_{stat}", None))


# --- setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 5])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(Refused, match="for 2 to 4"):
        start(RULES, tuple("ABCDE"[:players]), Options(), seed=7)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("initiative_tiebreak", "lots"),
        ("media_counts_cube", "on"),
        ("open_pageant", "one"),
        ("cube_limit", 16),
        ("placing_countdown", 11),
        ("entry", "moxie"),
        ("turn_timer_s", 601),
    ],
)
def test_a_wrong_option_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(Refused, match=name) as refused:
        read_options(Options, {name: value})
    assert refused.value.kind == "bad_setup"


def test_each_player_enters_four_numbers_before_the_next() -> None:
    play, asked = new(2), []
    while not isinstance(ask(play), Place):
        offer = play.offers[0]
        asked.append((offer.seat, offer.verb))
        play = do(play, (offer.seat, offer.verb, offer.options[0] if offer.options else offer.low))
    assert asked == [(seat, verb) for seat in (0, 1) for verb in (*STATS, "name")]


@pytest.mark.parametrize(("entered", "high"), [((5,), "moxie_high"), ((5, 9, 2), "hustle_high")])
def test_the_highest_value_is_not_below_the_lowest(entered: tuple[int, ...], high: str) -> None:
    play = new(2)
    for verb, value in zip(STATS, entered, strict=False):
        play = do(play, (0, verb, value))
    assert offered(play.state)[0, high].low == entered[-1]


def test_both_clips_begin_at_the_lowest_value() -> None:
    state = table(2, (3, 6, 1, 4), (2, 5, 2, 2)).state
    assert (state.moxie, state.hustle) == ((3, 2), (1, 2))


def test_everybody_begins_with_four_cubes_and_the_deck_has_42_cats() -> None:
    assert (new(2).state.cubes, new(2).state.deck) == ((4, 4), 42)


# --- placing ---------------------------------------------------------------------------------------------------------


def test_the_countdown_of_3_s_begins_with_a_press() -> None:
    play = do(fanciers(new()), (None, "place", None), at_s=5)
    assert (ask(play), play.due_ns) == (Countdown(8 * S), 8 * S)


def test_cubes_are_placed_when_the_countdown_is_over() -> None:
    play = do(fanciers(new()), (None, "place", None), at_s=5)
    assert ask(do(play, (None, "go", None), at_s=8)) == Hustle.of(3)


def test_one_undo_takes_back_the_whole_countdown() -> None:
    play = do(fanciers(new()), (None, "place", None), at_s=5)
    play = do(play, (None, "go", None), at_s=8)
    assert ask(reduce(fold, undo(play), play)) == Place()


def test_a_countdown_begins_again_after_a_power_cut() -> None:
    play = do(fanciers(new()), (None, "place", None), at_s=5)
    assert ask(reduce(fold, resume(play, "next boot"), play)) == Place()


def test_without_a_countdown_cubes_are_asked_for_at_once() -> None:
    assert ask(table()) == Hustle.of(3)


def test_nobody_has_more_cubes_on_hustle_than_of_their_own() -> None:
    state = replace(table(2).state, cubes=(4, 5))
    assert [offer.high for offer in RULES.offers(state)] == [4, 5]


def test_all_hustle_cubes_are_one_step() -> None:
    play = table()
    before = play.step
    assert placed(play, 1, 0, 2).step == before + 1


# --- order -----------------------------------------------------------------------------------------------------------


def orders(*hustle: int, seeds: int = 40, **options: object) -> set[tuple[int, ...]]:
    """All orders that these cubes lead to, over many seeds."""
    state = table(len(hustle), **options).state
    found = set()
    for seed in range(seeds):
        after = state
        for seat, cubes in enumerate(hustle):
            after, _ = act(RULES, after, Action(seat, "hustle", cubes), Chance(seed, 0))
        found.add(after.round.order)
    return found


def test_lots_decide_between_equals_and_only_between_them() -> None:
    assert orders(2, 1, 2) == {(0, 2, 1), (2, 0, 1)}


def test_lots_are_named_for_those_whose_place_they_decide() -> None:
    assert placed(table(), 2, 1, 2).state.round.lots == (0, 2)


def test_no_lots_are_drawn_where_starting_hustle_decides() -> None:
    assert placed(table(2, (3, 6, 2, 4), (3, 6, 1, 4)), 1, 2).state.round.lots == ()


def test_by_seat_equals_go_clockwise_from_the_last_first_player() -> None:
    state = at(Hustle.of(4), 4, options={"initiative_tiebreak": "seat"}, first=2)
    state = played(state, *((seat, "hustle", 1) for seat in range(4)))
    assert state.round.order == (2, 3, 0, 1)


def test_lots_fall_the_same_way_after_an_undo() -> None:
    first = placed(table(4), 1, 1, 1, 1)
    again = placed(reduce(fold, undo(first), first), 1, 1, 1, 1)
    assert again.state.round.order == first.state.round.order


def test_the_draw_is_announced() -> None:
    state = placed(table(2), 3, 0).state
    assert RULES.label(state, RULES.offers(state)[0], None) == "Draw 5 cats"


# --- adopting --------------------------------------------------------------------------------------------------------


def test_players_take_one_cat_each_round_and_round() -> None:
    play, asked = drawn(table(2, (3, 6, 2, 4), FANCIER), 2, 2), []
    while isinstance(ask(play), Adopt):
        asked.append(ask(play).seat)
        play = do(play, (asked[-1], "take", None))
    assert asked == [0, 1, 0, 1]


def test_a_pass_is_not_final_while_others_take() -> None:
    play = do(drawn(table(2, (3, 6, 2, 4), FANCIER), 2, 2), (0, "pass", None), (1, "take", None))
    assert ask(play) == Adopt(0)


def test_adopting_ends_when_all_have_passed_in_a_row() -> None:
    play = do(drawn(table(2, (3, 6, 2, 4), FANCIER), 2, 2), (0, "pass", None), (None, "pass", None))
    assert ask(play) == Pageants()


def test_adopting_ends_with_the_last_cat() -> None:
    play = do(short_deck(2, 4, 4, 4), (None, "draw", None))
    assert ask(adopted(play, 2)) == Pageants()


def test_a_pass_is_given_by_holding_ones_button_or_by_ok() -> None:
    found = offered(drawn(table(2, (3, 6, 2, 4)), 1, 0).state)
    assert (found[0, "pass"].hold, found[None, "pass"].hold) == (True, False)


# --- pageants --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("middle", "deck", "text", "cards"),
    [
        pytest.param(2, 9, "2 left: 2 pageants", 2, id="several"),
        pytest.param(1, 9, "1 left: 1 pageant", 1, id="one"),
        pytest.param(0, 9, "Draw pageant card", 1, id="from the deck"),
        pytest.param(0, 0, "Open pageant", 0, id="open"),
    ],
)
def test_pageants_of_the_round(middle: int, deck: int, text: str, cards: int) -> None:
    state = at(Pageants(), now={"middle": middle, "rest": (1, 1, 1)}, deck=deck)
    assert RULES.label(state, RULES.offers(state)[0], None) == text
    assert len(played(state, (None, "pageants", None)).round.pageants) == cards


# --- grooming --------------------------------------------------------------------------------------------------------


def at_groom(*cubes: int, **fields: Any) -> State:
    """Seat 0 grooms first."""
    return at(Groom(0), len(cubes), now={"rest": cubes, "shown": ((0,) * len(cubes),)}, **fields)


def test_grooming_goes_in_order_by_each_seats_own_button() -> None:
    state = played(at_groom(1, 1, 1), (0, "done", None))
    assert state.ask == Groom(1)


def test_who_has_no_cube_left_is_not_asked_to_groom() -> None:
    assert played(at_groom(1, 0, 1), (0, "done", None)).ask == Groom(2)


def test_one_ok_ends_grooming_for_all() -> None:
    assert played(at_groom(1, 1, 1), (None, "all_done", None)).ask == Result()


@pytest.mark.parametrize(("verb", "moxie", "hustle"), [("train_moxie", 4, 1), ("train_hustle", 3, 2)])
def test_training_costs_a_cube(verb: str, moxie: int, hustle: int) -> None:
    state = played(at_groom(2, 0, 0), (0, verb, None))
    assert (state.moxie[0], state.hustle[0], state.round.rest[0]) == (moxie, hustle, 1)


def test_training_and_learning_are_in_the_menu() -> None:
    found = offered(at_groom(2, 0, 0, cats=(1, 0, 0)))
    assert {verb for (_, verb), offer in found.items() if offer.menu} == {"train_hustle", "train_moxie", "learn"}


def test_a_cat_adopted_in_this_round_teaches_nothing() -> None:
    state = at_groom(2, 0, 0, cats=(1, 0, 0))
    state = replace(state, round=replace(state.round, taken=(1, 0, 0)))
    assert (0, "learn") not in offered(state)


def learned(*tricks: str, **options: object) -> State:
    """Seat 0 learns these tricks."""
    state = at_groom(9, 0, 0, cats=(9, 0, 0), options=options)
    for trick in tricks:
        state = played(state, (0, "learn", None), (0, "trick", trick))
    return state


def test_learned_tricks_are_kept_and_their_cats_leave() -> None:
    state = learned("media", "show")
    assert (state.tricks[0], state.cats[0], state.round.rest[0]) == (("media", "show"), 7, 7)


def test_the_cube_trick_gives_a_cube_for_good() -> None:
    assert learned("cube").cubes == (5, 4, 4)


@pytest.mark.parametrize(("limit", "cubes"), [(20, 12), ("none", 13)])
def test_the_supply_may_end(limit: object, cubes: int) -> None:
    assert learned(*["cube"] * 9, cube_limit=limit).cubes[0] == cubes


def test_a_new_cube_is_not_placed_in_this_round() -> None:
    assert learned("cube").round.rest[0] == 8


# --- showing ---------------------------------------------------------------------------------------------------------


def test_cats_are_shown_by_all_at_once_pageant_by_pageant() -> None:
    state = pageants(2)
    assert [(offer.seat, offer.verb, offer.high, offer.prefill) for offer in RULES.offers(state)] == [
        (seat, "shown", 4, 0) for seat in range(3)
    ]


def test_cats_shown_once_cannot_be_shown_again() -> None:
    state = played(pageants(2), (0, "shown", 3), (1, "shown", 0), (2, "shown", 4))
    assert {offer.seat: offer.high for offer in RULES.offers(state)} == {0: 1, 1: 4}


def test_cats_adopted_in_this_round_cannot_be_shown() -> None:
    state = at(Pageants(), now={"middle": 1, "rest": (3, 3, 3), "taken": (2, 1, 0)}, cats=(2, 3, 1))
    state = played(state, (None, "pageants", None), (None, "all_done", None))
    assert {offer.seat: offer.high for offer in RULES.offers(state)} == {1: 2, 2: 1}


def test_nobody_shows_without_a_cube() -> None:
    state = at(Pageants(), now={"middle": 1, "rest": (0, 1, 0)}, cats=(2, 2, 2))
    state = played(state, (None, "pageants", None), (None, "all_done", None))
    assert [offer.seat for offer in RULES.offers(state)] == [1]


def test_pageants_that_nobody_can_show_in_close_by_themselves() -> None:
    state = played(pageants(3, cats=(1, 0, 0)), (0, "shown", 1))
    assert (state.round.won, state.ask, state.deck) == ((0, None, None), Result(), 22)


@pytest.mark.parametrize(
    ("cats", "seat"),
    [
        pytest.param((2, 1, 0), 0, id="most"),
        pytest.param((1, 2, 2), None, id="tie for most"),
        pytest.param((0, 0, 0), None, id="nobody"),
        pytest.param((0, 0, 1), 2, id="one cat"),
    ],
)
def test_strictly_most_cats_win_a_pageant(cats: tuple[int, ...], seat: int | None) -> None:
    assert most_cats(cats) == seat


def test_a_card_that_nobody_wins_goes_back_to_the_deck() -> None:
    state = played(pageants(1), (0, "shown", 2), (1, "shown", 2), (2, "shown", 0))
    assert (state.deck, state.scored) == (21, (2, 2, 0))


def test_an_open_pageant_has_no_card() -> None:
    state = played(pageants(0, deck=0), (0, "shown", 2), (1, "shown", 0), (2, "shown", 0))
    assert (state.deck, state.scored, state.round.won) == (0, (2, 0, 0), (None,))


def test_winners_of_pageant_cards_are_lit() -> None:
    state = played(pageants(1), (0, "shown", 2), (1, "shown", 0), (2, "shown", 1))
    assert RULES.board(state).highlight == {"first": (0,)}


# --- the end ---------------------------------------------------------------------------------------------------------


def at_end(players: int = 3, *, deck: int = 0, scored: tuple[int, ...] = (2, 2, 0), **fields: Any) -> State:
    """A round is over; the score piles hold so many cards."""
    now = {"won": (None,), "taken": (1,) * players, "shown": ((0,) * players,)}
    return at(Result(), players, now=now, deck=deck, scored=scored, **fields)


def test_the_next_round_starts_while_the_deck_has_cats() -> None:
    state = played(at_end(deck=1), (None, "next", None))
    assert (state.round.number, state.ask, state.round.taken) == (3, Place(), (0, 0, 0))


def test_an_empty_deck_ends_the_game_with_the_piles() -> None:
    assert played(at_end(), (None, "next", None)).ask == Piles.of(3, (0, 1), after=Media.of(3))


def counted(*piles: int, media: tuple[int, ...] = (0, 0, 0), **fields: Any) -> State:
    """The piles and the bonuses are counted."""
    state = played(at_end(scored=(3, 3, 3), **fields), (None, "next", None))
    state = played(state, *((seat, "pile", pile) for seat, pile in enumerate(piles)))
    return played(state, *((seat, "media", bonus) for seat, bonus in enumerate(media)))


def test_a_pile_has_no_more_moxie_than_its_cards_can() -> None:
    state = played(at_end(), (None, "next", None))
    assert [offer.high for offer in RULES.offers(state)] == [2 * MOST_MOXIE] * 2


def test_the_media_bonus_is_filled_in_from_the_tricks() -> None:
    state = counted(9, 9, 9, media=(), tricks=(("media", "cube", "show"), (), ("media",)))
    assert [offer.prefill for offer in RULES.offers(state)] == [2, 0, 0]


def test_where_no_trick_was_entered_no_media_bonus_is_filled_in() -> None:
    assert [offer.prefill for offer in RULES.offers(counted(9, 9, 9, media=()))] == [None, None, None]


def test_totals_are_piles_and_bonuses() -> None:
    state = counted(9, 14, 7, media=(0, 3, 0))
    assert (RULES.scores(state), RULES.winners(state), RULES.offers(state)) == ((9, 17, 7), (1,), ())


def test_level_totals_ask_for_ungroomed_cats_of_those_who_have_cats() -> None:
    state = counted(9, 9, 9, cats=(2, 0, 3))
    assert {offer.seat: offer.high for offer in RULES.offers(state)} == {0: 2, 2: 3}


def test_level_in_everything_shares_the_win() -> None:
    state = played(counted(9, 9, 7, cats=(2, 2, 3)), (0, "ungroomed", 1), (1, "ungroomed", 1))
    assert (RULES.winners(state), RULES.offers(state)) == ((0, 1), ())


def fixed_at_the_end() -> Play:
    """A has won by a point; then B's points are fixed, and both are level."""
    play = replace(new(), state=counted(9, 8, 7, cats=(2, 2, 3)))
    return reduce(fold, fix(play, 1, 1), play)


def test_r25_points_fixed_after_the_end_may_ask_for_ungroomed_cats() -> None:
    assert [(offer.seat, offer.verb) for offer in fixed_at_the_end().offers] == [(0, "ungroomed"), (1, "ungroomed")]


def test_r25_while_ungroomed_cats_are_asked_for_nobody_has_won() -> None:
    assert (fixed_at_the_end().winners, fixed_at_the_end().board.phase) == ((), "tie_break")


def test_r25_ungroomed_cats_decide_after_the_end() -> None:
    assert do(fixed_at_the_end(), (0, "ungroomed", 1), (1, "ungroomed", 2)).winners == (1,)


def test_r25_a_third_made_level_after_a_tie_is_asked_alone_and_undone_alone() -> None:
    play = do(fixed_at_the_end(), (0, "ungroomed", 1), (1, "ungroomed", 2))
    third = reduce(fold, fix(play, 2, 2), play)
    answered = do(third, (2, "ungroomed", 3))
    assert (answered.winners, reduce(fold, undo(answered), answered).offers) == ((2,), third.offers)


@pytest.mark.parametrize("back", [undo, lambda play: fix(play, 1, -1), lambda play: fix(play, 0, 1)])
def test_r25_a_tie_that_is_gone_again_leads_back_to_the_end(back: Callable[[Play], tuple[Fact, ...]]) -> None:
    play = fixed_at_the_end()
    play = reduce(fold, back(play), play)
    assert (play.over, play.winners) == (True, (0,))


def test_piles_may_be_counted_between_rounds() -> None:
    state = played(at_end(deck=5), (None, "count", None), (0, "pile", 4), (1, "pile", 6))
    assert (RULES.scores(state), state.ask) == ((4, 6, 0), Result())


def test_piles_counted_before_are_filled_in_at_the_end() -> None:
    state = played(at_end(deck=0), (None, "count", None), (0, "pile", 4), (1, "pile", 6), (None, "next", None))
    assert [offer.prefill for offer in RULES.offers(state)] == [4, 6]


def recounted(play: Play) -> list[int | None]:
    """What is filled in where the piles of this play are counted once more."""
    return [offer.prefill for offer in do(play, (None, "count", None)).offers]


def counted_before_a_show(cats: int) -> Play:
    """A's pile of 3 cards and B's of 1 were counted; then A has shown so many cats, and B none."""
    state = pageants(1, 2, scored=(3, 1), pile=(30, 7), counted=(3, 1))
    return do(replace(new(2), state=state), (0, "shown", cats), (1, "shown", 0))


def test_r23_a_pile_that_has_grown_since_it_was_counted_is_not_filled_in() -> None:
    assert recounted(counted_before_a_show(1)) == [None, 7]


def test_a_pile_that_grew_is_filled_in_again_once_that_is_undone() -> None:
    play = counted_before_a_show(1)
    play = do(reduce(fold, undo(play), play), (0, "shown", 0), (1, "shown", 0))
    assert recounted(play) == [30, 7]


def test_a_pile_counted_twice_is_filled_in_as_counted_last() -> None:
    play = do(counted_before_a_show(1), (None, "count", None), (0, "pile", 33), (1, "pile", 7))
    assert recounted(play) == [33, 7]


@pytest.mark.parametrize(
    ("taken", "won", "verb"),
    [
        pytest.param((0, 0, 0), (None, None), "end_now", id="nothing moves"),
        pytest.param((0, 1, 0), (None, None), "next", id="a cat adopted"),
        pytest.param((0, 0, 0), (None, 2), "next", id="a card won"),
    ],
)
def test_a16_after_a_round_in_which_nothing_moves_the_question_is_whether_to_end(
    taken: tuple[int, ...], won: tuple[int | None, ...], verb: str
) -> None:
    assert list(offered(at(Result(), now={"taken": taken, "won": won}))) == [(None, verb)]


def test_a16_nobody_is_asked_where_the_game_ends_anyhow() -> None:
    assert list(offered(at(Result(), now={"won": (None,)}, deck=0))) == [(None, "next")]


def test_a16_to_end_now_goes_to_the_scoring() -> None:
    state = at(Result(), now={"won": (None,)}, scored=(1, 0, 0))
    assert played(state, (None, "end_now", "yes")).ask == Piles.of(3, (0,), after=Media.of(3))


def test_a16_not_to_end_goes_to_the_next_round() -> None:
    assert played(at(Result(), now={"won": (None,)}), (None, "end_now", "no")).round.number == 3


# --- against the clock -----------------------------------------------------------------------------------------------


def test_a_turn_of_adopting_passes_when_its_time_is_up() -> None:
    play = drawn(table(2, (3, 6, 2, 4), turn_timer_s=30), 2, 1)
    assert play.due_ns == 30 * S
    play = do(play, (None, "time_up", None), at_s=30)
    assert (ask(play), play.due_ns) == (Adopt(1, 1, 60 * S), 60 * S)


def test_a_turn_of_grooming_is_done_when_its_time_is_up() -> None:
    state = at(Groom(0, due_ns=0), now={"rest": (1, 1, 0)}, options={"turn_timer_s": 30})
    assert played(state, (None, "time_up", None)).ask == Groom(1, due_ns=30 * S)


def test_training_does_not_begin_the_time_anew() -> None:
    state = at(Groom(0, due_ns=5 * S), now={"rest": (2, 1, 0)}, options={"turn_timer_s": 30})
    assert played(state, (0, "train_moxie", None)).ask == Groom(0, due_ns=5 * S)


# --- every cat entered -----------------------------------------------------------------------------------------------


def test_groom_cubes_are_asked_for_where_each_cat_is_entered() -> None:
    play = placed(table(2, entry="cards"), 4, 1)
    assert {offer.seat: offer.high for offer in play.offers} == {1: 3}
    state = do(play, (1, "groom_cubes", 1)).state
    assert (state.round.rest, state.round.show, state.ask) == ((0, 1), (0, 2), Order())


def test_who_has_no_room_is_not_asked_to_take() -> None:
    state = known(Pageants(), resting("cube", 3), now={"middle": 3, "hustle": (1, 1)})
    assert adopt_question(state) == Adopt(1)


def test_a_groomed_cat_takes_no_room() -> None:
    assert room(known(Pageants(), resting("cube", 1), groomed("show", 3)), 0) == 2


def test_a_cat_learned_from_takes_no_room() -> None:
    state = played(grooming(2, resting("cube", 3)), (0, "learn", None), (0, "trick", "cube 3"))
    assert room(state, 0) == 4


def test_a_cat_adopted_in_this_round_is_neither_groomed_nor_learned_from() -> None:
    found = offered(grooming(2, Cat("cube", 2)))
    assert (found[0, "groom"].options, (0, "learn") in found) == (("done",), False)


def test_a_wild_cat_teaches_nothing() -> None:
    assert (0, "learn") not in offered(grooming(2, resting(WILD, 2)))


def test_a_groom_bonus_learned_helps_the_cubes_after_it() -> None:
    cats = (resting("groom", 1), resting("cube", 1), resting("cube", 2))
    state = played(grooming(2, *cats, tricks=()), (0, "learn", None), (0, "trick", "groom 1"))
    state = played(state, (0, "groom", "cube 1"), (0, "groom", "cube 2"))
    assert [cat.groomed for cat in state.hand[0]] == [True, True]


def test_grooming_ends_with_the_last_cube() -> None:
    state = played(grooming(1, resting("cube", 1), resting("cube", 2), tricks=()), (0, "groom", "cube 1"))
    assert state.ask == Result()


def test_the_tricks_of_pageant_cards_are_entered() -> None:
    state = known(Pageants(), now={"middle": 2, "rest": (1, 0)})
    state = played(state, (None, "pageants", None), (None, "trick", "show"), (None, "trick", WILD))
    assert (state.round.pageants, state.ask) == (("show", WILD), Groom(0))


def at_show(*cats: Cat, cards: tuple[str, ...] = ("cube",), show: int = 2, **fields: Any) -> State:
    """Seat 0 shows cats at these pageant cards."""
    now = {"show": (show, 0), "pageants": cards, "shown": ((0, 0),) * (len(cards) or 1)}
    return known(ShowCat(0), *cats, now=now, **fields)


def test_only_groomed_cats_of_the_right_trick_may_be_shown() -> None:
    state = at_show(groomed("cube", 1), groomed("show", 2), resting("cube", 3))
    assert offered(state)[0, "show"].options == ("done", "1 cube 1")


def test_any_cat_may_enter_where_the_pageant_card_is_wild() -> None:
    state = at_show(groomed("cube", 1), groomed("show", 2), cards=(WILD,))
    assert offered(state)[0, "show"].options == ("done", "1 cube 1", "1 show 2")


def test_cats_of_one_cube_may_go_to_different_pageants() -> None:
    state = at_show(
        groomed("cube", 1), groomed("cube", 2), cards=("cube", "cube"), show=1, tricks=(("show",), ()), deck=3
    )
    state = played(state, (0, "show", "1 cube 1"), (0, "show", "2 cube 2"), (0, "moxie", 4), (0, "moxie", 5))
    assert (state.round.won, state.pile[0], state.deck) == ((0, 0), 12, 3)


@pytest.mark.parametrize(("option", "cats"), [("per_cube", 1), ("unlimited", 3)])
def test_an_open_pageant_takes_a_cat_a_cube_or_any_number(option: str, cats: int) -> None:
    hand = [groomed(trick, 1) for trick in TRICKS[:3]]
    state = at_show(*hand, cards=(), show=1, open_pageant=option)
    while isinstance(state.ask, ShowCat):
        state = played(state, (0, "show", offered(state)[0, "show"].options[-1]))
    assert state.scored[0] == cats


def test_an_open_pageant_still_costs_a_cube() -> None:
    state = at_show(groomed("cube", 1), cards=(), show=0, open_pageant="unlimited")
    assert choices(state, 0) == {}


def test_the_kit_counts_moxie_and_media_where_each_cat_is_entered() -> None:
    state = at_show(groomed("cube", 3), tricks=(("media", "show"), ()), deck=0)
    state = played(state, (0, "show", "1 cube 3"), (0, "moxie", 2), (None, "next", None))
    assert (RULES.scores(state), RULES.offers(state)) == ((6, 0), ())


def test_known_cats_break_a_tie_without_a_question() -> None:
    state = known(Final(), resting("cube", 1))
    assert (RULES.offers(state), RULES.winners(state)) == ((), (0,))


# --- what people see -------------------------------------------------------------------------------------------------


def test_the_board_names_the_order_and_what_everybody_has() -> None:
    board = RULES.board(placed(table(2, (3, 6, 1, 4), (2, 6, 3, 4)), 0, 2).state)
    assert (board.phase, board.order, board.rounds) == ("order", (1, 0), None)
    assert board.tokens[1] == {"cubes": 4, "hustle": 3, "moxie": 2, "cats": 0, "scored": 0}


def test_the_countdown_runs_on_the_board() -> None:
    race = RULES.board(do(fanciers(new()), (None, "place", None)).state).race
    assert race is not None and race.phase == "armed"


def test_the_winner_is_lit() -> None:
    assert RULES.board(counted(9, 14, 7)).highlight == {"winner": (1,)}


@pytest.mark.parametrize(("deck", "text"), [(0, "Final scores"), (5, "Round 3")])
def test_the_last_ok_of_a_round_says_what_follows(deck: int, text: str) -> None:
    state = at_end(deck=deck)
    assert RULES.label(state, RULES.offers(state)[0], None) == text


VERBS = """
    recall fancier moxie_low moxie_high hustle_low hustle_high name place go hustle groom_cubes draw take pass time_up
    trick moxie pageants done all_done train_hustle train_moxie learn groom shown show count next end_now pile media
    ungroomed
"""


def questions(kind: type[game.Question[Any]]) -> Iterator[type[game.Question[Any]]]:
    """All questions of this game that are of a kind."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("engine.games.cat_pageant."):
            yield each
        yield from questions(each)


def test_every_verb_has_a_label() -> None:
    labels = {verb: how.label for kind in questions(game.Question) for verb, how in kind.verbs.items()}
    assert [verb for verb in VERBS.split() if labels.pop(verb)] == VERBS.split()
    assert labels == {}
