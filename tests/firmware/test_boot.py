"""What people write on the card: read the same by the kit and by what runs before it, whatever the editor."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from firmware import boot
from firmware.boot import network, unquoted
from firmware.cli import play
from firmware.misnamed import misnamed
from firmware.setup.chosen_kit import ALONE
from hardware.config import TABLE, ConfigError, load

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = (
    "players = [{ name = 'P1', button = 5 }, { name = 'P2', button = 6 }]\ncontrol = { a = 17, b = 27, push = 24 }\n"
)
WAYS = {
    "double quotes": '[panel]\nnetwork = "hotspot"\n',
    "single quotes": "[panel]\nnetwork = 'hotspot'\n",
    "three quotes": '[panel]\nnetwork = """hotspot"""\n',
    "a dotted key": "panel.network = 'hotspot'\n",
    "a dotted key with blanks and quotes": "\"panel\" . 'network' = 'hotspot'\n",
    "an inline table": "panel = { port = 8642, network = 'hotspot' }\n",
    "a comment behind it": "[panel]\nnetwork = 'hotspot' # or \"lan\"\n",
    "another line in a comment": "[panel]\n# network = \"lan\"\n  network='hotspot'\n",
    "the same words in a text": "[build]\ntitle = 'x'\nboard = 'pi-5'\nbutton = 'dome-45'\n[panel]\nnetwork = 'lan'\n",
    "escaped characters": '[panel]\nnetwork = "hots\\u0070ot"\n',
    "another table behind it": "[panel]\nnetwork = 'hotspot'\n[strip]\nleds = 30\n",
    "a byte order mark": "\ufeffpanel.network = 'hotspot'\n",
    "ends of lines of Windows": "[panel]\r\nnetwork = 'hotspot'\r\n",
    "lan": "[panel]\nnetwork = 'lan'\n",
    "off": "[panel]\nnetwork = 'off'\n",
    "a table without it": "[panel]\nport = 8642\n",
    "no table": "",
}


def described(folder: Path, text: str, name: str = "luckypaw.toml") -> Path:
    """A description with this in it."""
    path = folder / name
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    path.write_bytes(f"{mark}{PLAYERS}{text.removeprefix(mark)}".encode())
    return path


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_the_network_is_read_as_the_kit_reads_it(text: str, tmp_path: Path) -> None:
    panel = load(described(tmp_path, text)).panel
    assert network(tmp_path, tmp_path / "none") == ("off" if panel is None else panel.network)


def test_of_several_descriptions_the_one_that_the_kit_takes_counts(tmp_path: Path) -> None:
    installed = described(tmp_path, "panel.network = 'lan'\n", "kit.toml")
    assert network(tmp_path, installed) == "lan"
    described(tmp_path, "", "luckypaw.toml.txt")
    assert network(tmp_path, installed) == "off"
    described(tmp_path, "panel.network = 'hotspot'\n")
    assert network(tmp_path, installed) == "hotspot"


@pytest.mark.parametrize(
    "text", ["panel.network = 'wifi'", "panel.network = 3", "panel = 3", "panel.network = \u201clan\u201d"]
)
def test_what_the_kit_refuses_is_no_network(text: str, tmp_path: Path) -> None:
    path = described(tmp_path, f"{text}\n")
    with pytest.raises(ConfigError):
        load(path)
    with pytest.raises(ValueError, match=r"luckypaw\.toml: "):
        network(tmp_path, tmp_path / "none")


def test_random_descriptions_are_read_the_same(tmp_path: Path) -> None:
    dice, seen = Random("descriptions"), set[str]()
    for _ in range(300):
        text = "".join(dice.choice((*WAYS.values(), "\n", "# network = 'lan'\n")) for _ in range(dice.randint(1, 2)))
        path = described(tmp_path, text)
        try:
            wanted = "off" if (panel := load(path).panel) is None else panel.network
        except ConfigError:  # some of them cannot stand together
            continue
        seen.add(wanted)
        assert network(tmp_path, tmp_path / "none") == wanted, text
    assert seen == set(boot.NETWORKS)


def test_nothing_but_python_is_needed(tmp_path: Path) -> None:
    """As `systemd/phones` asks before anything is installed."""
    run = subprocess.run(
        [sys.executable, "-S", "-P", "-B", "-m", "firmware.boot", "network"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() in boot.NETWORKS


QUOTED = {
    '"home"': "home",
    "'home'": "home",
    "\u201chome\u201d": "home",  # English
    "\u201ehome\u201c": "home",  # German
    "\u201ehome\u201d": "home",  # Polish, Dutch
    "\u201dhome\u201d": "home",  # Swedish
    "\u2018home\u2019": "home",
    "\u201ahome\u2018": "home",
    "\u00abhome\u00bb": "home",  # French
    "\u00bbhome\u00ab": "home",  # Danish
    "\u2039home\u203a": "home",
    "Jim\u2019s iPhone": "Jim\u2019s iPhone",  # as an iPhone is called
    '"': '"',
    '""': '""',
    'home"': 'home"',
    '"a" and "b"': '"a" and "b"',
    "\u201chome\u2019": "\u201chome\u2019",
}


@pytest.mark.parametrize(("value", "bare"), QUOTED.items(), ids=QUOTED)
def test_quotes_are_taken_off_in_pairs(value: str, bare: str) -> None:
    assert unquoted(value) == bare


@pytest.mark.parametrize(
    ("made", "why"),
    [
        pytest.param(os.mkfifo, "it is no file", id="a pipe that nobody fills"),
        pytest.param(os.mkdir, "Is a directory", id="a folder"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), "it is no file", id="a device without an end"),
    ],
)
def test_only_a_file_is_opened(tmp_path: Path, made: Callable[[Path], None], why: str) -> None:
    made(tmp_path / "luckypaw.toml")
    with pytest.raises(OSError, match=why):
        boot.open_file(tmp_path / "luckypaw.toml")


def test_a_pipe_in_the_place_of_the_description_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "luckypaw.toml")
    with pytest.raises(ValueError, match="it is no file"):
        network(tmp_path, tmp_path / "none")


def toml(name: str) -> str:
    return f"{name} is not read: rename it to luckypaw.toml"


# of each file that people put on the card: names that editors, browsers and systems give it, and what is said
MISNAMED = {
    "luckypaw/wifi.txt": {
        "luckypaw/wifi.rtf": "wifi.rtf is not read: save it as plain text, wifi.txt",
        "luckypaw/wifi.txt.rtf": "wifi.txt.rtf is not read: save it as plain text, wifi.txt",
        "luckypaw/wifi.txt.rtfd/TXT.rtf": "wifi.txt.rtfd is not read: save it as plain text, wifi.txt",
        "luckypaw/wifi.docx": "wifi.docx is not read: save it as plain text, wifi.txt",
        "luckypaw/wifi.txt/wifi": "wifi.txt is not read: save it as plain text, wifi.txt",
        "luckypaw/wifi (1).txt": "wifi (1).txt is not read: rename it to wifi.txt",
        "luckypaw/wifi - Copy.txt": "wifi - Copy.txt is not read: rename it to wifi.txt",
        "luckypaw/wifi - Kopie (2).txt": "wifi - Kopie (2).txt is not read: rename it to wifi.txt",
        "luckypaw/wifi copy.txt": "wifi copy.txt is not read: rename it to wifi.txt",
        "luckypaw/wifi (copia).txt": "wifi (copia).txt is not read: rename it to wifi.txt",
        "luckypaw/wifi.txt (1).txt": "wifi.txt (1).txt is not read: rename it to wifi.txt",
        "luckypaw/WiFi.TXT": "WiFi.TXT is not read: rename it to wifi.txt",  # on FAT it is read
        "luckypaw/wifi.toml": "wifi.toml is not read: rename it to wifi.txt",
        "wifi.txt": "wifi.txt is not read: move it into the folder luckypaw",
        "wifi.txt.txt": "wifi.txt.txt is not read: move it into the folder luckypaw",
        "wifi (1).txt": "wifi (1).txt is not read: rename it to wifi.txt",
        "wifi.rtf": "wifi.rtf is not read: save it as plain text, wifi.txt",
        # read, and somebody else's
        "luckypaw/wifi": "",
        "luckypaw/wifi.txt.txt": "",
        "luckypaw/._wifi.txt": "",
        "luckypaw/wifi_code.py": "",
        "luckypaw/wifi-password-of-the-neighbours.txt": "",
    },
    "luckypaw/people.txt": {
        "luckypaw/people.docx": "people.docx is not read: save it as plain text, people.txt",
        "luckypaw/people (2).txt": "people (2).txt is not read: rename it to people.txt",
        "people.txt": "people.txt is not read: move it into the folder luckypaw",
        "luckypaw/people": "",
    },
    "luckypaw.toml": {
        "luckypaw.toml.rtf": "luckypaw.toml.rtf is not read: save it as plain text, luckypaw.toml",
        "luckypaw (1).toml": toml("luckypaw (1).toml"),
        "luckypaw.txt": toml("luckypaw.txt"),
        "luckypaw/luckypaw.toml": "luckypaw.toml is not read: move it out of the folder luckypaw",
        "luckypaw.toml.txt": "",
        "luckypaw/kit.toml": "",
        "luckypaw 0.9.zip": "",
    },
}


@pytest.mark.parametrize(
    ("wanted", "name", "said"),
    [
        pytest.param(wanted, name, said, id=f"{wanted} as {name}")
        for wanted, each in MISNAMED.items()
        for name, said in each.items()
    ],
)
def test_a_file_of_nearly_the_right_name_is_told(wanted: str, name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "luckypaw").mkdir()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("")
    assert misnamed(tmp_path / wanted) == said


@pytest.mark.parametrize("wanted", MISNAMED)
def test_beside_the_right_one_other_names_are_no_matter(wanted: str, tmp_path: Path) -> None:
    path = tmp_path / wanted
    path.parent.mkdir(exist_ok=True)
    for each in (path, path.with_name(f"{path.stem} (1){path.suffix}"), path.with_name(f"{path.name}.rtf")):
        each.write_text("")
    assert misnamed(path) == ""


@pytest.mark.parametrize("name", ["luckypaw 2", "luckypaw (1)", "luckypaw - Copy", "luckypaw-0.2.0"])
def test_another_folder_of_the_kit_is_no_description(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert misnamed(tmp_path / "luckypaw.toml") == ""


@pytest.mark.parametrize("wanted", MISNAMED)
def test_without_a_card_nothing_is_told(wanted: str, tmp_path: Path) -> None:
    assert misnamed(tmp_path / "none" / wanted) == ""


def test_the_kit_tells_it_of_people_and_of_its_description(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "luckypaw").mkdir()
    for name in ("luckypaw/people.rtf", "luckypaw (1).toml"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(play, "BOOT_PEOPLE", tmp_path / "luckypaw" / "people.txt")
    monkeypatch.setattr(play, "BOOT_CONFIG", tmp_path / "luckypaw.toml")
    reports, told = play.Reports(), dict[str, str | None]()
    app, _ = play.app_of(TABLE, tmp_path / "state", reports, emulated=True, choosing=ALONE, again=lambda kit: None)
    reports.listen(told.__setitem__)
    app.close()
    assert {"people.txt", "luckypaw.toml"} <= told.keys()


@pytest.mark.parametrize("written", [b"{\\rtf1 name = home}", "name = home".encode("utf-16-le"), b"name = \xff"])
def test_what_is_no_plain_text_is_none(written: bytes) -> None:
    with pytest.raises(UnicodeDecodeError):
        boot.text(written)
