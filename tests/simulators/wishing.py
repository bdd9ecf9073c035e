"""Wishes as the kit's own page sends them: with what stands there now, unless a test says what stood there before."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import pytest
from msgspec import structs

from firmware.people.names import Person
from firmware.table.past_games import Sat
from firmware.translation import LazyText, lazy
from firmware.wishes.asker import PAGE
from firmware.wishes.desk import Desk
from firmware.wishes.games import Sit
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Agreed, Answer, Decision, Denied, Situation
from tests.simulators.rig import Rig

ALL: Agreed = frozenset(get_args(get_args(Agreed)[0]))


def wished(rig: Rig, wish: AnyWish, agreed: Agreed = ALL, press: str = "") -> list[Answer]:
    """What a page is told of a wish."""
    answers: list[Answer] = []
    rig.app.wish(structs.replace(opened(rig, wish), agreed=agreed, id=press), answers.append)
    rig.after(0)
    return answers


def opened(rig: Rig, wish: AnyWish) -> AnyWish:
    """A wish that is opened now."""
    if wish.was is not None:
        return wish
    desk, was = rig.app.table.desk, list[Any]()
    assert isinstance(desk, Desk)

    changed = desk._changed  # noqa: SLF001

    def look(one: AnyWish, known: Situation) -> LazyText | None:
        if one is not wish:
            return changed(one, known)
        was.append(wish.before(known))
        return lazy("that is all")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk, "_changed", look)
        desk._look(PAGE, wish, lambda answer: None, lambda decided, known: None)  # noqa: SLF001
        rig.after(0)
    return structs.replace(wish, was=was[0]) if was and was[0] else wish


def why(answer: object) -> str:
    """Why a wish is refused."""
    assert isinstance(answer, Denied), answer
    return answer.line.words()


def sit(rig: Rig, game: int, seat: int, person: str | None) -> list[Answer]:
    """Somebody else sits at a seat."""
    return wished(rig, Sit(game, seat, person))


def decided(wish: AnyWish, persons: Sequence[Person], agreed: str = "", **known: Any) -> Decision:
    """What comes of a wish where these are known."""
    here = Situation({one.id: one for one in persons}, people=Nobody(), now_ns=0, sat=Sat(()), **known)
    if wish.before(here) is None and wish.whom:
        return Denied(lazy(wish.gone))
    return (structs.replace(wish, agreed=wish.agreed | {*agreed.split()})).outcome(here)


class Nobody:
    """People whom no wish changes."""

    def add(self, name: str, latin: str = "") -> str:
        raise AssertionError

    def change(self, person: Person) -> None:
        raise AssertionError

    def merge(self, one: str, into: str) -> None:
        raise AssertionError

    def forget(self, id_: str) -> None:
        raise AssertionError

    def reseat(self, game: int, sat: Sat, people: Mapping[int, str | None]) -> None:
        raise AssertionError

    def remark(self, game: int, sat: Sat, note: str, day: str) -> None:
        raise AssertionError
