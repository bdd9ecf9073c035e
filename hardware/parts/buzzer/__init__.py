"""The buzzer: short tunes of plain tones."""

from typing import NamedTuple, Protocol, TypeAlias


class Tone(NamedTuple):
    hz: int  # 0: silence
    ms: int


Tune: TypeAlias = tuple[Tone, ...]


class Buzzer(Protocol):
    """Plays one tune at a time; a new one cuts off the old one."""

    def play(self, tune: Tune) -> int:
        """Start a tune and return at once: CLOCK_MONOTONIC ns, taken when the first tone was switched on."""
        ...

    def close(self) -> None:
        """Silence; let go of the line."""
        ...
