"""Values in order, to which a game only adds: what is there is shared by all states that have it."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from engine.game import Record

T = TypeVar("T")
LONG = 32  # so many make a part that is never copied again


class Series(Record, Generic[T]):
    """A sequence. One with a value more copies 32 references at most, and one to each 32 values before those.

    A state that is kept for undo so costs the same late in a long game as early in it.
    """

    parts: tuple[tuple[T, ...], ...] = ()  # of 32 values each
    rest: tuple[T, ...] = ()  # fewer than 32

    def plus(self, value: T) -> "Series[T]":
        """The same with one more at its end."""
        rest = (*self.rest, value)
        return Series(self.parts, rest) if len(rest) < LONG else Series((*self.parts, rest), ())

    def __len__(self) -> int:
        return len(self.parts) * LONG + len(self.rest)

    def __iter__(self) -> Iterator[T]:
        for part in self.parts:
            yield from part
        yield from self.rest

    def __getitem__(self, at: int) -> T:
        """The value at this place; a negative one counts from the end. Raises `IndexError`."""
        at += len(self) * (at < 0)
        part, place = divmod(at, LONG)
        return self.rest[place] if part == len(self.parts) else self.parts[part][place]
