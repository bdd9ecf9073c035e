"""The Wi-Fi of `wifi.txt`, as the real NetworkManager reads the profile that is written for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.card.wifi import PROFILE, PROFILES, Wifi, join
from tests.appliance.machine import MACHINE, machine

ODD = {
    "plain": ("home", "password 1"),
    "no password": ("home", ""),
    "separators": ("a;b,c:d=e", "p;a,s:s=w#rd;"),
    "numbers, as names are written": ("65;66;", "12345678"),
    "a section and a comment": ("[wifi]", "#password"),
    "quotes": ("\"home\" 'home'", '"password"'),
    "backslashes": ("\\s\\n\\", "\\sback\\slash\\"),
    "blanks at both ends": (" home ", "  password  "),
    "one blank": (" ", "        "),
    "letters of all kinds": ("Café 猫 🐾", "pässwörd"),
    "as many bytes as there may be": ("🐾" * 8, "x" * 63),
    "a key": ("home", "0aF9" * 16),
}


@pytest.fixture
def profiles(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the machine's NetworkManager, which is asked in place of this one's."""
    monkeypatch.setattr("firmware.card.wifi.quietly", machine)
    monkeypatch.setattr("firmware.card.wifi.output_of", lambda *command: machine(*command).stdout)
    folder = MACHINE / PROFILES.relative_to("/")
    yield folder
    (folder / PROFILE).unlink()
    machine("nmcli", "connection", "reload")


@pytest.mark.parametrize(("name", "password"), ODD.values(), ids=ODD)
def test_networkmanager_reads_name_and_password_as_they_are_meant(name: str, password: str, profiles: Path) -> None:
    assert join(Wifi(name, password), profiles)


def test_it_is_noticed_what_networkmanager_reads_otherwise(profiles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.card.wifi.psk", lambda password: f"psk={password}")
    with pytest.raises(ValueError, match="NetworkManager has read another"):
        join(Wifi("home", " password"), profiles)
