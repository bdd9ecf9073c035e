"""What the display shows while something else has the parts."""

from PIL import Image

from firmware.setup import menu_pictures as pictures
from firmware.table.overlay import Overlay
from firmware.table.table import Table
from firmware.translation import _


class Working(Overlay):
    """A step that has the parts: its own pictures, and no key."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._picture = pictures.working(_("SET UP"), _("LOOKING ..."), _("touch nothing"))

    def show(self, picture: Image.Image) -> None:
        """The step's next picture."""
        self._picture = picture
        self.table.touched()

    def end(self) -> None:
        """The parts are back."""
        if self in self.table.overlays:
            self.table.overlays.remove(self)
        self.table.touched()

    def ok_hold(self) -> None:
        """Nothing: the step ends by itself."""

    def picture(self, now_ns: int) -> Image.Image:
        return self._picture
