"""Each kit as a virtual kit: its page is laid out as its lid is, and a pointer reaches all of it, at every size."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import dist
from typing import NamedTuple, TypeAlias

import pytest
from playwright.sync_api import Browser, FloatRect, Page

from firmware.cli.play import panel_of
from firmware.output.photo_finish import for_pages
from firmware.output.race_evidence import of
from hardware.config import kit, kits
from hardware.kit import open_emulated
from hardware.layout import layout
from hardware.layout.lid import sides
from hardware.parts.buttons import Edge
from hardware.parts.control import Turn
from tests.firmware.browser import Table, opened
from tests.firmware.races import KERNEL_NS, raced
from tests.simulators.waiting import comes

SMALL, FOUR = (320, 568), 4  # on so small a phone there is room for so many domes
LAPTOP, PHONE, PHONE_ON_ITS_SIDE = (1280, 800), (390, 844), (844, 390)
OTHERS = [PHONE_ON_ITS_SIDE, (1024, 768), (1440, 900), (1920, 1080)]
SIZES = [LAPTOP, PHONE, *(pytest.param(size, marks=pytest.mark.nightly) for size in OTHERS)]
CONTROLS = '[data-part^="button-"], [data-part^="latch-"], .control button'

Way: TypeAlias = tuple[int, int]  # to the left or right, in front or behind: -1, 0, 1


class Shown(NamedTuple):
    """A kit and its page."""

    name: str
    page: Page
    done: list[str]  # what buttons and control have reported
    table: Table

    def sized(self, size_px: tuple[int, int]) -> Page:
        """The page in a window of this size, drawn anew."""
        self.page.set_viewport_size({"width": size_px[0], "height": size_px[1]})
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self.page

    def box(self, selector: str) -> FloatRect:
        found = self.page.locator(f"{selector}:visible").bounding_box()
        assert found is not None
        return found

    def seat(self, name: str) -> FloatRect:
        return self.box(f'[data-part="button-{name}"]')

    def controls(self) -> list[str]:
        """Every control that is to be seen."""
        found: list[str] = (
            self.page.locator(CONTROLS)
            .locator("visible=true")
            .evaluate_all("found => found.map(control => control.dataset.part)")
        )
        return found

    def at_its_middle(self, selector: str) -> bool:
        """Put the pointer there: whether it is over the thing itself."""
        one = self.page.locator(f"{selector}:visible")
        one.scroll_into_view_if_needed()
        box = one.bounding_box()
        assert box is not None
        at = middle(box)
        self.page.mouse.move(*at)
        over: bool = one.evaluate("(one, at) => one.contains(document.elementFromPoint(...at))", at)
        return over

    def click(self, selector: str) -> bool:
        """Click at its middle: whether the pointer was over the thing itself."""
        over = self.at_its_middle(selector)
        self.page.mouse.down()
        self.page.mouse.up()
        return over

    def switches(self, selector: str) -> bool:
        """Whether a switch is another way when the pointer has clicked it."""
        before = self.page.get_attribute(selector, "aria-checked")
        return self.click(selector) and comes(lambda: self.page.get_attribute(selector, "aria-checked") != before)

    def clicked(self, part: str, reports: int) -> list[str]:
        """What is reported when the pointer clicks a control at its middle."""
        self.done.clear()
        if not self.click(f'[data-part="{part}"]'):
            return ["covered"]
        comes(lambda: len(self.done) >= reports)
        return list(self.done)


@contextmanager
def on_page(chromium: Browser, name: str) -> Iterator[Shown]:
    """A kit as a virtual kit, and its page."""
    parts = open_emulated(kit(name), lambda part, text: None, threaded=False)
    table = Table(panel=panel_of(parts, wanted=True))
    done: list[str] = []

    def note(event: Edge | Turn) -> None:
        if isinstance(event, Edge):
            done.append(f"{event.button} {'down' if event.down else 'up'}")
        else:
            done.append(f"turn {event.steps:+} {'knob' if event.knob else 'arrow'}")

    parts.buttons.listen(note)
    parts.control.listen(note, note)
    with closing(parts), closing(table), chromium.new_page() as tab, opened(tab, table) as page:
        yield Shown(name, page, done, table)


@pytest.fixture(
    scope="module", params=["table", *(pytest.param(n, marks=pytest.mark.nightly) for n in kits() if n != "table")]
)
def shown(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Shown]:
    with on_page(chromium, request.param) as found:
        yield found


def way(dx: float, dy: float, width: float, height: float) -> Way:
    """Which way something lies from the middle of a display of this size; 0: not beyond its edge."""
    return (dx > width / 2) - (dx < -width / 2), (dy > height / 2) - (dy < -height / 2)


def middle(box: FloatRect) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_each_button_lies_round_the_display_as_on_the_lid(shown: Shown) -> None:
    shown.sized(LAPTOP)
    lid, glass = layout(kit(shown.name)), shown.box("#display")
    (display,) = lid.of("display")
    expected, found = {}, {}
    for seat in lid.of("button"):
        dx_mm, dy_mm = seat.x_mm - display.x_mm, seat.y_mm - display.y_mm
        expected[seat.name] = way(dx_mm, dy_mm, display.width_mm, display.height_mm)
        (x, y), (at_x, at_y) = middle(shown.seat(seat.name)), middle(glass)
        found[seat.name] = way(x - at_x, at_y - y, glass["width"], glass["height"])  # up is behind
    assert found == expected


@pytest.mark.parametrize("size_px", [LAPTOP, PHONE, PHONE_ON_ITS_SIDE], ids=["laptop", "phone", "phone on its side"])
def test_everything_is_seen_at_once_and_nothing_lies_on_another_thing(shown: Shown, size_px: tuple[int, int]) -> None:
    page = shown.sized(size_px)
    if size_px != PHONE_ON_ITS_SIDE:
        whole = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert whole == list(size_px)
    boxes = {name: shown.seat(name) for name in kit(shown.name).names}
    boxes |= {"display": shown.box("#display"), "control": shown.box(".control"), "foot": shown.box(".foot")}
    found = [
        (one, other)
        for one, a in boxes.items()
        for other, b in boxes.items()
        if one < other
        and min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"]) > 1
        and min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"]) > 1
    ]
    assert found == []


@pytest.mark.parametrize("width", [320, 390, 639, 640, 760, 1024])
def test_the_status_is_one_line_beside_every_drawer(shown: Shown, width: int) -> None:
    page = shown.sized((width, 844))
    hidden = page.locator(".drawer[hidden]").evaluate_all("found => found.map(one => (one.hidden = false, one.id))")
    page.wait_for_selector("text=Connected")
    height = shown.box("#status")["height"]
    page.evaluate("ids => ids.forEach(id => { document.getElementById(id).hidden = true })", hidden)
    assert height < 30


TROUBLES = ["Connected", "Connection lost. Trying again…", "strip: no answer for 5 s"]


@pytest.mark.parametrize(
    "size_px", [LAPTOP, (1440, 900), (1920, 1080)], ids=lambda size_px: "x".join(map(str, size_px))
)
@pytest.mark.parametrize("status", TROUBLES)
def test_everything_is_seen_at_once_in_trouble_too(shown: Shown, size_px: tuple[int, int], status: str) -> None:
    page = shown.sized(size_px)
    page.wait_for_selector("text=Connected")
    hidden = page.locator("#scores, #finish").evaluate_all("found => found.map(one => (one.hidden = false, one.id))")
    line = page.locator("#status")
    line.evaluate(
        "(line, text) => { line.textContent = text; line.classList.toggle('trouble', text !== 'Connected') }", status
    )
    whole = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    page.evaluate("ids => ids.forEach(id => { document.getElementById(id).hidden = true })", hidden)
    line.evaluate("line => { line.textContent = 'Connected'; line.classList.remove('trouble') }")
    assert whole == list(size_px)


@pytest.mark.parametrize("size_px", [SMALL, PHONE, LAPTOP], ids=["small phone", "phone", "laptop"])
@pytest.mark.parametrize("status", [*TROUBLES[1:], f"{TROUBLES[2]}  ·  display: unplugged"])
def test_trouble_moves_nothing(shown: Shown, size_px: tuple[int, int], status: str) -> None:
    page = shown.sized(size_px)
    page.wait_for_selector("text=Connected")
    line, names = page.locator("#status"), kit(shown.name).names
    before = [*map(shown.seat, names), shown.box("#display")]
    line.evaluate("(line, text) => { line.textContent = text; line.classList.add('trouble') }", status)
    after = [*map(shown.seat, names), shown.box("#display")]
    line.evaluate("line => { line.textContent = 'Connected'; line.classList.remove('trouble') }")
    assert [pytest.approx(box, abs=1) for box in before] == after


def test_on_a_small_phone_display_and_domes_are_seen_at_once(shown: Shown) -> None:
    page = shown.sized(SMALL)
    assert page.evaluate("document.documentElement.scrollWidth") == SMALL[0]
    names = kit(shown.name).names
    lowest = max(box["y"] + box["height"] for box in map(shown.seat, names))
    assert (len(names) > FOUR or lowest <= SMALL[1], shown.box("#display")["y"] >= 0) == (True, True)
    assert page.get_by_role("heading", level=1).count() == 1  # out of sight, and still read out


def test_on_a_phone_the_display_is_as_wide_as_the_kit_and_the_rows_are_those_of_the_lid(shown: Shown) -> None:
    shown.sized(PHONE)
    assert shown.box("#picture")["width"] > 0.9 * shown.box("#kit")["width"]
    found = sides(kit(shown.name))
    assert found is not None
    rows = [row for row in (found.back, (*found.left, *found.right), found.front) if row]
    names = sorted(kit(shown.name).names, key=lambda name: (round(shown.seat(name)["y"] / 20), shown.seat(name)["x"]))
    assert names == [name for row in rows for name in row]


def test_on_a_phones_side_the_buttons_stand_in_the_order_of_the_seats(shown: Shown) -> None:
    shown.sized(PHONE_ON_ITS_SIDE)
    names = kit(shown.name).names
    assert sorted(names, key=lambda name: shown.seat(name)["x"]) == list(names)


@pytest.mark.parametrize("shown", ["table"], indirect=True)
def test_the_ring_lies_round_display_and_control(shown: Shown) -> None:
    shown.sized(LAPTOP)
    ring, inside = shown.box("#leds"), [shown.box("#display"), shown.box("#knob-control")]
    xs = [(box["x"] + part) for box in inside for part in (0, box["width"])]
    ys = [(box["y"] + part) for box in inside for part in (0, box["height"])]
    corners = [(x, y) for n in (0, 2) for x in xs[n : n + 2] for y in ys[n : n + 2]]
    assert max(dist(corner, middle(ring)) for corner in corners) < 0.93 * ring["width"] / 2


def meant(part: str) -> list[str]:
    """The reports of a click of a control; a latch keeps the button down."""
    turns = {"knob-up": "turn +1 knob", "knob-down": "turn -1 knob", "up": "turn +1 arrow", "down": "turn -1 arrow"}
    kind, _, name = part.partition("-")
    if part in turns:
        return [turns[part]]
    if kind == "latch":
        return [f"{name} down"]
    name = name if kind == "button" else "ok"
    return [f"{name} down", f"{name} up"]


@pytest.mark.parametrize("size_px", SIZES, ids=lambda size_px: "x".join(map(str, size_px)))
def test_a_pointer_presses_every_control_at_its_middle(shown: Shown, size_px: tuple[int, int]) -> None:
    shown.sized(size_px)
    latches = [part for part in shown.controls() if part.startswith("latch-")]
    found = {part: shown.clicked(part, len(meant(part))) for part in shown.controls()}
    for latch in latches:
        shown.clicked(latch, 1)
    assert found == {part: meant(part) for part in shown.controls()}


@pytest.mark.parametrize("size_px", SIZES, ids=lambda size_px: "x".join(map(str, size_px)))
def test_a_pointer_opens_every_drawer_and_moves_what_is_in_it(shown: Shown, size_px: tuple[int, int]) -> None:
    page = shown.sized(size_px)
    found = []
    for drawer in ("help", "drawer"):
        found.append(shown.click(f"#{drawer} summary"))
        found.append(page.locator(f"#{drawer} .tray").is_visible())
    for switch in page.locator(".switch").locator("visible=true").all():
        found += [shown.switches(f"#{switch.get_attribute('id')}") for _ in ("off", "on")]
    page.keyboard.press("Escape")
    assert set(found) == {True}


@pytest.mark.parametrize("size_px", SIZES, ids=lambda size_px: "x".join(map(str, size_px)))
def test_the_photo_finish_covers_no_control(shown: Shown, size_px: tuple[int, int]) -> None:
    page = shown.sized(size_px)
    race = raced(("P1", "P2"), (1, 1_234_567, KERNEL_NS), (0, 1_235_801, KERNEL_NS))
    found = of(race, {})
    shown.table.panel.hear({"evidence": found and for_pages(found)})
    page.click("#finish summary")
    page.wait_for_selector("#photo svg")
    page.evaluate("document.querySelector('#photo').getAnimations({subtree: true}).forEach(one => one.finish())")
    covered = [part for part in shown.controls() if not shown.at_its_middle(f'[data-part="{part}"]')]
    shown.table.panel.hear({"evidence": None})
    page.wait_for_selector("#finish", state="hidden")
    assert covered == []


@pytest.mark.parametrize("size_px", SIZES, ids=lambda size_px: "x".join(map(str, size_px)))
def test_the_hints_are_seen(shown: Shown, size_px: tuple[int, int]) -> None:
    page = shown.sized(size_px)
    box, foot = shown.box("#hints"), shown.box(".foot")
    assert (box["height"] > 0, box["width"] <= foot["width"], page.inner_text("#hints") != "") == (True, True, True)
