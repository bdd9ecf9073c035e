"""Second scorers, one a game: plain sums from the rules pages over the moves that count, without the engine."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.engine.plain.cat_pageant import cat_pageant
from tests.engine.plain.if_it_fits import if_it_fits
from tests.engine.plain.kitty_paw import kitty_paw
from tests.engine.plain.outcome import Moved, Outcome
from tests.engine.plain.pack_and_stack import pack_and_stack
from tests.engine.plain.pack_the_essentials import pack_the_essentials

SCORERS: dict[str, Callable[[int, dict[str, Any], Sequence[Moved]], Outcome]] = {
    "cat_pageant": cat_pageant,
    "if_it_fits": if_it_fits,
    "kitty_paw": kitty_paw,
    "pack_and_stack": pack_and_stack,
    "pack_the_essentials": pack_the_essentials,
}
SHIPPED = tuple(SCORERS)  # the games that come with the kit; a test that lists what each has asks for these
