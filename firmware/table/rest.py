"""The display at rest: dim after a while without input, then asleep."""

from engine.stamps import S
from firmware.output.screens.notices import WANDER_STEP_NS

DIM_NS = 300 * S
WANDER_NS = 1800 * S


class Rest:
    """Since when nobody has touched the kit."""

    def __init__(self, now_ns: int) -> None:
        self.since_ns = now_ns

    def dim(self, now_ns: int) -> bool:
        """Whether the display is dim."""
        return now_ns - self.since_ns >= DIM_NS

    def asleep(self, now_ns: int) -> bool:
        """Whether a paw wanders over it, so that no row of it ages."""
        return now_ns - self.since_ns >= WANDER_NS

    def due_ns(self, now_ns: int) -> int:
        """When it changes next by itself."""
        if self.asleep(now_ns):
            return (now_ns // WANDER_STEP_NS + 1) * WANDER_STEP_NS
        return self.since_ns + (WANDER_NS if self.dim(now_ns) else DIM_NS)
