"""The folder on the card, before anything is installed: its pictures, what is wrong with it, the Wi-Fi.

Whole cards, with cloud-init, cuts and faults: tests/appliance/cards.
"""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import Mock

import pytest

from firmware.boot import DESCRIPTION, named, names, text
from firmware.card.__main__ import NO_DISPLAY, Card
from firmware.card.folder import (
    MANIFEST,
    NAME,
    CardKit,
    Trouble,
    damaged,
    folder_in,
    kit_of,
    not_installed,
    not_started,
    storage,
    wrong_machine,
)
from firmware.card.screen import CardDisplay, Screen
from firmware.card.wifi import PROFILE, Wifi, join, wifi_in
from hardware.parts.display import SH1106_COLUMN
from hardware.parts.display.emulated_chip import Chip, Controller
from tests.simulators import reading
from tests.simulators.cards import FILES, whole

TROUBLES = (
    NO_DISPLAY,
    wrong_machine("aarch64, Python 3.13"),
    storage(OSError(errno.ENOSPC, "No space left on device")),
    storage(OSError(errno.EROFS, "Read-only file system")),
    storage(OSError(errno.EIO, "Input/output error")),
    damaged("wheels/typing_extensions-4.15.0-py3-none-any.whl", "damaged"),
    damaged(MANIFEST, "not whole"),
)
ADDRESS = 0x3C


# --- pictures ------------------------------------------------------------------------------------------------------


@pytest.fixture
def wired(monkeypatch: pytest.MonkeyPatch) -> Callable[[Controller, int], Chip]:
    """Puts a chip on the bus, at an address; nothing else answers."""

    def put(controller: Controller, address: int, column: int = SH1106_COLUMN) -> Chip:
        chip, selected = Chip(controller, column), 0

        def select(file: int, request: int, value: int) -> int:
            nonlocal selected
            selected = value
            return 0

        def write(file: int, payload: bytes) -> int:
            if selected != address:
                raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
            chip.write(payload)
            return len(payload)

        bus = SimpleNamespace(open=lambda path, flags: 99, close=lambda file: None, write=write, O_RDWR=os.O_RDWR)
        monkeypatch.setattr("firmware.card.screen.os", bus)
        monkeypatch.setattr("firmware.card.screen.fcntl.ioctl", select)
        return chip

    return put


@pytest.mark.parametrize("described", [True, False], ids=["described", "not described"])
@pytest.mark.parametrize("controller", ["ssd1306", "ssd1309", "sh1106"])
def test_each_chip_shows_how_far_it_is(
    controller: Controller, described: bool, wired: Callable[[Controller, int], Chip]
) -> None:
    chip = wired(controller, ADDRESS)
    module = CardDisplay(driver=controller, addresses=(ADDRESS,)) if described else CardDisplay()
    Screen(module).show("LUCKY PAW", "Building ...", 0.5)
    picture = chip.picture()
    seen = picture.crop((0, 0, 126, 50))  # without a description an SH1106 has noise in the two columns on the right
    assert reading.text(seen).split(" | ") == ["LUCKY PAW", "Building ..."]
    assert sum(picture.getpixel((x, 60)) != 0 for x in range(128)) in range(60, 70)  # half of the bar


@pytest.mark.parametrize("rotate", [0, 180])
@pytest.mark.parametrize("column", [0, 2, 4])
def test_the_picture_is_whole_wherever_the_panel_of_an_sh1106_begins(
    column: int, rotate: int, tmp_path: Path, wired: Callable[..., Chip]
) -> None:
    described = f"[display]\ndriver = 'sh1106'\ncolumn = {column}\nrotate = {rotate}\n"
    (tmp_path / "kit.toml").write_text(described)
    chip = wired("sh1106", ADDRESS, column)
    Screen(kit_of(tmp_path, tmp_path).display).show("LUCKY PAW", "Building ...", 1.0)
    picture = chip.picture().rotate(rotate)
    assert reading.text(picture).split(" | ") == ["LUCKY PAW", "Building ..."]
    assert not any(picture.getpixel((x, 0)) for x in (0, 1, 126, 127))  # no noise beside it


def test_the_display_is_found_at_its_other_address(wired: Callable[[Controller, int], Chip]) -> None:
    chip = wired("ssd1306", 0x3D)
    shown = Screen(CardDisplay())
    shown.show("LUCKY PAW")
    assert (shown.there, reading.text(chip.picture())) == (True, "LUCKY PAW")


def test_without_a_display_nothing_fails(wired: Callable[[Controller, int], Chip]) -> None:
    wired("ssd1306", 0x27)
    shown = Screen(CardDisplay())
    shown.show("LUCKY PAW")
    assert not shown.there


def test_a_display_that_hangs_upside_down_is_turned(wired: Callable[[Controller, int], Chip]) -> None:
    chip = wired("ssd1309", ADDRESS)
    Screen(CardDisplay(driver="ssd1309", upside_down=True)).show("LUCKY PAW")
    assert reading.text(chip.picture().rotate(180)) == "LUCKY PAW"


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.text[:30])
def test_what_is_wrong_is_on_the_display_in_full(trouble: Trouble, wired: Callable[[Controller, int], Chip]) -> None:
    chip = wired("ssd1306", ADDRESS)
    Screen(CardDisplay()).show(trouble.title, trouble.text)
    assert " ".join(reading.text(chip.picture()).split(" | ")) == f"{trouble.title} {trouble.text}"


# --- the folder ----------------------------------------------------------------------------------------------------


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    """A boot partition with a small whole folder."""
    return whole(tmp_path).parent


def told(boot: Path) -> str:
    """What is wrong with the folder."""
    try:
        folder = folder_in(boot)
        assert folder is not None
        folder.copy(boot.parent / "copy", lambda part: None)
    except Trouble as trouble:
        return str(trouble)
    return "nothing"


def test_a_whole_folder_is_copied_and_its_scripts_can_be_run(boot: Path) -> None:
    folder = folder_in(boot)
    assert folder is not None
    parts: list[float] = []
    copy = boot.parent / "copy"
    (copy / "old").mkdir(parents=True)
    folder.copy(copy, parts.append)
    assert sorted(path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()) == sorted(
        folder.sums
    )
    assert os.access(copy / "scripts" / "install", os.X_OK) and not os.access(next(copy.glob("wheels/*")), os.X_OK)
    assert parts == sorted(parts) and max(parts) < 1


def test_a_card_without_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "people.txt").write_text("Mia\n")
    assert folder_in(tmp_path) is None
    assert folder_in(tmp_path / "nowhere") is None


def cut_manifest(folder: Path) -> None:
    path = folder / MANIFEST
    path.write_bytes(path.read_bytes()[:100])


def no_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def cut_wheel(folder: Path) -> None:
    next(folder.glob("wheels/*")).write_bytes(b"whe")


def no_wheel(folder: Path) -> None:
    next(folder.glob("wheels/*")).unlink()


def no_script(folder: Path) -> None:
    (folder / "scripts" / "install").unlink()


def leads_out(folder: Path) -> None:
    path = folder / MANIFEST
    path.write_text(path.read_text().replace("systemd/card", "../cmdline.txt"))


@pytest.mark.parametrize(
    ("fault", "which"),
    [
        (cut_manifest, "manifest is not whole"),
        (no_manifest, "manifest is missing"),
        (cut_wheel, "pillow is damaged"),
        (no_wheel, "pillow is missing"),
        (no_script, "install is missing"),
        (leads_out, "manifest is damaged"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_half_a_folder_is_told(fault: Callable[[Path], None], which: str, boot: Path) -> None:
    fault(boot / NAME)
    assert told(boot) == f"COPY AGAIN: Copy the whole folder onto the card once more: {which}."


def test_a_full_card_is_told_before_anything_is_written(boot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 1 << 20})
    monkeypatch.setattr("firmware.card.folder.shutil.disk_usage", lambda path: usage)
    folder = folder_in(boot)
    assert folder is not None
    with pytest.raises(OSError, match="No space left"):
        folder.copy(boot.parent / "copy", lambda part: None)
    assert not (boot.parent / "copy").exists()


@pytest.mark.parametrize(
    ("python", "machine", "fits"),
    [((3, 13), "aarch64", True), ((3, 12), "aarch64", False), ((3, 13), "armv7l", False), ((3, 1), "aarch64", False)],
)
def test_a_machine_without_wheels_is_known(python: tuple[int, int], machine: str, fits: bool, boot: Path) -> None:
    folder = folder_in(boot)
    assert folder is not None
    assert folder.fits(python, machine) is fits


# --- the description and other files of people ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("described", "module"),
    [
        ('[display]\ndriver = "sh1106"\naddress = 0x3d\n', CardDisplay(addresses=(0x3D,), driver="sh1106", left=2)),
        ("[display]\nrotate = 180\nport = 3\n", CardDisplay(port=3, addresses=(0x3C,), upside_down=True)),
        ('[display]\ndriver = "ssd1322"\nbus = "spi"\n', CardDisplay(port=None, addresses=(0x3C,))),
        ("players = 3\n", CardDisplay()),
        ("[display\n", CardDisplay()),
        ("display = 5\n", CardDisplay()),
    ],
)
def test_the_display_is_the_described_one_else_any(described: str, module: CardDisplay, tmp_path: Path) -> None:
    (tmp_path / "luckypaw.toml.txt").write_bytes(b"\xef\xbb\xbf" + described.replace("\n", "\r\n").encode())
    assert kit_of(tmp_path, tmp_path / NAME).display == module


def test_lamps_and_buzzer_are_known(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    kit = Path(__file__).resolve().parents[2] / "hardware" / "kits" / "table.toml"
    (tmp_path / NAME / "kit.toml").write_bytes(kit.read_bytes())
    found = kit_of(tmp_path, tmp_path / NAME)
    assert (len(found.lamps), found.buzzer) == (4, 13)


def test_of_a_wrong_description_what_cannot_be_is_left_out(tmp_path: Path) -> None:
    lines = ["[display]", "port = true", "address = 1000", "[buzzer]", "pin = 99"]
    lines += [f"[[players]]\nlamp = {lamp}" for lamp in ("-5", "12", "'x'", "true")]
    (tmp_path / DESCRIPTION).write_text("\n".join(lines))
    assert kit_of(tmp_path, tmp_path / NAME) == CardKit(CardDisplay(), (12,))


@pytest.mark.parametrize("name", ["people.txt", "people.txt.txt", "people"])
def test_a_file_is_found_whatever_ending_windows_gave_it(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    assert named(tmp_path / "people.txt") == tmp_path / name


def test_a_description_keeps_its_ending() -> None:
    assert [path.name for path in names(Path("luckypaw.toml"))] == ["luckypaw.toml", "luckypaw.toml.txt"]


@pytest.mark.parametrize(
    "content", ["Müller\r\n".encode("utf-8-sig"), "Müller\r".encode(), "Müller\n".encode("utf-16")]
)
def test_a_text_is_read_from_any_editor(content: bytes) -> None:
    assert text(content) == "Müller\n"


# --- a look at it --------------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """What people and the system noticed of a look."""

    status: int
    blinks: list[tuple[int, tuple[int, ...], int | None]]
    commands: list[tuple[str, ...]]


@pytest.fixture
def look(boot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Seen]:
    """Let the card's program look at the folder; lines, commands and installing are only noted."""
    monkeypatch.setattr("firmware.card.folder.INSTALLED", tmp_path / "none")
    monkeypatch.setattr("firmware.card.folder.ROOM_BYTES", 0)
    monkeypatch.setattr("firmware.card.folder.Folder.fits", lambda *machine: True)
    monkeypatch.setattr("firmware.card.__main__.BUS_S", 0.0)
    monkeypatch.setattr("firmware.card.__main__.TOLD_S", 0.0)

    def seen() -> Seen:
        seen = Seen(0, [], [])
        monkeypatch.setattr("firmware.card.__main__.blink", lambda *what: seen.blinks.append(what[:3]))
        monkeypatch.setattr("firmware.card.__main__.quietly", lambda *command: seen.commands.append(command))
        (tmp_path / "dev").mkdir(exist_ok=True)
        return seen._replace(status=Card(boot, tmp_path / "home", tmp_path / "dev").look())

    return seen


def test_once_the_wifi_is_right_the_report_says_so_and_the_same_mistake_is_told_again(
    boot: Path, look: Callable[[], Seen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.card.__main__.install", lambda *what: None)
    monkeypatch.setattr("firmware.card.__main__.join", lambda wifi: True)
    file, told = boot / NAME / "wifi.txt", []
    for password in ("short", "short", "long enough", "short"):
        file.write_text(f"name = den\npassword = {password}\n")
        told.append((look().status, (boot / NAME / "report.txt").read_text().partition(":")[0].strip()))
    joined = "Lucky Paw is installed, and joins the Wi-Fi den."
    assert told == [(1, "NO WI-FI"), (0, "NO WI-FI"), (0, joined), (1, "NO WI-FI")]


def test_a_failure_that_is_not_the_folders_is_tried_again(
    boot: Path, tmp_path: Path, look: Callable[[], Seen], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home/current/whole").mkdir(parents=True)
    install = Mock(side_effect=not_installed(""))
    monkeypatch.setattr("firmware.card.__main__.install", install)
    assert [look().status, look().status, install.call_count] == [1, 1, 2]


def test_a_damaged_folder_is_told_by_the_lamps_of_its_kit(boot: Path, look: Callable[[], Seen]) -> None:
    (boot / NAME / MANIFEST).unlink()
    (boot / NAME / "wheels").mkdir(exist_ok=True)
    seen = look()
    assert (seen.status, seen.blinks) == (1, [(1, (12, 16, 20, 21), 13)])
    assert (boot / NAME / "report.txt").read_text().startswith("COPY AGAIN: ")


def test_what_runs_when_something_is_told_lets_go_of_the_display_and_goes_on_later(
    boot: Path, tmp_path: Path, look: Callable[[], Seen], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home/current/whole").mkdir(parents=True)

    def taken_back(*what: object) -> None:
        raise not_started(before=True, log="")

    monkeypatch.setattr("firmware.card.__main__.install", taken_back)
    told, again = look(), look()
    units = [command[1] for command in told.commands if command[0] == "systemctl"]
    assert (units, told.blinks[-1][0]) == (["stop", "stop", "start"], 4)
    assert (again.status, again.blinks, again.commands) == (0, [], [])  # once is enough
    assert not (tmp_path / "home/incoming").exists()


def test_the_reason_is_shown_though_the_version_taken_back_has_set_up_the_display(
    boot: Path,
    tmp_path: Path,
    look: Callable[[], Seen],
    wired: Callable[[Controller, int], Chip],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chip = wired("ssd1306", ADDRESS)
    (tmp_path / "home/current/whole").mkdir(parents=True)

    def runs_and_is_taken_back(*what: object) -> None:
        chip.command(0x20, 0x00, 0x21, 8, 23, 0x22, 1, 2)  # what follows is a part of the picture, row by row
        raise not_started(before=True, log="")

    monkeypatch.setattr("firmware.card.__main__.install", runs_and_is_taken_back)
    look()
    assert reading.text(chip.picture()).startswith("NOT STARTED | This version does not")


def test_the_next_starts_have_the_program_of_the_folder(
    boot: Path, tmp_path: Path, look: Callable[[], Seen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.card.__main__.install", lambda *what: None)
    assert look().status == 0
    assert (tmp_path / "home/program/firmware/card/__main__.py").read_bytes() == FILES["firmware/card/__main__.py"]
    assert (boot / NAME / "report.txt").read_text() == "Lucky Paw 1.2.3 is installed.\n"


def test_a_display_on_another_bus_is_not_missed(
    boot: Path, look: Callable[[], Seen], monkeypatch: pytest.MonkeyPatch
) -> None:
    (boot / DESCRIPTION).write_text('buzzer.pin = 13\n[display]\nbus = "spi"\nport = 0\n')
    monkeypatch.setattr("firmware.card.__main__.install", lambda *what: None)
    seen = look()
    switched_on = [("dtparam", "spi=on"), ("dtoverlay", "pwm", "pin=13", "func=4")]
    assert (seen.status, seen.blinks) == (0, [])
    assert seen.commands == [("systemctl", "stop", "luckypaw.service"), *switched_on]


# --- Wi-Fi ---------------------------------------------------------------------------------------------------------


OWN = [  # of the kit's own: the file, what is said, whether it is taken
    ("Lucky Paw 7F\nmeow-7f3-k9q\n", "", True),
    ("Lucky Paw Zuhause\na password of 8 to\n", "", True),
    ("Lucky Paw Zuhause\na password of 8 to6\n", "name and password are too long for a code, so the display", True),
    ("Lucky Paw Zuhause\na password of ; to\n", "name and password are too long for a code, so the display", True),
    ("Müllers\nmeow-7f3-k9q\n", "", True),
    ("Cats 猫\nmeow-7f3-k9q\n", "the name has '猫', which the display cannot show: write it with Latin letters", False),
    ("Cats\nmüow-7f3-k9q\n", "the password has 'ü': write it with letters without accents, digits and signs", False),
    ("Cats\nmeow\t7f3-k9q\n", "the password has '\\t': write it with letters", False),
    ("Cats\nmeow\n", "the password must have 8 to 63 characters, or none", False),
    ("Cats\n", "the name and the password, a line each", False),
]


@pytest.mark.parametrize(("file", "said", "taken"), OWN)
def test_the_kits_own_wifi_is_measured_where_it_is_taken(file: str, said: str, taken: bool, tmp_path: Path) -> None:
    path = tmp_path / "hotspot"
    path.write_text(file)
    command = [sys.executable, "-m", "firmware.card.wifi", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, bool(done.stdout)) == ((0, True) if taken else (1, False))
    assert done.stderr.startswith(f"{path}: {said}" if said else "") and done.stderr.count("\n") == bool(said)


def test_the_wifi_is_read(tmp_path: Path) -> None:
    lines = "# at home\r\nNAME = Café \u2615\r\n\r\nPassword: s3cret=yes 1\r\ncountry = de\r\n"
    (tmp_path / "wifi.txt.txt").write_bytes(lines.encode("utf-8-sig"))
    assert wifi_in(tmp_path) == Wifi("Café \u2615", "s3cret=yes 1", "DE")


def test_quotes_as_in_the_description_beside_it_are_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "wifi.txt").write_text('name = "My home"\npassword = \' a "b" c \'\n')
    assert wifi_in(tmp_path) == Wifi("My home", ' a "b" c ')


def test_a_key_may_stand_instead_of_the_password(tmp_path: Path) -> None:
    (tmp_path / "wifi.txt").write_text(f"name = home\npassword = {'0aF9' * 16}\n")
    assert wifi_in(tmp_path) == Wifi("home", "0aF9" * 16)


def test_without_a_file_there_is_none(tmp_path: Path) -> None:
    assert wifi_in(tmp_path) is None


UNSEEN = "it has characters that nobody can see: write it anew"


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("", "the name must have 1 to 32 characters"),
        (f"name = {'x' * 33}", "the name must have 1 to 32 characters"),
        ("name = home\npassword = short", "the password must have 8 to 63 characters, or none"),
        ("name = home\npassword = long enough\ncountry = Germany", "the country must be two letters, such as DE or GB"),
        (f"name = home\npassword = {'ü' * 40}", "the password must have 8 to 63 characters, or none"),
        ("name = home\ncountry = UK", "the country must be two letters, such as DE or GB"),
        ("home", "home: must be name = ..., password = ... or country = ..."),
        ("name = \u201chome", "the name begins with \u201c: end it with a quote, too, or write none"),
        (
            "name = home\npassword = it\u2019s a secret",
            "the password has \u2019, as editors write quotes: write a straight one",
        ),
        ("name = home\npassword = pass\u00a0word", UNSEEN),
        ("name = ho\u202eme", UNSEEN),
        ("name = home\nhidden = maybe", "hidden must be yes or no"),
    ],
)
def test_what_is_wrong_with_it_is_told(lines: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "countries").write_text("# country codes\nDE\tGermany\nGB\tBritain (UK)\n")
    monkeypatch.setattr("firmware.card.wifi.COUNTRIES", tmp_path / "countries")
    (tmp_path / "wifi.txt").write_text(lines)
    with pytest.raises(ValueError, match=r"wifi\.txt: ") as raised:
        wifi_in(tmp_path)
    assert str(raised.value).removeprefix("wifi.txt: ") == wrong


@pytest.mark.parametrize(
    "name", ["\u201cMy home\u201d", "\u201eMy home\u201c", "\u00abMy home\u00bb", "\u2018My home\u2019"]
)
def test_quotes_of_editors_are_no_part_of_name_and_password(name: str, tmp_path: Path) -> None:
    (tmp_path / "wifi.txt").write_text(f"name = {name}\npassword = \u201dpassword 1\u201d\n")
    assert wifi_in(tmp_path) == Wifi("My home", "password 1")


def test_a_network_that_does_not_tell_its_name(tmp_path: Path) -> None:
    (tmp_path / "wifi.txt").write_text("name = home\npassword = password 1\nHidden: Yes\n")
    wifi = wifi_in(tmp_path)
    assert wifi == Wifi("home", "password 1", hidden=True)
    assert wifi is not None
    assert "\nhidden=true\n" in wifi.profile()


def test_the_radio_does_not_sleep(tmp_path: Path) -> None:
    assert "\npowersave=2\n" in Wifi("home").profile().partition("[wifi]")[2].partition("[")[0]


@pytest.mark.parametrize("back", ["home\npassword\n", "home\n", "\n\n"])
def test_what_networkmanager_has_read_otherwise_is_told(
    back: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: list[tuple[str, ...]]
) -> None:
    monkeypatch.setattr("firmware.card.wifi.output_of", lambda *command: "home\npassword 1\n")
    assert join(Wifi("home", "password 1"), tmp_path / "right")
    monkeypatch.setattr("firmware.card.wifi.output_of", lambda *command: back)
    with pytest.raises(ValueError, match="NetworkManager has read another name or password"):
        join(Wifi("home", "password 1"), tmp_path / "wrong")


def test_a_password_that_nmcli_leaves_out_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: list[tuple[str, ...]]
) -> None:
    answers = iter(["home\n\n", "home\n\n", "home\npassword 1\n"])
    monkeypatch.setattr("firmware.card.wifi.output_of", lambda *command: next(answers))
    assert join(Wifi("home", "password 1"), tmp_path)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "wifi.txt").write_bytes(b"name = \xff\xfe\n")
    with pytest.raises(ValueError, match="save it as UTF-8"):
        wifi_in(tmp_path)


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Commands of the system, noted instead of run."""
    run: list[tuple[str, ...]] = []
    monkeypatch.setattr("firmware.card.wifi.quietly", lambda *command: run.append(command))
    return run


def test_the_network_is_joined_once(tmp_path: Path, quiet: list[tuple[str, ...]]) -> None:
    wifi = Wifi("Home; sweet", " back\\slash", "DE")
    assert [join(wifi, tmp_path), join(wifi, tmp_path)] == [True, False]
    profile = tmp_path / PROFILE
    assert profile.stat().st_mode & 0o777 == 0o600
    assert f"ssid={';'.join(str(byte) for byte in b'Home; sweet')};\n" in profile.read_text()
    assert "psk=\\sback\\\\slash\n" in profile.read_text()
    assert quiet[-1] == ("nmcli", "connection", "reload")


def test_cut_before_the_profile_is_there_all_is_said_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: list[tuple[str, ...]]
) -> None:
    wifi = Wifi("home", "password 1", "DE")
    with monkeypatch.context() as cut:
        cut.setattr("firmware.card.wifi.replace", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            join(wifi, tmp_path)
    said = [*quiet]
    assert join(wifi, tmp_path)
    assert quiet[len(said) : -1] == said


def test_a_country_that_comes_later_is_taken(tmp_path: Path, quiet: list[tuple[str, ...]]) -> None:
    assert join(Wifi("home", "password 1"), tmp_path)
    assert join(Wifi("home", "password 1", "DE"), tmp_path)
    assert ("raspi-config", "nonint", "do_wifi_country", "DE") in quiet


def test_another_password_is_taken(tmp_path: Path, quiet: list[tuple[str, ...]]) -> None:
    assert [join(Wifi("home", "password 1"), tmp_path), join(Wifi("home", "password 2"), tmp_path)] == [True, True]
    assert "psk=password 2\n" in (tmp_path / PROFILE).read_text()
