"""The documents of all kits: every picture that a page shows is made, and what is stale is found."""

import re
import shutil
import subprocess
import sys
from functools import cache
from os.path import normpath
from pathlib import Path

import pytest
from msgspec import structs

from hardware.building.bill import bill, printed_g, together_eur
from hardware.building.documents import FOLDER, INDEX, another_graphviz, documents, of_kit, stale
from hardware.config import ConfigError, StripConfig, kit, kits
from hardware.layout import layout

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is missing: apt-get install graphviz")

made = cache(documents)


def page(name: str) -> str:
    return made()[f"{FOLDER}/{name}.md"].decode()


def linked(page: str) -> list[str]:
    """What a page of the folder leads to, by its path in the project."""
    return [normpath(f"{FOLDER}/{link}") for link in re.findall(r"\]\(([^)]+)\)", page)]


@pytest.mark.parametrize("name", ["README", *kits()])
def test_what_a_page_leads_to_is_there(name: str) -> None:
    by_hand = {"docs/build.md", "docs/hacking.md#another-display"}
    assert [path for path in linked(page(name)) if path not in made() and path not in by_hand] == []


def test_every_kit_is_in_the_table_of_kits() -> None:
    assert [path for path in linked(page("README")) if path in made()] == [f"{FOLDER}/{name}.md" for name in kits()]


def numbers(name: str) -> tuple[str, str]:
    """What is said of a kit besides its own page: its price, about, and the size of its lid."""
    config = kit(name)
    lid = layout(config)
    return f"{round(together_eur(config), -1):.0f} EUR", f"{lid.width_mm:.0f} x {lid.depth_mm:.0f} mm"


@pytest.mark.parametrize("path", ["README.md", INDEX])
def test_prices_and_lids_are_the_same_on_every_page(path: str) -> None:
    text = made()[path].decode() if path in made() else (ROOT / path).read_text(encoding="utf-8")
    said = re.findall(r"\]\([\w/]*?(\w+)\.md\)([^\[]*)", text)  # from the link to a kit to the next link
    found = {(name, n) for name, after in said if name in kits() for n in re.findall(r"\d+ EUR|\d+ x \d+ mm", after)}
    assert found and {(name, n) for name, n in found if n not in numbers(name)} == set()


@pytest.mark.parametrize(
    ("name", "options"), [("table", "--leds 60 --max-ma 1500"), ("party", "--leds 28 --max-ma 1000")]
)
def test_a_page_has_the_command_that_tells_the_strips_controller_its_limit(name: str, options: str) -> None:
    assert f"`scripts/flash-strip {options}`" in page(name)


@pytest.mark.parametrize(
    ("name", "words"), [("table", "**one of 250 × 210 mm is too small.**"), ("party", "and so is one of 250 × 210 mm.")]
)
def test_a_page_says_which_bed_its_print_wants(name: str, words: str) -> None:
    assert words in page(name)


def test_the_table_of_kits_says_what_does_not_fit_the_smaller_bed() -> None:
    assert re.findall(r"\*\*(.*) does not fit a bed of 250 × 210 mm\*\*", page("README")) == ["Table"]


SLICED_G = {"duo": 192, "table": 439, "party": 392}  # what was sliced to know the hours


@pytest.mark.parametrize("name", kits())
def test_the_hours_of_a_print_are_those_of_what_is_printed_today(name: str) -> None:
    assert 0 <= printed_g(kit(name)) - SLICED_G[name] < 50


@pytest.mark.parametrize(("name", "hours"), [("duo", "14.7 h"), ("table", "31 h"), ("party", "28.5 h")])
def test_a_page_says_how_long_the_printer_works(name: str, hours: str) -> None:
    assert f"**{hours}** at 50 mm/s" in page(name)


def test_a_kit_that_nobody_has_sliced_says_no_hours() -> None:
    assert "mm/s" not in of_kit("own", kit("duo"))[f"{FOLDER}/own.md"].decode()


@pytest.mark.parametrize(("name", "said"), [("duo", False), ("table", True), ("party", True)])
def test_a_page_with_a_strip_says_that_its_supply_is_for_5_v_only(name: str, said: bool) -> None:
    assert ("12 V plug" in page(name)) is said


@pytest.mark.parametrize("name", kits())
def test_a_page_says_that_a_displays_print_counts(name: str) -> None:
    assert "VCC and GND of displays come in both orders" in page(name)


def test_a_display_that_is_given_a_reset_may_have_more_than_four_pins() -> None:
    duo = kit("duo")
    config = structs.replace(duo, display=structs.replace(duo.display, reset=26))
    assert "has four pins" not in of_kit("duo", config)[f"{FOLDER}/duo.md"].decode()


@pytest.mark.parametrize(("name", "held", "blown"), [("table", "3 A", "4.2 A"), ("party", "1.9 A", "2.6 A")])
def test_a_page_says_what_the_fuse_carries_and_when_it_blows(name: str, held: str, blown: str) -> None:
    assert f"it carries {held} for an hour" in page(name) and f"from {blown} on it blows" in page(name)


def test_a_fuse_that_carries_more_than_the_jack_is_not_said_to_guard_it() -> None:
    table = kit("table")
    assert table.build is not None
    strong = structs.replace(table, build=structs.replace(table.build, strip_ma=4000))
    assert "get hot" not in of_kit("table", strong)[f"{FOLDER}/table.md"].decode()


@pytest.mark.parametrize("name", kits())
def test_every_drawing_is_on_its_page(name: str) -> None:
    drawings = [path.removeprefix(f"{FOLDER}/") for path in made() if path.startswith(f"{FOLDER}/{name}/")]
    printed_on_paper = [path for path in drawings if path.startswith(f"{name}/harness") and path.endswith(".png")]
    assert [path for path in drawings if f"]({path})" not in page(name)] == printed_on_paper


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        ("duo", "P1 left, P2 right"),
        ("table", "P1 front left, P2 back left, P3 back right, P4 front right"),
        ("party", "P1 front left, P2 back left, P3 back middle, P4 back right, P5 front right, P6 front middle"),
    ],
)
def test_a_page_says_who_sits_where(name: str, seats: str) -> None:
    assert f"Seats, seen from above: {seats}." in page(name)


@pytest.mark.parametrize("name", kits())
def test_a_page_says_where_every_screw_goes(name: str) -> None:
    (said,) = re.findall(r"Screws: (.*)\.", page(name))
    told = sum(int(many) for many in re.findall(r"(\d+) M", said))
    assert told == sum(item.many for item in bill(kit(name)) if item.part.startswith("screw"))


@pytest.mark.parametrize("name", kits())
def test_every_part_is_on_its_page(name: str) -> None:
    assert [item.part for item in bill(kit(name)) if f"| {item.many} | {item.part} |" not in page(name)] == []


def test_a_pin_that_has_moved_makes_its_kits_documents_stale() -> None:
    duo = kit("duo")
    moved = structs.replace(duo, players=(structs.replace(duo.players[0], button=26), duo.players[1]))
    wrong, _ = stale(ROOT, of_kit("duo", moved))
    assert {path.removeprefix(f"{FOLDER}/duo") for path in wrong} == {
        ".md",
        "/harness.svg",
        "/harness.png",
        "/header.svg",
        "/schematic-button.svg",
        "/wires.tsv",
    }


def test_a_file_that_is_missing_is_stale(tmp_path: Path) -> None:
    assert stale(tmp_path, {f"{FOLDER}/solo.md": b"# Solo"}) == ([f"{FOLDER}/solo.md"], [])


def test_a_file_that_is_not_made_any_more_is_found(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "solo.md").write_text("# Solo")
    assert stale(tmp_path, {}) == ([], [f"{FOLDER}/solo.md"])


@pytest.mark.parametrize("strip_ma", [6000, 20000])
def test_a_kit_that_cannot_be_fed_has_no_documents(strip_ma: int) -> None:
    table = kit("table")
    assert table.build is not None
    with pytest.raises(ConfigError, match=rf"build\.strip_ma = {strip_ma}: at most 4000"):
        of_kit("table", structs.replace(table, build=structs.replace(table.build, strip_ma=strip_ma)))


def test_a_kit_that_is_too_large_has_no_documents() -> None:
    long = structs.replace(kit("party"), strip=StripConfig(leds=300))
    with pytest.raises(ConfigError, match="the lid would be"):
        of_kit("party", long)


def stored(project: Path, index: str) -> Path:
    """A project with such a table of kits."""
    (project / FOLDER).mkdir(parents=True)
    (project / INDEX).write_text(index, encoding="utf-8")
    return project


def test_drawings_by_another_release_of_graphviz_are_said(tmp_path: Path) -> None:
    (here,) = re.findall(r"Graphviz ([\d.]+)\.\n", page("README"))
    project = stored(tmp_path, page("README").replace(f"Graphviz {here}.", "Graphviz 1.2.3."))
    assert another_graphviz(project) == (
        f"The harness was drawn with Graphviz 1.2.3, and here is {here}, which draws it differently."
    )


def test_drawings_by_the_same_release_of_graphviz_are_not_worth_a_word(tmp_path: Path) -> None:
    assert another_graphviz(stored(tmp_path, page("README"))) is None


def test_a_project_without_documents_was_drawn_with_no_release_of_graphviz(tmp_path: Path) -> None:
    assert another_graphviz(tmp_path) is None


@pytest.mark.parametrize(
    ("file", "was", "now", "sentence"),
    [
        ("duo", "button = 6", "button = 5", "players[1].button = 5: GPIO 5 is taken by players[0].button; "),
        ("table", "strip_ma = 1500", "strip_ma = 6000", "build.strip_ma = 6000: at most 4000 is allowed, "),
    ],
    ids=["two parts on one pin", "too much current"],
)
def test_what_cannot_be_built_is_said_and_nothing_is_made(
    file: str, was: str, now: str, sentence: str, tmp_path: Path
) -> None:
    for folder in ("hardware", "scripts"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    description = tmp_path / "hardware" / "kits" / f"{file}.toml"
    assert description.read_text().count(was) == 1
    description.write_text(description.read_text().replace(was, now))
    command = [sys.executable, str(tmp_path / "scripts" / "build-docs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stderr.startswith(f"scripts/build-docs: {sentence}")
    assert (done.returncode, done.stdout, said, (tmp_path / "docs").exists()) == (1, "", True, False)
