"""Back, and where it leads: undo and redo, points, ways out, seats, evidence, the end."""

from collections.abc import Callable
from functools import partial

from PIL import Image

from engine import play as plays
from engine.play import Fact, Play
from engine.rules import Action, Board, Offer, Refused, Seat
from firmware import evidence, screens, sounds
from firmware.screens.canvas import Text
from firmware.screens.common import message
from firmware.screens.evidence import draw as draw_evidence
from firmware.table.listing import Listing
from firmware.table.playing import Playing, describe, words
from firmware.table.table import Mode, Table


class InGame(Mode):
    """Something beside the game: the game goes on under it, and a press leads back to it."""

    def __init__(self, table: Table, playing: Playing) -> None:
        super().__init__(table)
        self.playing = playing

    def press(self, button: str, at_ns: int, error_ns: int) -> None:
        self.table.enter(self.playing)  # nobody has to wait for whoever looks for something in here
        self.playing.press(button, at_ns, error_ns)

    def release(self, button: str, at_ns: int) -> None:
        self.playing.release(button, at_ns)

    def hold(self, button: str, at_ns: int) -> None:
        self.playing.hold(button, at_ns)

    @property
    def under(self) -> Mode:
        return self.playing

    def ok_hold(self) -> None:
        self.table.enter(self.playing)

    def tick(self, now_ns: int) -> None:
        self.playing.tick(now_ns)

    def due_ns(self, now_ns: int) -> int | None:
        return self.playing.due_ns(now_ns)

    def wants_held(self) -> bool:
        return self.playing.wants_held()

    def racing(self) -> bool:
        return self.playing.racing()

    def lamps(self) -> frozenset[str]:
        return self.playing.lamps()

    def committed(self, ticket: int) -> None:
        self.playing.committed(ticket)

    def signal_given(self, at_ns: int) -> None:
        self.playing.signal_given(at_ns)

    def parts(self) -> None:
        self.playing.parts()

    @property
    def unseen(self) -> Play | None:
        return self.playing.unseen

    def seen(self, play: Play | None, at_ns: int) -> None:
        self.playing.seen(play, at_ns)

    def signalling(self) -> bool:
        return self.playing.signalling()

    def signal_picture(self, now_ns: int) -> Image.Image:
        return self.playing.signal_picture(now_ns)

    def board(self) -> Board | None:
        return self.playing.board()

    def shown(self) -> Play | None:
        return self.playing.shown()


class Back(InGame):
    """What would be undone; redo; and the way to everything else."""

    def ok(self) -> None:
        self._change(plays.undo)

    def turn(self, steps: int, knob: bool) -> None:
        if (steps > 0) is knob:  # ▼, or clockwise
            self.table.enter(More(self.table, self.playing))
        else:
            self._change(plays.redo)

    def _change(self, change: Callable[[Play, int], tuple[Fact, ...]]) -> None:
        try:
            self.playing.take(change(self.playing.play, self.table.now_ns))
        except Refused as refused:
            self.table.refuse(str(refused).split(":")[0])
        else:
            self.table.sound(sounds.BACK)

    def picture(self, now_ns: int) -> Image.Image:
        play = self.playing.told
        redo = "" if play.future is None else f"redo: {words(play.future.what)}"
        where = screens.title(play)
        keys = ("< redo   more >", "OK: undo") if self.table.knob else ("▲ redo  ▼ more", "OK: undo")
        return message(
            "BACK", describe(play), (redo, "hold OK: go on"), keys, right=(f"now: {where}", where) if where else ""
        )


def entry(play: Play, offer: Offer) -> str:
    """A side entry in words: whose it is, and what."""
    text = play.rules.label(play.state, offer, None)
    return text if offer.seat is None else f"{play.players[offer.seat]}: {text}"


class More(InGame, Listing):
    """Everything that is not the question: ways out, what is held for, points, sound, evidence, the end."""

    title = "MORE"

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        play, table, q = self.playing.play, self.table, self.playing.question
        entries = (*q.menu, *q.hold.values())  # whose button does not work cannot hold it
        rows: list[tuple[Text, Callable[[], None]]] = [
            (entry(play, offer), partial(self.side_entry, offer)) for offer in entries
        ]
        rows.append(("Fix points", lambda: table.enter(Fix(table, self.playing))))
        if (run := play.board.race) is not None and run.judged:
            rows.append(("Evidence", lambda: table.enter(Evidence(table, self.playing))))
        rows.append(("Seats", lambda: table.enter(Reseat(table, self.playing))))
        rows.append((f"Sound: {'off' if table.silent else 'on'}", table.toggle_sound))
        if not play.over:
            rows.append(("End the game now", self.end))
        rows.append(("Main menu", self.playing.leave))
        return rows

    def side_entry(self, offer: Offer) -> None:
        """A way out is taken at once; a number is asked for."""
        if offer.low is not None:
            self.table.enter(SideNumber(self.table, self.playing, offer))
        else:
            self.table.enter(self.playing)
            self.playing.answer_late(Action(offer.seat, offer.verb, None, self.table.now_ns))

    def end(self) -> None:
        self.playing.take(plays.end(self.playing.play, self.table.now_ns))
        self.table.enter(self.playing)


class SideNumber(InGame):
    """A number asked for from the menu."""

    def __init__(self, table: Table, playing: Playing, offer: Offer) -> None:
        super().__init__(table, playing)
        self.offer = offer
        self.value = (offer.low or 0) if offer.prefill is None else offer.prefill

    def turn(self, steps: int, knob: bool) -> None:
        self.value = min(max(self.offer.low or 0, self.value + steps), self.offer.high or 0)

    def ok(self) -> None:
        self.table.enter(self.playing)
        self.playing.answer_late(Action(self.offer.seat, self.offer.verb, self.value, self.table.now_ns))

    def picture(self, now_ns: int) -> Image.Image:
        play = self.playing.play
        return message(entry(play, self.offer), str(self.value), (), ("turn" if self.table.knob else "▲▼", "OK"))


class Fix(InGame):
    """Add or take points by hand: a press or the control picks the seat, then the control the points."""

    def __init__(self, table: Table, playing: Playing) -> None:
        super().__init__(table, playing)
        self.seat: Seat | None = None
        self.at = 0
        self.points = 0

    def press(self, button: str, at_ns: int, error_ns: int) -> None:
        seat = self.playing.seating.seat(button)
        if self.playing.racing():
            super().press(button, at_ns, error_ns)
        elif seat is not None:
            self.at = self.seat = seat
            self.points = 0
            self.table.sound(sounds.CLICK)

    def turn(self, steps: int, knob: bool) -> None:
        if self.seat is None:
            self.at = (self.at + (steps if knob else -steps)) % len(self.playing.play.players)
        else:
            self.points = min(max(-plays.MOST_POINTS, self.points + steps), plays.MOST_POINTS)

    def ok(self) -> None:
        if self.seat is None:
            self.seat = self.at
        elif self.points == 0:
            self.table.enter(self.playing)
        else:
            self.playing.take(plays.fix(self.playing.play, self.seat, self.points, self.table.now_ns))
            self.table.sound(sounds.DONE)
            self.table.enter(self.playing)

    def picture(self, now_ns: int) -> Image.Image:
        play = self.playing.play
        name, score = play.players[self.at], play.scores[self.at]
        if self.seat is None:
            turn = "turn" if self.table.knob else "▲▼"
            return message("FIX POINTS  whose?", name, (f"has {score}",), (f"press or {turn}", "OK"))
        keys = ("turn: points" if self.table.knob else "▲▼ points", "OK: book")
        return message(f"FIX POINTS  {name}", f"{self.points:+}", (f"{score} becomes {score + self.points}",), keys)


class Evidence(InGame):
    """The stamps of the last race, in microseconds."""

    def press(self, button: str, at_ns: int, error_ns: int) -> None:
        if self.playing.wants(button):
            super().press(button, at_ns, error_ns)
        else:
            self.table.enter(self.playing)

    def turn(self, steps: int, knob: bool) -> None:
        self.table.enter(self.playing)

    def ok(self) -> None:
        self.table.enter(self.playing)

    def picture(self, now_ns: int) -> Image.Image:
        found = evidence.of(self.playing.told, self.table.sources)
        if found is None:  # it runs, or the game has gone on
            return message("EVIDENCE", "NO VERDICT", (), ("OK: back", ""))
        asked = any(self.playing.wants(button) for button in self.playing.seating.buttons)
        return draw_evidence(found, "OK: back" if asked else "press: back")


class Reseat(InGame):
    """Gives the seats other buttons: each player in turn presses the button they will use."""

    def __init__(self, table: Table, playing: Playing) -> None:
        super().__init__(table, playing)
        self.buttons: list[str] = []

    def press(self, button: str, at_ns: int, error_ns: int) -> None:
        if self.playing.racing():
            super().press(button, at_ns, error_ns)
            return
        if button in self.buttons:
            self.table.sound(sounds.REFUSED)
            return
        self.table.sound(sounds.CLICK)
        self.buttons.append(button)
        if len(self.buttons) == len(self.playing.play.players):
            self.playing.take(plays.reseat(self.playing.play, tuple(self.buttons), self.table.now_ns))
            self.table.enter(self.playing)

    def picture(self, now_ns: int) -> Image.Image:
        name = self.playing.play.players[len(self.buttons)]
        return message("SEATS", name, ("press the button that", f"{name} plays with"), ("", "hold OK: leave"))
