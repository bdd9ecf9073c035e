"""Wishes made at the kit: the display says why not, or asks what has to be asked first."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from firmware.output import sounds
from firmware.output.screens.canvas import Text
from firmware.output.screens.menus import message
from firmware.output.screens.view import turn
from firmware.people.spelling import Letters
from firmware.table.overlay import Sure
from firmware.table.table import Table
from firmware.translation import _
from firmware.wishes.asker import KIT
from firmware.wishes.people import NAMED, Add
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, AskFirst, Denied, Done


def wish(table: Table, wish: AnyWish, done: Callable[[Done], None], *, about: Text = "") -> None:
    """Somebody at the kit wishes something. `done` is called once it is: other menus may be open by then.

    `about`: what stands above a question.
    """
    top = table.top

    def tell(answer: Answer) -> None:
        here = table.top is top
        if here and isinstance(top, WishQuestion):
            table.close()
        match answer:
            case Done():
                done(answer)
            case Denied(line, short) if here:
                table.refuse(short or line)
            case AskFirst() if here:
                if wish.agreed:
                    table.sound(sounds.CLICK)
                table.open(WishQuestion(table, answer, done, about))

    table.desk.take(KIT, wish, tell)


def new_name(table: Table, title: str, then: Callable[[str], None]) -> None:
    """Ask for the name of somebody new. `then` gets the id."""
    table.open(Letters(table, title, lambda name: wish(table, Add(name, agreed=NAMED), lambda done: then(done.person))))


def saved(table: Table, done: Done) -> None:
    """What was entered in a menu stands in the game: back to it."""
    table.sound(sounds.DONE)
    table.close_all()


class WishQuestion(Sure):
    """Something is asked before a wish is done: OK agrees, anything else leaves it. A turn goes through files first."""

    def __init__(self, table: Table, asks: AskFirst, done: Callable[[Done], None], about: Text) -> None:
        super().__init__(table)
        self._asks, self._done, self._about = asks, done, about
        self._at = 0  # which of the files is shown
        self._agreed = False

    @property
    def _more(self) -> bool:
        """Whether a turn shows another file."""
        return self._at + 1 < len(self._asks.files)

    def stands(self) -> bool:
        return all(self.table.roster.person(id_) is not None for id_ in self._asks.choices[0].wish.whom)

    def turn(self, steps: int, knob: bool) -> None:
        if self._more:
            self._at += 1
            self.table.sound(sounds.TURN)
        else:
            super().turn(steps, knob)

    def ok(self) -> None:
        if self._agreed:
            return
        self._agreed = True
        wish(self.table, self._asks.choices[0].wish, self._done, about=self._about)

    def picture(self, now_ns: int) -> Image.Image:
        asks, lines = self._asks, [one.words() for one in self._asks.short]
        if asks.files:
            lines += [_("remove by hand:"), asks.files[self._at]]
        does = _("{turn}: next") if self._more else _("{turn}: no")
        many = f"{self._at + 1}/{len(asks.files)}" if self._more or self._at else ""
        keys = does.format(turn=turn(self.table.knob)), _("OK: {does}", does=asks.choices[0].does.words())
        return message(self._about, asks.title.words(), lines, keys, right=many)
