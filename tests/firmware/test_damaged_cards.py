"""Whatever bytes stand on a card: its program says what is wrong in a sentence, and uses nothing that is not listed."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.boot import DESCRIPTION
from firmware.card.__main__ import Card
from firmware.card.folder import MANIFEST, CardKit, kit_of
from firmware.card.screen import CardDisplay
from firmware.people.names import read_list
from hardware import config
from hardware.config import ConfigError, load
from tests.simulators.cards import (
    DESCRIPTIONS,
    FILES,
    VERSIONS,
    WIFIS,
    damaged_card,
    files_of,
    looked_at,
    machine,
    said_in,
    sealed,
    whole,
    wrong,
)
from tests.simulators.program import run

pytestmark = pytest.mark.slow

SEEDS = [*range(40), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(40, 120))]
AGAIN = "COPY AGAIN: Copy the whole folder onto the card once more: "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a card in a machine on which nothing is installed."""
    return whole(tmp_path)


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_happened_to_the_card_something_is_said_and_only_what_is_listed_is_used(
    seed: int, tmp_path: Path
) -> None:
    folder, happened = damaged_card(tmp_path, seed)
    assert wrong(folder, looked_at(tmp_path / "card")) == "", happened


@pytest.mark.parametrize("described", DESCRIPTIONS, ids=lambda text: repr(text[:12]))
def test_what_is_wrong_is_told_beside_any_description(described: bytes, folder: Path, tmp_path: Path) -> None:
    (folder.parent / DESCRIPTION).write_bytes(described)
    (folder / MANIFEST).unlink()
    assert looked_at(tmp_path).said == f"{AGAIN}manifest is missing."


@pytest.mark.parametrize("described", DESCRIPTIONS, ids=lambda text: repr(text[:12]))
def test_a_kit_is_installed_beside_any_description(described: bytes, folder: Path, tmp_path: Path) -> None:
    (folder.parent / DESCRIPTION).write_bytes(described)
    assert wrong(folder, found := looked_at(tmp_path)) == "" and found.used is not None


@pytest.mark.parametrize("described", DESCRIPTIONS, ids=lambda text: repr(text[:12]))
def test_the_kit_itself_says_of_any_description_what_is_wrong(described: bytes, tmp_path: Path) -> None:
    (tmp_path / DESCRIPTION).write_bytes(described)
    with pytest.raises(ConfigError) as raised:
        load(tmp_path / DESCRIPTION)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", DESCRIPTIONS, ids=lambda text: repr(text[:12]))
def test_of_any_list_of_people_the_names_are_read_or_a_sentence_is_said(content: bytes) -> None:
    entries, faults = read_list(content)
    assert entries != [] or faults != [] or not content.strip()


@pytest.mark.parametrize("wifi", WIFIS, ids=lambda text: repr(text[:12]))
def test_any_wifi_is_joined_or_a_sentence_is_said(wifi: bytes, folder: Path, tmp_path: Path) -> None:
    (folder / "wifi.txt").write_bytes(wifi)
    assert wrong(folder, found := looked_at(tmp_path)) == ""
    assert found.said.startswith("NO WI-FI: wifi.txt") or "joins" in said_in(folder)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda text: repr(text[:12]))
def test_a_version_that_is_none_is_told_before_anything_is_installed(
    version: bytes, folder: Path, tmp_path: Path
) -> None:
    (folder / "wheels" / "version").write_bytes(version)
    sealed(folder)
    found = looked_at(tmp_path)
    assert (found.used, found.said) == (None, f"{AGAIN}version is damaged.")


def test_of_too_many_lamps_each_line_is_lit_once(tmp_path: Path) -> None:
    lamps = [2 + n % 26 for n in range(70)]
    (tmp_path / DESCRIPTION).write_text("".join(f"[[players]]\nlamp = {lamp}\n" for lamp in lamps))
    assert kit_of(tmp_path, tmp_path).lamps == tuple(range(2, 28))


def test_the_limits_of_a_description_are_those_of_the_kit() -> None:
    from firmware import boot
    from firmware.card import folder

    assert (boot.MAX_BYTES, folder.MAX_DOTS) == (config.MAX_BYTES, config.MAX_DOTS)


def test_a_description_that_a_damaged_fat_calls_4_gb_long_is_not_read(tmp_path: Path) -> None:
    (tmp_path / DESCRIPTION).touch()
    os.truncate(tmp_path / DESCRIPTION, 4 << 30)
    assert kit_of(tmp_path, tmp_path) == CardKit(CardDisplay())


def test_a_fault_of_the_program_itself_is_told_and_the_version_before_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "opt/luckypaw/current/whole").mkdir(parents=True)
    commands: list[tuple[str, ...]] = []

    def fails(source: Path) -> None:
        raise ZeroDivisionError("of the program")

    with machine(fails) as shown, monkeypatch.context() as noted:
        noted.setattr("firmware.card.__main__.quietly", lambda *command: commands.append(command))
        status = Card(folder.parent, tmp_path / "opt/luckypaw", tmp_path / "dev").look()
    assert (status, shown[-1].partition(":")[0], commands[-1]) == (
        1,
        "NOT INSTALLED",
        ("systemctl", "start", "luckypaw.service"),
    )
    assert "ZeroDivisionError: of the program" in said_in(folder)


@pytest.mark.parametrize("broken", ["Card._report", "Card._take_display", "Screen.show", "blink"])
def test_what_cannot_be_said_one_way_is_said_the_others(
    broken: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / MANIFEST).unlink()
    said: list[str] = []

    def means(name: str) -> Callable[..., None]:
        def say(*what: object, **more: object) -> None:
            if name == broken:
                raise RuntimeError(name)
            said.append(name)

        return say

    with machine(lambda source: None), monkeypatch.context() as noted:
        for name in ("Card._report", "Card._take_display", "Screen.show", "blink"):
            noted.setattr(f"firmware.card.__main__.{name}", means(name))
        status = Card(folder.parent, tmp_path / "opt/luckypaw", tmp_path / "dev").look()
    assert (status, len(said), broken in said) == (1, 3, False)


# --- the copy --------------------------------------------------------------------------------------------------------


def test_what_changes_after_it_was_copied_does_not_count(folder: Path, tmp_path: Path) -> None:
    listed = {name: sum_ for name, sum_ in files_of(folder).items() if name != MANIFEST}

    def install(source: Path) -> None:
        for name in FILES:
            (folder / name).write_bytes(b"later\n")
        assert files_of(source) == listed

    (tmp_path / "dev").mkdir()
    with machine(install):
        status = Card(folder.parent, tmp_path / "opt/luckypaw", tmp_path / "dev").look()
    program = files_of(tmp_path / "opt/luckypaw/program")
    assert (status, {name: listed[name] for name in program}) == (0, program)


def test_what_is_not_listed_is_not_copied(folder: Path, tmp_path: Path) -> None:
    for name in ("unlisted.py", "firmware/unlisted.py", "wheels/unlisted-1.0-py3-none-any.whl", "systemd/unlisted"):
        (folder / name).write_bytes(b"open('ran', 'w')\n")
    assert sorted(looked_at(tmp_path).used or {}) == sorted(FILES)


def link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def empty_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("kind", [link, pipe, empty_folder])
@pytest.mark.parametrize("name", ["wheels/version", MANIFEST])
def test_what_is_no_file_is_not_read(kind: Callable[[Path], None], name: str, folder: Path, tmp_path: Path) -> None:
    kind(folder / name)
    found = looked_at(tmp_path)
    assert (found.used, found.said) == (None, f"{AGAIN}{name.rpartition('/')[2]} is no file.")


def test_what_lies_in_a_linked_folder_is_not_read(folder: Path, tmp_path: Path) -> None:
    link(folder / "firmware")
    assert looked_at(tmp_path).said == f"{AGAIN}--init--.py is no file."


@pytest.mark.parametrize("name", ["incoming", "program.new", "program.old", ".card.new"])
def test_links_where_it_writes_are_not_followed(name: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "kept").write_text("kept")
    (tmp_path / "opt/luckypaw").mkdir(parents=True)
    to = tmp_path / "elsewhere" / ("kept" if name == ".card.new" else "")
    (tmp_path / "opt/luckypaw" / name).symlink_to(to)
    assert looked_at(tmp_path).used is not None
    assert {path.name: path.read_text() for path in (tmp_path / "elsewhere").iterdir()} == {"kept": "kept"}


@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.nightly)])  # changes
def test_cut_off_before_any_of_its_changes_it_is_all_done_by_the_next_start(every: int, tmp_path: Path) -> None:
    done = run("-m", "tests.simulators.card_cuts", tmp_path, str(every))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["wrong"], found["ended"], found["changes"] > 90) == ([], 0, True)
