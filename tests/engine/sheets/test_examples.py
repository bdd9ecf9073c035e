"""Games that are not shipped, written from the tutorial alone, with sums worked out by hand."""

from pathlib import Path

from tests.engine.sheets.table import Table

EXAMPLES = Path(__file__).parent / "examples"


def begun(name: str, players: int) -> Table:
    return Table((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"), players)


def test_pinochle() -> None:
    table = begun("pinochle", 4)
    table.say(None, "bidder", 1).say(None, "bid", 30)
    table.say(0, "meld", 4).say(1, "meld", 12).say(2, "counters", 7).say(1, "counters", 18)
    assert table.play.scores == (4 + 7, 12 + 18, 4 + 7, 12 + 18)
    table.say(None, "bidder", 2).say(None, "bid", 25)
    table.say(0, "meld", 10).say(1, "meld", 8).say(0, "counters", 14).say(1, "counters", 11)  # 24: one short
    assert table.play.scores == (11 - 25, 30 + 19, 11 - 25, 30 + 19)
    table.say(None, "bidder", 2).say(None, "bid", 25)
    table.say(0, "meld", 110).say(1, "meld", 8).say(0, "counters", 25).say(1, "counters", 0)  # no trick, no meld
    assert (table.play.scores, table.play.over) == ((-14 + 135, 49, -14 + 135, 49), False)


def test_schafkopf() -> None:
    table = begun("schafkopf", 4)
    table.say(None, "player", 0).say(None, "game", 0).say(None, "partner", 0)
    assert table.verbs == "* player, * finish"  # again: a partner of one's own
    table.say(None, "player", 0).say(None, "game", 0).say(None, "partner", 3)
    table.say(None, "won", 1).say(None, "how", 1).say(None, "matadors", 3)
    assert table.play.scores == (50, -50, -50, 50)  # 10 + 10 + 30
    table.say(None, "player", 2).say(None, "game", 1).say(None, "won", 0).say(None, "how", 0).say(None, "matadors", 2)
    assert table.play.scores == (50 + 50, -50 + 50, -50 - 150, 50 + 50)


def test_pub_quiz() -> None:
    table = begun("pub_quiz", 3)
    table.each("joker", 1, 0, 0).each("right", 7, 9, 4)
    assert (table.verbs, table.play.scores) == ("1 joker, 2 joker", (14, 9, 4))
    table.each("joker", 0, 1).each("right", 5, 5, 10)
    assert (table.verbs, table.play.scores) == ("1 joker", (19, 14, 24))
    table.say(1, "joker", 1).each("right", 0, 5, 0)
    for one in (2, 2, 1):
        table.each("right", one, 0, 0)
    table.say(None, "answer", 1889).each("guess", 5, 1900, 1800)
    assert (table.play.scores, table.play.winners) == ((24, 24, 24), (1,))
