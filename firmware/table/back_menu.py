"""Back and its menus: undo and redo, points, ways out, seats, evidence, the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PIL import Image

from engine import play as plays
from engine.play import Play
from engine.rules import FINISH, Action, Offer, Seat
from engine.words import N_
from firmware.output import race_evidence, screens, sounds
from firmware.output.screens.canvas import Text, letters_beside, wrapped
from firmware.output.screens.evidence import NAME_LETTERS
from firmware.output.screens.evidence import draw as draw_evidence
from firmware.output.screens.menus import message
from firmware.output.screens.view import turn
from firmware.people.corrections import put_right
from firmware.people.names import fitted
from firmware.table import rounds_menu
from firmware.table.listing import Listing, Rows
from firmware.table.overlay import OverGame, downwards
from firmware.table.phone_list import Joining
from firmware.table.playing import Playing, leave
from firmware.table.wishing import saved, wish
from firmware.translation import L_, _, translated
from firmware.wishes.play import EndGame, Fix, Redo, Undo, back_to, redone, undone


class Back(OverGame):
    """Undo, with what it would take back; redo; and the way to all other entries."""

    def ok(self) -> None:
        self._step(Undo)

    def turn(self, steps: int, knob: bool) -> None:
        if downwards(steps, knob) > 0:
            self.table.open(More(self.game))
        else:
            self._step(Redo)

    def _step(self, kind: type[Undo | Redo]) -> None:
        step = kind(game=self.game.number, was=self.game.at_key()[:1])
        wish(self.table, step, lambda _: self.table.sound(sounds.BACK))

    def picture(self, now_ns: int) -> Image.Image:
        play = self.game.committed
        where, room = screens.title(play, self.game.names), letters_beside(_("BACK"))
        leads: Text = ""
        if play.future is not None:
            leads = _("redo: {what}", what=redone(play))
        elif before := back_to(play):
            leads = _("back to: {question}", question=before), _("to: {question}", question=before), *wrapped(before, 1)
        keys = (_("< redo   more >"), _("OK: undo")) if self.table.knob else (_("▲ redo  ▼ more"), _("OK: undo"))
        return message(
            _("BACK"),
            undone(play, self.game.names),
            (leads, _("hold OK: back to game")),
            keys,
            right=(_("now: {where}", where=where), where, *wrapped(where, 1, width=room)) if where else "",
        )


def entry(play: Play, offer: Offer, names: Sequence[str]) -> str:
    """A side entry in words, with the player's name; `names`: by seat."""
    text = translated(play.rules.label(play.state, offer, None))
    return text if offer.seat is None else f"{names[offer.seat]}: {text}"


def entries(game: Playing, offer: Offer) -> Text:
    """The same with the player's name, and for where there is no room with the label."""
    return entry(game.play, offer, game.names), entry(game.play, offer, game.play.players)


def answer_late(game: Playing, action: Action) -> None:
    """Answer an offer from when a menu was opened: the game may have gone on since."""
    if not game.answer(action):
        game.table.refuse(L_("too late: the game has gone on"))


class More(OverGame, Listing):
    """All but the question: ways out, answers by holding, points, sound, evidence, the end."""

    title = N_("MORE")

    def __init__(self, game: Playing, deaf_ns: int = 0) -> None:
        """`deaf_ns`: OK takes nothing until then."""
        super().__init__(game)
        self._deaf_ns = deaf_ns

    def turn(self, steps: int, knob: bool) -> None:
        """Up or down the list; over the game itself a step up from the first entry closes it."""
        if self.at == 0 and downwards(steps, knob) < 0 and self.table.overlays == [self]:
            self.table.close()
        else:
            super().turn(steps, knob)

    def ok(self) -> None:
        if self.table.made_ns < self._deaf_ns:
            self.table.sound(sounds.CLICK)
        else:
            super().ok()

    def rows(self) -> Rows:
        play, table, q = self.game.play, self.table, self.game.question
        offers = (*q.menu, *q.hold.values())  # a button that does not work cannot be held
        rows: Rows = [(entries(self.game, offer), partial(self.side_entry, offer)) for offer in offers]
        finishes = any(offer.verb == FINISH and offer.seat is None for offer in q.menu)
        rows.append((_("Fix points"), lambda: table.open(FixPoints(self.game))))
        if rounds_menu.rounds(self.game):
            rows.append((_("Rounds"), lambda: table.open(rounds_menu.RoundsMenu(self.game))))
        if (run := play.board.race) is not None and run.judged:
            rows.append((_("Evidence"), lambda: table.open(Stamps(self.game))))
        rows.append((_("Seats"), lambda: table.open(Reseat(self.game))))
        if table.roster.known:
            rows.append((_("Who sits where"), partial(put_right, self.game)))
        if (phones := table.phones) is not None:
            rows.append((_("Phones"), lambda: table.open(Joining(table, phones))))
        rows.append((_("Sound: off") if table.silent else _("Sound: on"), self.sound))
        if not play.over and not finishes:
            rows.append((_("End the game now"), partial(end_now, self.game)))
        rows.append((_("Main menu"), partial(leave, self.game)))
        return rows

    def sound(self) -> None:
        """Sound off, or on again."""
        self.table.silent = not self.table.silent

    def side_entry(self, offer: Offer) -> None:
        """A way out is taken at once; a number is asked for, and how a game is finished that nothing else ends."""
        if offer.low is not None:
            self.table.open(SideNumber(self.game, offer))
        elif offer.verb == FINISH and offer.seat is None:
            self.table.open(FinishMenu(self.game, offer))
        else:
            take(self.game, offer)


def take(game: Playing, offer: Offer) -> None:
    """Take a way out."""
    game.table.close_all()
    answer_late(game, Action(offer.seat, offer.verb, None, game.table.now_ns))


def end_now(game: Playing) -> None:
    """End a game unfinished."""
    wish(game.table, EndGame(game=game.number, was=game.at_key()[:1]), lambda _: game.table.close_all())


class FinishMenu(OverGame, Listing):
    """A game that nothing else ends is over: it counts, or it is broken off."""

    title = N_("FINISH")

    def __init__(self, game: Playing, offer: Offer) -> None:
        super().__init__(game)
        self._offer = offer

    def rows(self) -> Rows:
        return [
            (_("Count it"), partial(take, self.game, self._offer)),
            ((_("Break off: unfinished"), _("Break off")), partial(end_now, self.game)),
        ]


class SideNumber(OverGame):
    """A number asked for from the menu."""

    def __init__(self, game: Playing, offer: Offer) -> None:
        super().__init__(game)
        self.offer = offer
        self.value = (offer.low or 0) if offer.prefill is None else offer.prefill

    def turn(self, steps: int, knob: bool) -> None:
        self.value = min(max(self.offer.low or 0, self.value + steps), self.offer.high or 0)

    def ok(self) -> None:
        self.table.close_all()
        answer_late(self.game, Action(self.offer.seat, self.offer.verb, self.value, self.table.now_ns))

    def picture(self, now_ns: int) -> Image.Image:
        return message(entries(self.game, self.offer), str(self.value), (), (turn(self.table.knob), "OK"))


class FixPoints(OverGame):
    """Add or take points by hand: a press or the control picks the seat, then the control the points."""

    def __init__(self, game: Playing) -> None:
        super().__init__(game)
        self.seat: Seat | None = None
        self.at = 0
        self.points = 0

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        seat = self.game.seating.seat(button)
        if self.game.question.racing:
            return False
        if seat is not None:
            self.at = self.seat = seat
            self.points = 0
            self.table.sound(sounds.CLICK)
        return True

    def turn(self, steps: int, knob: bool) -> None:
        if self.seat is None:
            self.at = (self.at + downwards(steps, knob)) % len(self.game.play.players)
        else:
            self.points = min(max(-plays.MAX_POINTS, self.points + steps), plays.MAX_POINTS)

    def ok(self) -> None:
        if self.seat is None:
            self.seat = self.at
        elif self.points == 0:
            self.table.close_all()
        else:
            _mark, play = self.game.at_key()
            fix = Fix(self.seat, self.points, game=self.game.number, was=(play.scores[self.seat],))
            wish(self.table, fix, partial(saved, self.table))

    def picture(self, now_ns: int) -> Image.Image:
        play = self.game.play
        name, score = self.game.names[self.at], play.scores[self.at]
        if self.seat is None:
            return message(
                _("FIX POINTS  whose?"),
                name,
                (_("has {score}", score=score),),
                (_("press or {turn}", turn=turn(self.table.knob)), "OK"),
            )
        keys, total = (_("turn: points") if self.table.knob else _("▲▼ points"), _("OK: save")), score + self.points
        return message(
            _("FIX POINTS  {name}", name=name),
            f"{self.points:+}",
            ((_("{score} becomes {total}", score=score, total=total), f"{score} > {total}"),),
            keys,
        )


class Stamps(OverGame):
    """The stamps of the last race."""

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        if self.game.wants(button):
            return False
        self.table.close_all()
        return True

    def turn(self, steps: int, knob: bool) -> None:
        self.table.close_all()

    def ok(self) -> None:
        self.table.close_all()

    def picture(self, now_ns: int) -> Image.Image:
        names = fitted(self.game.names, self.game.play.players, NAME_LETTERS)
        race = race_evidence.of(self.game.committed, self.table.sources, names)
        if race is None:  # it runs, or the game has gone on
            return message(_("EVIDENCE"), _("NO VERDICT"), (), (_("OK: back"), ""))
        asked = any(self.game.wants(button) for button in self.game.seating.buttons)
        return draw_evidence(race, _("OK: back") if asked else _("press: back"))


class Reseat(OverGame):
    """Gives the seats other buttons: each player in turn presses the button they will use."""

    def __init__(self, game: Playing) -> None:
        super().__init__(game)
        self.buttons: list[str] = []

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        if self.game.question.racing:
            return False
        if button in self.buttons:
            self.table.sound(sounds.REFUSED)
            return True
        self.table.sound(sounds.CLICK)
        self.buttons.append(button)
        if len(self.buttons) == len(self.game.play.players):
            self.game.take(plays.reseat(self.game.play, tuple(self.buttons), self.table.now_ns))
            self.table.close_all()
        return True

    def picture(self, now_ns: int) -> Image.Image:
        seat = len(self.buttons)
        names = self.game.names[seat], self.game.play.players[seat]
        return message(
            _("SEATS"),
            names,
            (_("press the button that"), tuple(_("{name} plays with", name=name) for name in names)),
            ("", _("hold OK: leave")),
        )
