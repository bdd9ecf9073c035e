"""The lock of an installed kit: what pyproject.toml asks for stands in it, allowed and with hashes."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
INSTALLED = [
    *PROJECT["project"]["dependencies"],
    *(need for extra in ("flash", "panel", "pi") for need in PROJECT["project"]["optional-dependencies"][extra]),
]
LOCKS = {"requirements.txt": INSTALLED, "requirements-build.txt": PROJECT["build-system"]["requires"]}


def locked(name: str) -> dict[str, tuple[Requirement, int]]:
    """By package: what the lock says, and the number of its hashes."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    found: dict[str, tuple[Requirement, int]] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        what, *hashes = line.split(" --hash=sha256:")
        need = Requirement(what.strip())
        found[canonicalize_name(need.name)] = (need, len(hashes))
    return found


@pytest.mark.parametrize(("name", "needs"), LOCKS.items(), ids=LOCKS)
def test_the_lock_has_all_that_the_project_asks_for(name: str, needs: list[str]) -> None:
    there = locked(name)
    for need in map(Requirement, needs):
        version = str(next(iter(there[canonicalize_name(need.name)][0].specifier)).version)
        assert need.specifier.contains(version), f"{need} but {version} in {name}: scripts/make-lock"


@pytest.mark.parametrize("name", LOCKS)
def test_all_in_the_lock_is_one_version_with_hashes(name: str) -> None:
    for need, hashes in locked(name).values():
        assert [one.operator for one in need.specifier] == ["=="], need
        assert hashes > 0, need
