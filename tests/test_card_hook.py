"""`systemd/card`, which cloud-init runs as root at each start, on a root of its own: nothing of the folder runs unseen.

On a whole machine, started by cloud-init: tests/test_card.py.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.card.folder import MANIFEST, UNIT
from scripts.generators.card import copy_parts
from tests.simulators.cards import FILES, HOOK, Outcome, damaged_card, files_of, hooked, sealed, whole, wrong

AGAIN = "COPY AGAIN: Copy the whole folder onto the card once more: "
PROGRAM = sorted(name for name in FILES if name.startswith(("firmware/", "hardware/")) or name == f"systemd/{UNIT}")
SEEDS = range(20)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine with a whole folder on its card, its board's lamp, and nothing else of ours."""
    whole(tmp_path)
    lamp = tmp_path / "sys" / "class" / "leds" / "ACT"
    lamp.mkdir(parents=True)
    (lamp / "trigger").write_text("[mmc0]\n")
    return tmp_path


@pytest.fixture
def folder(root: Path) -> Path:
    return root / "boot" / "firmware" / "luckypaw"


def lamp(root: Path) -> str:
    return (root / "sys/class/leds/ACT/trigger").read_text().strip()


def shim(root: Path, name: str, does: str) -> None:
    """Put a line of shell before a command of the system's."""
    (root / "shims").mkdir(exist_ok=True)
    (root / "shims" / name).write_text(f'#!/bin/sh\n{does}\nexec {shutil.which(name)} "$@"\n')
    (root / "shims" / name).chmod(0o755)


def everything(root: Path) -> dict[str, str]:
    """What lies on the machine, but for what the tests need."""
    return {name: sum_ for name, sum_ in files_of(root).items() if not name.startswith("shims/")}


def test_of_a_whole_folder_the_program_and_its_unit_are_placed_and_nothing_else(root: Path) -> None:
    found = hooked(root)
    assert (sorted(found.used or {}), found.said, lamp(root)) == (PROGRAM, "", "[mmc0]")


def test_all_of_the_program_begins_with_what_is_on_the_card_and_python_alone(tmp_path: Path) -> None:
    copy_parts(tmp_path)
    modules = [f"firmware.card.{path.stem}" for path in (tmp_path / "firmware/card").glob("*.py")]
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {', '.join(modules)}"
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)


def test_what_is_placed_may_be_read_by_all_and_run_by_none(root: Path) -> None:
    hooked(root)
    modes = {path.stat().st_mode & 0o777 for path in (root / "opt/luckypaw/program").rglob("*") if path.is_file()}
    assert modes == {0o644}


def test_of_what_scripts_install_has_copied_only_scripts_may_be_run(folder: Path, tmp_path: Path) -> None:
    subprocess.run(["sh", HOOK, "copy", folder, tmp_path / "copy"], check=True)
    copies = {path: path.stat().st_mode & 0o777 for path in (tmp_path / "copy").rglob("*") if path.is_file()}
    assert len(copies) == len(FILES)
    assert copies == {path: 0o755 if path.read_bytes()[:2] == b"#!" else 0o644 for path in copies}


def test_once_it_is_there_nothing_on_the_card_matters(root: Path, folder: Path) -> None:
    hooked(root)
    before = everything(root / "opt")
    shutil.rmtree(folder)
    assert (hooked(root).said, everything(root / "opt")) == ("", before)


def test_what_was_uninstalled_does_not_come_back(root: Path, folder: Path) -> None:
    (folder.parent / "vendor-data").unlink()
    assert hooked(root) == Outcome(None, "")


def test_an_old_card_runs_it_from_its_folder(root: Path, folder: Path) -> None:
    """What 0.1.0 has written for cloud-init, which remembers it: `exec sh /boot/firmware/luckypaw/systemd/card`."""
    (folder.parent / "vendor-data").write_text("#cloud-boothook\n#!/bin/sh\n# Lucky Paw: cloud-init runs this\n")
    (folder / "systemd" / "card").write_bytes(HOOK.read_bytes())
    sealed(folder)
    assert sorted(hooked(root, folder / "systemd" / "card").used or {}) == PROGRAM


# --- a folder that is not whole --------------------------------------------------------------------------------------


def damaged_program(folder: Path) -> None:
    (folder / "firmware/card/__main__.py").write_bytes(b"open('ran', 'w')\n")


def cut_program(folder: Path) -> None:
    (folder / "hardware/parts/buzzer/pwm.py").write_bytes(b"")


def missing_program(folder: Path) -> None:
    (folder / "firmware/card/__main__.py").unlink()


def unlisted_program(folder: Path) -> None:
    sealed(folder, [name for name in FILES if name != "firmware/card/__main__.py"])


def unlisted_unit(folder: Path) -> None:
    sealed(folder, [name for name in FILES if not name.endswith(UNIT)])


def no_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def manifest_cut_to_a_line(folder: Path) -> None:
    lines = (folder / MANIFEST).read_text().splitlines(keepends=True)
    (folder / MANIFEST).write_text(next(line for line in lines if "__main__" in line))


def manifest_without_its_last_line(folder: Path) -> None:
    sealed(folder, last="")


def link_elsewhere(folder: Path) -> None:
    path = folder / "firmware" / "card" / "__main__.py"
    path.rename(folder.parent / "elsewhere.py")
    path.symlink_to(folder.parent / "elsewhere.py")


def linked_folder(folder: Path) -> None:
    (folder / "firmware").rename(folder.parent / "elsewhere")
    (folder / "firmware").symlink_to(folder.parent / "elsewhere")


def pipe(folder: Path) -> None:
    (folder / "hardware" / "__init__.py").unlink()
    os.mkfifo(folder / "hardware" / "__init__.py")


def no_folder(folder: Path) -> None:
    shutil.rmtree(folder)


FAULTS: dict[Callable[[Path], None], str] = {
    damaged_program: "firmware/card/__main__.py is damaged",
    cut_program: "hardware/parts/buzzer/pwm.py is damaged",
    missing_program: "firmware/card/__main__.py is missing",
    unlisted_program: "firmware/card/__main__.py is missing",
    unlisted_unit: f"systemd/{UNIT} is missing",
    no_manifest: "manifest is missing",
    manifest_cut_to_a_line: "manifest is not whole",
    manifest_without_its_last_line: "manifest is not whole",
    link_elsewhere: "firmware/card/__main__.py is missing",
    linked_folder: "firmware/__init__.py is missing",
    pipe: "hardware/__init__.py is missing",
    no_folder: "manifest is missing",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_of_a_damaged_folder_nothing_runs_and_report_and_lamp_say_so(
    fault: Callable[[Path], None], root: Path, folder: Path
) -> None:
    fault(folder)
    found = hooked(root)
    assert (found.used, found.ran, lamp(root)) == (None, False, "timer")
    assert (folder / "report.txt").read_text() == f"{AGAIN}{FAULTS[fault]}.\n"
    assert list((root / "opt" / "luckypaw").glob("*")) == []


def test_copied_again_it_is_placed_at_the_next_start(root: Path, folder: Path) -> None:
    no_manifest(folder)
    told = hooked(root)
    whole(root)
    assert (told.used, sorted(hooked(root).used or {})) == (None, PROGRAM)


def test_damage_in_what_runs_later_is_left_to_the_program(root: Path, folder: Path) -> None:
    next((folder / "wheels").glob("pillow*")).unlink()
    assert sorted(hooked(root).used or {}) == PROGRAM


def test_a_file_that_changes_while_it_is_looked_at_is_placed_as_it_was_compared(root: Path, folder: Path) -> None:
    file = "firmware/card/__main__.py"
    shim(root, "sha256sum", f"[ ! -e {root}/opt/luckypaw/program.new/{file} ] || echo later >>{folder}/{file}")
    found = hooked(root)
    assert (sorted(found.used or {}), wrong(folder, found)) == (PROGRAM, "")


def test_a_full_card_is_told(root: Path, folder: Path) -> None:
    shim(root, "head", "case $* in *__main__*) echo head: No space left on device >&2; exit 1 ;; esac")
    assert hooked(root).used is None
    assert (folder / "report.txt").read_text() == (
        "CARD FAILS: firmware/card/__main__.py cannot be copied. head: No space left on device\n"
    )


def test_where_the_report_cannot_be_written_the_lamp_says_it(root: Path, folder: Path) -> None:
    no_manifest(folder)
    (folder / "report.txt").mkdir()
    assert (hooked(root).used, lamp(root)) == (None, "timer")


def test_links_where_it_writes_are_not_followed(root: Path) -> None:
    (root / "elsewhere").mkdir()
    (root / "elsewhere" / "kept").touch()
    (root / "opt" / "luckypaw").mkdir(parents=True)
    for name in ("program.new", "program"):
        (root / "opt" / "luckypaw" / name).symlink_to(root / "elsewhere")
    assert sorted(hooked(root).used or {}) == PROGRAM
    assert [path.name for path in (root / "elsewhere").iterdir()] == ["kept"]


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_happened_to_the_card_only_what_is_listed_is_placed(seed: int, tmp_path: Path) -> None:
    folder, happened = damaged_card(tmp_path, seed)
    assert wrong(folder, hooked(tmp_path / "card")) == "", happened


# --- cut off -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_of_a_text_that_was_cut_off_nothing_is_done(root: Path) -> None:
    text = HOOK.read_bytes().rstrip()
    before = everything(root)
    dice = random.Random(1)
    cuts = {*dice.sample(range(len(text)), 40), *range(len(text) - 60, len(text), 3)}
    for at in sorted(cuts):
        (root / "shims").mkdir(exist_ok=True)
        (root / "shims" / "cut").write_bytes(text[:at])
        hooked(root, root / "shims" / "cut")
        assert everything(root) == before, text[:at][-40:]


def cut_off(root: Path, before: int) -> int:
    """Let the hook do fewer than so many of its commands; how many it has come to."""
    (root / "count").write_text("")
    (root / "cut").write_text(str(before))
    subprocess.run(
        ["sh", HOOK, root],
        env={"PATH": f"{root}/shims:/usr/bin:/bin"},
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    (root / "cut").write_text("1000000")
    return (root / "count").read_text().count("\n")


@pytest.mark.slow
@pytest.mark.parametrize("every", [27, pytest.param(9, marks=pytest.mark.nightly)])  # commands
def test_cut_off_before_any_of_its_commands_it_is_done_by_the_next_start(every: int, root: Path) -> None:
    hooked(root)
    for name in ("rm", "mkdir", "head", "sha256sum", "mv", "ln", "realpath", "grep", "awk", "dirname", "tr"):
        shim(root, name, f'echo >>{root}/count; [ "$(wc -l <{root}/count)" -lt "$(cat {root}/cut)" ] || kill -KILL 0')

    def fresh() -> None:
        shutil.rmtree(root / "opt", ignore_errors=True)
        shutil.rmtree(root / "etc", ignore_errors=True)

    fresh()
    many = cut_off(root, 1_000_000)
    assert many > 40
    for before in (*range(1, many - 8, every), *range(many - 8, many + 1)):  # the last ones put it in its place
        fresh()
        assert cut_off(root, before) == before
        found = hooked(root)
        assert (sorted(found.used or {}), found.said) == (PROGRAM, ""), before


def test_cut_off_between_two_programs_of_the_card_the_one_before_goes_on(root: Path, folder: Path) -> None:
    hooked(root)
    before = everything(root / "opt" / "luckypaw" / "program")
    (root / "opt" / "luckypaw" / "program").rename(root / "opt" / "luckypaw" / "program.old")
    no_manifest(folder)
    assert (hooked(root).said, everything(root / "opt" / "luckypaw" / "program")) == ("", before)
