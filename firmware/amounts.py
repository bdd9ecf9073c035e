"""How many of each thing the entries of an option hold, edited by the control."""

from collections.abc import Callable

from engine.rules import Table as Form
from engine.rules import put
from firmware.listing import Editor
from firmware.table import Mode, Table


class Amounts(Editor):
    """Edits a text of a form; `changed` is told each new one. It goes back to the mode it came from."""

    def __init__(
        self, table: Table, back: Mode, title: str, form: Form, text: str, changed: Callable[[str], None]
    ) -> None:
        super().__init__(table)
        self.back, self.title, self.form, self.changed = back, title, form, changed
        counts = form.counts(text)
        assert counts is not None
        self.counts = counts

    def right(self) -> str:
        return f"up to {self.form.most} each"

    def rows(self) -> list[tuple[str, Callable[[], None]]]:
        rows: list[tuple[str, Callable[[], None]]] = [("DONE", self.ok_hold)]
        for entry, amounts in enumerate(self.counts, 1):
            for thing, many in zip(self.form.things, amounts, strict=True):
                rows.append((self.row(len(rows), f"{entry} {thing}", str(many)), self.edit))
        return rows

    def change(self, steps: int) -> None:
        entry, thing = divmod(self.at - 1, len(self.form.things))
        amounts = self.counts[entry]
        most = self.form.most - sum(amounts) + amounts[thing]
        many = min(max(0, amounts[thing] + steps), most)
        self.counts = put(self.counts, entry, put(amounts, thing, many))
        self.changed(self.form.text(self.counts))

    def ok_hold(self) -> None:
        self.table.enter(self.back)
