"""`luckypaw/wifi.txt`: a Wi-Fi by its name and password, for a card that was written without one."""

import re
import uuid
from pathlib import Path
from typing import NamedTuple

from firmware.boot import content, named, text
from firmware.card.system import quietly, replace

FILE = "wifi.txt"
PROFILES = Path("/etc/NetworkManager/system-connections")
PROFILE = "luckypaw-wifi.nmconnection"
COUNTRIES = Path("/usr/share/zoneinfo/iso3166.tab")  # a line each, beginning with two letters
LINE = re.compile(r"\s*(name|password|country)\s*[=:]\s*(.*?)\s*", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Wifi(NamedTuple):
    """A network: its name has 1 to 32 bytes, its password 8 to 63 or none; 64 digits are the key itself."""

    name: str
    password: str = ""
    country: str = ""  # two letters; without one the radio of a new card stays off

    def profile(self) -> str:
        """As NetworkManager keeps it."""
        lines = [
            f"# country={self.country}",
            *("[connection]", f"id={PROFILE.partition('.')[0]}", f"uuid={uuid.uuid5(uuid.NAMESPACE_DNS, self.name)}"),
            *("type=wifi", "", "[wifi]", "mode=infrastructure"),
            f"ssid={';'.join(str(byte) for byte in self.name.encode())};",
        ]
        if self.password:
            lines += ["", "[wifi-security]", "key-mgmt=wpa-psk", f"psk={_escaped(self.password)}"]
        return "\n".join([*lines, "", "[ipv4]", "method=auto", "", "[ipv6]", "method=auto", ""])


def wifi_in(folder: Path) -> Wifi | None:
    """What `wifi.txt` of the folder says; None without one. Raises `ValueError` with a sentence for what is wrong."""
    path = named(folder / FILE)
    if path is None:
        return None
    try:
        lines = text(content(path)).splitlines()
    except UnicodeDecodeError as error:
        raise ValueError("wifi.txt is no plain text: save it as UTF-8") from error
    except ValueError as error:
        raise ValueError(f"wifi.txt: {error}") from error
    said: dict[str, str] = {}
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"wifi.txt: {line.strip()[:20]}: lines are name = ..., password = ..., country = ...")
        value = found[2]
        said[found[1].lower()] = value[1:-1] if re.fullmatch(r"\"[^\"]+\"|'[^']+'", value) else value
    if any(CONTROL.search(value) for value in said.values()):
        raise ValueError("wifi.txt has characters that nobody can see: write it anew")
    wifi = Wifi(said.get("name", ""), said.get("password", ""), said.get("country", "").upper())
    if not 1 <= len(wifi.name.encode()) <= 32:
        raise ValueError("wifi.txt: the name has 1 to 32 characters")
    key = re.fullmatch("[0-9A-Fa-f]{64}", wifi.password)
    if wifi.password and not key and not 8 <= len(wifi.password.encode()) <= 63:
        raise ValueError("wifi.txt: the password has 8 to 63 characters, or none")
    if wifi.country and not _is_country(wifi.country):
        raise ValueError("wifi.txt: the country has two letters, such as DE or GB")
    return wifi


def join(wifi: Wifi, profiles: Path = PROFILES) -> bool:
    """Let NetworkManager join the network, from now on; whether that is new. Raises `OSError`.

    The profile comes last: while it is not there, all is said again at the next start.
    """
    path = profiles / PROFILE
    text = wifi.profile()
    if path.exists() and path.read_bytes() == text.encode():
        return False
    if wifi.country:
        quietly("raspi-config", "nonint", "do_wifi_country", wifi.country)
    quietly("rfkill", "unblock", "wifi")
    quietly("systemctl", "start", "NetworkManager.service")
    quietly("nmcli", "radio", "wifi", "on")  # a new image has it off, whatever rfkill says
    profiles.mkdir(parents=True, exist_ok=True)
    replace(path, text, 0o600)
    quietly("nmcli", "connection", "reload")
    return True


def _is_country(letters: str) -> bool:
    """By the system's list, where it has one."""
    if re.fullmatch("[A-Z]{2}", letters) is None:
        return False
    try:
        return letters in (line.partition("\t")[0] for line in COUNTRIES.read_text(encoding="utf-8").splitlines())
    except OSError:
        return True


def _escaped(password: str) -> str:
    """As a value of a key file: GLib reads backslashes, and no blank in front."""
    text = password.replace("\\", "\\\\")
    return "\\s" + text[1:] if text.startswith(" ") else text
