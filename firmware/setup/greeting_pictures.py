"""Pictures of the first start: each button once, and a short race."""

from collections.abc import Collection, Sequence

from PIL import Image

from engine.stamps import S
from firmware.output.screens.canvas import BODY_PX, WIDTH_PX, Canvas, Text, width_px
from firmware.output.screens.font import SMALL
from firmware.output.screens.menus import message
from firmware.output.screens.seats import TITLE_PX, buttons
from firmware.output.screens.view import gap
from firmware.translation import _, ngettext


def skip() -> str:
    """What holding OK does, at any point."""
    return _("hold OK:skip")


def press(names: Sequence[str], pressed: Collection[int], missing: Sequence[str] | None) -> Image.Image:
    """Each button once; those that have been pressed are filled. `missing`: asked about, as OK was pressed first."""
    canvas = Canvas()
    canvas.status(_("HELLO!"), f"{len(pressed)}/{len(names)}")
    if missing is None:
        canvas.title(_("Press each button") if len(pressed) < len(names) else _("All of them work"))
        key = _("OK: go on")
    else:
        canvas.title(not_tried(missing))
        key = _("OK: go on")
    buttons(canvas, names, pressed, BODY_PX + TITLE_PX + 2)
    canvas.foot(skip(), key)
    return canvas.picture()


def not_tried(names: Sequence[str]) -> Text:
    """The buttons that nobody has pressed."""
    return _("Not tried: {names}", names=" ".join(names)), ngettext("{n} not tried", "{n} not tried", len(names))


def all_right(untried: Sequence[str] = ()) -> Image.Image:
    """The doctor has found nothing; buttons that nobody has pressed are left out of that."""
    if not untried:
        return message(_("EVERY PART"), _("ALL RIGHT"), (), (skip(), _("OK: go on")))
    lines = (not_tried(untried), _("pressed? Check the kit"))
    return message(_("ALL OTHER PARTS"), _("ALL RIGHT"), lines, (skip(), _("OK: go on")))


def rules(heats: int) -> Image.Image:
    """How the race goes."""
    lines = (_("wait for GO, then press"), ngettext("once", "{n} times, who is fastest?", heats))
    return message(_("30 SECONDS"), _("A RACE!"), lines, (skip(), _("OK: start")))


def wait(heat: str, jumped: Sequence[str]) -> Image.Image:
    """Before the go-signal."""
    lines: tuple[Text, ...] = ()
    if jumped:
        lines = (
            (_("too early: {names}", names=" ".join(jumped)), ngettext("{n} too early", "{n} too early", len(jumped))),
        )
    return message(_("RACE"), _("WAIT ..."), lines, (skip(), ""), right=heat)


def go(heat: str) -> Image.Image:
    """The go-signal has been given."""
    canvas = Canvas()
    canvas.status(_("RACE"), heat)
    canvas.headline(_("GO!"))
    canvas.foot(skip())
    canvas.invert()
    return canvas.picture()


def result(heat: str, order: Sequence[tuple[str, int]], *, level: int, timed: bool) -> Image.Image:
    """Who pressed when, in ns after the go-signal; the first `level` of them were too close to call.

    Not `timed`: only the order is known.
    """
    keys = (skip(), _("OK: go on"))
    if not order:
        return message(_("RACE"), _("NOBODY?"), (_("press when GO comes"),), keys, right=heat)
    (first, after_ns), others = order[0], order[max(1, level) :]
    if level > 1:
        headline = _("LEVEL")
        rest = rows([name for name, _after in order[:level]])
    else:
        headline = _("{name} {seconds} s", name=first, seconds=f"{after_ns / S:.2f}") if timed else first
        rest = []
    said = [f"{name} {gap(ns - after_ns)}" if timed else name for name, ns in others]
    rest += rows(said)
    return message(_("RACE"), headline, rest, keys, right=heat)


def end(names: Sequence[str], points: Sequence[int]) -> Image.Image:
    """Who was first most often."""
    most = max(points)
    won = [name for name, many in zip(names, points, strict=True) if many == most and most]
    headline: Text = _("NO WINNER")
    if won:
        who = " ".join(won)
        headline = (
            ngettext("{names} WINS", "{names} WIN", len(won), names=who),
            ngettext("{n} WIN", "{n} WIN", len(won)),
        )
    said = [f"{name} {many}" for name, many in zip(names, points, strict=True)]
    return message(_("THE RACE IS OVER"), headline, rows(said), ("", _("OK: games")))


def rows(words: Sequence[str]) -> list[str]:
    """Words in as few rows as they need."""
    found: list[str] = []
    for word in words:
        joined = f"{found[-1]}  {word}" if found else word
        if found and width_px(joined, SMALL) <= WIDTH_PX:
            found[-1] = joined
        else:
            found.append(word)
    return found
