"""`luckypaw check`: what the doctor has found, in words for people and as JSON for programs."""

import json
from collections.abc import Iterable, Iterator, Sequence

from hardware.doctor.findings import Finding

ARROW = "→"


def rows(findings: Iterable[Finding]) -> Iterator[str]:
    """A line a part as soon as it has been looked at; below what is wrong stands what to do."""
    for found in findings:
        mark = "!" if found.fault else "i" if found.note else " "
        yield f"{mark} {found.part:24} {found.place:24}  {found.text}"
        if found.remedy:
            yield f"    {ARROW} {found.remedy}"


def verdict(findings: Sequence[Finding]) -> str:
    """The last line."""
    faults = [found.part for found in findings if found.fault]
    if not faults:
        return "All right."
    return f"{len(faults)} {'thing is' if len(faults) == 1 else 'things are'} to be mended: {', '.join(faults)}."


def status(findings: Iterable[Finding]) -> int:
    """The exit status."""
    return int(any(found.fault for found in findings))


def as_json(kit: str, findings: Sequence[Finding]) -> str:
    """One document: `code` is stable, and `fine` where all is right; the words are not."""
    told = [
        {
            "code": found.code,
            "fault": found.fault,
            "part": found.part,
            "place": found.place,
            "text": found.text,
            "remedy": found.remedy,
        }
        for found in findings
    ]
    return json.dumps({"kit": kit, "ok": not status(findings), "findings": told}, ensure_ascii=False, indent=2)
