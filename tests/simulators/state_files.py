"""All files that the program writes in its state folder."""

from fnmatch import fnmatchcase

from firmware import state_folder as state

OTHERS = (
    *(state.FORGOTTEN, state.LISTED, "people.new", state.SUMS, state.CERTIFICATE, "certificate.new"),
    *(state.CHOSEN, "kit.new", state.ZONE, "zone.new", state.GREETED, state.IN_USE, state.SHEETS),
)
ALL = (state.JOURNAL, state.RESTORED, *state.UNFINISHED, *OTHERS)


def is_known(name: str) -> bool:
    """Whether the program ever writes such a file. `name`: with its folder, where it is in one."""
    known = state.without_end(name) in ALL or state.is_aside(name)
    return known or fnmatchcase(name, f"{state.SHEETS}/*.toml") or fnmatchcase(name, state.SAVING)
