"""Which lines install has in config.txt, and what it leaves alone. On FAT: tests/kernel/test_boot_partition.py."""

import subprocess
from pathlib import Path

import pytest

from tests.simulators.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parent.parent
BEGINS, ENDS = "# Lucky Paw begins: the display's bus, at 400 kHz\n", "# Lucky Paw ends\n"
I2C = "[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n"
SPI = "[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000,spi=on\n"
PWM = {12: "dtoverlay=pwm,pin=12,func=4\n", 13: "dtoverlay=pwm,pin=13,func=4\n"}
PWM |= {18: "dtoverlay=pwm,pin=18,func=2\n", 19: "dtoverlay=pwm,pin=19,func=2\n"}
NO_MORE = "dtoverlay=\n"
OWN = "dtparam=audio=on\n[pi4]\narm_boost=1\n"  # of whoever has the Raspberry Pi


def block(pin: int | None = 13) -> str:
    """The lines of install."""
    return f"{BEGINS}{I2C}{PWM[pin] + NO_MORE if pin else ''}{ENDS}"


def run(config: Path, command: str) -> bytes:
    """What a command of the scripts prints, which take this file for config.txt."""
    script = f"source {ROOT}/scripts/appliance.sh; boot_config={config} kit={config.parent}/kit.toml; {command}"
    return subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, timeout=PATIENCE_S, check=True).stdout


def changed(folder: Path, text: str, command: str) -> str:
    """What a text becomes; what it has become stays so."""
    config, once = folder / "config.txt", folder / "once"
    config.write_text(text, newline="")
    again = f"{command} >{once}; boot_config={once}; config_is {command}; cat {once}"
    return run(config, again).decode()


CUT_OFF = {
    "after the begin": "",
    "in the first line": "[al",
    "before I2C": "[all]\n",
    "in I2C": "[all]\ndtparam=i2c_arm=on,i2c",
    "after I2C": I2C,
    "in the overlay": f"{I2C}dtoverlay=pwm,pin=1",
    "after the overlay": f"{I2C}{PWM[13]}",
    "before the end": f"{I2C}{PWM[13]}{NO_MORE}",
    "in the end": f"{I2C}{PWM[13]}{NO_MORE}# Lucky P",
}
cut_off = pytest.mark.parametrize("rest", CUT_OFF.values(), ids=CUT_OFF)


@pytest.mark.parametrize("pin", [None, 12, 13, 18, 19])
def test_the_lines_of_the_display_and_of_the_buzzer_are_added(tmp_path: Path, pin: int | None) -> None:
    assert changed(tmp_path, OWN, f"with_block {pin or ''}") == OWN + block(pin)


@pytest.mark.parametrize("own", [OWN, ""], ids=["some", "none"])
def test_they_are_taken_away_and_no_others(tmp_path: Path, own: str) -> None:
    assert changed(tmp_path, f"{own}{block()}{own}", "without_block") == own + own


def test_they_stay_where_they_are_when_the_buzzer_moves(tmp_path: Path) -> None:
    assert changed(tmp_path, f"{OWN}{block(13)}{OWN}", "with_block 18") == f"{OWN}{block(18)}{OWN}"


def test_a_display_on_the_other_bus_has_that_switched_on(tmp_path: Path) -> None:
    text = changed(tmp_path, f"{OWN}{block(13)}{OWN}", "with_block 13 spi")
    assert text == f"{OWN}{block(13).replace(I2C, SPI)}{OWN}"
    assert changed(tmp_path, text, "with_block - i2c") == f"{OWN}{block(None)}{OWN}"


def test_lines_of_an_older_version_are_completed(tmp_path: Path) -> None:
    assert changed(tmp_path, OWN + block(None), "with_block 13") == OWN + block(13)


@cut_off
def test_lines_that_were_cut_off_are_repaired(tmp_path: Path, rest: str) -> None:
    assert changed(tmp_path, f"{OWN}{BEGINS}{rest}", "with_block 12") == OWN + block(12)


@cut_off
def test_lines_that_were_cut_off_are_taken_away(tmp_path: Path, rest: str) -> None:
    assert changed(tmp_path, f"{OWN}{BEGINS}{rest}", "without_block") == OWN


def test_a_begin_that_was_cut_off_is_repaired(tmp_path: Path) -> None:
    assert changed(tmp_path, f"{OWN}{BEGINS[:20]}", "with_block 13") == OWN + block(13)


@pytest.mark.parametrize("rest", [text for text in CUT_OFF.values() if text == "" or text.endswith("\n")])
@pytest.mark.parametrize("own", [OWN, f"{I2C}{OWN}"], ids=["another", "like ours"])
def test_what_somebody_has_written_below_lines_that_were_cut_off_stays(tmp_path: Path, rest: str, own: str) -> None:
    if rest in ("", "[all]\n") and own != OWN:
        own = f"dtparam=spi=on\n{own}"  # else nobody could say whose it is
    assert changed(tmp_path, f"{BEGINS}{rest}{own}", "with_block 13") == block(13) + own


def test_what_somebody_has_written_between_them_stays(tmp_path: Path) -> None:
    text = f"{BEGINS}{I2C}gpu_mem=16\n{PWM[12]}{NO_MORE}{ENDS}{OWN}"
    assert changed(tmp_path, text, "with_block 13") == f"{block(13)}gpu_mem=16\n{OWN}"


def test_lines_that_are_there_twice_are_there_once(tmp_path: Path) -> None:
    assert (
        changed(tmp_path, f"{block(12)}{OWN}{BEGINS}{I2C}{OWN}{block(18)}", "with_block") == f"{block(None)}{OWN}{OWN}"
    )


@pytest.mark.parametrize("command", ["with_block 13", "without_block"])
def test_a_file_with_windows_line_ends_keeps_them(tmp_path: Path, command: str) -> None:
    text = changed(tmp_path, f"{OWN}{block(12)}".replace("\n", "\r\n"), command)
    expected = OWN + block(13) if "13" in command else OWN
    assert text == expected.replace("\n", "\r\n")


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["as here", "as on Windows"])
def test_a_last_line_without_its_end_gets_one(tmp_path: Path, ends: str) -> None:
    text = changed(tmp_path, OWN.replace("\n", ends).removesuffix(ends), "with_block 13")
    assert text == (OWN + block(13)).replace("\n", ends)


def test_bytes_that_are_no_text_stay(tmp_path: Path) -> None:
    config = tmp_path / "config.txt"
    config.write_bytes(b"# caf\xe9 \\n %s\n")
    assert run(config, "with_block") == b"# caf\xe9 \\n %s\n" + block(None).encode()


DESCRIPTIONS = {
    "with a buzzer": ("buzzer.pin = 18\n", "18 i2c"),
    "without one": ("[display]\n", "- i2c"),
    "with another bus": ("display.bus = 'spi'\nbuzzer.pin = 18\n", "18 spi"),
    "with a byte order mark": ("\ufeff[buzzer]\r\npin = 12\r\n", "12 i2c"),
    "that is none": ("buzzer = {", "19 spi"),
    "with an impossible line": ("buzzer.pin = 7\n", "19 spi"),
    "with a wrong table": ("buzzer = 13\n", "19 spi"),
}


@pytest.mark.parametrize("place", ["luckypaw.toml", "kit.toml"])
@pytest.mark.parametrize(("text", "wired"), DESCRIPTIONS.values(), ids=DESCRIPTIONS)
def test_line_and_bus_are_those_of_the_description_or_else_the_present_ones(
    tmp_path: Path, place: str, text: str, wired: str
) -> None:
    config = tmp_path / "config.txt"
    config.write_text(OWN + block(19).replace(I2C, SPI))
    (tmp_path / "kit.toml").write_text("buzzer.pin = 13\n")
    (tmp_path / place).write_text(text, newline="")
    assert run(config, "wired").decode().strip() == wired


def test_before_there_is_a_description_the_line_is_that_of_the_kit_that_comes_along(tmp_path: Path) -> None:
    assert run(tmp_path / "config.txt", "wired") == b"13 i2c\n"
