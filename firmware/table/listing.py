"""A list to choose from with the control."""

from collections.abc import Callable
from typing import TypeAlias

from PIL import Image

from engine.words import N_
from firmware import translation
from firmware.output import sounds
from firmware.output.screens.canvas import Text, longest
from firmware.output.screens.menus import listing
from firmware.output.screens.view import turn
from firmware.table.overlay import Overlay, downwards
from firmware.translation import _, language, translated

Rows: TypeAlias = list[tuple[Text, Callable[[], None]]]  # a text, and what OK does


class Listing(Overlay):
    """A list to choose from."""

    title = N_("LUCKY PAW")

    at = 0
    _stands: tuple[int, str] | None = None  # the row that somebody has turned to, by place and text

    def heading(self) -> Text:
        """The left end of the status row."""
        return translated(self.title)

    def rows(self) -> Rows:
        """The rows: a text, and what OK does."""
        raise NotImplementedError

    def turn(self, steps: int, knob: bool) -> None:
        down = downwards(steps, knob)
        rows = self.settled()
        self.at = min(max(0, self.at + down), len(rows) - 1)
        self._stands = self.at, longest(rows[self.at][0])

    def ok(self) -> None:
        self.settled()[self.at][1]()

    def settled(self) -> Rows:
        """The rows. Once somebody has turned to a row the control stays on it, also where rows come above it."""
        rows = self.rows()
        texts = [longest(text) for text, _ in rows]
        if self._stands is not None:
            at, text = self._stands
            if at == self.at and text in texts and texts[at : at + 1] != [text]:
                self.at = min((n for n, one in enumerate(texts) if one == text), key=lambda n: abs(n - at))
        self.at = min(self.at, len(rows) - 1)
        if self._stands is not None and language() is translation.translations:
            self._stands = self.at, texts[self.at]
        return rows

    def right(self) -> Text:
        """The right end of the status row: the place in the list."""
        return f"{self.at + 1}/{len(self.rows())}"

    def lit_in_words(self) -> str:
        rows = self.rows()
        at = min(self.at, len(rows) - 1)  # it may have lost rows since it was drawn
        return _("chosen: {row}", row=longest(rows[at][0]))

    def picture(self, now_ns: int) -> Image.Image:
        rows = self.settled()
        return listing(self.heading(), self.right(), [text for text, _ in rows], self.at, self.foot())

    def foot(self) -> tuple[Text, Text]:
        """What the keys do."""
        return _("{turn}: choose", turn=turn(self.table.knob)), "OK"


class Editable(Listing):
    """A list of values: OK takes one up, the control changes it, and OK sets it."""

    editing = False  # whether the one at which the control stands is taken up

    def edit(self) -> None:
        """Take it up, or set it."""
        self.editing = not self.editing

    def change(self, steps: int, knob: bool) -> None:
        """Change what is taken up, as `turn` says."""
        raise NotImplementedError

    def turn(self, steps: int, knob: bool) -> None:
        (self.change if self.editing else super().turn)(steps, knob)

    def foot(self) -> tuple[Text, Text]:
        return (_("{turn}: change", turn=turn(self.table.knob)), _("OK: set")) if self.editing else super().foot()


class Lettered(Listing):
    """A long list in the order of its letters: any player's button goes on to the next one."""

    one_back = True

    def letters(self) -> list[str]:
        """By row the letter under which it stands."""
        raise NotImplementedError

    def letter(self) -> str:
        """That of the row at which the control stands."""
        letters = self.letters()
        return letters[min(self.at, len(letters) - 1)]

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        """To the first row of the next letter; after the last comes the first."""
        self.table.sound(sounds.TURN)
        now = self.letter()
        self.at = next((n for n, letter in enumerate(self.letters()) if n > self.at and letter != now), 0)
        return True

    def foot(self) -> tuple[Text, Text]:
        return _("press: next letter"), "OK"
