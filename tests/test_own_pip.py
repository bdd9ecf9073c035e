"""pip of the first command: of people's settings it has those that say where packages come from, and no others."""

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _loaded() -> Any:
    spec = spec_from_file_location("own_pip", ROOT / "scripts" / "own_pip.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


own_pip = _loaded()

ELSEWHERE = ["user", "target", "prefix", "root", "python", "src", "no-deps", "dry-run", "require-hashes", "no-binary"]
ELSEWHERE += ["constraint", "requirement", "editable", "no-build-isolation", "platform", "abi", "isolated"]
ELSEWHERE += ["use-feature"]


def files_of_pip(env: dict[str, str]) -> set[str]:
    """Where pip itself looks for settings."""
    words = [sys.executable, "-m", "pip", "config", "debug"]
    text = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
    return {line.strip().rpartition(", exists: ")[0] for line in text.splitlines() if ", exists: " in line}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with settings of pip in every place."""
    for path, text in {
        ".pip/pip.conf": "[global]\nuser = yes\ntimeout = 11\n",
        ".config/pip/pip.conf": "[global]\ntimeout = 12\ncert = /c\n[install]\nuser = true\nfind_links =\n /a\n /b\n",
        "xdg/pip/pip.conf": "[global]\ntimeout = 10\nproxy = http://proxy:1\n",
        "named.conf": "[global]\ntimeout = 13\n",
    }.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def env_of(home: Path, **more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CONFIG_DIRS": str(home / "xdg"), **more}


@pytest.mark.parametrize("named", ["", "named.conf", "gone.conf"])
def test_settings_are_read_where_pip_reads_them(home: Path, named: str) -> None:
    env = env_of(home, PIP_CONFIG_FILE=named and str(home / named))
    assert {str(path) for path in own_pip.files(env, home, Path(sys.prefix))} == files_of_pip(env) - {""}


def test_the_later_place_is_the_stronger_and_a_file_that_is_named_stands_for_the_users(home: Path) -> None:
    env = env_of(home, PIP_RETRIES="7")
    found = {name: value for name, (value, _) in own_pip.settings(env, home, Path(sys.prefix)).items()}
    assert (found["timeout"], found["user"], found["proxy"], found["retries"]) == ("12", "true", "http://proxy:1", "7")
    env |= {"PIP_CONFIG_FILE": str(home / "named.conf"), "PIP_TIMEOUT": ""}
    found = {name: value for name, (value, _) in own_pip.settings(env, home, Path(sys.prefix)).items()}
    assert (found["timeout"], "user" in found, found["proxy"]) == ("13", False, "http://proxy:1")


def test_only_where_packages_come_from_reaches_pip(home: Path) -> None:
    elsewhere = {f"PIP_{name.upper().replace('-', '_')}": "1" for name in ELSEWHERE}
    env = env_of(home, PIP_INDEX_URL="http://here/simple", PYTHONPATH="/x", **elsewhere)
    own = own_pip.own_env(env, own_pip.settings(env, home, Path(sys.prefix)))
    assert {name: value for name, value in own.items() if name.startswith("PIP_")} == {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PIP_PROGRESS_BAR": "off",
        "PIP_USE_PEP517": "1",
        "PIP_CERT": "/c",
        "PIP_FIND_LINKS": " /a /b",
        "PIP_INDEX_URL": "http://here/simple",
        "PIP_PROXY": "http://proxy:1",
        "PIP_TIMEOUT": "12",
    }
    assert own["PATH"] == env["PATH"]


@pytest.mark.parametrize(
    ("conf", "env", "said"),
    [
        ("", {"PIP_NO_INDEX": "1"}, "pip may ask no index (PIP_NO_INDEX=1), and no find-links"),
        ("[global]\nno-index = on\n", {}, "pip may ask no index (in {conf}, [global] no-index = on), and no"),
        ("[install]\nno_index = true\n", {}, "pip may ask no index (in {conf}, [install] no_index = true), and no"),
        ("[global]\nno-index = on\nfind-links = /wheels\n", {}, ""),
        ("[global]\nno-index = on\n", {"PIP_NO_INDEX": "0"}, ""),
        ("no section\n", {}, "pip cannot read its settings in {conf}: File contains no section headers"),
        ("\xff[global]\nx = \udcff\n", {}, "pip cannot read its settings in {conf}: "),
    ],
)
def test_what_makes_it_impossible_is_said_in_a_line(conf: str, env: dict[str, str], said: str, tmp_path: Path) -> None:
    file = tmp_path / ".config" / "pip" / "pip.conf"
    file.parent.mkdir(parents=True)
    file.write_bytes(conf.encode("utf-8", "surrogateescape"))
    env = {"HOME": str(tmp_path), "XDG_CONFIG_DIRS": str(tmp_path), **env}
    words = [sys.executable, "-I", str(ROOT / "scripts" / "own_pip.py"), "check"]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    expected = said.format(conf=file)
    assert (done.returncode, done.stdout) == (1 if said else 0, "")
    assert done.stderr.startswith(expected) and done.stderr.count("\n") == bool(said)
