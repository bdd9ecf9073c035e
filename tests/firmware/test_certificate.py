"""The certificate: what is made of a measurement, when it counts, and what it changes at the table."""

import os
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.setup import certificate
from firmware.setup.certificate import (
    UNMEASURED,
    BadCertificate,
    Certificate,
    Standing,
    TooCoarse,
    band_ns,
    bin_width_ns,
    certify,
)
from firmware.state_folder import CERTIFICATE
from hardware.kit import ERROR_NS
from hardware.parts.gpio.calibration import Double
from tests.firmware.certificates import US, made
from tests.simulators.rig import THREE, Rig, flash


def close_contact(rig: Rig, name: str, at_ns: int, replaced: bool = False) -> None:
    """Press a button whose line a kernel reports, and hold it."""
    rig.buttons.listen(lambda edge: rig.app.post(edge._replace(source="kernel", replaced=replaced)))
    rig.buttons.edge(name, down=True, at_ns=at_ns)
    rig.app.step(at_ns)


@pytest.mark.parametrize(
    ("largest_ns", "band_us"),
    [(1, 20), (13_333, 20), (13_334, 30), (20_000, 30), (40_000, 60), (40_001, 70), (1_234_567, 1860)],
)
def test_the_band_is_half_more_than_the_largest_lateness_in_steps_of_10_us_and_at_least_20(
    largest_ns: int, band_us: int
) -> None:
    assert band_ns([1, largest_ns, 1]) == band_us * US


def test_a_band_wider_than_a_race_can_wait_for_is_refused() -> None:
    assert made(13_330).error_ns == 20_000 * US
    with pytest.raises(TooCoarse, match=r"the latest stamp was 13,340 µs late, and the tie band would be 20,010 µs"):
        made(13_340)


@pytest.mark.parametrize(
    ("pulses", "permille", "value"),
    [(2000, 500, 1000), (2000, 990, 1980), (2000, 999, 1998), (2000, 1000, 2000), (1, 500, 1), (1, 999, 1)],
)
def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed(pulses: int, permille: int, value: int) -> None:
    assert certificate.at_permille(range(1, pulses + 1), permille) == value


@pytest.mark.parametrize(
    ("largest_us", "width_us"), [(0, 1), (59.9, 1), (60, 2), (119, 2), (120, 5), (299, 5), (300, 10), (12_000, 500)]
)
def test_bins_are_a_round_number_wide_and_at_most_60(largest_us: float, width_us: int) -> None:
    assert bin_width_ns(round(largest_us * US)) == width_us * US


def test_the_histogram_counts_from_0_and_drift_is_the_median_of_the_last_quarter_minus_that_of_the_first() -> None:
    assert made(1.2, 1.9, 4).histogram == (0, 2, 0, 0, 1)
    assert made(10, 10, 99, 1, 12.5, 12.5, 11, 11).drift_ns == 1_000


@given(st.lists(st.integers(1, 13_330_000), min_size=1, max_size=300))
def test_a_certificate_of_any_measurement_is_one_that_can_be_read_again(latenesses_ns: list[int]) -> None:
    found = made(*(late_ns / US for late_ns in latenesses_ns))
    assert msgspec.json.decode(certificate.as_json(found), type=Certificate) == found


def test_a_certificate_names_this_kernel_and_the_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    monkeypatch.setattr(certificate, "MODEL", tmp_path / "model")
    assert (made().kernel, made().board) == (os.uname().release, "Raspberry Pi 5 Model B Rev 1.0")


def test_a_certificate_is_read_as_it_was_saved_last(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "state"
    for found in (made(50), made(60)):
        certificate.save(folder, found)
    assert ([path.name for path in folder.iterdir()], certificate.load(folder)) == ([CERTIFICATE], found)


def test_a_certificate_that_cannot_be_written_whole_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = made(50)
    certificate.save(tmp_path, old)

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        certificate.save(tmp_path, made(60))
    assert certificate.load(tmp_path) == old


def test_a_kit_that_was_never_measured_has_no_certificate(tmp_path: Path) -> None:
    assert (certificate.load(tmp_path), certificate.standing(tmp_path, "gpiod")) == (None, UNMEASURED)


def fields(**changed: object) -> bytes:
    """A file whose fields somebody has changed."""
    return msgspec.json.encode({**msgspec.to_builtins(made()), **changed})


DOUBLES: dict[str, Any] = {"doubles": 400, "overwritten": 3, "overwritten_ns": 60_000, "early_ns": 90_000}


@pytest.mark.parametrize(
    ("content", "what"),
    [
        pytest.param(b"", "Input data was truncated", id="empty"),
        pytest.param(b"[" * 100_000, "", id="deep"),
        pytest.param(b'{"p50_ns": "\xff\xfe"}', "", id="not UTF-8"),
        pytest.param(b"{}", "Object missing required field `measured_at`", id="nothing in it"),
        pytest.param(fields(p50_ns="8"), "Expected `int`, got `str` - at `$.p50_ns`", id="a text for a number"),
        pytest.param(fields(source="virtual"), "Invalid enum value 'virtual' - at `$.source`", id="no such source"),
        pytest.param(fields(error_ns=30_000), "its figures contradict each other", id="a band below the largest"),
        pytest.param(fields(error_ns=1, max_ns=1), "Expected `int` >= 20000 - at `$.error_ns`", id="no band"),
        pytest.param(fields(histogram=[1, 2]), "its figures contradict each other", id="pulses missing"),
        pytest.param(fields(bin_ns=0), "Expected `int` >= 1 - at `$.bin_ns`", id="bins of no width"),
        pytest.param(fields(doubles=400), "its figures contradict each other", id="double moves without a result"),
        pytest.param(fields(**DOUBLES, unshown=4), "its figures contradict each other", id="more shown than there are"),
        pytest.param(
            fields(**DOUBLES | {"overwritten_ns": 90_001}), "its figures contr", id="earlier than allowed for"
        ),
        pytest.param(fields(**DOUBLES | {"overwritten": 0}), "its figures contr", id="nothing, yet so far apart"),
        pytest.param(
            fields(**DOUBLES | {"early_ns": 19_999}), "Expected `int` >= 20000 - at `$.early_ns`", id="no gap"
        ),
        pytest.param(fields(measured_at="last year"), "Invalid isoformat string: 'last year'", id="no date"),
    ],
)
def test_a_damaged_certificate_is_one_line_and_the_defaults_hold(tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / CERTIFICATE).write_bytes(content)
    with pytest.raises(BadCertificate) as damaged:
        certificate.load(tmp_path)
    assert str(damaged.value).startswith(f"certificate.json is damaged: {what}")
    standing = certificate.standing(tmp_path, "gpiod")
    assert (standing.errors_ns, standing.note) == (ERROR_NS, "certificate damaged: calibrate again")


def test_a_certificate_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / CERTIFICATE).mkdir()
    with pytest.raises(BadCertificate, match=r"^certificate\.json cannot be read: Is a directory$"):
        certificate.load(tmp_path)


def test_the_band_of_the_measured_source_is_the_certificates(tmp_path: Path) -> None:
    certificate.save(tmp_path, made(34))
    assert certificate.standing(tmp_path, "gpiod").errors_ns == {**ERROR_NS, "kernel": 60_000}


@pytest.mark.parametrize(
    ("changed", "note"),
    [
        ({"kernel": "6.6.31+rpt-rpi-v8"}, "kernel changed: calibrate again"),
        ({"board": "Raspberry Pi 5 Model B Rev 1.0"}, "board changed: calibrate again"),
        ({"driver": "lgpio"}, "driver changed: calibrate again"),
    ],
)
def test_the_certificate_of_another_kit_does_not_count_and_the_kit_says_why(
    tmp_path: Path, changed: dict[str, str], note: str
) -> None:
    certificate.save(tmp_path, made(**changed))
    standing = certificate.standing(tmp_path, "gpiod")
    assert (standing.errors_ns, standing.note) == (ERROR_NS, note)


def double(late_us: int, apart_us: int, *, overwritten: bool = True, shown: bool = True) -> Double:
    return Double(late_us * US, apart_us * US, overwritten, shown)


KEPT = double(9, 13, overwritten=False)


@pytest.mark.parametrize(
    ("doubles", "figures"),
    [
        pytest.param([], (0, 0, 0, 0, None), id="not measured"),
        pytest.param([KEPT, double(9, 2_000, overwritten=False)], (2, 0, 0, 0, 20), id="none overwritten"),
        pytest.param([double(9, 40, overwritten=False)], (1, 0, 0, 0, 60), id="nothing nearer was tried"),
        pytest.param([double(90, 80), double(70, 61), double(9, 99, overwritten=False)], (3, 2, 0, 80, 120), id="two"),
        pytest.param([double(90, 81, shown=False), double(70, 61)], (2, 2, 1, 81, 130), id="one is not shown"),
        pytest.param([double(60, 55)], (1, 1, 0, 55, 90), id="within the tie band"),
        pytest.param([KEPT, double(60, 55, shown=False)], (2, 0, 0, 0, 20), id="within the tie band, not shown: late"),
    ],
)
def test_a_press_after_a_gap_may_be_earlier_by_half_more_than_stamps_were_overwritten_apart(
    doubles: list[Double], figures: tuple[int, int, int, int, int | None]
) -> None:
    found = certify(
        [34 * US], dropped=0, driver="gpiod", source="kernel", wire=25, button="P1", line=5, doubles=doubles
    )
    early_us = found.early_ns and found.early_ns // US
    assert (found.doubles, found.overwritten, found.unshown, found.overwritten_ns // US, early_us) == figures


def test_stamps_overwritten_later_than_a_race_can_wait_for_are_refused() -> None:
    late = [double(13_400, 13_340)]
    with pytest.raises(TooCoarse, match=r"overwritten 13,340 µs later, so a press could be 20,010 µs earlier"):
        certify([34 * US], dropped=0, driver="gpiod", source="kernel", wire=25, button="P1", line=5, doubles=late)


MEASURED = made(34, **DOUBLES)


@pytest.mark.parametrize(
    ("standing", "early_us"),
    [
        pytest.param(UNMEASURED, 1_000, id="no certificate"),
        pytest.param(Standing(made(34)), 1_000, id="a certificate without double moves"),
        pytest.param(Standing(MEASURED), 90, id="measured"),
        pytest.param(Standing(MEASURED, "kernel changed"), 1_000, id="not for this kernel"),
    ],
)
def test_the_certificate_decides_how_much_earlier_a_press_after_a_gap_may_be(standing: Standing, early_us: int) -> None:
    assert standing.early_ns == early_us * US


@pytest.mark.parametrize(("replaced", "tie"), [(True, True), (False, False)])
def test_only_a_press_after_a_gap_is_widened(tmp_path: Path, replaced: bool, tie: bool) -> None:
    with closing(flash(Rig(tmp_path, standing=Standing(MEASURED)).begin("Kitty Paw", *THREE))) as rig:
        close_contact(rig, "P1", rig.now_ns)
        close_contact(rig, "P2", rig.now_ns + 149 * US, replaced)  # the band of 60, and 90
        assert ("P1/P2 tie" in rig.after(100).reads()) is tie


def test_a_certificate_from_before_double_moves_still_counts(tmp_path: Path) -> None:
    older = msgspec.to_builtins(made(34))
    for name in ("doubles", "overwritten", "unshown", "overwritten_ns", "early_ns"):
        del older[name]
    (tmp_path / CERTIFICATE).write_bytes(msgspec.json.encode(older))
    standing = certificate.standing(tmp_path, "gpiod")
    assert (standing.errors_ns["kernel"], standing.early_ns, standing.note) == (60 * US, 1_000 * US, None)


@pytest.mark.parametrize(
    ("changed", "rows"),
    [
        ({}, []),
        (
            {"doubles": 400, "early_ns": 20_000},
            [
                "doubles   400 double moves, no stamp overwritten",
                "early     a press after a gap: up to 20 µs; without a certificate 1,000 µs",
            ],
        ),
        (
            DOUBLES | {"unshown": 2},
            [
                "doubles   400 double moves, 3 stamps overwritten, up to 60 µs apart",
                "          2 of these without a gap in the kernel's numbers: not noticed here",
                "early     a press after a gap: up to 90 µs; without a certificate 1,000 µs",
            ],
        ),
    ],
    ids=["not measured", "none overwritten", "some not shown"],
)
def test_double_moves_have_rows_of_their_own(changed: dict[str, Any], rows: list[str]) -> None:
    assert certificate.as_text(made(34, **changed)).splitlines()[9:] == rows


def test_emulated_buttons_have_no_certificate_and_nobody_is_asked_to_make_one(tmp_path: Path) -> None:
    certificate.save(tmp_path, made(34))
    standing = certificate.standing(tmp_path, "emulated")
    assert (standing.errors_ns, standing.note) == (ERROR_NS, None)


@pytest.mark.parametrize(
    ("standing", "gap_us", "tie"),
    [
        pytest.param(UNMEASURED, 99, True, id="not measured, inside"),
        pytest.param(UNMEASURED, 100, False, id="not measured, outside"),
        pytest.param(Standing(made(34)), 59, True, id="a finer kit, inside"),
        pytest.param(Standing(made(34)), 60, False, id="a finer kit, outside"),
        pytest.param(Standing(made(230)), 349, True, id="a coarser kit, inside"),
        pytest.param(Standing(made(34), "kernel changed"), 99, True, id="not for this kernel"),
    ],
)
def test_the_certificate_decides_what_is_too_close_to_call(
    tmp_path: Path, standing: Standing, gap_us: int, tie: bool
) -> None:
    rig = flash(Rig(tmp_path, standing=standing).begin("Kitty Paw", *THREE))
    for name, at_ns in (("P1", rig.now_ns), ("P2", rig.now_ns + gap_us * US)):
        close_contact(rig, name, at_ns)
    text = rig.after(100).reads()
    rig.close()
    assert ("P1/P2 tie" in text, "P1" in text) == (tie, True)


WORDS = ["TIE BAND", "2026-11-21", "60 us", "p50 12  max 38.9 us", "6.12", "OK: menu", "unused: kernel changed"]


@pytest.mark.parametrize("note", [None, "kernel changed"])
def test_the_menu_shows_the_certificate_whether_it_is_used_and_comes_back(tmp_path: Path, note: str | None) -> None:
    found = made(8.5, 12, 38.9, measured_at="2026-11-21T08:00:00+00:00", kernel="6.12")
    with closing(Rig(tmp_path, standing=Standing(found, note))) as rig:
        read = rig.arrow(-9).ok().reads()
        after = rig.ok().reads()
    missing = [word for word in WORDS if word not in read]
    assert (missing, "which game?" in after) == ([] if note else WORDS[-1:], True)


def test_a_kit_that_was_never_measured_has_no_such_row(rig: Rig) -> None:
    assert rig.arrow(-9).row() == "People"
