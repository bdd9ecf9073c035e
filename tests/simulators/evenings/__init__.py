"""Whole games as people play them, for every kind of kit: what the hands do, and what has to come of it.

A game is played on a `Rig` or what is used like one; `look` is called with the name of each phase while it is on the
display, in the order of play. Returned are the scores that it has to come to.
"""

from tests.simulators.evenings.cat_pageant import cat_pageant
from tests.simulators.evenings.if_it_fits import if_it_fits
from tests.simulators.evenings.kitty_paw import flash, kitty_paw
from tests.simulators.evenings.pack_and_stack import pack_and_stack
from tests.simulators.evenings.pack_the_essentials import pack_the_essentials

__all__ = ["cat_pageant", "flash", "if_it_fits", "kitty_paw", "pack_and_stack", "pack_the_essentials"]
