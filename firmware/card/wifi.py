"""Wi-Fis by name and password, as NetworkManager keeps them: that of `luckypaw/wifi.txt`, and the kit's own.

`python3 -m firmware.card.wifi FILE` prints the kit's own as two lines of its profile; nothing but Python is needed.
"""

import re
import sys
import unicodedata
import uuid
from pathlib import Path
from typing import NamedTuple

from firmware import wifi_code
from firmware.boot import CURLY, UNSEEN, content, named, text, unquoted
from firmware.card.system import output_of, quietly, replace
from firmware.letters import LETTERS
from firmware.misnamed import misnamed

FILE = "wifi.txt"
PROFILES = Path("/etc/NetworkManager/system-connections")
PROFILE = "luckypaw-wifi.nmconnection"
ASKED = 5  # times: now and then nmcli leaves a password out that NetworkManager knows
COUNTRIES = Path("/usr/share/zoneinfo/iso3166.tab")  # a line each, beginning with two letters
LONG = (
    "name and password are too long for a code, so the display shows them as text; for a code they may have"
    ' 35 characters together, of which ; , : " and \\ count twice'
)
LINE = re.compile(r"\s*(name|password|country|hidden)\s*[=:]\s*(.*?)\s*", re.IGNORECASE)
ODD = UNSEEN | {"Co", "Cn"}  # nobody types these, either: private and unknown characters


class Wifi(NamedTuple):
    """A network: its name has 1 to 32 bytes, its password 8 to 63 or none; 64 digits are the key itself."""

    name: str
    password: str = ""
    country: str = ""  # two letters; without one the radio of a new card stays off
    hidden: bool = False  # it does not tell its name

    def profile(self) -> str:
        """As NetworkManager keeps it."""
        lines = [
            f"# country={self.country}",
            *("[connection]", f"id={PROFILE.partition('.')[0]}", f"uuid={uuid.uuid5(uuid.NAMESPACE_DNS, self.name)}"),
            *("type=wifi", "", "[wifi]", "mode=infrastructure", ssid(self.name)),
            *(["hidden=true"] if self.hidden else []),
            "powersave=2",  # off: a sleeping radio keeps each phone waiting, at times for a second
        ]
        if self.password:
            lines += ["", "[wifi-security]", "key-mgmt=wpa-psk", psk(self.password)]
        return "\n".join([*lines, "", "[ipv4]", "method=auto", "", "[ipv6]", "method=auto", ""])


def wifi_in(folder: Path) -> Wifi | None:
    """What `wifi.txt` of the folder says; None without one. Raises `ValueError` with a sentence for what is wrong."""
    path = named(folder / FILE)
    if path is None:
        if wrong := misnamed(folder / FILE):
            raise ValueError(wrong)
        return None
    try:
        lines = text(content(path)).splitlines()
    except UnicodeDecodeError as error:
        raise ValueError("wifi.txt is no plain text: save it as UTF-8") from error
    except ValueError as error:
        raise ValueError(f"wifi.txt: {error}") from error
    said: dict[str, str] = {}
    for line in lines:
        if not line.strip() or line.lstrip().startswith(("#", "```", "~~~")):  # the fences of a chat
            continue
        found = LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"wifi.txt: {line.strip()[:20]}: must be name = ..., password = ... or country = ...")
        what, value = found[1].lower(), unquoted(found[2])
        if value and value == found[2] and value[0] in CURLY:
            raise ValueError(f"wifi.txt: the {what} begins with {value[0]}: end it with a quote, too, or write none")
        said[what] = value
    if any(_is_unseen(char) for value in said.values() for char in value):
        raise ValueError("wifi.txt: it has characters that nobody can see: write it anew")
    if said.get("hidden", "no").lower() not in ("yes", "no"):
        raise ValueError("wifi.txt: hidden must be yes or no")
    hidden = said.get("hidden", "no").lower() == "yes"
    wifi = Wifi(said.get("name", ""), said.get("password", ""), said.get("country", "").upper(), hidden)
    if wrong := _wrong(wifi.name, wifi.password):
        raise ValueError(f"wifi.txt: {wrong}")
    if wifi.country and not _is_country(wifi.country):
        raise ValueError("wifi.txt: the country must be two letters, such as DE or GB")
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
    fields = "802-11-wireless.ssid,802-11-wireless-security.psk"
    for _ in range(ASKED):
        back = output_of("nmcli", "-e", "no", "-s", "-g", fields, "connection", "show", PROFILE.partition(".")[0])
        if back is None or [*back.split("\n"), ""][:2] == [wifi.name, wifi.password]:
            return True
    raise ValueError("wifi.txt: NetworkManager has read another name or password: write them with plain letters")


def _is_country(letters: str) -> bool:
    """By the system's list, where it has one."""
    if re.fullmatch("[A-Z]{2}", letters) is None:
        return False
    try:
        return letters in (line.partition("\t")[0] for line in COUNTRIES.read_text(encoding="utf-8").splitlines())
    except OSError:
        return True


def ssid(name: str) -> str:
    """The line of a profile with a network's name: as bytes, of which NetworkManager reads none as a separator."""
    return f"ssid={';'.join(str(byte) for byte in name.encode())};"


def psk(password: str) -> str:
    """The line of a profile with the password: GLib reads backslashes, and no blank in front."""
    text = password.replace("\\", "\\\\")
    return f"psk=\\s{text[1:]}" if text.startswith(" ") else f"psk={text}"


def _wrong(name: str, password: str) -> str:
    """What is wrong with them; empty where nothing is."""
    if not 1 <= len(name.encode()) <= 32:
        return "the name must have 1 to 32 characters"
    if odd := next((char for char in password if char in CURLY), ""):
        return f"the password has {odd}, as editors write quotes: write a straight one"
    if password and not re.fullmatch("[0-9A-Fa-f]{64}", password) and not 8 <= len(password.encode()) <= 63:
        return "the password must have 8 to 63 characters, or none"
    return ""


def _undrawn(name: str, password: str) -> str:
    """What the display cannot show of them; empty where it shows all."""
    if odd := next((char for char in name if not (char.isascii() or char in LETTERS) or _is_unseen(char)), ""):
        return f"the name has {odd!r}, which the display cannot show: write it with Latin letters"
    if odd := next((char for char in password if not " " <= char <= "~"), ""):
        return f"the password has {odd!r}: write it with letters without accents, digits and signs"
    return ""


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in ODD or (char.isspace() and char != " ")


def _own(path: Path) -> str:
    """The lines of a profile for the kit's own Wi-Fi, whose name and password stand in a file, a line each."""
    lines = text(path.read_bytes()).splitlines()
    name, password = lines if len(lines) == 2 else ("", "")
    if not (name and password):
        raise ValueError("the name and the password, a line each")
    if wrong := _wrong(name, password) or _undrawn(name, password):
        raise ValueError(wrong)
    if not wifi_code.has_room(name, password):
        print(f"{path}: {LONG}", file=sys.stderr)
    return f"{ssid(name)}\n{psk(password)}"


if __name__ == "__main__":
    try:
        print(_own(Path(sys.argv[1])))
    except (OSError, ValueError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
