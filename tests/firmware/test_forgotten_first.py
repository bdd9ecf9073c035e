"""Nobody reads a journal before whoever has to be forgotten in it is forgotten: memory would be written back."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.sheets.limits import LARGEST
from firmware import VERSION, state_folder
from firmware.journal import fanciers, forgetting, places, schema, sheets
from firmware.journal.file import open_to_read
from firmware.journal.forgotten import Unforgotten, listed, note_forgotten
from firmware.journal.reader import History
from firmware.people.names import Person
from firmware.shelf import known
from firmware.statistics.game_totals import up_to_date
from firmware.table.fresh_reads import FreshReads
from scripts.generators import people_page
from tests.simulators import forgets, state_files
from tests.simulators.forgets import ID, NAME, SHEET, journal, named, told
from tests.simulators.rig import Rig


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A folder whose latest game has the name in its events and a note; forgetting was cut before the commit."""
    kept = journal(tmp_path, "boot1")
    kept.write_people([Person(ID, NAME), Person(forgets.OTHER, "Bob")])
    number = kept.begin_game("cat_pageant")
    kept.seat(number, {0: ID, 1: forgets.OTHER})
    kept.write(number, forgets.fancier())
    kept.remark(number, f"{NAME} brought cake", "")
    kept.close()
    note_forgotten(tmp_path, [ID], done=False)
    return tmp_path


def test_a_journal_is_not_read_while_somebody_has_to_be_forgotten_in_it(cut: Path) -> None:
    with pytest.raises(Unforgotten, match="somebody has to be forgotten in it first"):
        open_to_read(cut / "journal.db")


def test_a_start_forgets_and_then_reads(cut: Path) -> None:
    kept = journal(cut, "boot2")
    assert (named(cut), [one.name for one in kept.persons]) == ([], ["Bob"])
    assert kept.latest is not None and NAME.upper() not in str(kept.latest.rows)
    kept.close()
    assert named(cut) == []


def test_no_row_comes_back_or_is_there_twice(cut: Path) -> None:
    before = count(cut)
    journal(cut, "boot2").close()
    journal(cut, "boot3").close()
    assert (named(cut), count(cut)) == ([], before)


def count(folder: Path) -> dict[str, int]:
    """How many rows there are of games and of what stands beside them."""
    tables = ("game", "event", "seat", "remark")
    with closing(sqlite3.connect(folder / "journal.db")) as db:
        return {table: db.execute(f"select count(*) from {table}").fetchone()[0] for table in tables}


def test_where_the_disk_fails_at_the_start_nothing_is_in_memory(cut: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "clean_aside", raises)
        kept = journal(cut, "boot2")
        assert (kept.persons, kept.latest) == ((), None)
    kept.begin_game("kitty_paw")
    kept.close()
    assert named(cut) == []


def raises(*arguments: object, **options: object) -> None:
    raise OSError(5, "Input/output error")


def test_a_card_that_is_put_in_later_forgets_whom_its_own_list_has(tmp_path: Path) -> None:
    """The kit knows the name from the card before, and its game there has a note with it."""
    kept = journal(tmp_path, "boot1")
    kept.write_people([Person(ID, NAME)])
    number = kept.begin_game("cat_pageant")
    kept.seat(number, {0: ID})
    kept.write(number, forgets.fancier())
    kept.remark(number, f"{NAME} brought cake", "")
    for path in tmp_path.iterdir():
        path.unlink()
    note_forgotten(tmp_path, [ID], done=True)
    kept.remark(number, "another note", "")
    assert kept.close() and named(tmp_path) == []


# --- what the table has in memory ------------------------------------------------------------------------------------

ANN = "game[cat_pageant 2] P1*2 ok P1*4 ok P1 ok P1*3 ok turn-1 ok turn-14 ok turn-14 ok*2"  # a fancier of this name


def test_a_game_on_the_table_that_knows_the_name_is_read_anew(rig: Rig, tmp_path: Path) -> None:
    ann = rig.app.table.people.add("Ánn")
    rig.do(f"{ANN} menu[Main menu] game[cat_pageant 2]")
    assert "ANN" in rig.reads()
    rig.app.table.people.forget(ann)
    assert "ANN" not in rig.do("200 6s [Go on]").reads()
    rig.do("ok 300 P2 ok 300").close()
    assert not [path.name for path in tmp_path.iterdir() if b'"ANN"' in path.read_bytes()]


def anns(rig: Rig) -> str:
    """A game of Ann's, whose fancier is called like her and who is in its note, before another one: her id."""
    ann = rig.app.table.people.add("Ánn")
    number = rig.do(ANN).playing.number
    rig.app.table.journal.seat(number, {0: ann})
    rig.app.table.journal.remark(number, "Ánn brought cake", "")
    rig.do("menu[Main menu] game[kitty_paw 3] 300 menu[Main menu] 10s")
    return ann


def having(folder: Path, *texts: str) -> list[str]:
    """The files that have one of these texts."""
    return [path.name for path in folder.glob("*.*") if any(text.encode() in path.read_bytes() for text in texts)]


@pytest.mark.parametrize(
    ("opened", "then"),
    [
        ("[Unfinished games] 300 [CAT] 300", "ok 300 P2 300"),
        ("[History] 300 [CAT] 300", "300"),
        ("[History] 300 [CAT] 300 turn-9 ok 300", "P1 P2 ok 300"),
    ],
    ids=["go on?", "score sheet", "who sat there"],
)
def test_what_is_open_while_a_page_forgets_somebody_is_closed(rig: Rig, tmp_path: Path, opened: str, then: str) -> None:
    """It has the game as it was before, and would write it again."""
    ann = anns(rig)
    rig.do(opened)
    rig.app.table.people.forget(ann)
    assert rig.do("500").top == "Menu"
    rows = count(tmp_path)
    rig.do(then)
    assert (having(tmp_path, "Ánn", '"ANN"'), count(tmp_path)["game"]) == ([], rows["game"])


def test_a_game_that_was_read_to_be_gone_on_with_is_read_anew(rig: Rig, tmp_path: Path) -> None:
    """Also where only its note has the name: the second of two who are forgotten one after the other."""
    bob = rig.app.table.people.add("Bobby")
    ann = rig.app.table.people.add("Ánn")
    number = rig.do(ANN).playing.number
    rig.app.table.journal.remark(number, "Bobby brought cake", "")
    rig.do("menu[Main menu] restart 300 ok_hold 300")
    for one in (ann, bob):
        rig.app.table.people.forget(one)
        rig.do("500")
    rows = count(tmp_path)
    rig.do("6s [Go on] 300 ok 300")
    rig.close()
    assert (having(tmp_path, "Bobby"), count(tmp_path)["game"]) == ([], rows["game"])


def test_a_sheet_that_was_chosen_is_not_begun_once_somebody_in_it_is_forgotten(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "dice.toml").write_text(SHEET)
    who = rig.app.table.people.add(NAME)
    rig.do(f"300 [All games] 300 [{NAME}'s dice] 300 P1 P2 ok 300")
    assert rig.top == "Options"
    rig.app.table.people.forget(who)
    (tmp_path / "games" / "dice.toml").unlink()  # as REALLY? says
    assert rig.do("300").top == "Menu"
    rig.do("ok 300").close()
    assert named(tmp_path) == []


TYPED = ANN.removesuffix("*2")  # the name is typed, and not saved yet


def spelt(folder: Path) -> str:
    """All letters that were typed, as the journal has them."""
    with closing(sqlite3.connect(folder / "journal.db")) as db:
        rows = db.execute("select json_extract(fields, '$.letter') from event where name = 'LetterEntered' order by id")
        return "".join(letter for (letter,) in rows)


@pytest.mark.parametrize("more", ["", " undo", " turn-14 ok undo", " ok", " ok P2*2 ok"])
def test_letters_that_spell_the_name_go_too(rig: Rig, tmp_path: Path, more: str) -> None:
    ann = rig.app.table.people.add("Ánn")
    rig.do(f"{TYPED} 300{more} 300")
    rig.app.table.people.forget(ann)
    rig.do("500 6s [Go on] 300 ok 300").close()
    assert ("N" in spelt(tmp_path), having(tmp_path, '"ANN"')) == (False, [])


def test_other_letters_stay_and_so_does_their_game(rig: Rig, tmp_path: Path) -> None:
    ann = rig.app.table.people.add("Anton")
    rig.do(f"{TYPED} 300").app.table.people.forget(ann)
    assert (rig.do("300").app.table.game is not None, spelt(tmp_path)) == (True, "ANN")


@pytest.mark.parametrize("names", [("ANN",), ("PIP", "ANN")])
def test_a_name_that_undo_leads_back_to_is_forgotten(
    rig: Rig, tmp_path: Path, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game knows more fanciers than it leaves for later ones; the oldest goes with each that is new."""
    monkeypatch.setattr("engine.games.cat_pageant.table.MAX_FANCIERS", 1)
    ann = rig.app.table.people.add("Ánn")
    rig.do(
        f"{ANN} P2*2 ok P2*4 ok P2 ok P2*3 ok turn-2 ok turn-14 ok*2 300" if len(names) > 1 else f"{ANN} 300 undo 300"
    )
    rig.app.table.people.forget(ann)
    assert rig.do("500").app.table.game is None
    rig.do("6s [Go on] 300 undo undo undo 300 ok 300").close()
    assert having(tmp_path, '"ANN"') == []


@pytest.mark.parametrize("id_", ["ada0" * 4, "a" * 16, "0123456789abcdef"])
def test_what_stands_for_a_name_never_is_the_name(id_: str) -> None:
    for name in ("Ada", "A", "AAAA", "X", "0", "Zo"):
        for replaced in fanciers.replacements([Person(id_, name)]):
            assert (len(replaced.by), replaced.by[0] == name[0].upper()) == (len(name), False)


class Asked:
    """Answers questions when a test says so."""

    def __init__(self) -> None:
        self.asked: list[Callable[[], None]] = []

    def __call__(self, read: Callable[[Path], Iterator[Any]], then: Callable[[Any], None], wanted: object) -> None:
        def answer() -> None:
            for one in read(Path()):
                then(one)

        self.asked.append(answer)


def test_an_answer_from_before_somebody_was_forgotten_is_asked_for_again() -> None:
    asked, journal_, found = Asked(), ["with the name"], list[str]()
    reads = FreshReads(asked)
    before = list(journal_)
    reads(lambda path: iter([before[0]] * 2), found.append, lambda: True)
    reads.hold()
    asked.asked.pop()()
    assert (found, asked.asked) == ([], [])
    before[0] = "without"
    reads.release()
    asked.asked.pop()()
    assert (found, asked.asked) == (["without"] * 2, [])


def test_an_answer_of_which_only_the_first_was_told_is_asked_for_again() -> None:
    """Its thread may ask whether it is still wanted before the next one is there."""
    found, wants, asked = list[int](), list[Callable[[], bool]](), list[Callable[[int], None]]()

    def ask(read: object, then: Callable[[Any], None], wanted: Callable[[], bool]) -> None:
        asked.append(then)
        wants.append(wanted)

    reads = FreshReads(ask)
    reads(lambda path: iter([1, 2]), found.append, lambda: True)
    asked[0](1)
    reads.hold()
    assert wants[0]()
    asked[0](2)
    assert not wants[0]()
    reads.release()
    assert (found, len(asked)) == ([1], 2)


def test_nothing_is_asked_until_somebody_is_forgotten() -> None:
    asked = Asked()
    reads = FreshReads(asked)
    reads.hold()
    reads(lambda path: iter([1]), lambda one: None, lambda: True)
    assert asked.asked == []
    reads.release()
    assert len(asked.asked) == 1


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(n, marks=pytest.mark.nightly) for n in range(12, 300))])
def test_whatever_is_pressed_while_a_page_forgets_people_brings_no_name_back(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    forgets.made(tmp_path, chance, everything=True)
    forgets.at_the_kit(tmp_path, chance)
    assert named(tmp_path, NAME, forgets.SECOND) == []


# --- score sheets ----------------------------------------------------------------------------------------------------


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    """A folder with a game of a sheet that has the name."""
    kept = journal(tmp_path, "boot1")
    kept.write_people([Person(ID, NAME)])
    kept.write(kept.begin_game("sheet:dice", SHEET), forgets.dice())
    kept.close()
    return tmp_path


def test_a_sheet_in_the_journal_forgets_and_its_games_stay_as_they_are(dice: Path) -> None:
    before = told(dice)
    kept = journal(dice, "boot2")
    kept.forget(ID)
    kept.close()
    assert (named(dice), told(dice)) == ([], before)
    with closing(sqlite3.connect(dice / "journal.db")) as db:
        ((text, digest),) = db.execute("select text, digest from sheet").fetchall()
    assert ("…'s dice" in text, digest) == (True, sheets.digest(text))


def test_sums_that_have_its_titles_are_made_anew(dice: Path) -> None:
    with closing(up_to_date(dice)) as db:
        before = db.execute("select points from category order by name").fetchall()
    assert "sums.sqlite" in named(dice)
    kept = journal(dice, "boot2")
    kept.forget(ID)
    kept.close()
    assert named(dice) == []
    with closing(up_to_date(dice)) as db:
        assert sorted(db.execute("select points from category")) == sorted(before)


def test_a_game_that_is_begun_once_more_has_the_sheet_without_the_name(tmp_path: Path) -> None:
    """The table still has the rules of the game before."""
    kept = journal(tmp_path, "boot1")
    kept.write_people([Person(ID, NAME)])
    kept.write(kept.begin_game("sheet:dice", SHEET), forgets.dice())
    kept.forget(ID)
    kept.write(kept.begin_game("sheet:dice", SHEET), forgets.dice())
    kept.close()
    assert named(tmp_path) == []
    with closing(History(tmp_path / "journal.db")) as history:
        assert len({row.sheet for row in history.games()}) == 1


def test_a_sheet_with_two_who_were_forgotten_one_after_the_other_has_neither(tmp_path: Path) -> None:
    kept, other = journal(tmp_path, "boot1"), "Berthilde"
    kept.write_people([Person(ID, NAME), Person(forgets.OTHER, other)])
    sheet = f"# {NAME} and {other}\n{SHEET}"
    kept.write(kept.begin_game("sheet:dice", sheet), forgets.dice())
    kept.forget(ID)
    kept.forget(forgets.OTHER)
    kept.write(kept.begin_game("sheet:dice", sheet), forgets.dice())
    kept.close()
    assert (named(tmp_path), having(tmp_path, other)) == ([], [])


def test_a_sheet_as_long_as_may_be_is_not_longer_without_a_short_name(tmp_path: Path) -> None:
    sheet = SHEET.replace(NAME, "Bob")
    sheet += ("# " + "I " * 1900 + "\n") * ((LARGEST - len(sheet)) // 3803)
    kept = journal(tmp_path, "boot1")
    kept.write_people([Person(ID, "I")])
    kept.write(kept.begin_game("sheet:dice", sheet), forgets.dice())
    kept.forget(ID)
    kept.close()
    before = told(tmp_path)
    kept = journal(tmp_path, "boot2")
    kept.remark(kept.latest or 1, "a note", "")
    kept.close()
    assert (kept.__dict__["said"], told(tmp_path)[:3]) == ([], before[:3])


DEEP = f"x = {'[' * 20_000}"  # Python's own reader of TOML does not end it


def test_a_text_that_cannot_be_read_keeps_nobody_from_being_forgotten(dice: Path) -> None:
    with closing(sqlite3.connect(dice / "journal.db", isolation_level=None)) as db:
        db.execute("insert into sheet values (?, ?)", (sheets.digest(DEEP), DEEP))
        db.execute("pragma wal_checkpoint(truncate)")
    (dice / "foreign-2026-01-01.db").write_bytes((dice / "journal.db").read_bytes())
    kept = journal(dice, "boot2")
    kept.forget(ID)
    assert (kept.close(), kept.__dict__["said"], named(dice)) == (True, [], [])


@pytest.mark.parametrize(
    "text", ["[ask]\nid = 1", "ask = 5", "let = [1]", DEEP], ids=["table", "number", "list", "deep"]
)
def test_no_file_keeps_the_question_from_being_asked(rig: Rig, tmp_path: Path, text: str) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.toml").write_text(text)
    rig.app.table.people.add(NAME)
    assert "REALLY?" in rig.do(f"[People] [{NAME[:6]}] [Forget] ok 300").reads()


def test_the_display_draws_a_title_without_the_name(dice: Path) -> None:
    kept = journal(dice, "boot2")
    kept.forget(ID)
    kept.close()
    rig = Rig(dice, boot="boot3").do("300 ok! 300")
    assert rig.row() == "Last: …'s dice" and "–'s dice" in rig.reads()
    rig.close()


def unreadable(data: bytes) -> bytes:
    """A file that SQLite does not open any more."""
    return data[:16] + bytes(8) + data[24:]


@pytest.mark.parametrize("damage", [bytes, unreadable], ids=["sound", "damaged"])
def test_sheets_in_files_that_were_set_aside_forget_too(dice: Path, damage: Callable[[bytes], bytes]) -> None:
    (dice / "damaged-2026-01-01.db").write_bytes(damage((dice / "journal.db").read_bytes()))
    kept = journal(dice, "boot2")
    kept.forget(ID)
    kept.close()
    assert named(dice) == []


def test_a_name_that_only_a_file_tells_that_was_set_aside_is_in_none_of_its_texts(cut: Path) -> None:
    """The journal was set aside while somebody was to be forgotten."""
    (cut / "damaged-2026-01-01.db").write_bytes(unreadable((cut / "journal.db").read_bytes()))
    (cut / "journal.db").unlink()
    journal(cut, "boot2").close()
    assert (named(cut), listed(cut)[ID].done) == ([], True)


def test_files_of_sheets_are_never_changed_and_the_question_lists_them(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    for name, text in (("dice", SHEET), ("zorkiana_2", "no sheet"), ("other", SHEET.replace(NAME, "Ben"))):
        (tmp_path / "games" / f"{name}.toml").write_text(text)
    rig.app.table.people.add(NAME)
    said = rig.do(f"[People] [{NAME[:6]}] [Forget] ok").reads()
    assert "REALLY?" in said and "remove by hand:" in said and "dice.toml" in said and "1/2" in said
    assert "2/2" in rig.do("turn-1").reads() and "turn: no" in rig.reads()
    assert rig.do("turn-1").top == "Somebody"
    rig.do("[Forget] ok*2 200")
    assert (tmp_path / "games" / "dice.toml").read_text() == SHEET


@pytest.mark.parametrize("forgetting_", [True, False], ids=["forgetting", "a start"])
def test_a_sheet_whose_saving_was_cut_is_removed(dice: Path, forgetting_: bool) -> None:
    kept = journal(dice, "boot2") if forgetting_ else None
    (dice / "games").mkdir()
    (dice / "games" / ".dice.toml.new").write_text(SHEET)
    (dice / "games" / "other.toml").write_text("x = 1")
    kept = kept or journal(dice, "boot2")
    if forgetting_:
        kept.forget(ID)
    kept.close()
    assert [path.name for path in (dice / "games").iterdir()] == ["other.toml"]


def test_a_folder_of_people_that_is_called_like_a_sheet_being_saved_keeps_nothing_from_being_saved(dice: Path) -> None:
    (dice / "games" / ".own.new").mkdir(parents=True)
    kept = journal(dice, "boot2")
    kept.forget(ID)
    kept.close()
    assert ((dice / "games" / ".own.new").is_dir(), named(dice)) == (True, [])


def test_a_file_whose_name_is_no_text_is_named_as_far_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / os.fsdecode(b"zorkiana\xff\n.toml")).write_text("x = 1")
    assert next(known.naming((NAME,), tmp_path / "journal.db")) == ("zorkiana??.toml",)


def test_a_pipe_among_the_files_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    os.mkfifo(tmp_path / "games" / "a.toml")
    (tmp_path / "games" / "b.toml").write_text(f"# {NAME}\n")
    assert next(known.naming((NAME,), tmp_path / "journal.db")) == ("b.toml",)


# --- the list --------------------------------------------------------------------------------------------------------


def test_the_list_says_which_version_has_done_it(cut: Path) -> None:
    journal(cut, "boot2").close()
    assert (cut / "forgotten").read_text() == f"{ID}\n{ID} done {VERSION}\n{ID} done\n"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (f"{ID}\n{ID} done\n", "notes, score sheets"),
        (f"{ID} done\n{ID} done 0.0.9\n", "notes, score sheets"),
        (f"{ID} done\n{ID} done {VERSION}\n", None),
        (f"{ID} done\n{ID} told {VERSION}\n", None),
    ],
)
def test_what_an_older_version_did_not_look_through_is_said_once(dice: Path, lines: str, said: str | None) -> None:
    kept = journal(dice, "boot2")
    kept.forget(ID)
    kept.remark(kept.latest or 1, "a note", "")
    kept.close()
    (dice / "forgotten").write_text(lines)
    text = f"an older version forgot somebody, but not in: {said}. Look there yourself"
    for boot, expected in (("boot3", [text] if said else []), ("boot4", [])):
        kept = journal(dice, boot)
        kept.close()
        assert kept.__dict__["said"] == expected


def test_a_line_that_is_cut_says_nothing_of_an_older_version(cut: Path) -> None:
    journal(cut, "boot2").close()
    path = cut / "forgotten"
    whole = path.read_bytes()
    for length in range(len(f"{ID}\n"), len(whole) + 1):
        path.write_bytes(whole[:length])
        noted = listed(cut)[ID]
        assert not noted.done or noted.version == VERSION
        note_forgotten(cut, [ID], done=True)
        assert listed(cut)[ID] == (True, VERSION, "")


@pytest.mark.parametrize("before", ["\ufeff", "\0\0\0\0", " ", "# "], ids=["mark", "zeros", "space", "comment"])
def test_an_id_counts_whatever_stands_before_it(cut: Path, before: str) -> None:
    (cut / "forgotten").write_text(f"{before}{ID}\n", encoding="utf-8")
    journal(cut, "boot2").close()
    assert (named(cut), listed(cut)[ID].done) == ([], True)


def test_an_id_of_another_length_is_in_the_list(tmp_path: Path) -> None:
    note_forgotten(tmp_path, ["abc1"], done=False)
    assert [*listed(tmp_path)] == ["abc1"]
    note_forgotten(tmp_path, ["abc1"], done=True)
    assert listed(tmp_path)["abc1"].done
    (tmp_path / "forgotten").write_text("# what somebody has noted\n\nabc1 done")
    assert listed(tmp_path) == {}


def test_an_older_version_reads_the_list_as_before(cut: Path) -> None:
    journal(cut, "boot2").close()
    done: dict[str, bool] = {}
    for line in (cut / "forgotten").read_text().split("\n"):  # as 0.1.0 does
        id_, _, what = line.partition(" ")
        if len(id_) == 16:
            done[id_] = done.get(id_, False) or what == "done"
    assert done == {ID: True}


def test_a_version_is_compared_by_its_numbers(tmp_path: Path) -> None:
    (tmp_path / "forgotten").write_text(f"{ID} done 0.10.0\n{ID} done 0.9.0\n{ID} done x\n")
    assert listed(tmp_path)[ID].version == "0.10.0"


# --- places for text -------------------------------------------------------------------------------------------------


def test_every_column_for_text_has_its_row_in_the_list() -> None:
    columns = {
        f"{table}.{column.name}"
        for table, of in schema.own().items()
        for column in of.values()
        if column.type == "text"
    }
    assert {place.where for place in places.PLACES if place.column} == columns


def test_every_file_of_the_state_folder_has_its_row_in_the_list() -> None:
    files = {state_folder.ASIDE, state_folder.RESTORED, state_folder.SAVING}
    files |= {*state_folder.UNFINISHED, *state_files.OTHERS}
    files = {
        name for name in files if name in (*state_folder.UNFINISHED, state_folder.SAVING) or not name.endswith(".new")
    }
    assert {place.where[1:] for place in places.PLACES if not place.column} == files


def test_every_kind_of_text_with_names_has_a_place() -> None:
    assert {place.kind for place in places.PLACES if place.kind is not None} == set(places.KINDS)


def test_the_page_about_people_has_the_list() -> None:
    assert people_page.page() == people_page.PAGE.read_text(encoding="utf-8"), "run scripts/make people"


def test_filled_folders_have_the_name_in_every_kind_of_text(tmp_path: Path) -> None:
    """Else the cuts of forgetting show nothing."""
    found = set[str]()
    for seed in range(12):
        forgets.made(tmp_path / str(seed), Random(seed))
        with closing(sqlite3.connect(tmp_path / str(seed) / "journal.db")) as db:
            for place in places.PLACES:
                if place.column:
                    table, column = place.where.split(".")
                    sql = f"select 1 from {table} where instr(upper({column}), ?)"
                    found |= {place.where} if db.execute(sql, (NAME.upper(),)).fetchone() else set()
    assert found == {"person.name", "event.fields", "kept.answers", "remark.note", "sheet.text"}
