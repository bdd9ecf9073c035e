"""How many of each thing the entries of an option hold, edited by the control."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from engine.rules import Form, put
from firmware.output.screens.menus import message
from firmware.table.listing import Editable, Rows
from firmware.table.table import Table
from firmware.translation import _, translated


class Amounts(Editable):
    """A list of amounts: OK takes one up, and sets it. `changed` is called with each new text."""

    one_back = True

    def __init__(self, table: Table, title: str, form: Form, text: str, changed: Callable[[str], None]) -> None:
        super().__init__(table)
        self.title, self.form, self.changed = title, form, changed
        counts = form.counts(text)
        assert counts is not None
        self.counts = counts

    def right(self) -> str:
        return _("up to {most} each", most=self.form.most)

    def amounts(self) -> list[tuple[str, int]]:
        """Each thing with its number, and how many there are."""
        return [
            (f"{n} {translated(thing)}", many)
            for n, entry in enumerate(self.counts, 1)
            for thing, many in zip(self.form.things, entry, strict=True)
        ]

    def rows(self) -> Rows:
        return [(_("DONE"), self.ok_hold), *[(f"{what}: {many}", self.edit) for what, many in self.amounts()]]

    def change(self, steps: int, knob: bool) -> None:
        n, thing = divmod(self.at - 1, len(self.form.things))
        entry = self.counts[n]
        most = self.form.most - sum(entry) + entry[thing]
        self.counts = put(self.counts, n, put(entry, thing, min(max(0, entry[thing] + steps), most)))
        self.changed(self.form.text(self.counts))

    def picture(self, now_ns: int) -> Image.Image:
        if not self.editing:
            return super().picture(now_ns)
        what, many = self.amounts()[self.at - 1]
        return message(self.title, str(many), (_("position {what}", what=what), self.right()), self.foot())
