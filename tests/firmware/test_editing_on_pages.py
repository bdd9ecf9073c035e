"""People and games are edited on their pages, without script: read, filled in, sent, and read again at once."""

import re
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from http.client import HTTPConnection
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

import pytest

from firmware.journal.writer import Journal
from firmware.people.names import Person
from tests.simulators.program import Program, played_before
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S

ANNA, BEN, BENNY = "a" * 16, "b" * 16, "c" * 16
NAME = "Žofie Amálie"
HOSTILE = ("<b>x</b>", "=1+1", '"><i>', "&lt;i&gt;", "שלום", "'><script>", "山田", "🐈")
PROGRAM = ("-m", "tests.simulators.controlled_clock", "0", "play", "--emulated", "--port", "0")


class Form:
    """A form of a page."""

    def __init__(self, action: str) -> None:
        self.action, self.label = action, ""
        self.fields: dict[str, str] = {}
        self.options: dict[str, str] = {}  # of its list, by what they say


class Read(HTMLParser):
    """A page without script: what it says, its forms and links."""

    def __init__(self, path: str, status: int, page: str) -> None:
        super().__init__()
        self.path, self.status = path, status
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.text = self.heading = ""
        self._list = self._value = self._link = ""
        self._open: list[str] = []
        self.feed(re.sub("</?bdi[^>]*>", "", page))  # a name is a part of its text
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in ("input", "meta", "link"):
            self._open.append(tag)
        if tag == "form":
            self.forms.append(Form(given["action"]))
        elif tag == "input":
            self.forms[-1].fields[given["name"]] = given.get("value", "")
        elif tag == "select":
            self._list = given["name"]
        elif tag == "option":
            self._value = given["value"]
            if "selected" in given or self._list not in self.forms[-1].fields:
                self.forms[-1].fields[self._list] = given["value"]
        elif tag == "a":
            self._link = given["href"]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "
        if "h1" in self._open:
            self.heading += data
        if "option" in self._open:
            self.forms[-1].options[data] = self._value
        elif "button" in self._open:
            self.forms[-1].label = data
        elif "a" in self._open:
            self.links[data] = self._link


class Reader:
    """Somebody with a browser that runs no script."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.page: Read

    def open(self, path: str) -> Self:
        self._ask("GET", path)
        return self

    def send(self, label: str, **fields: str) -> Self:
        """Fill in the form with this button, and press it. A choice is named by what it says."""
        (form,) = (each for each in self.page.forms if each.label == label)
        assert fields.keys() <= form.fields.keys()
        chosen = {name: form.options.get(value, value) for name, value in fields.items()}
        self._ask("POST", form.action, urlencode(form.fields | chosen))
        return self

    def follow(self, link: str) -> Self:
        return self.open(self.page.links[link])

    def _ask(self, method: str, path: str, body: str = "") -> None:
        host = f"127.0.0.1:{self._port}"
        headers = {"Host": host} | ({"Origin": f"http://{host}"} if method == "POST" else {})
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)) as line:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            page = answer.read().decode()
        if answer.status == 303:
            self._ask("GET", answer.headers["Location"])
        else:
            where, _mark, saved = path.partition("?saved=")
            self.page = Read(where, answer.status, page)
            assert ("Saved." in self.page.text) == bool(saved)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game of Anna and Ben, and 64 people."""
    Rig(played_before(tmp_path)).do("game[kitty_paw 2] menu[End the game] 2500 ok").close()
    people = [Person(ANNA, "Anna"), Person(BEN, "Ben"), Person(BENNY, "Benny")]
    people += [Person(f"{n:016x}", HOSTILE[n] if n < len(HOSTILE) else f"N{n}") for n in range(61)]
    with closing(Journal(tmp_path / "journal.db", "x", lambda n: None, lambda t: None, threaded=False)) as journal:
        journal.write_people(people)
        assert journal.latest is not None
        journal.seat(journal.latest, {0: ANNA, 1: BEN})
    return tmp_path


@pytest.fixture
def reader(folder: Path) -> Iterator[Reader]:
    with Program(*PROGRAM, STATE_DIRECTORY=str(folder)) as program:
        yield Reader(program.port)
        ended, _, errors = program.end()
        assert (ended, errors) == (0, "")


def test_a_new_name_a_short_one_and_another(reader: Reader) -> None:
    page = reader.open("/people").send("Add", name="Юлия").page
    assert "The display cannot draw Юлия" in page.text
    reader.send("Take the short name", latin="Юля")
    assert (reader.page.status, "letters that it cannot draw" in reader.page.text) == (422, True)
    assert reader.page.forms[0].fields["latin"] == "Юля"  # still filled
    reader.send("Add", latin="Julia")
    assert reader.page.heading == "Юлия" and reader.page.forms[1].fields["latin"] == "Julia"
    reader.send("Save", latin="Jule")
    assert reader.page.forms[1].fields["latin"] == "Jule"
    reader.send("Rename", name="anna").follow("Back, change nothing")
    assert reader.page.heading == "Юлия"
    reader.send("Rename", name="anna").send("Another person")
    assert reader.page.heading == "anna" and "agreed" not in reader.page.forms[0].fields


def test_a_name_that_is_known_leads_to_that_person(reader: Reader) -> None:
    reader.open("/people").send("Add", name="ANNA").follow("The same person: Anna")
    assert (reader.page.path, reader.page.text.split()[0]) == (f"/people/{ANNA}", "Anna")


def test_somebody_is_left_out_of_statistics_and_comes_back(reader: Reader) -> None:
    reader.open(f"/people/{ANNA}").send("Leave out of statistics")
    assert "Left out of statistics." in reader.page.text
    assert f"/people/{ANNA}" == reader.open("/people").page.links["Anna"]
    reader.follow("Anna").send("Count these games again")
    assert "Left out of statistics." not in reader.page.text


def test_two_are_one_unless_they_sat_in_the_same_game(reader: Reader) -> None:
    reader.open(f"/people/{ANNA}").send("Merge", into="Ben")
    assert (reader.page.status, "sat in the same game" in reader.page.text) == (422, True)
    reader.follow("Back").send("Merge", into="Benny")
    assert "All games of Anna become games of Benny." in reader.page.text
    reader.send("They are one person")
    assert reader.page.path == f"/people/{BENNY}"
    assert reader.open(f"/people/{ANNA}").page.status == 404
    assert "Benny" in reader.open("/games/1").page.text


def test_a_game_has_a_note_a_day_and_other_people(reader: Reader) -> None:
    reader.open("/games/1").send("Save", note="  <b>late</b>\t ", day="2026-07-04")
    note = next(form for form in reader.page.forms if form.label == "Save")
    assert (note.fields["note"], note.fields["day"]) == ("<b>late</b>", "2026-07-04")
    assert "<b>late</b>" in reader.page.text
    assert "04 Jul 2026" in reader.open("/evenings").page.text
    reader.open("/games/1").send("Save", note="x", day="2026-13-04")
    assert (reader.page.status, reader.page.forms[0].fields["note"]) == (422, "x")
    form = reader.open("/games/1").page.forms[-1]
    assert (form.fields["seat0"], form.fields["seat1"]) == (ANNA, BEN)
    reader.send("Save the seats", seat0="guest", seat1="Anna")
    assert (reader.page.forms[-1].fields["seat0"], reader.page.forms[-1].fields["seat1"]) == ("", ANNA)
    reader.send("Save the seats", seat0="Anna")
    assert (reader.page.status, "cannot sit on two seats" in reader.page.text) == (422, True)


def test_forgetting_asks_twice_and_leaves_no_byte_of_the_name(reader: Reader, folder: Path) -> None:
    reader.open(f"/people/{ANNA}").send("Rename", name=NAME)
    reader.open("/games/1").send("Save", note=f"{NAME}s cat, {NAME.upper()}")
    reader.open(f"/people/{ANNA}").send("Forget")
    assert reader.page.heading == "FORGET?"
    assert reader.follow("Back, change nothing").page.heading == NAME
    reader.send("Forget").send(f"Forget {NAME}")
    assert reader.page.heading == "REALLY?"
    reader.send(f"Forget {NAME}")
    assert (reader.page.path, NAME in reader.page.text) == ("/people", False)
    data = b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
    assert not [name for name in (NAME, NAME.upper()) if name.encode() in data]
    assert "…s cat, …" in reader.open("/games/1").page.text
