"""What phones want and only somebody at the kit may allow: one question at a time on its display, and what follows.

A question comes up only where it disturbs nothing (`Table.quiet`). After a no that phone waits, each time longer. A
phone without a seat waits after every no, whichever phone got it: so joining once more does not help.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from engine.stamps import S
from firmware.output import sounds
from firmware.table.confirm import Confirm, Reply
from firmware.translation import L_, LazyText, Why, Words

if TYPE_CHECKING:
    from firmware.phones.hub import Phones

WAIT_NS, LONGEST_NS = 10 * S, 300 * S  # after a no: at first, then twice as long each time; at most
CALM_NS = 600 * S  # after so long without a no it begins anew
PAUSE_NS = 2 * S  # after any other end than a yes nobody is asked for so long: time to open a menu
SEATLESS = ""  # instead of an id: all phones that have no seat


class _Wait(NamedTuple):
    times: int  # no was said, in a row
    until_ns: int


class Consent:
    """The question that a phone has at the kit, and which phones have to wait. On the loop's thread."""

    def __init__(self, phones: Phones) -> None:
        self._phones, self._table = phones, phones.table
        self._asked: tuple[str, tuple[LazyText, ...]] | None = None  # a phone, and what the display asks
        self._waits: dict[str, _Wait] = {}  # by phone
        self._pause_ns = phones.table.now_ns

    def shown(self, phone: str) -> str:
        """What the display asks for this phone, in words; empty: nothing."""
        return self._asked[1][0].words() if self._asked is not None and self._asked[0] == phone else ""

    def not_now(self, phone: str) -> Why:
        """Why the kit asks nothing for this phone now; None: it may. Looked at before a request is made."""
        now_ns = self._table.now_ns
        wait_ns = max(self._wait(key).until_ns for key in self._keys(phone)) - now_ns
        if self.shown(phone):
            return L_("The kit asks already.")
        if wait_ns > 0:
            return L_("Not now. Ask again in {n} s.", n=-(-wait_ns // S))
        if now_ns < self._pause_ns or not self._table.quiet:
            if self._table.game is None:
                return L_("Not now. Ask again in a moment, when the kit shows its menu.")
            return L_("Not now. Ask again in a moment, when the kit shows the game.")
        return None

    def ask(
        self, phone: str, text: Words, line: Words, against: Callable[[], Why], then: Callable[[Why], None]
    ) -> None:
        """Ask at the kit whether a phone may do something, unless that is not possible now. `line`: more about it.

        `against` returns why it is no longer possible, None if it is. `then` gets why it is not allowed, None if it is.
        """
        if why := self.not_now(phone):
            then(why)
            return
        some = (text,) if isinstance(text, LazyText) else text
        texts = tuple(L_("{phone}: {text}", phone=self._phones.called.tag(phone), text=one) for one in some)
        self._asked = phone, texts
        self._table.sound(sounds.ASKED)
        who, stands = self._phones.called.owners(phone), partial(self._stands, phone, against)
        end = partial(self._end, phone, against, then)
        self._table.open(Confirm(self._table, (who, texts, line), stands=stands, then=end))

    def forget(self, phone: str) -> None:
        """A phone is not joined any more."""
        self._waits.pop(phone, None)

    def _stands(self, phone: str, against: Callable[[], Why]) -> bool:
        game, dark = self._table.game, self._table.lost.display
        calm = (game is None or game.quiet) and not dark
        return calm and self._phones.joined(phone) and not against()

    def _end(self, phone: str, against: Callable[[], Why], then: Callable[[Why], None], answer: Reply) -> None:
        self._asked = None
        keys, now_ns = self._keys(phone), self._table.now_ns
        if answer is Reply.YES and self._stands(phone, against):
            for key in keys:
                self._waits.pop(key, None)
            then(None)
            return
        self._pause_ns = now_ns + PAUSE_NS
        if answer in (Reply.NO, Reply.OUT):
            for key in {phone, SEATLESS}:
                times = self._wait(key).times + 1
                self._waits[key] = _Wait(times, now_ns + min(WAIT_NS * 2 ** min(times - 1, 10), LONGEST_NS))
        if answer is Reply.OUT:
            self._phones.throw_out(phone)
        elif answer is Reply.NO:
            wait_ns = max(self._wait(key).until_ns for key in keys) - now_ns
            then(L_("The kit says no. Ask again in {n} s.", n=-(-wait_ns // S)))
        else:
            then(against() or L_("Not answered: the game goes on. Ask again."))

    def _keys(self, phone: str) -> tuple[str, ...]:
        """Whose waits hold for this phone."""
        return (phone,) if self._phones.seated(phone) else (phone, SEATLESS)

    def _wait(self, key: str) -> _Wait:
        wait = self._waits.get(key)
        return _Wait(0, 0) if wait is None or self._table.now_ns >= wait.until_ns + CALM_NS else wait
