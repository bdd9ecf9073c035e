"""`luckypaw check`: the doctor's findings, in words for people and as JSON for programs."""

import json
import sqlite3
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from firmware.cli import Failure, alone, state_dir
from firmware.cli.which_kit import config_path, description
from firmware.translation import _, ngettext, translated
from hardware.config import KitConfig
from hardware.doctor.findings import Finding

ARROW = "→"


def run(args: Namespace) -> None:
    path = config_path(args)
    findings: list[Finding] = []

    def report(finding: Finding) -> None:
        findings.append(finding)
        if not args.json:
            print("\n".join(rows([finding])), flush=True)

    if args.itself:
        from firmware.cli import self_check

        for finding in self_check.examine(path, state_dir()):
            report(finding)
    else:
        from hardware.doctor.examine import examine

        config = description(path)
        for finding in examine(config, state_dir()):
            report(finding)
        for finding in latest_evening(config, state_dir()):
            report(finding)
        if args.guided:
            guide(config, findings, report)
    print(as_json(str(path or "Table"), findings) if args.json else verdict(findings))
    if status(findings):
        sys.exit(1)


def latest_evening(config: KitConfig, state: Path) -> Iterator[Finding]:
    """What the latest evening in the journal tells of the lines; nothing where it cannot be read."""
    from firmware.journal.reader import History
    from firmware.state_folder import JOURNAL
    from hardware.doctor import sparks

    if not (buttons := sparks.wired(config)):
        return
    try:
        with closing(History(state / JOURNAL)) as history:
            runs = history.latest_evening(buttons)
    except (sqlite3.Error, OSError):  # `--self` looks at the journal itself
        return
    yield from sparks.judge(config, runs)


def guide(config: KitConfig, findings: list[Finding], report: Callable[[Finding], None]) -> None:
    """Ask people about things that no program can see; questions go to stderr: stdout has the document of `--json`."""
    from firmware import ending
    from firmware.setup import guided
    from firmware.setup.inbox import Inbox, listen_to_keys
    from hardware.doctor.bench import open_bench
    from hardware.parts import PartLost

    def say(text: str) -> None:
        print(f"? {text}", file=sys.stderr, flush=True)

    known = guided.known(findings)
    if known is None:
        say(_("Mend the faults above first: without its lines there is nothing to ask for."))
        return
    emulated = config.buttons.driver == config.display.driver == "emulated"
    inbox = Inbox[guided.Event]()
    with nullcontext() if emulated else alone(), ending.deferred(inbox.end):
        try:
            bench = open_bench(config, lambda part, text: None)  # lost parts are reported already
        except PartLost as lost:
            raise Failure(translated(lost.text)) from None
        with closing(bench):
            listen_to_keys(inbox)
            walk = guided.Guided(bench, inbox, say, known)
            for finding in walk.findings():
                report(finding)
            walk.end(findings)


def rows(findings: Iterable[Finding]) -> Iterator[str]:
    """A line for each finding; below a fault its remedy."""
    for finding in findings:
        mark = "!" if finding.fault else "i" if finding.note else " "
        part, place, text, remedy = map(translated, (finding.part, finding.place, finding.text, finding.remedy))
        yield f"{mark} {part:24} {place:24}  {text}"
        if remedy:
            yield f"    {ARROW} {remedy}"


def verdict(findings: Sequence[Finding]) -> str:
    """The last line."""
    faults = [translated(finding.part) for finding in findings if finding.fault]
    if not faults:
        return _("All right.")
    return ngettext(
        "{n} thing is to be mended: {parts}.",
        "{n} things are to be mended: {parts}.",
        len(faults),
        parts=", ".join(faults),
    )


def status(findings: Iterable[Finding]) -> int:
    """The exit status."""
    return int(any(finding.fault for finding in findings))


def as_json(kit: str, findings: Sequence[Finding]) -> str:
    """One document. `code` is stable, and `fine` where all is right; the words are not stable."""
    items = [
        {
            "code": finding.code,
            "fault": finding.fault,
            "part": finding.part,
            "place": finding.place,
            "text": finding.text,
            "remedy": finding.remedy,
        }
        for finding in findings
    ]
    return json.dumps({"kit": kit, "ok": not status(findings), "findings": items}, ensure_ascii=False, indent=2)
