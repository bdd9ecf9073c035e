"""All faults that the doctor can find, with their remedies; docs/check.md is made from this table."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from hardware.parts.strip.answer import NAMES
from hardware.words import N_, filled

# alone: the plain check; journal: likewise, by what the kit has stored; guided: with people;
# self: only this installation, no part
How: TypeAlias = Literal["alone", "journal", "guided", "self"]

FINE = "fine"


class Finding(NamedTuple):
    """The result for one part."""

    code: str  # stable, for programs; `FINE` where all is right
    part: str  # "button P3"
    place: str  # its pin, address, port or folder: "GPIO 22"
    text: str
    remedy: str = ""
    note: bool = False  # information, not a fault

    @property
    def fault(self) -> bool:
        """Whether something must be repaired."""
        return self.code != FINE and not self.note


class Fault(NamedTuple):
    """A kind of finding; its texts are marked templates with values in {braces}."""

    code: str
    part: str  # an example for the table, as are `place` and `values`
    place: str
    text: str
    remedy: str
    values: Mapping[str, Any] = MappingProxyType({})
    note: bool = False


LEFT_OUT = N_(
    "restart; if that does not help: is the line below a section for another board, such as [pi5]? Only Raspberry Pi's "
    "own boot loader reads this file: use Raspberry Pi OS"
)

BY_ITSELF = (
    # --- the board and its system ---
    Fault(
        "kernel-old",
        N_("board"),
        "Linux 5.4",
        N_("the kernel is too old: the lines need Linux {oldest} or newer"),
        N_("install today's Raspberry Pi OS (64-bit)"),
        {"oldest": "5.10"},
    ),
    Fault(
        "under-voltage",
        N_("power"),
        "5 V",
        N_("the supply is too weak: under-voltage {when}"),
        N_("use a supply made for this board (5.1 V, 3 A) and a short, thick cable; give strip and lamps their own"),
        {"when": N_("since it was switched on")},
    ),
    Fault(
        "watchdog-missing",
        N_("board"),
        "/dev/watchdog",
        N_("no hardware watchdog: a hung program is started again, but a hung system stands until the plug is pulled"),
        N_("use Raspberry Pi OS, which has its driver; elsewhere: sudo modprobe bcm2835_wdt"),
        note=True,
    ),
    Fault(
        "storage-full",
        N_("storage"),
        "/var/lib/luckypaw",
        N_("only {free_mb} MB are free: games cannot be saved"),
        N_("make room: `sudo apt clean`, `sudo journalctl --vacuum-size=50M`, or take a larger card"),
        {"free_mb": 0},
    ),
    Fault(
        "storage-read-only",
        N_("storage"),
        "/var/lib/luckypaw",
        N_("the card is read-only: games cannot be saved"),
        N_("restart the board; if that does not help, the card is failing: copy the games from it and replace it"),
    ),
    Fault(
        "storage-no-rights",
        N_("storage"),
        "/var/lib/luckypaw",
        N_("{user} may not write here: games cannot be saved"),
        N_("run the check as the kit's own user, or give it the folder: sudo chown -R luckypaw {folder}"),
        {"user": "pi", "folder": "/var/lib/luckypaw"},
    ),
    Fault(
        "storage-lost",
        N_("storage"),
        "/var/lib/luckypaw",
        N_("cannot be written: {reason}: games cannot be saved"),
        N_("take the card out and put it in again; if that does not help, replace it"),
        {"reason": "Input/output error"},
    ),
    Fault(
        "storage-in-memory",
        N_("storage"),
        "/var/lib/luckypaw",
        N_("is in memory only ({kind}): games are gone when the power is off"),
        N_("`sudo raspi-config nonint disable_overlayfs`, then restart; elsewhere let this folder lie on a disk"),
        {"kind": "tmpfs"},
        note=True,
    ),
    Fault(
        "clock-not-set",
        N_("clock"),
        "1970-01-01",
        N_("the clock is not set: {why}. Games can be played; only their dates are wrong"),
        N_("connect the board to a network once; without one: sudo date -s '2026-12-24 18:00'"),
        {"why": "it was before this program was made"},
        note=True,
    ),
    # --- libraries and the program ---
    Fault(
        "library-missing",
        "library gpiod",
        "2.2 or newer",
        N_("is not installed"),
        N_("pip install '{package}' in the kit's environment"),
        {"package": "luckypaw[pi]"},
    ),
    Fault(
        "library-old",
        "library gpiozero",
        "1.6.2",
        N_("is too old: {version} or newer is needed"),
        N_("pip install --upgrade '{package}' in the kit's environment"),
        {"version": "2.0", "package": "luckypaw[pi]"},
    ),
    Fault(
        "kit-running",
        N_("kit"),
        "process 812",
        N_("the kit is running and holds {held}"),
        N_("end it first: {end}"),
        {"held": "GPIO 5, 6, 17, 22, 27", "end": "sudo systemctl stop luckypaw"},
    ),
    # --- lines ---
    Fault(
        "gpio-chip-missing",
        N_("pins"),
        "/dev/gpiochip*",
        N_("there is no GPIO chip: this is no Raspberry Pi, or its kernel was started without one"),
        N_(
            "on a Raspberry Pi: install today's Raspberry Pi OS; elsewhere `luckypaw play` opens the kit in the browser"
        ),
    ),
    Fault(
        "gpio-chip-renamed",
        N_("pins"),
        "/dev/gpiochip0",
        N_("no GPIO chip is labelled as a Raspberry Pi's header; found: {chips}"),
        N_("update the system and restart: sudo apt full-upgrade"),
        {"chips": "/dev/gpiochip0 (brcmvirt-gpio)"},
    ),
    Fault(
        "gpio-chip-twice",
        N_("pins"),
        "/dev/gpiochip0, /dev/gpiochip4",
        N_("more than one GPIO chip is labelled as the header's"),
        N_("take overlays of GPIO expanders out of /boot/firmware/config.txt, and restart"),
    ),
    Fault(
        "gpio-no-rights",
        N_("pins"),
        "/dev/gpiochip0",
        N_("{user} may not use the pins: they belong to the group {group}"),
        N_("sudo usermod -aG {group} {user}, then log out and in again"),
        {"user": "pi", "group": "gpio"},
    ),
    Fault(
        "line-busy",
        "button P3",
        "GPIO 22",
        N_("is busy: used by {holder}"),
        N_("end that program, or take its overlay out of /boot/firmware/config.txt, or move the part to a free pin"),
        {"holder": "'fan control' of python3 (process 812)"},
    ),
    Fault(
        "line-lost",
        "button P3",
        "GPIO 22",
        N_("cannot be read: {reason}"),
        N_("restart the board; if that does not help, move the part to another pin"),
        {"reason": "No such device"},
    ),
    Fault(
        "button-held",
        "button P3",
        "GPIO 22",
        N_("held down: shorted to ground, or wired to the wrong leg"),
        N_(
            "if nobody presses it: take the wire off {place}. Still held: look for a solder bridge at the "
            "pin. Released: "
            "turn the switch by a quarter, or use its other leg"
        ),
    ),
    Fault(
        "contact-closed",
        "knob A",
        "GPIO 17",
        N_("closed while the knob rests: shorted to ground, or the knob stands between two clicks"),
        N_(
            "turn the knob by half a click, check again; if still closed, take the wire off {place} and look for solder"
        ),
    ),
    Fault(
        "knob-both-closed",
        N_("knob"),
        "GPIO 17, GPIO 27",
        N_("both contacts are closed while it rests: it may make two clicks in a full turn of them"),
        N_("`luckypaw check --guided` measures that; if it makes one, look for solder between its pins and ground"),
    ),
    Fault(
        "line-restless",
        "button P3",
        "GPIO 22",
        N_("changes by itself, {edges} times in {ms} ms: a loose contact, or a long wire beside a power wire"),
        N_("check the plugs; keep its wire away from the strip's; a resistor of 10 kΩ from {place} to 3.3 V helps"),
        {"edges": 14, "ms": 50},
    ),
    Fault(
        "line-held-high",
        "lamp P1",
        "GPIO 12",
        N_("held high: wired to 3.3 V or 5 V instead of ground, or to a neighbour's wire"),
        N_("switch off; connect {place} only to the part's own wire, never to a supply pin"),
    ),
    Fault(
        "line-held-low",
        "lamp P1",
        "GPIO 12",
        N_("stays low though it is switched on: shorted to ground"),
        N_("switch off; take the wire off {place}; look for a solder bridge, or a lamp without its resistor"),
    ),
    Fault(
        "buzzer-no-pwm",
        N_("buzzer"),
        "GPIO 13",
        N_("no tones: the library {library}, which makes them, is missing"),
        N_("sudo apt install python3-lgpio, or pip install 'luckypaw[pi]' in the kit's environment"),
        {"library": "lgpio"},
    ),
    Fault(
        "buzzer-other-line",
        N_("buzzer"),
        "GPIO 13",
        N_("no tones: the PWM is switched on for {others}"),
        N_(
            "sudo scripts/install, then restart; not installed: dtoverlay=pwm,pin={pin},func={function} in "
            "/boot/firmware/config.txt, and no other dtoverlay=pwm"
        ),
        {"others": "GPIO 18", "pin": 13, "function": 4},
    ),
    Fault(
        "buzzer-no-chip",
        N_("buzzer"),
        "GPIO 13",
        N_("no tones: the PWM is switched on, but {device} has no driver"),
        N_("update the system and restart: sudo apt full-upgrade"),
        {"device": "fe20c000.pwm"},
    ),
    Fault(
        "buzzer-no-rights",
        N_("buzzer"),
        "GPIO 13",
        N_("no tones: {user} may not use the PWM: it belongs to the group {group}"),
        N_("sudo scripts/install; not installed: sudo usermod -aG {group} {user}, then log out and in again"),
        {"user": "pi", "group": "gpio"},
    ),
    Fault(
        "buzzer-by-software",
        N_("buzzer"),
        "GPIO 13",
        N_("{line} stands in config.txt, but the kernel has no PWM for it: software makes the tones, less evenly"),
        LEFT_OUT,
        {"line": "dtoverlay=pwm,pin=13,func=4"},
        note=True,
    ),
    Fault(
        "buzzer-and-sound",
        N_("buzzer"),
        "GPIO 13",
        N_("shares its PWM with the headphone jack: while that plays, tones are wrong"),
        N_("play no sound there; or write dtparam=audio=off into /boot/firmware/config.txt, and restart"),
        note=True,
    ),
    # --- display ---
    Fault(
        "i2c-off",
        N_("display"),
        "I2C bus 1",
        N_("I2C is off: there is no {device}{others}"),
        N_("switch it on: sudo raspi-config nonint do_i2c 0, then restart"),
        {"device": "/dev/i2c-1", "others": "; there is /dev/i2c-20"},
    ),
    Fault(
        "overlay-missing",
        N_("display"),
        "I2C bus 1",
        N_("{line} stands in config.txt, but the kernel has no such bus: there is no {device}{others}"),
        LEFT_OUT,
        {"line": "dtparam=i2c_arm=on", "device": "/dev/i2c-1", "others": "; there is /dev/i2c-20"},
    ),
    Fault(
        "i2c-no-driver",
        N_("display"),
        "I2C bus 1",
        N_("the bus is on, but no program can use it: there is no {device}"),
        N_("sudo modprobe i2c-dev; for good write i2c-dev into /etc/modules-load.d/i2c-dev.conf"),
        {"device": "/dev/i2c-1"},
    ),
    Fault(
        "i2c-no-rights",
        N_("display"),
        "/dev/i2c-1",
        N_("{user} may not use the bus: it belongs to the group {group}"),
        N_("sudo usermod -aG {group} {user}, then log out and in again"),
        {"user": "pi", "group": "i2c"},
    ),
    Fault(
        "i2c-stuck",
        N_("display"),
        "I2C bus 1",
        N_("the bus is stuck: a wire, {wires}, is held low"),
        N_("switch off; SDA and SCL may touch neither ground nor each other; leave only the display on the bus"),
        {"wires": "SDA (GPIO 2) or SCL (GPIO 3)"},
    ),
    Fault(
        "display-missing",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("nothing answers there, nor at any other address"),
        N_(
            "check its wires: SDA to {sda}, SCL to {scl}, VCC to 3.3 V, GND to ground; SDA and SCL may be swapped; "
            "a module with a pin RES may need a line there: display.reset"
        ),
        {"sda": "GPIO 2", "scl": "GPIO 3"},
    ),
    Fault(
        "display-elsewhere",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("nothing answers there, but something does at {others}"),
        N_("write display.address = {first} into the kit's description if that is the display; else check its wires"),
        {"others": "0x3d, 0x68", "first": "0x3d"},
    ),
    Fault(
        "display-claimed",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("the kernel uses the display itself{driver}"),
        N_("take the display's dtoverlay out of /boot/firmware/config.txt, and restart"),
        {"driver": ": driver ssd130x-i2c"},
    ),
    Fault(
        "display-lost",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("cannot be used: {reason}"),
        N_("disconnect its power for a moment; check its wires"),
        {"reason": "Input/output error"},
    ),
    Fault(
        "display-other-chip",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("the kit's description has {driver}, but the chip answers as most {chip} do"),
        N_("if its picture is not whole (`luckypaw check --guided` shows a frame): display.driver = '{chip}'"),
        {"driver": "ssd1306", "chip": "sh1106"},
        note=True,
    ),
    Fault(
        "i2c-slow",
        N_("display"),
        "I2C bus 1",
        N_("the bus runs at {khz} kHz: pictures take four times as long as at 400 kHz"),
        N_("write dtparam=i2c_arm=on,i2c_arm_baudrate=400000 into /boot/firmware/config.txt, and restart"),
        {"khz": 100},
        note=True,
    ),
    Fault(
        "spi-off",
        N_("display"),
        "SPI 0.0",
        N_("SPI is off: there is no {device}"),
        N_("switch it on: sudo raspi-config nonint do_spi 0, then restart"),
        {"device": "/dev/spidev0.0"},
    ),
    Fault(
        "spi-no-rights",
        N_("display"),
        "/dev/spidev0.0",
        N_("{user} may not use the bus: it belongs to the group {group}"),
        N_("sudo usermod -aG {group} {user}, then log out and in again"),
        {"user": "pi", "group": "spi"},
    ),
    # --- strip ---
    Fault(
        "strip-no-program",
        N_("strip"),
        "USB",
        N_("a Pico without a program is plugged in, as the drive {drive}"),
        N_("put MicroPython on it, then flash it: Set up, Flash the strip"),
        {"drive": "RPI-RP2"},
    ),
    Fault(
        "strip-taken",
        N_("strip"),
        "USB 1a86:7523 USB Serial",
        N_("is plugged in, but has no port: {holder} has taken it"),
        N_("brltty, for braille displays, takes a CH340 for one: sudo apt remove brltty, then plug the board in again"),
        {"holder": "brltty (process 812)"},
    ),
    Fault(
        "strip-no-driver",
        N_("strip"),
        "USB 1a86:7523 USB Serial",
        N_("is plugged in, but has no port: the kernel has no driver for it, or refuses it"),
        N_("`sudo dmesg` says why; a copy of a chip may be refused; another board will do"),
    ),
    Fault(
        "strip-not-found",
        N_("strip"),
        "USB",
        N_("no strip controller is plugged in"),
        N_("plug it in with a USB cable that carries data; for another port set `strip.port` in the kit's description"),
    ),
    Fault(
        "strip-no-port",
        N_("strip"),
        "/dev/ttyUSB0",
        N_("the port is not there{others}"),
        N_("plug the controller in with a cable that carries data, or take strip.port out of the kit's description"),
        {"others": "; there is /dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_1-if00"},
    ),
    Fault(
        "strip-no-rights",
        N_("strip"),
        "/dev/ttyACM0",
        N_("{user} may not use the port: it belongs to the group {group}"),
        N_("sudo usermod -aG {group} {user}, then log out and in again"),
        {"user": "pi", "group": "dialout"},
    ),
    Fault(
        "strip-busy",
        N_("strip"),
        "/dev/ttyACM0",
        N_("the port is in use by {holder}"),
        N_(
            "end that program; a login console (agetty) goes with: sudo raspi-config nonint do_serial_cons 1; "
            "ModemManager with: sudo systemctl disable --now ModemManager; brltty with: sudo apt remove brltty"
        ),
        {"holder": "minicom (process 812)"},
    ),
    Fault(
        "strip-lost",
        N_("strip"),
        "/dev/ttyACM0",
        N_("the port cannot be opened: {reason}"),
        N_(
            "unplug the controller and plug it in again; if that does not help, check strip.port in the "
            "kit's description"
        ),
        {"reason": "Input/output error"},
    ),
    Fault(
        "strip-silent",
        N_("strip"),
        "/dev/ttyACM0",
        N_("does not answer{usb}"),
        N_(
            "unplug it and plug it in again; is a program on it (Set up, Flash the strip; or WLED with its "
            "serial pins free)?"
        ),
        {"usb": " (USB 1a86:55d3 USB Single Serial)"},
    ),
    Fault(
        "strip-foreign",
        N_("strip"),
        "/dev/ttyACM0",
        N_("is no strip controller: it sends {output}"),
        N_(
            "another device is at this port: name the strip's own with strip.port, or flash it: Set up, Flash the strip"
        ),
        {"output": "'$GPGGA,182010.00,4717.11'"},
    ),
    Fault(
        "strip-garbage",
        N_("strip"),
        "/dev/ttyUSB0",
        N_("sends unreadable bytes: another baud rate, or a bad wire"),
        N_("set the controller to {baud} baud (WLED: Config, Sync Interfaces, Serial), and plug it in again"),
        {"baud": 115200},
    ),
    Fault(
        "strip-babbles",
        N_("strip"),
        "/dev/ttyUSB0",
        N_("sends without being asked: {output}"),
        N_("another device is at this port, or WLED's debug output is on: name the strip's port with strip.port"),
        {"output": "'$GPGGA,182010.00,4717.11'"},
    ),
    Fault(
        "strip-unfit",
        N_("strip"),
        "/dev/ttyACM0",
        N_("is a strip controller, but {reason}"),
        N_("set its number of lamps (strip.json, or WLED: Config, LED Preferences), and update its program"),
        {"reason": "has 3 lamps: at least 8 are needed"},
    ),
    Fault(
        "strip-segment",
        N_("strip"),
        "/dev/ttyUSB0",
        N_("was set otherwise than pictures need: {odd}"),
        N_(
            "the kit sets it again by itself; for good: WLED, no preset or playlist at boot, one segment over all lamps"
        ),
        {"odd": "seg.stop 30, seg.grp 2"},
        note=True,
    ),
    *(Fault(f"strip-{name.kind}", N_("strip"), "/dev/ttyUSB0", name.text, name.remedy, name.example) for name in NAMES),
    # --- page ---
    Fault(
        "panel-taken",
        N_("page"),
        "127.0.0.1:8642",
        N_("the port is taken{holder}"),
        N_("end that program, or choose another port: panel.port in the kit's description"),
        {"holder": " by python3 (process 812)"},
    ),
    Fault(
        "panel-refused",
        N_("page"),
        "127.0.0.1:80",
        N_("the port cannot be opened: {reason}"),
        N_("choose a port from 1024 on: panel.port in the kit's description"),
        {"reason": "Permission denied"},
    ),
)
IN_JOURNAL = (
    Fault(
        "button-sparks",
        "button P3",
        "GPIO 22",
        N_("{sparks} sparks this evening: is {wire} too near?"),
        N_(
            "keep its wire away from those of lamps and strip, and twist it with its ground wire; a resistor of "
            "10 kΩ from {place} to 3.3 V helps"
        ),
        {"sparks": 4, "wire": N_("its lamp wire")},
        note=True,
    ),
)
GUIDED = (
    Fault(
        "button-not-wired",
        "button P3",
        "GPIO 22",
        N_("no press arrived: not wired, or wired to the wrong leg"),
        N_("one leg of the switch to {place}, the one that it closes with to ground; check the plug"),
    ),
    Fault(
        "buttons-swapped",
        "button P1, P2",
        "GPIO 5, GPIO 6",
        N_("{one} and {other} are swapped"),
        N_("swap their wires at the header, or their numbers in the kit's description"),
        {"one": "P1", "other": "P2"},
    ),
    Fault(
        "button-elsewhere",
        "button P1",
        "GPIO 5",
        N_("pressing it moves GPIO {pin}, the line of {other}"),
        N_("put its wire on {place}, or change its number in the kit's description"),
        {"pin": 6, "other": "P2"},
    ),
    Fault(
        "buttons-joined",
        "button P1, P2",
        "GPIO 5, GPIO 6",
        N_("pressing {one} presses {others} too: their wires touch"),
        N_("switch off; look for a solder bridge or a stray strand between the two, at the header and at the switches"),
        {"one": "P1", "others": "P2"},
    ),
    Fault(
        "button-bounces",
        "button P3",
        "GPIO 22",
        N_("bounces for {ms} ms, more than {most}: one press may count as two"),
        N_("clean or replace the switch; a capacitor of 100 nF from {place} to ground helps"),
        {"ms": "41.5", "most": 20},
    ),
    Fault(
        "button-stuck",
        "button P3",
        "GPIO 22",
        N_("stays pressed after it was released"),
        N_("its cap rubs or its switch is worn: clean it, or replace the switch"),
    ),
    Fault(
        "knob-dead",
        N_("knob"),
        "GPIO 17, GPIO 27",
        N_("no signal when it is turned"),
        N_("its middle pin (C, GND) to ground, its outer ones to {place}"),
    ),
    Fault(
        "knob-contact-dead",
        "knob B",
        "GPIO 27",
        N_("never moves, though {alive} does"),
        N_("check the wire between {part} and {place}"),
        {"alive": "knob A"},
    ),
    Fault(
        "knob-unsteady",
        N_("knob"),
        "GPIO 17, GPIO 27",
        N_("both contacts move, but make no click"),
        N_("turn it slowly, click by click; if that does not help, look for a loose wire to ground, or replace it"),
    ),
    Fault(
        "knob-other-clicks",
        N_("knob"),
        "GPIO 17, GPIO 27",
        N_("makes {clicks} clicks in a full turn of its contacts, and the kit's description has {described}"),
        N_("write control.clicks = {clicks} into the kit's description; it was turned by exactly four clicks?"),
        {"clicks": 2, "described": 1},
    ),
    Fault(
        "knob-swapped",
        N_("knob"),
        "GPIO 17, GPIO 27",
        N_("turns the wrong way: A and B are swapped"),
        N_("swap the two wires, or write a = {a}, b = {b} into the kit's description"),
        {"a": 27, "b": 17},
    ),
    Fault(
        "push-missing",
        "knob push",
        "GPIO 24",
        N_("no push arrived"),
        N_("one pin of its switch (SW) to {place}, the other to ground"),
    ),
    Fault(
        "lamp-dark",
        "lamp P1",
        "GPIO 12",
        N_("nobody saw it light"),
        N_(
            "switched by a ULN2803A: its + to 5 V, its - to the output opposite the input of {place}; without that "
            "chip: long leg to {place}, short leg through 330 Ω to ground; it may be the wrong way round"
        ),
    ),
    Fault(
        "lamps-swapped",
        "lamp P1, P2",
        "GPIO 12, GPIO 16",
        N_("the lamps of {one} and {other} are swapped"),
        N_("swap their wires at the header, or their numbers in the kit's description"),
        {"one": "P1", "other": "P2"},
    ),
    Fault(
        "lamp-elsewhere",
        "lamp P1",
        "GPIO 12",
        N_("lights in the button of {other}"),
        N_("put the wire of {one}'s lamp on {place}, or change its number in the kit's description"),
        {"one": "P1", "other": "P2"},
    ),
    Fault(
        "buzzer-silent",
        N_("buzzer"),
        "GPIO 13",
        N_("nobody heard the tone"),
        N_(
            "it must be a passive piezo (one that is active only clicks): one leg through 220 Ω to {place}, one to "
            "ground"
        ),
    ),
    Fault(
        "display-dark",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("nobody confirmed that the picture can be seen"),
        N_("check VCC and GND; a display on SPI needs its data/command line; check again and answer"),
    ),
    Fault(
        "display-upside-down",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("its picture is upside down"),
        N_("write display.rotate = {degrees} into the kit's description"),
        {"degrees": 180},
    ),
    Fault(
        "display-other-column",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("its picture is moved aside: its panel begins at another column of the chip's memory"),
        N_("write display.column = {column} into the kit's description; if that does not help, driver = '{other}'"),
        {"column": 0, "other": "ssd1306"},
    ),
    Fault(
        "display-shifted",
        N_("display"),
        "0x3c on I2C bus 1",
        N_("its picture is incomplete: its chip is not {driver}"),
        N_("write display.driver = '{other}' into the kit's description"),
        {"driver": "ssd1306", "other": "sh1106"},
    ),
)
ITSELF = (
    Fault(
        "self-python",
        "Python",
        "3.9",
        N_("is too old: {oldest} or newer is needed"),
        N_("install today's Raspberry Pi OS (64-bit)"),
        {"oldest": "3.11"},
    ),
    Fault(
        "self-library",
        "library msgspec",
        "0.22.0",
        N_("cannot be loaded: {reason}"),
        N_("make the environment again: scripts/install"),
        {"reason": "ImportError: _core.so: invalid ELF header"},
    ),
    Fault(
        "self-replaced",
        N_("program"),
        "/opt/luckypaw/lib/python3.13/site-packages",
        N_("files are not as they were installed: {names} ({n} in all){others}"),
        N_("remove this environment and make it again: scripts/install"),
        {"names": "engine/game.py, engine/rules.py", "n": 2, "others": "; motor has files of these names"},
    ),
    Fault(
        "self-config",
        N_("description"),
        "/etc/luckypaw/kit.toml",
        N_("cannot be used: {reason}"),
        N_("correct the value that is named"),
        {"reason": "buzzer.pin = 4: must be a line with PWM: 12, 13, 18 or 19"},
    ),
    Fault(
        "self-files",
        N_("font"),
        "firmware/fonts",
        N_("files are missing: {names}"),
        N_("install it again: scripts/install"),
        {"names": "spleen-5x8.pbm"},
    ),
    Fault(
        "self-game",
        "game kitty_paw",
        "random moves",
        N_("cannot be played: {reason}"),
        N_("install it again: scripts/install; if that does not help, report it"),
        {"reason": "KeyError: 'meow'"},
    ),
    Fault(
        "self-picture",
        N_("first picture"),
        "display",
        N_("cannot be drawn: {reason}"),
        N_("install it again: scripts/install; if that does not help, report it"),
        {"reason": "OSError: cannot open resource"},
    ),
    Fault(
        "self-journal",
        N_("journal"),
        "/var/lib/luckypaw/journal.db",
        N_("cannot be read by this version: {reason}"),
        N_("use the version that wrote it, or move the file away: its games are then not shown"),
        {"reason": "OtherFormat: the journal is of format 3, this version reads format 2"},
    ),
)
FAULTS: Mapping[How, tuple[Fault, ...]] = {"alone": BY_ITSELF, "journal": IN_JOURNAL, "guided": GUIDED, "self": ITSELF}
BY_CODE = {fault.code: fault for faults in FAULTS.values() for fault in faults}


def finding(code: str, part: str, place: str, **values: object) -> Finding:
    """A fault at this part."""
    fault = BY_CODE[code]
    fields = {"part": part, "place": place, **values}
    return Finding(code, part, place, filled(fault.text, fields), filled(fault.remedy, fields), fault.note)


def fine(part: str, place: str, text: str = N_("all right")) -> Finding:
    """A part without fault."""
    return Finding(FINE, part, place, text)


def example(fault: Fault) -> Finding:
    """The example of a fault in the table."""
    return finding(fault.code, fault.part, fault.place, **fault.values)
