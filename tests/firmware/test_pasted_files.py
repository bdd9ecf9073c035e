"""Files that people copy from a page, a chat or a word processor are read as they were meant, all of them alike."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware import boot
from firmware.card.wifi import Wifi, wifi_in
from firmware.people.names import Listed, read_list
from hardware import config
from tests.firmware.command import Ran

CHANGES: dict[str, Callable[[str], str]] = {
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "thin spaces": lambda text: text.replace(" ", "\u202f"),
    "signs without width": lambda text: text.replace("\n", "\n\u200b") + "\ufeff",
    "fences": lambda text: f"```toml\n{text}```\n",
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
}
KIT = (config.KITS / "duo.toml").read_text(encoding="utf-8") + '\n[panel]\nnetwork = "lan"\n'


@pytest.fixture(params=CHANGES.values(), ids=list(CHANGES))
def pasted(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        file = tmp_path / name
        file.write_bytes(request.param(text).encode())
        return file

    return write


Pasted = Callable[[str, str], Path]


def test_a_score_sheet(pasted: Pasted, tmp_path: Path) -> None:
    text = 'title = "Garden"\nplayers = [2, 2]\nrounds = 1\nask = [{ id = "a" }]\npoints = "a"\n'
    done = Ran(("game", "check", pasted("garden.toml", text)), tmp_path)
    assert (done.status, done.out.splitlines()[-1]) == (0, "All right.")


def test_the_description_of_a_kit(pasted: Pasted, tmp_path: Path) -> None:
    file = pasted("kit.toml", KIT)
    assert Ran(("config", "check", file), tmp_path).status == 0
    assert boot.network(tmp_path / "none", file) == "lan"


def test_the_wifi(pasted: Pasted, tmp_path: Path) -> None:
    pasted("wifi.txt", "name = home\npassword = s3cretyes\ncountry = DE\n")
    assert wifi_in(tmp_path) == Wifi("home", "s3cretyes", "DE")


def test_a_space_in_the_name_of_a_wifi_that_is_no_plain_one_is_named(tmp_path: Path) -> None:
    """Nobody knows whether it is part of the name."""
    (tmp_path / "wifi.txt").write_text("name = My\u00a0home\npassword = s3cretyes\n", encoding="utf-8")
    with pytest.raises(ValueError, match="characters that nobody can see: write it anew"):
        wifi_in(tmp_path)


def test_the_people(pasted: Pasted) -> None:
    people = [Listed("Anna B", ""), Listed("Юлия", "Julia")]
    assert read_list(pasted("people.txt", "Anna B\nЮлия = Julia\n").read_bytes()) == (people, [])
