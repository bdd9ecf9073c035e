"""A release: made twice, elsewhere and later, it is the same; what people get of it works; what is wrong is refused.

Wheels come from the network, as they do for who makes a release.
"""

import hashlib
import html.parser
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote
from zipfile import ZipFile

import pytest
from packaging.utils import canonicalize_name

from firmware import VERSION
from firmware.card.folder import folder_in
from scripts.generators.card import KITS, locked
from scripts.generators.release import Refused, part
from tests.engine.plain import SHIPPED
from tests.simulators.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parent.parent
WHEEL = f"luckypaw-{VERSION}-py3-none-any.whl"
EARLIER = {"TZ": "XYZ+11", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "1", "PYTHONHASHSEED": "1"}
LATER = {"TZ": "XYZ-13", "LC_ALL": "C", "PYTHONHASHSEED": "2"}
COMMITTED = "2027-01-02T23:30:00-0800"

pytestmark = [pytest.mark.alone, pytest.mark.nightly]  # two releases take two minutes on every processor


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=Somebody", "-c", "user.email=", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false")
    times = {"GIT_AUTHOR_DATE": COMMITTED, "GIT_COMMITTER_DATE": COMMITTED}
    command = ["git", *who, *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, env={**os.environ, **times})
    return done.stdout


def released(
    source: Path, out: Path, environ: dict[str, str] | None = None, umask: int = 0o022
) -> subprocess.CompletedProcess[str]:
    """Make a release of a clone, by this Python."""
    command: list[str | Path] = [sys.executable, source / "scripts" / "generators" / "release.py", out]
    whole = {**os.environ, **(environ or {})}
    return subprocess.run(command, cwd=out.parent, env=whole, umask=umask, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it stands here, committed."""
    folder = tmp_path_factory.mktemp("source")
    for name in git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "all")
    return folder


@pytest.fixture
def clone(source: Path, tmp_path: Path) -> Path:
    git(tmp_path, "clone", "-q", str(source), "clone")
    return tmp_path / "clone"


@pytest.fixture(scope="module")
def release(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("release") / "out"
    done = released(source, out, EARLIER)
    assert done.returncode == 0, done.stderr
    return out


def test_made_later_elsewhere_and_by_somebody_else_it_is_the_same(release: Path, clone: Path, tmp_path: Path) -> None:
    (clone / ".venv").mkdir()
    (clone / ".venv" / "left.py").write_text("ignored\n")
    out = tmp_path / "again"
    done = released(clone, out, LATER, umask=0o077)
    assert done.returncode == 0, done.stderr
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in release.iterdir()}
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.iterdir()} == files


def test_it_has_what_its_notes_name_and_each_file_has_its_checksum(release: Path) -> None:
    name = f"luckypaw-{VERSION}"
    kinds = (
        ".tar.gz",
        *(f"-card-{kit}.zip" for kit in KITS),
        "-documents.zip",
        "-notes.md",
        "-parts.cdx.json",
        "-py3-none-any.whl",
        "-strip.zip",
    )
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=release, check=True)
    summed = [line.split("  ")[1] for line in (release / "SHA256SUMS").read_text().splitlines()]
    assert summed == [name + kind for kind in sorted(kinds)]
    assert sorted(path.name for path in release.iterdir()) == ["SHA256SUMS", *summed]
    notes = (release / f"{name}-notes.md").read_text()
    assert [kind for kind in kinds if kind != "-notes.md" and f"`{name}{kind}`" not in notes] == []


def test_the_notes_are_the_changes_of_this_version(release: Path) -> None:
    section = (ROOT / "CHANGELOG.md").read_text().partition(f"\n## {VERSION}\n")[2].partition("\n## ")[0]
    assert (release / f"luckypaw-{VERSION}-notes.md").read_text().endswith(f"\n{section.strip()}\n")


def test_the_wheel_has_every_file_of_the_program(release: Path) -> None:
    tracked = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "engine", "hardware", "firmware")
    found = {name for name in tracked.splitlines() if (ROOT / name).is_file()}
    program = {name for name in found if not name.startswith("hardware/building/")}
    with ZipFile(release / WHEEL) as wheel:
        assert {name for name in wheel.namelist() if ".dist-info/" not in name} == program


@pytest.mark.parametrize("kit", KITS)
def test_each_card_installs_this_very_wheel_and_its_kit(kit: str, release: Path, tmp_path: Path) -> None:
    with ZipFile(release / f"luckypaw-{VERSION}-card-{kit}.zip") as card:
        card.extractall(tmp_path)
    folder = folder_in(tmp_path)
    assert folder is not None
    folder.copy(tmp_path / "copy", lambda part: None)  # each file is compared
    assert (tmp_path / "copy" / "wheels" / WHEEL).read_bytes() == (release / WHEEL).read_bytes()
    assert (tmp_path / "copy" / "kit.toml").read_bytes() == (ROOT / "hardware" / "kits" / f"{kit}.toml").read_bytes()


def test_the_source_makes_this_very_wheel(release: Path, tmp_path: Path) -> None:
    with tarfile.open(release / f"luckypaw-{VERSION}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    project = tmp_path / f"luckypaw-{VERSION}"
    assert os.access(project / "scripts" / "play", os.X_OK)
    lock = ("--build-constraints", project / "requirements-build.txt", "--require-hashes", "--python", sys.executable)
    build: list[str | Path] = [
        sys.executable,
        "-m",
        "uv",
        "build",
        "--quiet",
        "--wheel",
        *lock,
        "--out-dir",
        tmp_path,
        project,
    ]
    environ = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    subprocess.run(build, check=True, env=environ)
    assert (tmp_path / WHEEL).read_bytes() == (release / WHEEL).read_bytes()


def test_the_strips_files_are_what_a_pico_gets(release: Path) -> None:
    folder = ROOT / "firmware" / "strip_controller"
    with ZipFile(release / f"luckypaw-{VERSION}-strip.zip") as strip:
        found = {name: strip.read(name) for name in strip.namelist()}
    assert found == {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


# --- parts ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parts(release: Path) -> dict[str, Any]:
    bill: dict[str, Any] = json.loads((release / f"luckypaw-{VERSION}-parts.cdx.json").read_text())
    return bill


def test_the_list_of_parts_keeps_to_its_schema(release: Path) -> None:
    from cyclonedx.schema import SchemaVersion  # takes 4 s: not for everybody who only lists the tests
    from cyclonedx.validation.json import JsonStrictValidator

    text = (release / f"luckypaw-{VERSION}-parts.cdx.json").read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_each_part_of_the_lock_is_listed_with_its_version_and_locked_files(parts: dict[str, Any]) -> None:
    lines = {canonicalize_name(need.name): (str(need.specifier), line) for need, line in locked("requirements.txt")}
    listed = {part["name"]: part for part in parts["components"]}
    assert set(listed) - set(lines) == {"pip", "spleen"}
    for name, (version, line) in lines.items():
        assert f"=={listed[name]['version']}" == version
        hashes = [each["content"] for file in listed[name]["components"] for each in file["hashes"]]
        assert hashes and [each for each in hashes if f"--hash=sha256:{each}" not in line] == [], name


def test_every_part_has_a_licence_of_spdx(parts: dict[str, Any]) -> None:
    everything = [parts["metadata"]["component"], *parts["components"]]
    named = {part["name"]: part.get("licenses") for part in everything}
    assert [name for name, said in named.items() if not said or "name" in said[0].get("license", {})] == []


def test_a_part_without_a_known_licence_is_refused() -> None:
    with pytest.raises(Refused, match=r"^own 1\.2 names no licence of SPDX but 'BSD': read its text, then add it"):
        part("pkg:pypi/own@1.2", "BSD", [])


def test_every_file_of_the_card_and_of_the_fonts_that_others_have_made_is_listed(
    release: Path, parts: dict[str, Any]
) -> None:
    with ZipFile(release / f"luckypaw-{VERSION}-card-table.zip") as card:
        shipped = {PurePosixPath(name).name for name in card.namelist() if name.endswith(".whl")}
    shipped |= {path.name for path in (ROOT / "firmware" / "fonts").glob("*.pbm")}
    everything = [parts["metadata"]["component"], *parts["components"]]
    assert {file["name"] for part in everything for file in part["components"]} == shipped


# --- documents -----------------------------------------------------------------------------------------------------


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [link for link in (given.get("href"), given.get("src")) if link]
        self.anchors |= {anchor for anchor in (given.get("id"),) if anchor}


def test_offline_every_link_of_the_documents_leads_somewhere(release: Path, tmp_path: Path) -> None:
    with ZipFile(release / f"luckypaw-{VERSION}-documents.zip") as documents:
        documents.extractall(tmp_path)
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in tmp_path.rglob("*.html")}
    assert tmp_path / "README.html" in pages
    lost = []
    for path, page in pages.items():
        for link in (link for link in page.links if ":" not in link):
            to, _, anchor = unquote(link).partition("#")
            target = (path.parent / to).resolve() if to else path
            if not target.exists() or (anchor and anchor not in pages[target].anchors):
                lost.append(f"{path.name}: {link}")
    assert lost == []


# --- the wheel in an empty folder ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with pip and pipx."""
    folder = tmp_path_factory.mktemp("tools")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", "pipx"], check=True)
    return folder / "bin"


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, of somebody who has nothing of this project."""
    for name in ("LC_ALL", "PYTHONPATH", "STATE_DIRECTORY", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def loaded(program: subprocess.Popen[str]) -> Iterator[str]:
    """What the page of a kit that is starting needs: each file once it is there. Raises `HTTPError`."""
    assert program.stdout is not None
    said = program.stdout.readline()
    assert said.startswith("Lucky Paw is ready: open "), said
    url = said.split()[5]
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        page = Page(answer.read().decode())
    for link in page.links:
        if link == "certificate.svg":
            continue  # there is none before the first calibration
        with urllib.request.urlopen(url + link, timeout=PATIENCE_S) as answer:
            answer.read()
        yield link


def played(command: list[str | Path], folder: Path) -> set[str]:
    """Start the kit in the browser, load its page, end it: what was loaded."""
    words = [*command, "play", "--emulated", "--port", "0"]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as program:
        try:
            return set(loaded(program))
        finally:
            program.send_signal(signal.SIGINT)
            assert program.wait(PATIENCE_S) == 0


def test_pip_installs_a_kit_that_plays(release: Path, empty: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    luckypaw, pip = tmp_path / "env" / "bin" / "luckypaw", (tmp_path / "env" / "bin" / "python", "-m", "pip")
    subprocess.run([*pip, "install", "--quiet", f"{release / WHEEL}[panel]"], cwd=empty, check=True)
    said = subprocess.run([luckypaw, "--version"], cwd=empty, check=True, capture_output=True, text=True).stdout
    assert said == f"luckypaw {VERSION}\n"
    assert {"kit.css", "kit.js"} <= played([luckypaw], empty)
    for game in SHIPPED:
        subprocess.run([luckypaw, "rules", game], cwd=empty, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    assert list(empty.iterdir()) == []


def test_pipx_runs_the_kit(release: Path, empty: Path, tools: Path) -> None:
    command: list[str | Path] = [tools / "pipx", "run", "--quiet", "--spec", release / WHEEL, "luckypaw"]
    assert {"kit.css", "kit.js"} <= played(command, empty)
    assert list(empty.iterdir()) == []


# --- refused -------------------------------------------------------------------------------------------------------


def refused(clone: Path, out: Path) -> str:
    """The one line that says why; nothing is made."""
    before = sorted(out.rglob("*")) if out.exists() else None
    done = released(clone, out)
    assert (done.returncode, done.stdout) == (1, "")
    assert (sorted(out.rglob("*")) if out.exists() else None) == before
    return done.stderr


@pytest.mark.parametrize("name", ["README.md", "new.md"])
def test_a_file_that_is_not_committed_is_refused(name: str, clone: Path, tmp_path: Path) -> None:
    with (clone / name).open("a") as file:
        file.write("\n")
    said = "1 file differs from the commit: commit or remove what git status lists"
    assert refused(clone, tmp_path / "out") == f"scripts/release: {said}\n"


def test_a_version_without_its_changes_is_refused(clone: Path, tmp_path: Path) -> None:
    (clone / "firmware" / "__init__.py").write_text('"""Another."""\n\nVERSION = "7.8.9"\n')
    git(clone, "commit", "-qam", "another version")
    said = "CHANGELOG.md has no section ## 7.8.9, which is VERSION in firmware/__init__.py"
    assert refused(clone, tmp_path / "out") == f"scripts/release: {said}\n"


def test_a_version_that_another_commit_has_is_refused(clone: Path, tmp_path: Path) -> None:
    git(clone, "tag", f"v{VERSION}")
    git(clone, "commit", "-q", "--allow-empty", "-m", "after it")
    said = f"v{VERSION} is the tag of another commit: raise VERSION in firmware/__init__.py"
    assert refused(clone, tmp_path / "out") == f"scripts/release: {said}\n"


def test_a_folder_that_holds_something_is_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    said = f"{tmp_path}/out is there already and not an empty folder: remove it, or give another name"
    assert refused(source, tmp_path / "out") == f"scripts/release: {said}\n"


def test_a_source_without_commits_is_refused(source: Path, tmp_path: Path) -> None:
    shutil.copytree(source, tmp_path / "copy", ignore=shutil.ignore_patterns(".git"))
    said = "a release is made of a commit: this folder is no clone of the project"
    assert refused(tmp_path / "copy", tmp_path / "out") == f"scripts/release: {said}\n"
