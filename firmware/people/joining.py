"""Who plays: everybody presses their button, and chooses their name with it where names are known."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from PIL import Image

from engine.game import Rules
from engine.rules import Seat
from firmware.output import sounds
from firmware.output.screens.canvas import WIDTH_PX, Canvas, Text, fit
from firmware.output.screens.font import NARROW
from firmware.output.screens.seats import buttons
from firmware.output.screens.view import titles, turn
from firmware.people.roster import NEW
from firmware.people.who_begins import WhoBegins, from_the_first
from firmware.table.overlay import Overlay, Sure, downwards
from firmware.table.table import Table
from firmware.table.wishing import new_name
from firmware.translation import L_, L_many, _, ngettext, translated

FEW = 12  # names that a turn goes through one by one; of more it passes over four
LEAP = 4  # by presses and turns any of 30 is then reached in six


class Before(NamedTuple):
    """A button before its latest press."""

    joined: bool = False
    person: str | None = None  # who sat there, or was proposed
    chosen: bool = False  # not only proposed


class Join(Overlay):
    """Asks who plays. The people of the last table are proposed for their buttons.

    Without known people a button joins or leaves. Else it joins, then steps through the known people; held it makes
    its player a guest, and a guest leave. Somebody chosen at one button is no longer proposed at another. Once all
    who have joined hold their buttons, it is drawn who begins; what these presses did is taken back.
    """

    def __init__(
        self, table: Table, rules: Rules[Any, Any], done: Callable[[tuple[str, ...], dict[Seat, str]], None]
    ) -> None:
        """`done` is called with the buttons by seat and the people's ids, for each OK."""
        super().__init__(table)
        self.rules, self.done = rules, done
        self.joined: list[str] = []  # in the order round the table
        self.chosen: dict[str, str | None] = {}  # by button: a person's id, `NEW`, or None for a guest
        self.latest: str | None = None  # the button that the control steps for
        self._before: dict[str, Before] = {}  # by button
        self._begins: str | None = None  # the button of who begins, as drawn or named

    # --- who sits where ----------------------------------------------------------------------------------------------

    def people(self) -> dict[str, str | None]:
        """By button who sits there, or is proposed."""
        taken = {person for button, person in self.chosen.items() if person is not None}
        shown = {button: self.chosen[button] for button in self.joined if button in self.chosen}
        open_ = [button for button in self.joined if button not in self.chosen]
        last = self.table.roster.last
        for button in open_:
            if (person := last.get(button)) is not None and person not in taken:
                shown[button] = person
                taken.add(person)
        # somebody else has chosen a proposed person: who is left over of the last table is proposed instead
        rest = [last[button] for button in self.joined if button in last and last[button] not in taken]
        for button in open_:
            if button not in shown:
                shown[button] = rest.pop(0) if rest and button in last else None
        return shown

    def ring(self, button: str) -> list[str]:
        """The people in the order in which a button steps through them; those chosen elsewhere at the end."""
        elsewhere = {person for other, person in self.chosen.items() if other != button}
        known = self.table.roster.known
        first = self.table.roster.last.get(button)
        free = sorted((one for one in known if one not in elsewhere), key=lambda one: one != first)
        return [*free, NEW, *(one for one in known if one in elsewhere)]

    def step(self, button: str, steps: int) -> None:
        """Step through the people for a button."""
        ring, now = self.ring(button), self.people()[button]
        at = ring.index(now) if now in ring else -1
        self.chosen[button] = ring[(at + steps) % len(ring)]
        self.latest = button

    @property
    def invites(self) -> str:
        return _("{game}: press your button on the kit", game=translated(self.rules.title))

    def places(self) -> dict[str, str | None]:
        people = self.people()
        return {button: None if people[button] == NEW else people[button] for button in self.joined}

    def introduce(self, button: str, person: str) -> None:
        if button in self.joined:
            self.chosen[button] = person

    def replace(self, id_: str, by: str | None) -> None:
        self.chosen = {button: by if one == id_ else one for button, one in self.chosen.items()}

    # --- input -------------------------------------------------------------------------------------------------------

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        self.table.sound(sounds.CLICK)
        self._before[button] = Before(button in self.joined, self.people().get(button), button in self.chosen)
        if button not in self.joined:
            if len(self.joined) < self.rules.seats[1]:
                self.joined = [name for name in self.table.names if name in self.joined or name == button]
                self.latest = button
            else:
                most = self.rules.seats[1]
                text = L_many("at most {n} player", "at most {n} players", most)
                self.table.refuse(text, lambda: self.table.top is self and len(self.joined) >= most)
        elif self.table.roster.known:
            self.step(button, 1)
        else:
            self.leave(button)
        return True

    def hold(self, button: str) -> bool:
        if self._all_hold():
            self._draw()
            return True
        if not self.table.roster.known or button not in self.joined:
            return True
        self.table.sound(sounds.BACK)
        before = self._before.get(button, Before())
        if before.joined and before.person is None:
            self.leave(button)
        else:
            self.chosen[button], self.latest = None, button
        return True

    def leave(self, button: str) -> None:
        """Take a button out again."""
        self.joined.remove(button)
        self.chosen.pop(button, None)
        self.latest = self.joined[-1] if self.joined else None

    # --- who begins --------------------------------------------------------------------------------------------------

    @property
    def begins(self) -> str | None:
        """The button of who begins, where that is known."""
        return self._begins if self._begins in self.joined else None

    def _holding(self) -> list[str]:
        """The buttons that are down, and had joined before."""
        table = self.table
        return [one for one in table.names if one in table.held.down and self._before.get(one, Before()).joined]

    def _all_hold(self) -> bool:
        """Whether all who had joined hold their buttons."""
        holding = self._holding()
        return len(holding) >= max(2, self.rules.seats[0]) and not [
            one for one in self.joined if self.table.live(one) and one not in holding
        ]

    def _draw(self) -> None:
        """All hold: draw who begins, among those who had joined before these presses."""
        holding = self._holding()
        self.joined = [one for one in self.table.names if one in self.joined or one in holding]
        for button in holding:
            before = self._before[button]
            self.chosen.pop(button, None)
            if before.chosen:
                self.chosen[button] = before.person
        self.latest = self.latest or self.joined[-1]

        def drawn(button: str) -> None:
            self._begins = button

        players = tuple(self.joined)
        self.table.open(WhoBegins(self.table, titles(self.rules), players, self._seated(players), drawn))

    def _seated(self, players: tuple[str, ...]) -> dict[Seat, str]:
        """The people's ids by seat, without guests and those who have no name yet."""
        people = self.places()
        return {seat: one for seat, button in enumerate(players) if (one := people[button]) is not None}

    def turn(self, steps: int, knob: bool) -> None:
        if self.latest is None or not self.table.roster.known:
            return
        self.table.sound(sounds.TURN)
        self.step(self.latest, downwards(steps, knob) * (LEAP if self._many(self.latest) else 1))

    def _many(self, button: str) -> bool:
        """Whether a turn passes over names."""
        return len(self.ring(button)) > FEW

    def ok(self) -> None:
        fewest, people = self.rules.seats[0], self.people()
        twice = [one for one in self.table.roster.known if list(people.values()).count(one) > 1]
        nameless = [button for button, person in people.items() if person == NEW]
        if len(self.joined) < fewest:
            text = L_many("{n} players are needed", "{n} players are needed", fewest)
            self.table.refuse(text, lambda: self.table.top is self and len(self.joined) < fewest)
        elif twice:
            at = _(" and ").join(button for button in self.joined if people[button] == twice[0])
            self.table.refuse(L_("{seats}: same person", seats=at), lambda: self.people() == people)
        elif nameless:
            new_name(self.table, nameless[0], partial(self.known, nameless[0]))
        else:
            self.table.sound(sounds.DONE)
            players = from_the_first(tuple(self.joined), self.begins)
            self.done(players, self._seated(players))

    def known(self, button: str, person: str) -> None:
        """Who joined with a button has a name now."""
        self.chosen[button] = person
        if self.table.phones is not None:
            self.table.phones.follow(button, person)

    # --- output ------------------------------------------------------------------------------------------------------

    def hands(self) -> tuple[str, ...]:
        enough = len(self.joined) >= max(2, self.rules.seats[0])
        return tuple(self.joined) if enough and self.begins is None else ()  # all hold: who begins?

    def lamps(self) -> frozenset[str]:
        return frozenset(self.joined)

    def lit_in_words(self) -> str:
        known = bool(self.table.roster.known)
        names = [f"{button} {self.called(button)}" if known else button for button in self.joined]
        return _("playing: {names}", names=", ".join(names) or _("nobody"))

    def picture(self, now_ns: int) -> Image.Image:
        canvas = Canvas()
        fewest, most = self.rules.seats
        names, people, known = self.table.names, self.people(), bool(self.table.roster.known)
        if (first := self.begins) is not None:
            name = self.table.roster.beside(people[first])
            canvas.status(titles(self.rules), tuple(_("{name} begins", name=one) for one in (name, first) if one))
        elif len(self.joined) >= max(2, fewest):
            canvas.status((*titles(self.rules), ""), _("all hold: who begins?"))
        else:
            right = _("{fewest}-{most} players", fewest=fewest, most=most), f"{fewest}-{most}"
            canvas.status(titles(self.rules), right)
        headline = _("Who plays?")
        if known and self.latest is not None:
            name = self.called(self.latest)
            headline = fit((f"{self.latest} {name}", name), WIDTH_PX, NARROW)
        canvas.headline(headline, height=23, size=NARROW)
        below = [self.called(name) if name in self.joined and people[name] is not None else "" for name in names]
        buttons(canvas, names, [n for n, name in enumerate(names) if name in self.joined], 32, below=below)
        if len(self.joined) < fewest:
            canvas.foot(_("press yours"), ngettext("{n} is needed", "{n} are needed", fewest))
        else:
            keys: Text = _("tap:name hold:guest") if known else _("press yours")
            settled = self.latest is not None and (self.latest in self.chosen or people[self.latest] is None)
            if settled and self.latest is not None and self._many(self.latest):
                knob = turn(self.table.knob)
                keys = _("tap:name {turn}:{n} names", turn=knob, n=LEAP), _("{turn}: {n} names on", turn=knob, n=LEAP)
            canvas.foot(keys, (_("OK: go on"), "OK"))
        return canvas.picture()

    def called(self, button: str) -> str:
        """Who sits at a button, in words; with a question mark as long as it is only proposed."""
        person = self.people()[button]
        if person == NEW:
            return _("NEW")
        name = self.table.roster.beside(person) or (_("guest") if person is None else button)
        return name if person is None or button in self.chosen else f"{name}?"


class Order(Sure):
    """Asks for the seats where they differ from the order round the table: everybody presses once more."""

    def __init__(
        self, table: Table, rules: Rules[Any, Any], joined: tuple[str, ...], done: Callable[[tuple[str, ...]], None]
    ) -> None:
        """`done` is called with the buttons by seat."""
        super().__init__(table)
        self.rules, self.joined, self.done = rules, joined, done
        self.pressed: list[str] = []

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        self.table.sound(sounds.CLICK)
        if button in self.joined and button not in self.pressed:
            self.pressed.append(button)
        if len(self.pressed) == len(self.joined):
            self.table.close()
            self.done(tuple(self.pressed))
        return True

    def lamps(self) -> frozenset[str]:
        return frozenset(self.pressed)

    def lit_in_words(self) -> str:
        return _("pressed: {names}", names=", ".join(self.pressed) or _("nobody"))

    def picture(self, now_ns: int) -> Image.Image:
        canvas = Canvas()
        canvas.status(titles(self.rules))
        canvas.headline(_("Seat order?"), height=23, size=NARROW)
        ranks = [self.pressed.index(name) + 1 if name in self.pressed else 0 for name in self.joined]
        buttons(canvas, self.joined, [n for n, rank in enumerate(ranks) if rank], 32, ranks)
        canvas.foot(_("one by one"), _("{turn}: cancel", turn=turn(self.table.knob)))
        return canvas.picture()
