"""`luckypaw calibrate`: measure how late the stamps of a button are, and save the certificate."""

from argparse import Namespace

from engine.words import N_, either
from firmware import ending, local_time
from firmware.cli import Failure, alone, state_dir
from firmware.cli.which_kit import config_path, description
from firmware.setup import certificate
from firmware.setup.calibrating import calibrate
from firmware.translation import _, grouped, translated
from hardware.config import ConfigError, check_spare
from hardware.parts import PartLost
from hardware.parts.gpio import open_factory


def run(args: Namespace) -> None:
    try:
        config = description(config_path(args))
        check_spare(config, "--wire", args.wire)
    except ConfigError as error:
        raise Failure(translated(error.text), 2) from None
    button, driver = args.button or config.names[0], config.buttons.driver
    if button not in config.names:
        raise Failure(_("--button {name!r}: must be {names}", name=button, names=translated(either(config.names))), 2)
    if driver == "emulated":
        raise Failure(_("buttons.driver = 'emulated': this kit has no lines to measure"), 2)
    try:
        factories = open_factory(driver)
    except PartLost as lost:
        raise Failure(translated(lost.text)) from None
    from hardware.parts.gpio.calibration import DOUBLES, PULSES, NotMeasured

    def progress(done: int) -> None:
        if done % 500 == 0:
            print(_("{done:>7} of {all} pulses", done=grouped(done), all=grouped(PULSES)), flush=True)

    ended: list[ending.ProgramEnded] = []

    def between() -> None:
        if ended:
            raise ended[0]

    text = N_("GPIO {wire} presses {button} {n} times, for half a minute. Press no button now.")
    presses = PULSES + (DOUBLES if factories.source == "kernel" else 0)
    with alone(), ending.deferred(ended.append):
        print(translated(text).format(wire=args.wire, button=button, n=grouped(presses)), flush=True)
        try:
            made, path = calibrate(config, factories, args.wire, button, state_dir(), progress, between)
        except (NotMeasured, certificate.TooCoarse) as reason:
            raise Failure(str(reason)) from None
    local_time.use(state_dir())
    print("", certificate.as_text(made), "", _("Saved as {path}.", path=path), sep="\n")
    band = certificate.us(made.error_ns)
    print(_("Next: take the wire off and start the kit; presses closer than {band} are a tie.", band=band))
