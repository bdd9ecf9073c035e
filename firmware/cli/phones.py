"""`luckypaw phones`: on an appliance the command does it as root, by `systemd/phones`, before this program runs."""

from argparse import Namespace

from firmware.cli import Failure
from firmware.translation import _


def run(args: Namespace) -> None:
    text = _("phones {what}: this is no appliance, whose service is closed; nothing has to be opened", what=args.what)
    raise Failure(text, 2)
