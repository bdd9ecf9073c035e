"""The stamps in a state, moved onto another clock: the game goes on as if it had stood still meanwhile."""

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

T = TypeVar("T")

DUE = frozenset({"due_ns"})  # the fields of a state, and of its parts, that tell when the clock answers
LIMITS = DUE | {"since_ns"}  # and since when a clock runs, but for a race's
STAMPS = LIMITS | {"at_ns", "go_ns"}  # all of its fields with a stamp; other times are durations


def moved(part: T, by_ns: int, names: frozenset[str] = STAMPS) -> T:
    """A state, or a part of one, with these fields so much later; the same object where nothing changes."""
    after: T = _moved(part, by_ns, names) if by_ns else part
    return after


def _moved(part: Any, by_ns: int, names: frozenset[str]) -> Any:
    fields: tuple[str, ...] = getattr(part, "_fields", ())  # of a NamedTuple
    values: Iterable[tuple[Any, Any]]  # by field, or by place in a tuple without names
    if isinstance(part, Struct):
        values = [(name, getattr(part, name)) for name in part.__struct_fields__]
    elif isinstance(part, tuple):
        values = zip(fields, part, strict=True) if fields else enumerate(part)
    else:
        return part
    changed: dict[Any, Any] = {}
    for name, value in values:
        if isinstance(value, tuple | Struct):
            if (after := _moved(value, by_ns, names)) is not value:
                changed[name] = after
        elif name in names and isinstance(value, int):
            changed[name] = value + by_ns
    if not changed:
        return part
    if isinstance(part, Struct):
        return replace(part, **changed)
    after = [changed.get(name, one) for name, one in zip(fields or range(len(part)), part, strict=True)]
    return type(part)(*after) if fields else tuple(after)
