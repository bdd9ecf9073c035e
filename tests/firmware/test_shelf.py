"""Score sheets on the kit: where they come from, how they are found, and what is kept of a game of one."""

import errno
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from engine.game import NoOptions
from engine.play import undo
from engine.rules import Action
from firmware.cli.stats import of_person
from firmware.journal import sheets
from firmware.journal.backup import backup, restore
from firmware.journal.reader import History
from firmware.messages import TableNews
from firmware.shelf import folders
from firmware.shelf.known import look
from firmware.state_folder import JOURNAL
from firmware.statistics import bgstats
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.pages import Pages
from firmware.statistics.person_figures import Figures
from firmware.statistics.plain_values import Data
from firmware.table.all_games import matches
from firmware.table.playing import begin
from tests.simulators.rig import Rig

MS = 1_000_000
GOLF = """title = "Short golf"
players = [2, 4]
rounds = 1
win = "-total"
ask = [{ id = "strokes", low = 1, high = 20, title = "Strokes" }]
"""


def own(folder: Path, name: str, text: str | bytes = GOLF) -> Path:
    """A file in the state folder."""
    (folder / "games").mkdir(exist_ok=True)
    file = folder / "games" / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def found(folder: Path, boot: Path = Path("/nowhere")) -> dict[str, folders.Shelved]:
    return {sheet.name: sheet for sheet in folders.listed(folders.places(folder, boot))}


# --- where they come from ---------------------------------------------------------------------------------------------


def test_the_program_brings_its_sheets_along(tmp_path: Path) -> None:
    shelf = found(tmp_path)
    assert shelf["sheet:wizard"].title == "Wizard"
    assert not [sheet for sheet in shelf.values() if sheet.wrong or sheet.hides]
    assert {str(folders.opened(sheet).title) for sheet in shelf.values()} == {sheet.title for sheet in shelf.values()}


def test_the_card_counts_before_the_state_folder_and_that_before_the_program(tmp_path: Path) -> None:
    card = tmp_path / "card" / "luckypaw" / "games"
    card.mkdir(parents=True)
    (card / "WIZARD.TOML").write_text(GOLF.replace("Short golf", "Of the card"))
    own(tmp_path, "wizard.toml")
    wizard = found(tmp_path, tmp_path / "card")["sheet:wizard"]
    assert (wizard.title, wizard.place) == ("Of the card", folders.CARD)
    assert [file.parent for file in wizard.hides] == [tmp_path / "games", folders.SHIPPED]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("short golf.toml", GOLF),
        ("short golf.toml.txt", GOLF),
        ("Short Golf.TOML", GOLF.replace("\n", "\r\n")),
        ("short golf.toml", b"\xef\xbb\xbf" + GOLF.encode()),
    ],
)
def test_any_computer_can_write_one(tmp_path: Path, name: str, given: str | bytes) -> None:
    own(tmp_path, name, given)
    sheet = found(tmp_path)["sheet:short golf"]
    rules = folders.opened(sheet)
    assert (sheet.title, rules.title, rules.text) == ("Short golf", "Short golf", GOLF)


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("kitty_paw.toml", GOLF, "kitty_paw is a game of the kit: give the file another name"),
        ("golf!.toml", GOLF, "'golf!': must be 1 to 40 small letters, digits, spaces, - and _"),
        ("untitled.toml", GOLF.partition("\n")[2], "untitled.toml:1: title: is missing"),
        ("binary.toml", b"\x89PNG\r\n\x1a\n\x00", "binary.toml:1: file: is no text in UTF-8: must be TOML"),
        ("pipe.toml", None, "it is no file"),
        ("golf_2.toml.rtf", b"{\\rtf1", "golf_2.toml.rtf is not read: save it as plain text, golf_2.toml"),
        ("huge.toml", b"#" * 70_000, "huge.toml:1: file: has 65537 bytes: must be at most 65536"),
    ],
)
def test_a_file_that_is_no_sheet_keeps_its_row(tmp_path: Path, name: str, given: str | bytes | None, says: str) -> None:
    own(tmp_path, "golf.toml")
    if given is None:
        os.mkfifo(tmp_path / "games" / name)
    else:
        own(tmp_path, name, given)
    sheet = found(tmp_path)[f"sheet:{name.removesuffix('.toml')}"]
    assert sheet.wrong.startswith(says)
    assert found(tmp_path)["sheet:golf"].title == "Short golf"


def test_a_folder_in_a_files_place_a_link_to_nowhere_and_other_files_harm_nothing(tmp_path: Path) -> None:
    (tmp_path / "games" / "folder.toml").mkdir(parents=True)
    (tmp_path / "games" / "gone.toml").symlink_to("nowhere")
    own(tmp_path, "readme.txt", "hello")
    own(tmp_path, ".hidden.toml")
    shelf = found(tmp_path)
    assert shelf["sheet:folder"].wrong and shelf["sheet:gone"].wrong == "No such file or directory"
    assert not {"sheet:readme", "sheet:.hidden"} & shelf.keys()


def test_a_sheet_is_kept_whole_and_removed(tmp_path: Path) -> None:
    file = folders.save(tmp_path, "golf", GOLF)
    assert file.read_text() == GOLF and found(tmp_path)["sheet:golf"].own
    folders.remove(found(tmp_path)["sheet:golf"])
    assert not list((tmp_path / "games").iterdir())


def test_a_save_that_fails_leaves_the_sheet_as_it_was_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folders.save(tmp_path, "golf", GOLF)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        folders.save(tmp_path, "golf", "")
    assert ([*file.parent.iterdir()], file.read_text()) == ([file], GOLF)


@pytest.mark.parametrize("stem", ["", "..", "a/b", "Wizard", "kitty_paw", "x" * 41, ".hidden"])
def test_a_sheet_is_kept_by_no_other_name(tmp_path: Path, stem: str) -> None:
    with pytest.raises(ValueError, match=r"must be|is a game of the kit"):
        folders.save(tmp_path, stem, GOLF)
    assert not (tmp_path / "games").exists()


# --- at the table -----------------------------------------------------------------------------------------------------


def test_a_sheet_is_found_by_its_letter_and_played(tmp_path: Path) -> None:
    own(tmp_path, "golf.toml")
    rig = Rig(tmp_path).after(0).do("[All] 0")
    seen = [rig.row(), *(rig.tap("P1").row() for _ in range(8))]
    assert [folders.letter(row) for row in seen] == sorted({folders.letter(row) for row in seen})
    rig.do("ok! sheet[Short golf 2]")
    assert rig.playing.play.rules.name == "sheet:golf"
    rig.close()


@pytest.mark.parametrize(
    ("title", "sought", "well"),
    [
        ("Ticket to Ride", "ti", 3),
        ("Ticket to Ride", "RIDE", 2),
        ("Ticket to Ride", "ri tick", 2),
        ("Ticket to Ride", "cket", 1),
        ("Mölkky", "molk", 3),
        ("6 nimmt!", "6", 3),
        ("7 Wonders", ".", 0),
        ("Ticket to Ride", "tea", 0),
    ],
)
def test_a_title_has_what_is_looked_for(title: str, sought: str, well: int) -> None:
    assert matches(title, sought) == well


def test_games_for_those_at_the_table_are_found_first_then_those_played_last(tmp_path: Path) -> None:
    rig = Rig(tmp_path).after(0).do("sheet[Scopa 2]").do("menu[Main menu] sheet[Skull King 2] menu[Main menu] [All] 0")
    rig.app.seek("s")
    rig.after(0)
    fit = [n for n, row in enumerate(rig.rows) if row in ("Scopa", "Skyjo", "Darts 501")]
    unfit = [n for n, row in enumerate(rig.rows) if row in ("Spades", "Skat list", "Spoons")]
    assert (rig.rows[:2], len(fit), len(unfit)) == (["Skull King", "Scopa"], 3, 3)
    assert max(fit) < min(unfit)
    assert (rig.listing.heading(), rig.pieces & {"turn: choose"}) == ("s", {"turn: choose"})
    second = rig.rows[1]
    assert rig.tap("P1").row() == second
    rig.app.seek("")
    rig.after(0)
    assert "press: next letter" in rig.pieces and len(rig.rows) > 70
    rig.close()


def test_where_no_game_is_like_that_ok_does_nothing(tmp_path: Path) -> None:
    rig = Rig(tmp_path).after(0).do("[All] 0")
    rig.app.seek("no such thing")
    assert rig.after(0).rows == ["no such game"]
    assert rig.tap("P1").do("turn-1 ok").top == "AllGames"
    rig.close()


def test_a_page_knows_where_something_can_be_looked_for(tmp_path: Path) -> None:
    rig, told = Rig(tmp_path).after(0), list[TableNews]()
    rig.app.follow(told.append, "sought")
    rig.app.seek("s")  # nothing can be here
    rig.do("[All] 0")
    rig.app.seek("ska")
    rig.after(0).do("ok!")
    assert [news.get("sought") for news in told] == [None, "", "ska", None]
    rig.close()


def test_a_game_keeps_the_text_that_it_was_begun_with(tmp_path: Path) -> None:
    file = own(tmp_path, "golf.toml")
    rig = Rig(tmp_path).after(0).do("sheet[Short golf 2]")
    file.write_text(GOLF.replace("rounds = 1", "rounds = 5"))
    assert rig.reboot().do("ok").state.rounds == 1
    file.unlink()
    assert rig.reboot().do("ok").state.rounds == 1
    rig.close()
    history = History(tmp_path / JOURNAL)
    (row,) = history.games()
    assert history.rules(row).text == GOLF
    history.close()


def test_a_damaged_sheet_says_what_is_wrong_and_the_kit_goes_on(tmp_path: Path) -> None:
    own(tmp_path, "golf.toml", GOLF.replace("strokes", "Strokes", 1))
    rig = Rig(tmp_path).after(0).do("[All] 0 [Short] 0")
    assert rig.top == "DamagedSheet" and "golf.toml:5: ask 1 id:" in rig.reads()
    assert rig.do("ok ok! [Kitty]").top == "Join"
    rig.close()


def test_what_was_played_last_stands_on_top(tmp_path: Path) -> None:
    own(tmp_path, "golf.toml")
    rig = Rig(tmp_path).after(0).do("sheet[Short golf 2]").reboot().after(0)
    (shelf,) = look(tmp_path / JOURNAL)
    assert [sheet.title for sheet in shelf.on_top] == ["Short golf"]
    assert rig.do("ok!").rows[:2] == ["Go on: Short golf", "Short golf"]
    rig.close()


def test_a_text_that_has_not_its_digest_any_more_counts_as_missing(tmp_path: Path) -> None:
    own(tmp_path, "golf.toml")
    rig = Rig(tmp_path).after(0).do("sheet[Short golf 2]")
    rig.close()
    db = sqlite3.connect(tmp_path / JOURNAL)
    db.execute("update sheet set text = replace(text, '20', '30')")
    db.commit()
    assert sheets.text(db, 1) == ""
    db.close()
    assert Rig(tmp_path).app.table.unfinished is None


# --- what is kept -----------------------------------------------------------------------------------------------------


def play(folder: Path, *results: tuple[int, int], text: str = GOLF, name: str = "golf.toml") -> None:
    """Ann and Ben play these games to their end."""
    own(folder, name, text)
    rig = Rig(folder)
    if not rig.app.table.roster.known:
        rig.do("people[Ann Ben]")
    ids = {one.name: one.id for one in rig.app.table.roster.persons}
    for result in results:
        rules = folders.opened(found(folder)[f"sheet:{name.removesuffix('.toml')}"])
        begin(rig.app.table, rules, ("P1", "P2"), NoOptions(), people={0: ids["Ann"], 1: ids["Ben"]})
        for seat, number in enumerate(result):
            rig.playing.answer(Action(seat, "strokes", number, rig.now_ns))
        rig.after(9000)
        assert rig.playing.committed.over
    rig.close()


@contextmanager
def figures(folder: Path) -> Iterator[Data]:
    with closing(up_to_date(folder)) as db:
        yield Data(Figures(db))


def test_records_follow_what_wins(tmp_path: Path) -> None:
    play(tmp_path, (5, 3), (2, 4), (6, 6))
    with figures(tmp_path) as data:
        (ann,) = [data.person(one) for one in data.people if data.who(one)["name"] == "Ann"]
        news = data.figures.news(2)
    (kind,) = ann["kinds"]
    assert (kind["title"], kind["best"], kind["wins"]) == ("Short golf", 2, 2)
    assert [(one.kind, one.value) for one in news] == [("record", 2), ("first win", 2)]


def test_other_texts_are_the_same_sheet_and_other_rules_are_not(tmp_path: Path) -> None:
    play(tmp_path, (5, 3))
    play(tmp_path, (4, 6), text=GOLF.replace("Short golf", "Golf, short").replace("Strokes", "How many?"))
    play(tmp_path, (9, 8), text=GOLF.replace("high = 20", "high = 30"))
    with figures(tmp_path) as data:
        kinds = data.person(data.people[0])["kinds"]
    assert sorted((kind["title"], kind["games"]) for kind in kinds) == [("Golf, short", 2), ("Short golf", 1)]


def test_parts_of_the_points_are_compared(tmp_path: Path) -> None:
    text = GOLF.replace("rounds = 1", "rounds = 1\nstart = 10")
    play(tmp_path, (5, 3), (2, 4), text=text)
    with figures(tmp_path) as data:
        kinds = {data.who(one)["name"]: data.person(one)["kinds"] for one in data.people}
    assert [kind["categories"] for kind in kinds["Ben"]] == [
        {"start": {"best": 10, "median": None}, "Strokes": {"best": 4, "median": None}}
    ]


DUEL = """title = "Duel"
players = [3, 3]
end = "total == 2"
race = { kind = "signal" }
"""


def duel(folder: Path, *races: dict[int, int], text: str = DUEL, undone: int = 0) -> None:
    """Ann, Ben and Cy race, by seat the ms after the signal; before the last race as many are taken back."""
    own(folder, "duel.toml", text)
    rig = Rig(folder)
    if not rig.app.table.roster.known:
        rig.do("people[Ann Ben Cy]")
    ids = {seat: one.id for seat, one in enumerate(rig.app.table.roster.persons)}
    begin(rig.app.table, folders.opened(found(folder)["sheet:duel"]), ("P1", "P2", "P3"), NoOptions(), people=ids)
    for n, race in enumerate(races, 1):
        for _ in range(undone if n == len(races) else 0):
            rig.playing.take(undo(rig.playing.play, rig.now_ns))
        rig.after(500).do("ok")
        rig.after((rig.state.ask.race.go_ns - rig.now_ns) // MS + 1)
        go_ns = rig.state.ask.race.go_ns
        for seat, ms in race.items():
            rig.playing.answer(Action(seat, "press", None, go_ns + ms * MS, 100_000))
        rig.after(2000)
    assert rig.playing.committed.over
    rig.close()


def test_times_of_races_that_stand_are_kept(tmp_path: Path) -> None:
    duel(tmp_path, {0: 250, 1: 290}, {0: 199, 1: 300}, {0: 231, 2: 260}, undone=1)
    with figures(tmp_path) as data:
        (ann,) = [data.person(one) for one in data.people if data.who(one)["name"] == "Ann"]
        ((group, times),) = [*data.figures.times(ann["id"]).items()]
    assert (times.n, times.best_ns, times.best_error_ns, group.signal) == (2, 231 * MS, 100_000, "lamps buzzer")
    with closing(Pages(tmp_path)) as pages:
        person, records = str(pages.page(f"/people/{ann['id']}")), str(pages.page("/records"))
    assert "Duel, lamps buzzer, up to 1 ms" in person and "Duel: lamps buzzer, up to 1 ms" in records
    assert "Duel (lamps buzzer, up to 1 ms" in of_person(ann)


def test_times_of_other_sheets_and_games_are_not_mixed(tmp_path: Path) -> None:
    duel(tmp_path, {0: 250, 1: 290}, {0: 231, 2: 260})
    duel(tmp_path, {0: 210, 1: 290}, {0: 240, 2: 260}, text=DUEL + 'win = "-total"')
    with figures(tmp_path) as data:
        (ann,) = [data.person(one) for one in data.people if data.who(one)["name"] == "Ann"]
    assert sorted(each["best_ns"] for each in ann["reactions"]) == [210 * MS, 231 * MS]


def test_bg_stats_is_told_what_a_sheet_knows(tmp_path: Path) -> None:
    play(tmp_path, (5, 3))
    play(tmp_path, (5, 3), text=f"{GOLF}bgg = 1234\n", name="other.toml")
    with figures(tmp_path) as data:
        written = bgstats.file(data.figures.plays())
    first, second = written["games"]
    assert "bggId" not in first and second["bggId"] == 1234
    assert not first["highestWins"]
    ranks = [[score["rank"] for score in play["playerScores"]] for play in written["plays"]]
    assert ranks == [[2, 1], [2, 1]]
    assert '"bggId":0' not in json.dumps(written)


def test_bg_stats_knows_a_game_after_a_copy_was_put_back_from_every_other_one(tmp_path: Path) -> None:
    """Also one of the same kind, in the same boot, under the same number."""
    play(tmp_path, (5, 3))
    backup(tmp_path / JOURNAL, tmp_path / "copy")
    play(tmp_path, (4, 2))
    before = ids(tmp_path)
    restore(tmp_path / "copy", tmp_path / JOURNAL)
    play(tmp_path, (1, 6))
    after = ids(tmp_path)
    assert (len(after), after[0], len({*before, *after})) == (2, before[0], 3)


def test_bg_stats_knows_a_game_that_has_got_another_number(tmp_path: Path) -> None:
    """Copies are put back while the kit runs: its game goes on behind the games of each."""
    other = tmp_path / "other"
    other.mkdir()
    for copy, results in (("three", [(5, 3)] * 3), ("five", [(2, 9)] * 2)):
        play(other, *results)
        backup(other / JOURNAL, tmp_path / copy)
    own(tmp_path, "golf.toml")
    there = list[tuple[str, ...]]()
    rig = Rig(tmp_path).do("people[Ann Ben]")
    for copy in ("three", "five"):
        restore(tmp_path / copy, tmp_path / JOURNAL)
        begin(rig.app.table, folders.opened(found(tmp_path)["sheet:golf"]), ("P1", "P2"), NoOptions())
        for seat in (0, 1):
            rig.playing.answer(Action(seat, "strokes", 3, rig.now_ns))
        rig.after(9000)
        there.append(ids(tmp_path))
    rig.close()
    three, five = there
    assert ([len(three), len(five)], three[:3], three[3]) == ([4, 7], five[:3], five[5])
    assert len({*five}) == 7


def ids(folder: Path) -> tuple[str, ...]:
    """By which BG Stats knows the games, in the order of their ends."""
    with figures(folder) as data:
        return tuple(played.id for played in data.figures.plays())


def test_a_copy_put_back_knows_its_sheets(tmp_path: Path) -> None:
    play(tmp_path, (5, 3))
    copy, other = tmp_path / "copy", tmp_path / "other"
    other.mkdir()
    backup(tmp_path / JOURNAL, copy)
    assert restore(copy, other / JOURNAL).unreadable == ()
    with closing(History(other / JOURNAL)) as history:
        (row,) = history.games()
        assert history.play(row.game, history.rules(row)).scores == (5, 3)


def test_pages_show_a_sheets_games(tmp_path: Path) -> None:
    play(tmp_path, (5, 3), (2, 4))
    with closing(Pages(tmp_path)) as pages:
        ann = str(pages.page("/people")).partition("/people/")[2][:16]
        shown = [str(pages.page(path)) for path in ("/records", "/evenings/1", "/games/1", f"/people/{ann}")]
        assert pages.page("/games/1.png")
    for text in shown:
        assert "Short golf" in text
    assert shown[0].index(">2<") < shown[0].index(">5<")  # the lowest in front
