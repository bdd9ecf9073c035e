"""The currents of a kit's rails, and the supplies it needs. All in mA.

The header's limits are from Raspberry Pi's documentation: 16 mA a line, 50 mA all lines together, and some 500 mA from
the 3.3 V pins. A lamp of a strip: docs/strip.md. A ULN2803A's inputs have 2.7 kOhm and a drop of 1.4 V (data sheet), a
barrel jack carries 5 A. The lamps have a PTC, a fuse that closes again once it is cold: it holds its value at 23 °C and
three fifths of that in a warm box, and trips at twice its value (data sheets). So it ends a short between lamps, which
the Raspberry Pi's supply would feed through a thin wire. Only its controller keeps a strip to its limit: a slow fuse
carries half as much again for an hour. The fuse is stronger than the limit, so that it holds during play; it ends a
short where the supply gives twice its value and does not switch itself off.
"""

from typing import NamedTuple

from hardware.config import ConfigError, KitConfig
from hardware.sizes import BOARDS, BUTTONS, BUZZER_OHM, MODULES, SUPPLY_MM2, build_of
from hardware.words import N_

LINES_MA, RAIL_3V3_MA, JACK_MA = 50.0, 500.0, 5000.0
WIRE_MA = {0.75: 5000.0}  # by cross-section in mm2: docs/strip.md
SWITCH_MA = (3.3 - 1.4) / 2.7  # into one input of the ULN2803A
BUZZER_MA = 3300 / BUZZER_OHM  # for a moment, at each edge
PULL_UP_MA = 3.3 / 50  # of a pressed button
PTC_A = 0.5  # in the wire from the header to the lamps' 5 V
PTC_MA = 1000 * PTC_A * 0.6  # what it holds at 60 °C
PICO_MA = 50.0  # and its level shifter
DARK_MA = 1.0  # a lamp of the strip
MARGIN = 1.25  # ratio of fuse to limit, and of supply to fuse, at least
HELD, BLOWN = (
    1.5,
    2.1,
)  # a slow fuse (IEC 60127-2) holds 1.5 times its value for an hour, 2.1 times for 2 minutes at most
SUPPLIES_A = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
FUSES_A = (0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3)


class Load(NamedTuple):
    """Parts of one kind on a rail."""

    part: str
    many: int
    each_ma: float

    @property
    def ma(self) -> float:
        """All of them at once."""
        return self.many * self.each_ma


class Rail(NamedTuple):
    """A rail with its limit and its loads at their largest."""

    name: str
    limit_ma: float
    limit: str  # the cause of the limit
    loads: tuple[Load, ...]

    @property
    def ma(self) -> float:
        """All loads at once."""
        return sum(load.ma for load in self.loads)


def rails(config: KitConfig) -> tuple[Rail, ...]:
    """The rails of a kit. Raises `ConfigError` where one is overloaded."""
    rails = _rails(config)
    for rail in rails:
        if rail.ma > rail.limit_ma:
            most = max(rail.loads, key=lambda load: load.ma)
            raise ConfigError(
                N_(
                    "{rail}: {ma:.0f} mA needed, {limit_ma:.0f} mA allowed ({limit}); "
                    "the most by {part}: {most_ma:.0f} mA",
                    rail=rail.name,
                    ma=rail.ma,
                    limit_ma=rail.limit_ma,
                    limit=rail.limit,
                    part=most.part,
                    most_ma=most.ma,
                )
            )
    return rails


def _rails(config: KitConfig) -> tuple[Rail, ...]:
    build = build_of(config)
    board, display = BOARDS[build.board], MODULES[config.display.driver]
    lamps = len(config.lamps)
    keys = len(config.players) + len(config.control.pins)
    lines = [Load("pressed buttons", keys, PULL_UP_MA)]
    if lamps:
        lines.append(Load("lamp switches", lamps, SWITCH_MA))
    if config.buzzer is not None:
        lines.append(Load("buzzer", 1, BUZZER_MA))
    pins = Load("all GPIO lines", 1, sum(load.ma for load in lines))
    rail_3v3 = (Load(display.title, 1, display.most_ma), pins)
    supply = [Load(board.title, 1, board.most_ma), Load("3.3 V parts", 1, display.most_ma + pins.ma)]
    if board.cooler_ma:
        supply.append(Load("cooler", 1, board.cooler_ma))
    lit = Load("lamps", lamps, BUTTONS[build.button].lamp_ma)
    if lamps:
        supply.append(lit)
    if config.strip is not None:
        supply.append(Load("Pico on USB", 1, PICO_MA))
    rails = [
        Rail("GPIO lines", LINES_MA, "all lines together", tuple(lines)),
        Rail("3.3 V pins", RAIL_3V3_MA, "the board's regulator", rail_3v3),
        Rail("5 V of the Raspberry Pi", board.supply_ma, "the supply that its maker asks for", tuple(supply)),
    ]
    if lamps:
        rails.append(Rail("5 V of the lamps", PTC_MA, f"their PTC of {PTC_A:g} A, in a warm box", (lit,)))
    if config.strip is not None:
        rails.append(_strip(config, config.strip.lamps))
    return tuple(rails)


def _strip(config: KitConfig, leds: int) -> Rail:
    """The rail of the strip, with the weakest part in its current's way."""
    limit_ma = build_of(config).strip_ma
    if limit_ma <= leds * DARK_MA:
        dark_ma = leds * DARK_MA
        raise ConfigError(
            N_(
                "build.strip_ma = {value}: must be more than {dark_ma:.0f}, which {leds} lamps take when dark",
                value=limit_ma,
                leds=leds,
                dark_ma=dark_ma,
            )
        )
    supply_ma = 1000 * strip_supplies_a(config)[0]
    weakest_ma, weakest = min(*_carriers(), (supply_ma, "its supply"))
    return Rail("5 V of the strip", weakest_ma, weakest, (Load(f"strip of {leds} lamps, held to it", 1, limit_ma),))


def _carriers() -> tuple[tuple[float, str], ...]:
    """The parts between the strip and its supply, each with the current that it carries, in mA."""
    return (JACK_MA, "its jack"), (WIRE_MA[SUPPLY_MM2], f"its wire of {SUPPLY_MM2:g} mm2")


def fuse_a(config: KitConfig) -> float:
    """The smallest usual fuse for the strip's limit, in A.

    Raises `ConfigError` where there is no strip, or where jack or wires carry less than that fuse's value.
    """
    if config.strip is None:
        raise ConfigError(N_("strip is missing: without one there is nothing to feed"))
    limit_ma, (carried_ma, carrier) = build_of(config).strip_ma, min(_carriers())
    for size_a in FUSES_A:
        if MARGIN * limit_ma <= 1000 * size_a <= carried_ma:
            return size_a
    raise ConfigError(
        N_(
            "build.strip_ma = {value}: must be at most {most:.0f}, as its fuse must be stronger and "
            "{part} carries {a:g} A",
            value=limit_ma,
            most=carried_ma / MARGIN,
            part=carrier,
            a=carried_ma / 1000,
        )
    )


def strip_supplies_a(config: KitConfig) -> tuple[float, float]:
    """The two smallest usual supplies that are stronger than the strip's fuse, in A. Raises `ConfigError`."""
    least_a = MARGIN * fuse_a(config)
    one, other, *_ = (size_a for size_a in SUPPLIES_A if size_a >= least_a)
    return one, other
