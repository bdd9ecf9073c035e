"""The six sheets of the contract's page, with sums worked out by hand."""

from tests.engine.sheets.shelf import BUZZER, MOLKKY, SCRABBLE, SKAT, TICHU, WIZARD
from tests.engine.sheets.table import Table


def test_wizard() -> None:
    table = Table(WIZARD, 3)
    assert table.play.board.rounds == 60 // 3
    table.each("bid", 0, 1, 1).each("won", 0, 1, 0)
    assert table.play.scores == (20, 20 + 10, -10)
    assert table.play.board.order == (1, 2, 0)
    table.each("bid", 2, 0, 1).each("won", 0, 1, 1)
    assert table.play.scores == (20 - 20, 30 - 10, -10 + 30)


def test_wizard_asks_again_where_tricks_do_not_add_up() -> None:
    table = Table(WIZARD, 3)
    table.each("bid", 0, 1, 1).each("won", 1, 1, 0)
    assert (table.verbs, table.play.scores) == ("0 won, 1 won, 2 won", (0, 0, 0))
    assert [offer.prefill for offer in table.play.offers] == [1, 1, 0]
    assert table.rules.face(table.state).wrong == "Tricks must add up to 1"
    table.each("won", 1, 0, 1)
    assert table.verbs == "0 won, 1 won, 2 won, * anyway"
    table.say(None, "anyway")
    assert (table.verbs, table.play.scores) == ("0 bid, 1 bid, 2 bid", (-10, -10, 20 + 10))


def test_molkky() -> None:
    table = Table(MOLKKY, 2)
    table.turns("pins", 12, 0, 12, 0, 12, 9, 12, 0)
    assert (table.play.scores, table.play.board.tokens) == ((48, 9), ({"misses": 0}, {"misses": 1}))
    table.turns("pins", 3, 1, 12, 1, 12, 1, 1)  # 51 is too many: 25; 37, 49, 50
    assert (table.play.scores, table.play.winners) == ((50, 12), (0,))


def test_molkky_ends_with_one_left() -> None:
    table = Table(MOLKKY, 3)
    table.turns("pins", 0, 0, 3, 0, 0, 3, 0)
    assert table.play.board.turn == (1,)
    table.turns("pins", 0)
    assert (table.play.scores, table.play.winners) == ((0, 0, 6), (2,))


def test_skat() -> None:
    table = Table(SKAT, 3)
    table.say(None, "solo", 0).say(None, "value", 20).say(None, "won", 1)
    table.say(None, "solo", 1).say(None, "value", 30).say(None, "won", 0)
    table.say(None, "solo", -1)
    assert (table.play.scores, table.play.board.round) == ((20, -60, 0), 4)
    table.say(None, "finish").say(None, "seeger", 1)
    # 50 a game won, minus 50 a game lost, and 40 for a game that another has lost
    assert (table.play.scores, table.play.winners) == ((20 + 50 + 40, -60 - 50, 40), (0,))


def test_tichu() -> None:
    table = Table(TICHU, 4)
    table.each("call", 1, 0, 0, 2).say(None, "out_first", 0).say(None, "double", 0)
    assert table.verbs == "0 cards, 1 cards, 2 cards, 3 cards"
    table.say(2, "cards", 70)
    assert table.verbs == "1 cards, 3 cards"
    table.say(1, "cards", 30)
    assert table.play.scores == (100 + 70, -200 + 30) * 2
    table.each("call", 0, 1, 0, 0).say(None, "out_first", 3).say(None, "double", 1)
    table.say(0, "cards", 0).say(3, "cards", 0)
    assert table.play.scores == (170, -170 - 100 + 200) * 2


def test_scrabble() -> None:
    table = Table(SCRABBLE, 3)
    table.turns("word", 20, 30, 10, 5, 0, 7).say(None, "finish").each("left", 4, 0, 3)
    assert (table.play.scores, table.play.winners) == ((25 - 4, 30 + 7, 17 - 3), (1,))


def test_quiz_buzzer() -> None:
    table = Table(BUZZER, 3)
    table.press(1).tick()
    assert table.rules.label(table.state, table.offer("right")) == "P2: right?"
    table.say(1, "right", 0).press(2).tick().say(2, "right", 1)
    assert (table.play.scores, table.play.board.round) == ((0, -1, 1), 2)
    for _ in range(9):
        table.press(2).tick().say(2, "right", 1)
    assert (table.play.scores, table.play.winners) == ((0, -1, 10), (2,))


def test_quiz_buzzer_nobody_knows() -> None:
    table = Table(BUZZER, 2)
    table.press(0).tick().say(0, "right", 0).say(None, "close")
    assert (table.play.scores, table.play.board.round) == ((-1, 0), 2)
    table.press(0).tick().say(0, "right", 0).press(1).tick().say(1, "right", 0)
    assert (table.play.scores, table.play.board.round) == ((-2, -1), 3)
