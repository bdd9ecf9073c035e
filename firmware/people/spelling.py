"""A name, letter by letter: the control chooses, OK takes, a player's button gives the letter its marks."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from PIL import Image

from firmware.letters import LETTERS
from firmware.output import sounds
from firmware.output.screens.menus import letters
from firmware.output.screens.view import turn
from firmware.people.names import MAX_NAME, cleaned
from firmware.table.overlay import Overlay
from firmware.table.table import Table
from firmware.translation import L_, _, lazy
from firmware.wishes.people import alike

PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789 -'."
DONE, DELETE = "✓", "←"  # beside the letters of the ring: one step back from the first letter, and one more
RING = (*PLAIN, DELETE, DONE)
AROUND = 6  # letters on each side of the one that OK takes, if there is room
MARKS = 3  # that are shown beforehand
LIKE = {"æ": "a", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŋ": "n", "ø": "o", "œ": "o", "ß": "s", "þ": "t"}


def marked(letter: str) -> str:
    """A letter, and the letters that are like it but for their marks."""
    others = (char for char in LETTERS if char == char.lower() and char.isalpha())
    return letter + "".join(
        char for char in others if LIKE.get(char, unicodedata.normalize("NFD", char)[0]) == letter != char
    )


class Letters(Overlay):
    """Asks for a name; `done` is called with it, once."""

    one_back = True

    def __init__(self, table: Table, title: str, done: Callable[[str], None], *, text: str = "", own: str = "") -> None:
        """`text`: what stands there at first. `own`: the id of whoever gets the name; others' are asked about once."""
        super().__init__(table)
        self.title, self.done, self.text, self._own = title, done, text, own
        self.at = 0  # in the ring
        self.mark = 0  # of the letter
        self.asked = False  # whether a known name has been asked about

    @property
    def letter(self) -> str:
        """The letter that OK takes; capital where a word begins."""
        plain = RING[self.at]
        letter = marked(plain)[self.mark] if plain.isalpha() else plain
        begins = not self.text or not self.text[-1].isalpha()
        return letter.upper() if begins and letter.upper() in (*PLAIN.upper(), *LETTERS) else letter

    @property
    def others(self) -> list[str]:
        """The marks that presses give the letter, the next one first, as many as there is room for."""
        plain = RING[self.at]
        each = marked(plain) if plain.isalpha() else ""
        upper = self.letter.isupper()
        on = each[self.mark + 1 :] + each[: self.mark]
        return [one.upper() if upper and one.upper() in (*PLAIN.upper(), *LETTERS) else one for one in on][:MARKS]

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        plain = RING[self.at]
        self.mark = (self.mark + 1) % len(marked(plain)) if plain.isalpha() else 0
        self.table.sound(sounds.CLICK)
        return True

    def turn(self, steps: int, knob: bool) -> None:
        self.at, self.mark = (self.at + steps) % len(RING), 0
        self.table.sound(sounds.TURN)

    def ok(self) -> None:
        at = RING[self.at]
        if at == DONE:
            self.take()
        elif at == DELETE:
            self.text = self.text[:-1]
        elif len(self.text) == MAX_NAME:
            self.table.refuse(L_("at most {n} letters", n=MAX_NAME))
        else:
            self.text += self.letter
            self.at = self.mark = 0
            self.table.sound(sounds.CLICK)
        self.asked = self.asked and at == DONE

    def take(self) -> None:
        """The name is whole."""
        try:
            name = cleaned(self.text)
        except ValueError as error:
            self.table.refuse(lazy(str(error)))
            return
        if alike(name, self.table.roster.persons, self._own) and not self.asked:
            self.asked = True
            self.table.refuse(L_("{name} is known: OK again for another {name}", name=name))
            return
        self.table.sound(sounds.DONE)
        self.table.close()
        self.done(name)

    def picture(self, now_ns: int) -> Image.Image:
        words = {DONE: _("done"), DELETE: _("delete"), " ": _("space")}
        around = [RING[(self.at + n) % len(RING)] for n in range(-AROUND, AROUND + 1)]
        row = [words.get(sign, sign) for sign in around]
        row[AROUND] = here = words.get(self.letter, self.letter)
        others = self.others
        tap = _("tap: {marks}", marks=" ".join(others)) if others else ""
        does = here if RING[self.at] in (DONE, DELETE) else _("take {letter}", letter=here)
        keys = _("{turn}: letter", turn=turn(self.table.knob)), (_("OK: {does}", does=does), "OK")
        return letters(self.title, self.text, row, keys, most=MAX_NAME, marks=tap)
