"""The parts that a kit may be built from: sizes in mm, currents in mA at their rail.

Sizes are from the usual makers' drawings; modules differ by a millimetre or two, so measure yours before printing.
A Raspberry Pi's numbers are from its maker's documentation: mechanical drawings, power supply. A Pi 4 B takes 1.25 A
under stress; of a Zero 2 W and of a 5 only the 350 and the 800 mA at work are known, so their largest currents are
scaled as a Pi 4 B's. The sockets of a 5 are those of the drawing in its product brief; for its cooler's fan 0.2 A are
allowed, which is more than usual ones take. Products and prices: hardware/building/catalogue.py.
"""

from typing import NamedTuple

from hardware.config import Build, ConfigError, KitConfig
from hardware.words import N_


class Plug(NamedTuple):
    """The grip of a plug: the opening before its socket must be larger."""

    width_mm: float
    height_mm: float


# USB: the largest that its specifications allow; HDMI: usual cables.
USB_A, USB_C, MICRO_USB = Plug(16.0, 8.0), Plug(12.35, 6.5), Plug(10.6, 8.5)
MINI_HDMI, MICRO_HDMI = Plug(15.0, 9.0), Plug(11.5, 7.0)


class Port(NamedTuple):
    """A socket at an edge of a board."""

    name: str
    edge: str  # "front": the long edge beyond the header; "right", "left": a short one
    along_mm: float  # its middle: from the left along the front, from the front along a side
    width_mm: float
    height_mm: float
    out_mm: float  # how far it stands out of the edge
    plug: Plug | None = None  # used by a kit or for its maintenance


class PiBoard(NamedTuple):
    """A Raspberry Pi. Seen from above, its 40-pin header lies along the back."""

    title: str
    width_mm: float
    depth_mm: float
    holes_mm: tuple[tuple[float, float], ...]  # screw holes, M2.5, from the front left corner
    header_mm: tuple[float, float]  # its middle
    ports: tuple[Port, ...]
    high_mm: float  # from the board's lower face to its highest socket's top
    most_ma: float  # at 5 V, all its cores at work, with nothing plugged in
    supply_ma: float  # of the supply that its maker asks for
    power: str  # the port that its supply is plugged into
    usb: str  # the port for a strip's controller
    cooler_ma: float = 0.0  # of the fan that it needs at full load; 0: it needs none


def _holes(width_mm: float, depth_mm: float) -> tuple[tuple[float, float], ...]:
    return tuple((3.5 + x, 3.5 + y) for x in (0.0, width_mm) for y in (0.0, depth_mm))


BOARDS = {
    "pi-zero-2w": PiBoard(
        "Raspberry Pi Zero 2 W",
        65.0,
        30.0,
        _holes(58.0, 23.0),
        (32.5, 26.5),
        (
            Port("mini HDMI", "front", 12.4, 11.2, 3.3, 1.3, MINI_HDMI),
            Port("micro USB", "front", 41.4, 7.5, 2.6, 1.3, MICRO_USB),
            Port("power, micro USB", "front", 54.0, 7.5, 2.6, 1.3, MICRO_USB),
            Port("microSD card", "left", 16.9, 12.0, 1.4, 2.3),
        ),
        6.0,
        730.0,
        2000.0,
        "power, micro USB",
        "micro USB",
    ),
    "pi-4b": PiBoard(
        "Raspberry Pi 4 B",
        85.0,
        56.0,
        _holes(58.0, 49.0),
        (32.5, 52.5),
        (
            Port("power, USB-C", "front", 11.2, 9.0, 3.3, 1.3, USB_C),
            Port("micro HDMI", "front", 26.0, 7.2, 3.3, 1.3, MICRO_HDMI),
            Port("micro HDMI", "front", 39.5, 7.2, 3.3, 1.3, MICRO_HDMI),
            Port("audio", "front", 54.0, 7.0, 6.0, 2.5),
            Port("USB 2", "right", 9.0, 13.2, 15.6, 3.0, USB_A),
            Port("USB 3", "right", 27.0, 13.2, 15.6, 3.0, USB_A),
            Port("LAN", "right", 45.75, 16.0, 13.6, 3.0),
            Port("microSD card", "left", 28.0, 12.0, 1.4, 2.3),
        ),
        18.0,
        1250.0,
        3000.0,
        "power, USB-C",
        "USB 2",
    ),
    "pi-5": PiBoard(
        "Raspberry Pi 5",
        85.0,
        56.0,
        _holes(58.0, 49.0),
        (32.5, 52.5),
        (
            Port("power, USB-C", "front", 11.2, 9.0, 3.3, 1.3, USB_C),
            Port("micro HDMI", "front", 25.8, 7.2, 3.3, 1.3, MICRO_HDMI),
            Port("micro HDMI", "front", 39.2, 7.2, 3.3, 1.3, MICRO_HDMI),
            Port("LAN", "right", 10.2, 16.0, 13.6, 3.0),
            Port("USB 3", "right", 29.1, 13.2, 15.6, 3.0, USB_A),
            Port("USB 2", "right", 47.0, 13.2, 15.6, 3.0, USB_A),
            Port("microSD card", "left", 28.0, 12.0, 1.4, 2.3),
        ),
        18.0,
        1670.0,
        5000.0,
        "power, USB-C",
        "USB 2",
        200.0,
    ),
}


class PlayerButton(NamedTuple):
    """A player's button, fixed by a nut from below."""

    title: str
    flange_mm: float  # its diameter, on the lid
    hole_mm: float
    above_mm: float
    below_mm: float  # with switch, lamp holder and plugs
    nut_mm: float  # its diameter, or that of the springs in its place
    lamp_ma: float  # of the LED inside at 5 V, with its own resistor

    @property
    def body_mm(self) -> float:
        """The diameter below the nut, with plugs."""
        return self.hole_mm + 4


BUTTONS = {
    "dome-60": PlayerButton("60 mm dome button with a 5 V lamp", 60.0, 28.0, 20.0, 52.0, 38.0, 20.0),
    "dome-45": PlayerButton("45 mm dome button with a 5 V lamp", 45.0, 28.0, 15.0, 50.0, 38.0, 20.0),
    "arcade-30": PlayerButton("30 mm arcade button with a 5 V lamp", 33.5, 30.0, 5.0, 42.0, 35.0, 20.0),
}


class DisplayModule(NamedTuple):
    """A display module with 128x64 pixels."""

    title: str
    width_mm: float  # of its board
    depth_mm: float
    window_mm: tuple[float, float]  # width and height of the visible part
    up_mm: float  # how far the window's middle lies above the board's
    holes_mm: tuple[float, float]  # between the screw holes, across and along
    most_ma: float  # at 3.3 V, every pixel lit


MODULES = {
    "ssd1306": DisplayModule('0.96" OLED, SSD1306', 27.3, 27.8, (23.5, 12.5), 1.5, (23.0, 23.5), 25.0),
    "sh1106": DisplayModule('1.3" OLED, SH1106', 35.4, 33.5, (31.5, 16.7), 1.5, (30.4, 28.5), 40.0),
    "ssd1309": DisplayModule('2.42" OLED, SSD1309', 72.0, 43.5, (57.0, 29.5), 2.0, (66.0, 37.5), 150.0),
}


RINGS_MM = {
    12: (37.0, 50.0),
    16: (44.5, 68.0),
    24: (66.0, 86.0),
    60: (158.0, 172.0),
}  # inner and outer diameter by lamps
STRIP_MM = 10.0  # width of a straight strip
PER_M = 144  # lamps of it

KNOB_HOLE_MM = 7.0  # of a rotary encoder with push
KEY_HOLE_MM = 12.0
HANGS_MM = 22.0  # of a knob or a key below the lid, with plugs
JACK_HOLE_MM = 8.2  # of the strip's 5 V jack, M8
JACK_MM = (14.0, 25.0)  # its nut's diameter; its depth in the base, with wires
THICK_MM = 1.5  # of a Raspberry Pi's board
HEADER_MM = 20.0  # from its lower face to the top of the plugs on its header
PLUG_MM = 29.5  # room of a USB plug with its bent lead beyond a board's edge
PITCH_MM = 2.54  # from pin to pin of a header, and from hole to hole of a perforated board
CARD_MM = 13.0  # room to pull a microSD card out of its slot


class SmallBoard(NamedTuple):
    """A board in the base besides the Raspberry Pi, cut to this size."""

    name: str
    width_mm: float
    depth_mm: float
    high_mm: float  # with parts and plugs


LAMP_BOARD = SmallBoard("lamp board", 50.0, 25.0, 20.0)
STRIP_BOARD = SmallBoard("strip board", 55.0, 35.0, 25.0)
PICO = SmallBoard("Pico", 51.0, 21.0, 15.0)
BUZZER = SmallBoard("buzzer", 14.0, 14.0, 10.0)  # round
SMALL_BOARDS = (LAMP_BOARD, STRIP_BOARD, PICO, BUZZER)

BUZZER_OHM = 220  # in the wire to the buzzer's +
SIGNAL_MM2, SUPPLY_MM2 = 0.14, 0.75  # cross-sections of wires

# Names of the other parts of a kit on openings, wires and drawings; buttons and keys have their own.
PI, DISPLAY, KNOB, STRIP, JACK = "Raspberry Pi", "display", "knob", "strip", "5 V jack"


def build_of(config: KitConfig) -> Build:
    """How a kit is built. Raises `ConfigError` where its description has no [build] or no real display."""
    if config.build is None:
        raise ConfigError(N_("build is missing: must say how the kit is built, e.g. [build] board, button"))
    if config.display.driver not in MODULES:
        raise ConfigError(
            N_(
                "display.driver = {value!r}: must be a real display to be built in: {drivers}",
                value=config.display.driver,
                drivers=", ".join(MODULES),
            )
        )
    return config.build
