"""The parts of the kit that do not work, and how the table tells of them. No threads, no clock."""

from collections.abc import Callable

from firmware.translation import L_, NOTHING, L_many, LazyText, lazy

TOGETHER_NS = 1_000_000_000  # parts that are lost within this time count as lost together
PARTS = ("button", "control", "knob", "display", "lamp", "buzzer")  # first words of names; the strip shows their loss


class LostParts:
    """By name the parts that are lost. All methods on the loop's thread."""

    def __init__(self, log: Callable[[str], None], note: Callable[[LazyText], None], now_ns: int) -> None:
        """`log`: logs a line; `note`: shows it."""
        self._log, self._note = log, note
        self._reasons: dict[str, str] = {}
        # since when, lost?, the first, how many more
        self._news: tuple[int, bool, LazyText, int] = now_ns, False, NOTHING, 0

    def report(self, name: str, text: str | None, now_ns: int) -> None:
        """A part is lost, or back (None). Told once."""
        if text is None:
            if self._reasons.pop(name, None) is not None:
                self._announce(name, L_("{part} is back", part=lazy(name)), now_ns, lost=False)
        elif self._reasons.get(name) != text:
            self._reasons[name] = text
            self._announce(name, lazy(text), now_ns, lost=True)

    def reason(self, part: str) -> str | None:
        """Why a part does not work; None: it does."""
        return self._reasons.get(part)

    @property
    def names(self) -> frozenset[str]:
        """The names of the parts that do not work."""
        return frozenset(self._reasons)

    def button(self, button: str) -> bool:
        """Whether a button's line is lost."""
        return f"button {button}" in self._reasons

    @property
    def display(self) -> bool:
        """Whether the display is lost."""
        return "display" in self._reasons

    @property
    def on_the_strip(self) -> bool:
        """Whether the strip shows that a part is lost."""
        return any(name.split()[0] in PARTS for name in self._reasons)

    def _announce(self, name: str, text: LazyText, now_ns: int, *, lost: bool) -> None:
        """Parts on one chip are lost together: the log names each of them, the display the first."""
        since_ns, was_lost, first, more = self._news
        self._log(text.words())
        if name.partition(" ")[0] not in PARTS:
            self._note(text)
        elif first is not NOTHING and lost is was_lost and now_ns - since_ns < TOGETHER_NS:
            self._news = since_ns, lost, first, more + 1
            self._note(L_many("{first}. And {n} more part", "{first}. And {n} more parts", more + 1, first=first))
        else:
            self._news = now_ns, lost, text, 0
            self._note(text)
