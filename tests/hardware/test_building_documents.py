"""The documents of all kits, as they are committed: scripts/build-docs --check says whether these are what is made."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from os.path import normpath
from pathlib import Path

import graphviz
import pytest
from msgspec import structs

from hardware.building.bill import bill, printed_g, printed_h, together_eur
from hardware.building.documents import FOLDER, INDEX, another_graphviz, of_kit, page, stale
from hardware.building.enclosure import parts
from hardware.config import ConfigError, KitConfig, StripConfig, kit, kits
from hardware.layout import layout
from tests.hardware.building import altered, needs_graphviz

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def of(name: str) -> str:
    """The page of a kit."""
    return text(f"{FOLDER}/{name}.md")


def linked(made: str) -> list[str]:
    """The links of a page of the folder, as paths in the project."""
    return [normpath(f"{FOLDER}/{link}") for link in re.findall(r"\]\(([^)]+)\)", made)]


by_name = pytest.mark.parametrize("name", kits())


def test_links_of_pages_lead_somewhere_and_every_kit_is_in_the_table_of_kits() -> None:
    by_hand = {"docs/build.md", "docs/hacking.md#another-display", "docs/wiring.md#every-plug-and-its-neighbours"}
    paths = {path for name in ("README", *kits()) for path in linked(of(name))}
    assert [path for path in paths - by_hand if not (ROOT / path).is_file()] == []
    pages = [f"{FOLDER}/{name}.md" for name in kits()]
    assert [path for path in linked(text(INDEX)) if path.startswith(FOLDER)] == pages


def numbers(name: str) -> tuple[str, str]:
    """The rounded price of a kit and the size of its lid, as other pages have them."""
    config = kit(name)
    lid = layout(config)
    return f"{round(together_eur(config), -1):.0f} EUR", f"{lid.width_mm:.0f} x {lid.depth_mm:.0f} mm"


@pytest.mark.parametrize("path", ["README.md", INDEX])
def test_prices_and_lids_are_the_same_on_every_page(path: str) -> None:
    links = re.findall(r"\]\([\w/]*?(\w+)\.md\)([^\[]*)", text(path))  # from the link to a kit to the next link
    found = {(name, n) for name, after in links if name in kits() for n in re.findall(r"\d+ EUR|\d+ x \d+ mm", after)}
    assert found and {(name, n) for name, n in found if n not in numbers(name)} == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("table", "it gets 60 lamps and the limit of 1500 mA"),
        ("party", "it gets 28 lamps and the limit of 1000 mA"),
        ("table", "**One of 250 × 210 mm or 210 × 210 mm is too small**"),
        ("party", "a bed of 220 × 220 mm or 250 × 210 mm is large enough."),
        ("duo", "**15 h** at 50 mm/s"),
        ("table", 'With `button = "arcade-30"` in its description it is 195 x 195 mm, which fits'),
        ("table", "**An older kit** may have a black plug on pin 6."),
        ("duo", "do rows 5 to 8 before you switch the kit on again"),
        ("party", "do rows 5 to 9 before you switch the kit on again"),
        ("table", "12 V plug"),
        ("duo", "VCC and GND of displays come in both orders"),
        ("table", "it carries 3 A for an hour"),
        ("party", "it carries 1.9 A for an hour"),
        ("party", "from 2.6 A on it blows"),
        ("table", "from 4.2 A on it blows within two minutes, before jack and wire, which carry 5 A, get hot"),
        ("duo", "Seats, seen from above: P1 left, P2 right."),
        ("table", "Seats, seen from above: P1 front left, P2 back left, P3 back right, P4 front right."),
        ("party", "P2 back left, P3 back middle, P4 back right, P5 front right, P6 front middle."),
    ],
)
def test_a_page_has_what_a_builder_must_know(name: str, words: str) -> None:
    assert words in of(name)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (kit("duo"), ["12 V plug"]),  # no strip
        (altered("duo", reset=26), ["has four pins"]),
        (altered("table", strip_ma=4000), ["get hot"]),  # the fuse carries more than the jack
    ],
    ids=["duo", "reset", "large fuse"],
)
def test_a_page_does_not_say_what_is_not_so(config: KitConfig, words: list[str]) -> None:
    made = "\n".join(page("own", config, (), ()))
    assert [each for each in words if each in made] == []


def test_the_table_of_kits_says_which_beds_are_too_small() -> None:
    assert re.findall(r"\*\*(.*) does not fit a bed of (.*)\*\*", text(INDEX)) == [
        ("Table", "250 × 210 mm or 210 × 210 mm"),
        ("Party", "210 × 210 mm"),
    ]


@pytest.mark.slow
@by_name
def test_what_is_said_of_beds_is_true_of_the_bodies_themselves(name: str) -> None:
    """A slicer's command line takes 215 mm on a bed of 210 without a word."""
    made = text(f"{FOLDER}/{name}.md")
    for side in ("base", "lid"):
        left, front, _, right, back, _ = parts(kit(name))[side].bounding_box()
        sides_mm = sorted((right - left, back - front))
        for width, depth in re.findall(r"(\d{3}) × (\d{3}) mm", made):
            fits = all(a <= b for a, b in zip(sides_mm, sorted((int(width), int(depth))), strict=True))
            small = re.search(rf"\*\*One of [^*]*{width} × {depth} mm[^*]* is too small", made)
            assert fits == (small is None), f"{side} on {width} × {depth}: {sides_mm}"


SLICED = {"duo": (192, 14.7), "table": (439, 31.0), "party": (392, 28.5)}  # g and h, by PrusaSlicer 2.5 at 50 mm/s


@by_name
def test_the_hours_of_a_print_are_those_of_what_is_printed_today(name: str) -> None:
    grams, hours = SLICED[name]
    assert 0 <= printed_g(kit(name)) - grams < 50
    assert printed_h(kit(name)) == pytest.approx(hours, rel=0.03)


def test_the_hours_of_a_print_are_its_descriptions_under_any_name() -> None:
    smaller = altered("table", button="arcade-30")
    told = [re.findall(r"\*\*(\d+) h\*\*", "\n".join(page("own", made, (), ()))) for made in (kit("table"), smaller)]
    assert told == [["31"], [str(printed_h(smaller))]]
    assert printed_h(smaller) < printed_h(kit("table"))


@pytest.mark.parametrize("name", kits())
def test_the_guide_has_the_hours_of_the_pages(name: str) -> None:
    guide = " ".join(text("docs/build.md").split())
    (told,) = re.findall(r"printing takes some (.*?)\.", guide)
    assert re.findall(rf"(\d+)(?: hours)? for the \*{name.title()}\*", told) == [str(printed_h(kit(name)))]


@by_name
def test_every_drawing_every_part_and_the_place_of_every_screw_are_on_a_page(name: str) -> None:
    drawings = [f"{name}/{path.name}" for path in (ROOT / FOLDER / name).iterdir()]
    printed_on_paper = [path for path in drawings if path.startswith(f"{name}/harness") and path.endswith(".png")]
    assert [path for path in drawings if f"]({path})" not in of(name)] == printed_on_paper
    items = bill(kit(name))
    assert [item.part for item in items if f"| {item.many} | {item.part} |" not in of(name)] == []
    (screws,) = re.findall(r"Screws: (.*)\.", of(name))
    placed = sum(int(many) for many in re.findall(r"(\d+) M", screws))
    assert placed == sum(item.many for item in items if item.part.startswith("screw"))


@needs_graphviz
@pytest.mark.nightly
def test_a_pin_that_has_moved_makes_its_kits_documents_stale() -> None:
    duo = kit("duo")
    moved = structs.replace(duo, players=(structs.replace(duo.players[0], button=26), duo.players[1]))
    wrong, _ = stale(ROOT, of_kit("duo", moved))
    names = ("harness.svg", "harness.png", "header.svg", "schematic-button.svg", "wires.tsv")
    assert set(wrong) == {f"{FOLDER}/duo.md", *(f"{FOLDER}/duo/{name}" for name in names)}


def test_a_file_that_is_missing_is_stale_and_one_that_is_not_made_any_more_is_found(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "duo.md").write_text("# Duo")
    assert stale(tmp_path, {f"{FOLDER}/solo.md": b"# Solo"}) == ([f"{FOLDER}/solo.md"], [f"{FOLDER}/duo.md"])


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (altered("party", strip=StripConfig(leds=300)), "the lid would be"),
        (altered("table", strip_ma=6000), r"build\.strip_ma = 6000"),
    ],
    ids=["too large", "too much current"],
)
def test_a_kit_that_cannot_be_built_has_no_documents(config: KitConfig, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        of_kit("own", config)


@needs_graphviz
def test_only_drawings_by_another_release_of_graphviz_are_reported(tmp_path: Path) -> None:
    here = ".".join(map(str, graphviz.version()))
    reports = [another_graphviz(tmp_path)]  # no table of kits
    (tmp_path / FOLDER).mkdir(parents=True)
    for release in (here, "1.2.3"):
        index = re.sub(r"Graphviz [\d.]+\.", f"Graphviz {release}.", text(INDEX))
        (tmp_path / INDEX).write_text(index, encoding="utf-8")
        reports.append(another_graphviz(tmp_path))
    another = f"The harness was drawn with Graphviz 1.2.3; this is {here}, which draws it differently."
    assert reports == [None, None, another]


def test_a_kit_that_cannot_be_built_is_reported_and_nothing_is_made(tmp_path: Path) -> None:
    for folder in ("hardware", "scripts"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    description = tmp_path / "hardware" / "kits" / "duo.toml"
    description.write_text(description.read_text().replace("button = 6", "button = 5"))
    command = [sys.executable, str(tmp_path / "scripts" / "generators" / "build_docs.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sentence = "scripts/build-docs: players[1].button = 5: GPIO 5 is taken by players[0].button; "
    assert (done.returncode, done.stdout, done.stderr[: len(sentence)]) == (1, "", sentence)
    assert not (tmp_path / "docs").exists()


HASHES = """
import hashlib
from hardware.building.documents import of_kit
from hardware.config import kit
for name, made in of_kit("table", kit("table")).items():
    print(name, hashlib.sha256(made).hexdigest())
"""


@needs_graphviz
@pytest.mark.nightly
def test_documents_are_the_same_bytes_in_another_process_and_nothing_else_is_left_or_printed(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", HASHES],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "4711", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    made = of_kit("table", kit("table"))
    expected = [f"{path} {hashlib.sha256(content).hexdigest()}" for path, content in made.items()]
    assert (ran.stdout.splitlines(), ran.stderr, list(tmp_path.iterdir())) == (expected, "", [])
