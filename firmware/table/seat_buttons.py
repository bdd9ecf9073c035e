"""The buttons of the seats. A player keeps the name of the first button when it is replaced."""

from engine.game import Record
from engine.rules import Seat


class Seating(Record):
    """The buttons of a game, by seat."""

    buttons: tuple[str, ...]

    def seat(self, button: str) -> Seat | None:
        """The seat of a button; None where no player in the game has it."""
        return self.buttons.index(button) if button in self.buttons else None

    def button(self, seat: Seat) -> str:
        """The button of a seat."""
        return self.buttons[seat]
