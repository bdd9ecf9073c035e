"""Kit, phone, board and page are read in four languages at once: each reader gets their own, no word of another."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine import games
from engine import play as plays
from engine.games.cat_pageant.fanciers import WhichFancier
from engine.rules import Offer
from engine.words import N_, Name
from firmware import translation
from firmware.output.screens.canvas import texts
from firmware.panel.server import Panel
from firmware.phones import view
from firmware.phones.hub import Phones
from firmware.table.playing import begin
from firmware.translation import L_, L_many, Language, joined, lazy, reading, translated
from hardware import words as parts
from tests.firmware.test_words import LEFT, marked
from tests.simulators import pixels
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig

PLAIN = frozenset({"id", "verb", "mark", "role", "tag", "table", "button", "name", "names", "person", "label", "phase"})
NAMES = frozenset({"P", "Anna", "Ben"})


class Only(Language):
    """A language of one letter: every letter of a text that is marked is this one."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        self.letter = letter

    def gettext(self, message: str) -> str:
        said = re.sub(r"\{[^}]*\}|[^\W\d_]", lambda one: one[0] if one[0][0] == "{" else self.letter, message)
        return said if message in marked() else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def said(news: Any, key: str = "") -> Iterator[str]:
    """All that is read of news."""
    if isinstance(news, str) and key not in PLAIN:
        yield news
    elif isinstance(news, dict):
        for name, one in news.items():
            yield from said(one, name)
    elif isinstance(news, list | tuple):
        for one in news:
            yield from said(one, key)


def others(some: Iterator[str], letter: str) -> set[str]:
    """Words that are no word of this language."""
    found = {word for text in some for word in re.findall(r"[^\W\d_]+", text)}
    return {word for word in found if word.strip(letter) and word not in NAMES and not LEFT.fullmatch(word)}


class House:
    """A kit with a phone, a board and a page."""

    def __init__(self, folder: Path) -> None:
        self.rig = rig = Rig(folder)
        let_in(rig)
        self.page, self.told = Only("z"), dict[str, Any]()
        rig.app.follow(self._hear, *Panel.KINDS, language=self.page)
        self.phone, self.board = Phone(rig), Phone(rig)
        for one, letter in ((self.phone, "q"), (self.board, "w")):
            one.sleep()
            language = Only(letter)
            rig.app.follow(partial(one.phones.hear, language=language), *Phones.KINDS, language=language)
            one.news.clear()
            one.connect()
            one.link.language = language
            one.news.clear()
            one.link.shown.clear()
        rig.after(0)

    def _hear(self, news: Any) -> None:
        self.told |= news

    def check(self) -> None:
        assert others(iter(texts(self.rig.app.table.picture())), "x") == set()
        assert others(said(self.phone.news), "q") == set()
        assert others(said(self.board.news), "w") == set()
        assert others(said(self.told), "z") == set()


@pytest.mark.parametrize("keys", ["", "+P1,P2,P3 3000", "P1 P2 P3 ok", "ok!", "ok! turn-1", "P4", "P1*3 ok ok"])
@pytest.mark.parametrize("name", games.names())
def test_each_reader_has_the_own_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, keys: str
) -> None:
    monkeypatch.setattr(translation, "translations", Only("x"))
    house = House(tmp_path)
    rules = games.rules(name)
    begin(house.rig.app.table, rules, ("P1", "P2", "P3"), rules.options())
    house.rig.after(100)
    house.check()
    house.rig.do(keys) if keys else None
    house.rig.after(100)
    house.check()


@pytest.mark.parametrize("name", games.names())
def test_what_a_phone_chooses_among_is_in_its_language(name: str) -> None:
    rules, found, names = games.rules(name), set[str](), set[str]()
    for seed in range(3):
        for play, _ in pixels.states(rules, rules.seats[1], rules.options(), seed):
            names |= {known.name for known in getattr(play.state, "known", ())}
            with reading(Only("q")):
                asks = [view.ask(play, offer, "", play.players) for offer in view.answerable(play)]
            found |= others(said([words for ask in asks for _, words in ask.get("options", ())]), "q")
            found |= others(said([ask.get("text") for ask in asks]), "q")
    assert found - names - {"xx"} == set()


def test_a_name_is_never_looked_up() -> None:
    """Also where the catalogue has such a word: *Back* is a row of menus."""
    with reading(Only("x")):
        assert translated("Back") == "xxxx"
        assert translated(parts.N_("lamp {name}", name=parts.Name("Back"))) == "xxxx Back"
        assert translated(N_("{name} {time}", name=Name("Back"), time=3)) == "Back 3"
        assert L_("{name}: time is up", name="Back").words() == "Back: xxxx xx xx"
    rules = games.rules("cat_pageant")
    play = plays.opened(rules, plays.start(rules, ("P1", "P2"), rules.options(), 1, 1))
    state = play.state.asking(WhichFancier(0))
    by_name = Offer(0, "fancier", options=("Back", "new"))
    with reading(Only("x")):
        assert translated(rules.label(state, by_name, "Back")) == "Back"
        assert translated(rules.label(state, by_name, "new")) == "xxx"


def test_a_text_has_no_words_before_its_reader_is_known() -> None:
    text = L_("{text} twice", text=L_many("{n} letter", "{n} letters", 2))
    for spoil in (str, "{}".format, lambda one: f"{one}", json.dumps):
        with pytest.raises(TypeError):
            spoil(text)
    assert joined((text, "Back", lazy("OK"))).words() == "2 letters twice Back OK"
