"""What the documents lead to is there: links, headings, files, names of the code, and commands as they are written."""

import ast
import re
import shlex
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from engine import games
from firmware import VERSION
from firmware.cli.arguments import parser
from firmware.journal.writer import Journal
from firmware.setup import certificate
from hardware.config import kits
from tests.firmware.certificates import made
from tests.firmware.command import Ran
from tests.simulators.players import random_game

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("docs", "engine", "firmware", "hardware", "scripts", "systemd", "tests")
PAGES = sorted(
    path.relative_to(ROOT)
    for path in (*ROOT.glob("*.md"), *(page for top in TOPS for page in (ROOT / top).rglob("*.md")))
)
TODAY = [page for page in PAGES if page.name != "CHANGELOG.md"]  # it has names of former versions
OUR_FOLDERS = (*TOPS, *(path.name for path in (ROOT / "firmware").iterdir() if path.is_dir()))
PACKAGES = ("engine", "firmware", "hardware", "scripts", "tests")
SIMULATORS = Path("tests/simulators")
SEVERAL = {  # scripts that do one of several things, and the modules of these
    "scripts/make": "generators/make_*.py",
    "scripts/random": "at_random/*.py",
    "scripts/bench": "benches/*.py",
}
PAGE = ROOT / "firmware/panel/page/index.html"
PLACEHOLDERS = {"N": "1", "GPIO": "18", "GAME": "kitty_paw", "<name>": "kitty_paw", "FILE": "kit.toml"}
ALONE = {  # a command that is only named: what it cannot be without
    "calibrate": "--wire 18",
    "replay": "1",
    "rules": "kitty_paw",
    "history": "list",
    "history show": "1",
    "restore": "copy.db",
}

every_page = pytest.mark.parametrize("page", PAGES, ids=str)


@cache
def text(page: Path) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def code(page: Path) -> Iterator[str]:
    """What is set as code: words between back-quotes, and lines of blocks."""
    plain = re.sub(r"```\w*\n(.*?)```", "", text(page), flags=re.DOTALL)
    yield from (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", plain))
    for block in re.findall(r"```\w*\n(.*?)```", text(page), re.DOTALL):
        yield from (line.strip() for line in block.splitlines())


def headings(page: Path) -> set[str]:
    """The anchors of a page, as they are made from its headings."""
    found = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def commands(page: Path, name: str) -> Iterator[list[str]]:
    """Commands that begin so, in words, without those that only read what they print."""
    for line in code(page):
        if re.match(rf"(sudo )?{name}(?![\w.-])", line):
            yield shlex.split(line.removeprefix("sudo ").split(" | ")[0], comments=True)


@every_page
def test_every_link_leads_somewhere(page: Path) -> None:
    lost = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path) if path else page
        resolved = (ROOT / target).resolve()
        if not resolved.exists() or (anchor and anchor not in headings(resolved.relative_to(ROOT))):
            lost.append(link)
    assert lost == []


def test_the_pages_say_where_the_kits_page_has_the_score_sheets() -> None:
    [history] = re.findall(r'<details [^>]*id="history".*?</details>', PAGE.read_text("utf-8"), re.DOTALL)
    [label] = re.findall(r'<a [^>]*href="sheets"[^>]*>([^<:]+):', history)
    ways = [" ".join(found.split()) for page in TODAY for found in re.findall(r"[^|.]*`/sheets`", text(page))]
    assert ways != [] and all("*History*" in way and f"*{label}*" in way for way in ways)


@cache
def sources() -> dict[Path, str]:
    """All our files but documents and what is no text."""
    found = {}
    for path in (path for top in TOPS[1:] for path in (ROOT / top).rglob("*") if path.is_file()):
        with suppress(UnicodeDecodeError):
            if path.suffix != ".md":
                found[path.relative_to(ROOT)] = path.read_text(encoding="utf-8")
    return found


def is_there(path: str, page: Path) -> bool:
    """Whether a page names a file, a folder or a module as seen from the project, from firmware or from itself."""
    pattern = re.sub(r"<\w+>|\.\.\.", "*", path).rstrip("/")
    places = (ROOT, ROOT / "firmware", ROOT / page.parent)
    if "/" not in path and any(source.name == path for source in sources()):
        return True
    return any(any(place.glob(name)) for place in places for name in (pattern, f"{pattern}.py"))


@pytest.mark.parametrize("page", TODAY, ids=str)
def test_every_file_that_is_named_is_there(page: Path) -> None:
    ours = re.compile(rf"(?:{'|'.join(OUR_FOLDERS)})/[\w./<>-]*|[\w<][\w./<>-]*\.(?:py|js)")
    named = {word for line in code(page) for word in line.split() if ours.fullmatch(word)}
    assert [word for word in sorted(named) if not is_there(word, page)] == []


def stored(node: ast.AST, kind: type[ast.Name | ast.Attribute]) -> Iterator[str]:
    """The names, or the attributes, that are set somewhere in it."""
    for one in ast.walk(node):
        if isinstance(one, kind) and isinstance(one.ctx, ast.Store):
            yield one.id if isinstance(one, ast.Name) else one.attr


def defined(body: Iterable[ast.AST]) -> Iterator[str]:
    """What a module or a class defines."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        else:
            yield from stored(node, ast.Name)


def definitions() -> defaultdict[str, set[str]]:
    """What modules and classes define, by their names in small letters: an object is called as its class is."""
    found = defaultdict[str, set[str]](set)
    for path, source in sources().items():
        if path.suffix == ".py":
            module = ast.parse(source)
            found[path.stem].update(defined(module.body))
            for node in ast.walk(module):
                if isinstance(node, ast.ClassDef):
                    found[node.name.lower()].update(defined(node.body), stored(node, ast.Attribute))
    return found


def test_every_name_of_the_code_that_is_in_a_page_is_there() -> None:
    """Of ours as it is defined. Of others, of files and of keys: it stands in the code as it stands in the page."""
    name = rf"((?:{'|'.join(PACKAGES)})\.(?:\w+\.)*)?(?:([A-Za-z]\w*)\.)?([A-Za-z]\w*)"
    every = "\n".join(sources().values())
    written = {*re.findall(r"\w+", every), *re.findall(r"(?<!\w)(?=(\w+\.\w+))", every)}
    ours, lost = definitions(), []
    for page in TODAY:
        for span in code(page):
            if (found := re.fullmatch(rf"{name}(?:\(.*\))?", span)) and (found[2] or re.search("^[A-Z0-9]+_", span)):
                short = ".".join(filter(None, found.groups()[1:]))
                if found[3] not in ours[(found[2] or "").lower()] and short not in written and not is_there(span, page):
                    lost.append(f"{page}: {span}")
    assert lost == []


def test_every_simulator_is_in_their_table() -> None:
    files_table, *_ = text(SIMULATORS / "README.md").split("\n## ")
    named = re.findall(r"^\| (.+?) \|", files_table, re.MULTILINE)
    files = (path for path in (ROOT / SIMULATORS).iterdir() if not path.name.startswith("__"))
    there = {path.name + "/" * path.is_dir() for path in files}
    assert set(re.findall(r"`(.+?)`", " ".join(named))) == there - {"README.md"}


@every_page
def test_every_command_of_the_program_is_taken(page: Path) -> None:
    for words in commands(page, "luckypaw"):
        given = [PLACEHOLDERS.get(word, word) for word in words[1:]]
        given += shlex.split(ALONE.get(" ".join(given), ""))
        given += ["1"] if given[:2] in (["history", "show"], ["history", "evidence"]) and len(given) == 2 else []
        if given in (["--version"], ["--help"]):
            continue  # both end the program
        if given:
            asked = parser().parse_args(given)
            assert getattr(asked, "kit", None) in {None, *kits()}


def looks() -> set[tuple[str, ...]]:
    """The program's commands in all documents that look and change nothing, complete and as they are written."""
    found = {
        tuple(PLACEHOLDERS.get(word, word) for word in words[1:])
        for page in PAGES
        for words in commands(page, "luckypaw")
        if words[1:2] in (["config"], ["history"], ["replay"], ["rules"]) or words[1:] == ["check", "--self"]
    }
    writing = {"--pictures", "--picture"}
    return {words for words in found if " ".join(words) not in ALONE and not writing.intersection(words)}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with a game and a certificate."""
    folder = tmp_path_factory.mktemp("state")
    journal = Journal(folder / "luckypaw" / "journal.db", "boot-1", lambda ticket: None, lambda text: None)
    kitty_paw = games.rules("kitty_paw")
    journal.write(journal.begin_game("kitty_paw"), random_game(kitty_paw, 3, kitty_paw.options(), 3).facts)
    journal.close()
    certificate.save(folder / "luckypaw", made(8, 9, 11, 34))
    return folder


@pytest.mark.parametrize("words", sorted(looks()), ids=" ".join)
def test_a_command_that_only_looks_runs_as_it_is_written(words: tuple[str, ...], state: Path) -> None:
    ran = Ran(words, state)
    assert (ran.status, ran.err) == (0, "")


@every_page
def test_every_script_that_is_named_can_be_run(page: Path) -> None:
    named = {words[0] for words in commands(page, r"scripts/[\w.-]+")}
    assert [name for name in named if not (ROOT / name).stat().st_mode & 0o111 and not name.endswith(".sh")] == []


@cache
def help_of(script: str) -> str:
    path, *what = script.split()
    return subprocess.run([ROOT / path, *what, "--help"], capture_output=True, text=True, check=True).stdout


@every_page
def test_every_option_of_a_script_is_in_its_help(page: Path) -> None:
    given = {
        (" ".join(words[:2]) if words[0] in SEVERAL else words[0], word)
        for words in commands(page, r"scripts/[\w.-]+")
        for word in words[1:]
        if word.startswith("--") and word != "--help" and words[0] != "scripts/test"  # whose options are pytest's
    }
    assert [(script, option) for script, option in sorted(given) if option not in help_of(script)] == []


@pytest.mark.parametrize("script", SEVERAL)
def test_a_script_of_several_says_which_there_are_and_takes_no_other(script: str) -> None:
    told = [line.split() for line in help_of(script).splitlines() if line.startswith("  ")]
    there = {path.stem.removeprefix("make_") for path in (ROOT / "scripts").glob(SEVERAL[script])} - {"__init__"}
    assert there == {what for what, *_ in told} and all(says for _, *says in told)
    asked = subprocess.run([ROOT / script, "nothing"], capture_output=True, text=True, check=False)
    refused = f"{script} nothing: must be one of these: {' '.join(sorted(there))}\n"
    assert (asked.returncode, asked.stdout, asked.stderr) == (1, "", refused)


OLD_NAMES = [path for path in (ROOT / "scripts").iterdir() if path.is_symlink()]
LAST_WITH_OLD_NAMES = "0.2.0"


@pytest.mark.parametrize("path", OLD_NAMES, ids=lambda path: path.name)
def test_an_old_name_of_a_script_says_the_new_one_for_one_release(path: Path) -> None:
    said = subprocess.run([path], capture_output=True, text=True, check=False)
    found = re.fullmatch(rf"scripts/{path.name} is now (scripts/\w+) (\w+)\n", said.stderr)
    assert found and (ROOT / "scripts" / SEVERAL[found[1]].replace("*", found[2])).exists()
    assert said.returncode == 2 and VERSION in ("0.1.0", LAST_WITH_OLD_NAMES)


def test_the_changelog_begins_with_what_comes_and_the_programs_version() -> None:
    assert re.findall(r"^## (.+)$", text(Path("CHANGELOG.md")), re.MULTILINE)[:2] == ["Unreleased", VERSION]
