"""Stamps by their type, and a state moved onto another clock: the game goes on as if it had stood still meanwhile.

A stamp is a time in ns on CLOCK_MONOTONIC of the boot in which it was taken. Every field of a state that holds one says
so by its type: `Due`, `Since` or `Stamp`. Any other int is none; a duration stays as it is.
"""

from collections.abc import Iterator
from enum import IntEnum
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

T = TypeVar("T")

MS, S = 1_000_000, 1_000_000_000  # in ns


class StampKind(IntEnum):
    """What a stamp tells. To move stamps of one kind is to move those of the kinds before it, too."""

    DUE = 0  # when the clock answers
    LIMITS = 1  # since when a clock runs, but for a race's
    STAMPS = 2  # when something happened


DUE, LIMITS, STAMPS = StampKind
Due: TypeAlias = Annotated[int, DUE]
Since: TypeAlias = Annotated[int, LIMITS]
Stamp: TypeAlias = Annotated[int, STAMPS]


class _Field(NamedTuple):
    """A field that may hold stamps."""

    name: str
    kind: StampKind | None  # None: a part with stamps of its own


_fields: dict[type, tuple[_Field, ...]] = {}  # by class; worked out once


def moved(part: T, by_ns: int, kind: StampKind = STAMPS) -> T:
    """A state, or a part of one, with the stamps of these kinds so much later; the same object where none changes.

    What can hold no stamp by its type is not looked at, so that the cost does not grow with what a game has counted.
    """
    after: T = _moved(part, by_ns, kind) if by_ns else part
    return after


def _moved(part: Any, by_ns: int, kind: StampKind) -> Any:
    fields = _fields.get(type(part))
    if fields is None:
        fields = fields_of(type(part))
    if fields is PARTS:
        parts = [_moved(one, by_ns, kind) for one in part]
        return tuple(parts) if any(map(_other, parts, part)) else part
    changed: dict[str, Any] = {}
    for name, own in fields:
        value = getattr(part, name)
        if own is None:
            if (after := _moved(value, by_ns, kind)) is not value:
                changed[name] = after
        elif own <= kind and value is not None:
            changed[name] = value + by_ns
    if not changed:
        return part
    return replace(part, **changed) if isinstance(part, Struct) else part._replace(**changed)


def _other(after: object, before: object) -> bool:
    return after is not before


PARTS = (_Field("", None),)  # of a plain tuple: each of its parts may have some


def fields_of(kind: type) -> tuple[_Field, ...]:
    """The fields of a class that may hold stamps, by their types. Raises `TypeError` where a stamp cannot be moved."""
    if kind not in _fields:
        _fields[kind] = PARTS if kind is tuple else tuple(_of_record(kind)) if _is_record(kind) else ()
    return _fields[kind]


def _of_record(kind: Any) -> Iterator[_Field]:
    hints = get_type_hints(kind, include_extras=True)
    names: tuple[str, ...] = kind.__struct_fields__ if issubclass(kind, Struct) else kind._fields
    for name in names:
        if (own := _held(hints[name])) is not NOTHING:
            yield _Field(name, own)


NOTHING: Any = object()  # beside a kind, and None for a part with stamps of its own


def _held(hint: Any) -> Any:
    """What a value of this type may hold: stamps of a kind, parts with stamps, nothing."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return next((one for one in hint.__metadata__ if isinstance(one, StampKind)), _held(arguments[0]))
    if origin in (Union, UnionType):
        return next((own for one in arguments if (own := _held(one)) is not NOTHING), NOTHING)
    if origin is tuple:
        inside = [own for one in arguments if one is not ... and (own := _held(one)) is not NOTHING]
        if any(own is not None for own in inside):
            raise TypeError(f"{hint}: stamps in a tuple; each must be a field of its own")
        return None if inside else NOTHING
    if hint is Any:
        return None
    kind = origin or hint
    if not _is_record(kind):
        if any(_held(one) is not NOTHING for one in arguments):
            raise TypeError(f"{hint}: stamps in a {kind.__name__}; each must be a field of a record")
        return NOTHING
    if kind.__subclasses__():
        return None
    return None if kind not in _asked and _any_held(kind) else NOTHING


_asked: set[type] = set()  # whose fields are looked at just now: a class that is a part of itself


def _any_held(kind: type) -> bool:
    """Whether a record of this class may hold stamps."""
    if kind in _fields:
        return bool(_fields[kind])
    _asked.add(kind)
    try:
        return any(_of_record(kind))
    finally:
        _asked.discard(kind)


def _is_record(kind: Any) -> bool:
    """Whether values of a class have fields: it is a struct or a named tuple."""
    return isinstance(kind, type) and (issubclass(kind, Struct) or hasattr(kind, "_fields"))
