"""A measurement of the kit's timing error, from the wire to the certificate."""

from collections.abc import Callable
from pathlib import Path

from firmware.setup import certificate
from firmware.setup.certificate import Certificate
from hardware.config import KitConfig, lines
from hardware.parts.gpio import Factories


def calibrate(
    config: KitConfig,
    factories: Factories,
    wire: int,
    button: str,
    state: Path,
    progress: Callable[[int], None],
    between: Callable[[], None] = lambda: None,
) -> tuple[Certificate, Path]:
    """Measure with a wire from a spare GPIO to this button's line, and save the certificate in the state folder.

    The kit's lines must be free. Takes half a minute; `progress` and `between` as in `measure`. Raises
    `NotMeasured`, `TooCoarse`, `OSError` or what they raise; an older certificate is kept then.
    """
    from hardware.parts.gpio.calibration import measure

    inputs = {line.key: line.pin for line in lines(config) if line.part == "control"}
    inputs |= {line.name: line.pin for line in lines(config) if line.part == "button"}
    measured = measure(factories, wire, button, inputs, progress=progress, between=between)
    assert factories.source != "virtual"  # no driver of a description has this source
    made = certificate.certify(
        measured.latenesses_ns,
        dropped=measured.dropped,
        doubles=measured.doubles,
        driver=config.buttons.driver,
        source=factories.source,
        wire=wire,
        button=button,
        line=inputs[button],
    )
    return made, certificate.save(state, made)
