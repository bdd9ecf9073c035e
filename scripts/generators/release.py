"""Makes the files of a release in one folder, of what the commit has and nothing else.

The same commit gives the same files, byte for byte.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from cyclonedx.spdx import is_expression, is_supported_id
from packaging.metadata import RawMetadata, parse_email
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from firmware import VERSION  # noqa: E402
from firmware.card.folder import NAME as CARD  # noqa: E402
from scripts.generators.card import KITS, seal  # noqa: E402
from scripts.generators.web import page  # noqa: E402

SPLEEN = "2.2.0"  # of scripts/make fonts
LICENCES = {  # of wheels that do not name theirs by SPDX: what their licence text is
    "lgpio": "Unlicense",
    "pyserial": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
}
WHEEL = f"luckypaw-{VERSION}-py3-none-any.whl"
CARDS = "\n".join(
    f"| `luckypaw-{VERSION}-card-{kit}.zip` | a Raspberry Pi, the kit {kit.title()}: its content goes onto the card |"
    for kit in KITS
)
FILES = f"""\
| file | what for |
|---|---|
{CARDS}
| `{WHEEL}` | the kit in a browser: `pipx run --spec {WHEEL} luckypaw play` |
| `luckypaw-{VERSION}-strip.zip` | the program of the LED strip's Pico |
| `luckypaw-{VERSION}-documents.zip` | all pages, to be read offline: begin with README.html |
| `luckypaw-{VERSION}.tar.gz` | the project: source, tests, scripts, kits |
| `luckypaw-{VERSION}-parts.cdx.json` | every part with its version, licence and hash (CycloneDX) |
| `SHA256SUMS` | `sha256sum --check SHA256SUMS` |
"""


class Refused(Exception):
    """No release can be made; the text says why."""


class Commit(NamedTuple):
    """What is released."""

    name: str
    made_s: int  # since 1970, UTC


def git(*arguments: str | Path) -> str:
    """The output of a git command on the project. Raises `CalledProcessError`."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def commit(out: Path) -> Commit:
    """What is to be released. Raises `Refused`."""
    if not (ROOT / ".git").exists():
        raise Refused("a release is made of a commit: this folder is no clone of the project")
    if changed := git("status", "--porcelain").splitlines():
        few, many = "1 file differs", f"{len(changed)} files differ"
        raise Refused(f"{few if len(changed) == 1 else many} from the commit: commit or remove what git status lists")
    tagged, made_s = f"v{VERSION}", int(git("log", "-1", "--format=%ct"))
    head = git("rev-parse", "HEAD")
    if git("tag", "--list", tagged) and git("rev-parse", f"{tagged}^{{commit}}") != head:
        raise Refused(f"{tagged} is the tag of another commit: raise VERSION in firmware/__init__.py")
    changes()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Refused(f"{out} is there already and not an empty folder: remove it, or give another name")
    return Commit(head, made_s)


def changes() -> str:
    """The changes of this version, from CHANGELOG.md. Raises `Refused`."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(VERSION)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise Refused(f"CHANGELOG.md has no section ## {VERSION}, which is VERSION in firmware/__init__.py")
    return found[1].strip()


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pack(to: Path, files: dict[str, bytes], made_s: int) -> None:
    """A zip whose bytes depend on nothing but this."""
    made = datetime.fromtimestamp(made_s, UTC)
    with ZipFile(to, "w") as file:
        for name, content in sorted(files.items()):
            entry = ZipInfo(name, (made.year, made.month, made.day, made.hour, made.minute, made.second))
            entry.create_system, entry.external_attr = 3, (stat.S_IFREG | 0o644) << 16  # Unix, whatever this is made on
            file.writestr(entry, content, ZIP_DEFLATED, 9)


def below(folder: Path, files: Iterable[Path]) -> dict[str, bytes]:
    """The content of files, by their path from a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files if path.is_file()}


def documents(source: Path) -> dict[str, bytes]:
    """README, docs and what they lead to, the pages as HTML."""
    files = below(
        source, [*source.glob("*.md"), source / "LICENSE", *source.glob("[!.]*/**/*.md"), *source.glob("docs/**/*")]
    )
    return dict(page(source, name, data) if name.endswith(".md") else (name, data) for name, data in files.items())


def about(wheel: Path) -> RawMetadata:
    """What a wheel says of itself."""
    with ZipFile(wheel) as file:
        name = next(name for name in file.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        return parse_email(file.read(name))[0]


def part(purl: str, licence: str, files: Iterable[Path]) -> dict[str, Any]:
    """A part in the words of CycloneDX, with the files that are shipped of it. Raises `Refused`."""
    name, _, version = purl.rpartition("/")[2].partition("@")
    if is_supported_id(licence):
        known: dict[str, Any] = {"license": {"id": licence}}
    elif is_expression(licence):
        known = {"expression": licence}
    else:
        raise Refused(
            f"{name} {version} names no licence of SPDX but {licence!r}: read its text, then add it to LICENCES"
        )
    hashed = [
        {"type": "file", "name": path.name, "hashes": [{"alg": "SHA-256", "content": sha256(path)}]} for path in files
    ]
    named = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    return {**named, "licenses": [known], "components": hashed}


def shipped(source: Path, wheels: Path) -> Iterator[dict[str, Any]]:
    """Every part of the wheel and of the card; the program itself is the first. Raises `Refused`."""
    found: dict[tuple[str, str], list[Path]] = {}
    for wheel in sorted(wheels.glob("*.whl")):
        named = parse_wheel_filename(wheel.name)
        found.setdefault((named[0], str(named[1])), []).append(wheel)
    for (name, version), files in sorted(found.items(), key=lambda item: item[0][0] != "luckypaw"):
        said = about(files[0])
        licence = said.get("license_expression") or LICENCES.get(name) or said.get("license") or "nothing"
        yield part(f"pkg:pypi/{name}@{version}", licence, files)
    yield part(f"pkg:github/fcambus/spleen@{SPLEEN}", "BSD-2-Clause", sorted(source.glob("firmware/fonts/*.pbm")))


def parts(source: Path, wheels: Path, of: Commit) -> str:
    """The bill of materials, CycloneDX. Raises `Refused`."""
    program, *others = shipped(source, wheels)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid5(NAMESPACE_URL, f"luckypaw {VERSION} {of.name}").urn,
        "metadata": {"timestamp": datetime.fromtimestamp(of.made_s, UTC).isoformat(), "component": program},
        "components": others,
        "dependencies": [{"ref": program["bom-ref"], "dependsOn": [other["bom-ref"] for other in others]}],
    }
    return json.dumps(bill, indent=2) + "\n"


def make(out: Path, work: Path, of: Commit) -> None:
    """Make the files in `out`. Raises `Refused`, `CalledProcessError`."""
    source, card, name = work / "source", work / "card", f"luckypaw-{VERSION}"
    git("checkout-index", "--all", f"--prefix={source}/")
    subprocess.run([sys.executable, source / "scripts/generators/card.py", card], check=True, stdout=subprocess.DEVNULL)
    locked = ("--build-constraints", source / "requirements-build.txt", "--require-hashes", "--python", sys.executable)
    subprocess.run(
        [sys.executable, "-P", "-m", "uv", "build", "--quiet", "--sdist", *locked, "--out-dir", work / "sdist", source],
        check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(of.made_s)},
    )
    wheels = card / CARD / "wheels"
    for path in (work / "sdist" / f"{name}.tar.gz", wheels / WHEEL):
        shutil.copyfile(path, out / path.name)
    for kit in KITS:
        seal(card, kit)
        pack(out / f"{name}-card-{kit}.zip", below(card, card.rglob("*")), of.made_s)
    strip = source / "firmware" / "strip_controller"
    pack(out / f"{name}-strip.zip", below(strip, strip.iterdir()), of.made_s)
    pack(out / f"{name}-documents.zip", documents(source), of.made_s)
    (out / f"{name}-parts.cdx.json").write_text(parts(source, wheels, of), encoding="utf-8")
    (out / f"{name}-notes.md").write_text(f"# Lucky Paw {VERSION}\n\n{FILES}\n{changes()}\n", encoding="utf-8")
    sums = [f"{sha256(path)}  {path.name}\n" for path in sorted(out.iterdir())]
    (out / "SHA256SUMS").write_text("".join(sums))
    for path in out.iterdir():
        path.chmod(0o644)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/release",
        description="Make the files of a release of this commit in one folder: source, wheel, the folder for the card, "
        "the strip's program, documents, parts with licences, notes and checksums. See CONTRIBUTING.md, Releases.",
    )
    parser.add_argument(
        "out", metavar="OUT", nargs="?", type=Path, default=ROOT / "dist", help="folder to make (default: dist)"
    )
    out = parser.parse_args().out
    try:
        of = commit(out)
        print(f"Making Lucky Paw {VERSION} of commit {of.name[:7]} ...", flush=True)
        with tempfile.TemporaryDirectory() as work:
            new = Path(work, "new")
            new.mkdir()
            make(new, Path(work), of)
            shutil.copytree(new, out, dirs_exist_ok=True)
    except Refused as why:
        sys.exit(f"scripts/release: {why}")
    except subprocess.CalledProcessError:
        sys.exit("scripts/release: that failed; the reason stands above. Is this machine online? Then start again.")
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.name}")
    print(f"{out} is made. Next: try the files; then git tag v{VERSION}.")


if __name__ == "__main__":
    main()
