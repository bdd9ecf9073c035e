"""The stamps in a state, moved onto another clock: the game goes on as if it had stood still meanwhile."""

from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

T = TypeVar("T")

LIMITS = frozenset({"due_ns"})  # the fields of a state, and of its parts, that tell when the clock answers
STAMPS = LIMITS | {"at_ns", "go_ns"}  # all of its fields with a stamp; other times are durations


def moved(part: T, by_ns: int, names: frozenset[str] = STAMPS) -> T:
    """A state, or a part of one, with these fields so much later; the same object where nothing changes."""
    found: Any = part
    if isinstance(found, Struct):
        fields: Any = found.__struct_fields__
        changed = _changed({name: getattr(found, name) for name in fields}, by_ns, names)
        return replace(found, **changed) if changed else part  # type: ignore[return-value]
    if not isinstance(found, tuple):
        return part
    fields = getattr(found, "_fields", range(len(found)))  # of a NamedTuple, or places
    changed = _changed(dict(zip(fields, found, strict=True)), by_ns, names)
    if not changed:
        return part
    if isinstance(fields, range):
        return tuple([changed.get(n, one) for n, one in enumerate(found)])  # type: ignore[return-value]
    return found._replace(**changed)  # type: ignore[no-any-return,attr-defined]


def _changed(fields: dict[Any, Any], by_ns: int, names: frozenset[str]) -> dict[Any, Any]:
    """The fields that are other ones afterwards."""
    after = {
        name: value + by_ns if name in names and isinstance(value, int) else moved(value, by_ns, names)
        for name, value in fields.items()
    }
    return {name: value for name, value in after.items() if value is not fields[name]}
