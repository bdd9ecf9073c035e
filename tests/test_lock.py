"""The lock of an installed kit, and the bounds: what is asked for is locked, no version with a known hole allowed."""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.simulators.distributions import install

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
INSTALLED = [
    *PROJECT["project"]["dependencies"],
    *(need for extra in ("flash", "panel", "pi") for need in PROJECT["project"]["optional-dependencies"][extra]),
]
EXTRAS = PROJECT["project"]["optional-dependencies"]
NEEDS: dict[str, Requirement] = {
    str(canonicalize_name(need.name)): need
    for need in map(
        Requirement, (*PROJECT["project"]["dependencies"], *(each for extra in EXTRAS.values() for each in extra))
    )
    if need.name != PROJECT["project"]["name"]
}
WITH_A_HOLE = {  # the last versions with a known one: see CONTRIBUTING, Releases
    "h11": "0.14.0",
    "pillow": "12.3.0",
    "playwright": "1.55.0",
    "pytest": "9.0.2",
    "starlette": "1.3.0",
    "uv": "0.11.27",
}
OURS = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
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
        assert need.specifier.contains(version), f"{need} but {version} in {name}: scripts/make lock"


@pytest.mark.parametrize("name", LOCKS)
def test_all_in_the_lock_is_one_version_with_hashes(name: str) -> None:
    for need, hashes in locked(name).values():
        assert [one.operator for one in need.specifier] == ["=="], need
        assert hashes > 0, need


@pytest.mark.parametrize("name", WITH_A_HOLE)
def test_no_version_with_a_known_hole_is_allowed(name: str) -> None:
    assert not NEEDS[name].specifier.contains(WITH_A_HOLE[name])


def with_our_names(path: list[str]) -> list[str]:
    """What other distributions bring under a name of ours; pip would let them replace our files."""
    return sorted(
        {
            f"{one.name}: {file.parts[0]}"
            for one in metadata.distributions(path=path)
            for file in one.files or ()
            if file.parts[0].split(".")[0] in OURS and canonicalize_name(one.name) != PROJECT["project"]["name"]
        }
    )


def test_no_other_distribution_brings_a_package_of_our_name() -> None:
    assert with_our_names(sys.path) == []


def test_all_of_the_lock_is_looked_at_for_that() -> None:
    installed = {canonicalize_name(one.name) for one in metadata.distributions()}
    here = {name for name, (need, _) in locked("requirements.txt").items() if not need.marker or need.marker.evaluate()}
    assert here - installed == set()  # what is not for this Python or machine, CI has on another


def test_a_distribution_that_brings_a_package_of_our_name_is_found(tmp_path: Path) -> None:
    install(tmp_path, "motor", "engine/__init__.py", "engine_oil/__init__.py")
    install(tmp_path, "cog", "hardware.py")
    assert with_our_names([str(tmp_path)]) == ["cog: hardware.py", "motor: engine"]


def reasoned() -> dict[str, str]:
    """By package: its bound in the tables of decision 0001, as pyproject.toml writes it."""
    found: dict[str, str] = {}
    for line in (ROOT / "docs/decisions/0001-dependencies.md").read_text(encoding="utf-8").splitlines():
        if row := re.search(r"\| ([\w., -]+) \| ([≥<][≥<\d., ]+) \|", line):
            names, bounds = row[1].split(", "), row[2].replace("≥ ", ">=").replace("< ", "<").split(", ")
            if len(names) == 1:
                bounds = [",".join(bounds)]
            found |= zip(map(canonicalize_name, names), bounds, strict=True)
    return found


def test_every_bound_stands_with_its_reason_in_decision_0001() -> None:
    there = reasoned()
    assert {name: there.get(name) for name in NEEDS} == {
        name: ",".join(sorted(str(need.specifier).split(","), reverse=True)) for name, need in NEEDS.items()
    }
