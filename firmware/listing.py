"""A list to choose from with the control."""

from collections.abc import Callable

from PIL import Image

from firmware.screens.common import listing
from firmware.table import Mode, Table


class Listing(Mode):
    """A list to choose from."""

    title = "LUCKY PAW"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.at = 0

    def rows(self) -> list[tuple[str, Callable[[], None]]]:
        """What can be chosen: a text, and what OK does."""
        raise NotImplementedError

    def turn(self, steps: int, knob: bool) -> None:
        down = steps if knob else -steps
        self.at = min(max(0, self.at + down), len(self.rows()) - 1)

    def ok(self) -> None:
        self.rows()[self.at][1]()

    @property
    def foot(self) -> tuple[str, str]:
        """What the control and OK do."""
        return ("turn: choose" if self.table.knob else "▲▼ choose", "OK")

    def right(self) -> str:
        """The right end of the status row."""
        return ""

    def picture(self, now_ns: int) -> Image.Image:
        rows = self.rows()
        self.at = min(self.at, len(rows) - 1)
        return listing(self.title, self.right(), [text for text, _ in rows], self.at, self.foot)


class Editor(Listing):
    """A list with values: OK takes one up, the control changes it, OK sets it."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.editing = False

    @property
    def foot(self) -> tuple[str, str]:
        return ("turn: change" if self.table.knob else "▲▼ change", "OK: set") if self.editing else super().foot

    def row(self, n: int, name: str, value: str) -> str:
        """The text of a row with a value; of a long one the beginning is shown."""
        mark = "●" if self.editing and n == self.at else " "
        room = max(6, 19 - len(value))
        return f"{name[: room - 1]:{room}}{mark}{value}"[:20]

    def edit(self) -> None:
        """Take the row's value up, or set it."""
        self.editing = not self.editing

    def turn(self, steps: int, knob: bool) -> None:
        if self.editing:
            self.change(steps)
        else:
            super().turn(steps, knob)

    def change(self, steps: int) -> None:
        """Change the row's value."""
        raise NotImplementedError
