"""The buttons of a kit by their number, which gives each its colour and its corner, whoever plays with it."""

import re
from collections.abc import Sequence
from typing import NewType

from engine.play import Play

Button = NewType("Button", int)  # its place in the kit's description, from 0
USUAL = re.compile(r"P([1-6])")  # what kits call their buttons, where their owner gives them no other name


def numbers(names: Sequence[str], of_kit: Sequence[str] = ()) -> tuple[Button | None, ...]:
    """By seat the button with this name; None: nobody knows which one it is.

    `of_kit`: the names of the kit's description, in its order. One that it has not, as of another kit, has the number
    of its usual name.
    """
    return tuple([_number(name, of_kit) for name in names])


def of_play(play: Play, of_kit: Sequence[str] = ()) -> tuple[Button | None, ...]:
    """By seat the button that its player has now, as `numbers`."""
    return numbers(play.buttons or play.players, of_kit)


def _number(name: str, of_kit: Sequence[str]) -> Button | None:
    if name in of_kit:
        return Button(of_kit.index(name))
    found = USUAL.fullmatch(name)
    return None if found is None else Button(int(found[1]) - 1)
