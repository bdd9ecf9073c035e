#!/usr/bin/env python3
"""pip for the project's own environment: settings that people have made for other environments mean nothing in it.

Kept is what says where packages come from and how they are reached; what says where pip installs, what it leaves out or
how it builds is left out. `check` says in one line what makes an installation impossible; all other words go to pip.
Only the standard library: it runs before anything is installed.
"""

import configparser
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

# by their names in pip's files; https://pip.pypa.io/en/stable/cli/pip/ has all
KEPT = {
    "cache-dir",
    "cert",
    "client-cert",
    "default-timeout",
    "extra-index-url",
    "find-links",
    "index-url",
    "keyring-provider",
    "log",
    "no-cache-dir",
    "no-index",
    "only-binary",
    "pre",
    "prefer-binary",
    "proxy",
    "retries",
    "timeout",
    "trusted-host",
}
OF_ITSELF = {"PIP_CONFIG_FILE", "PIP_VERSION", "PIP_HELP"}  # no settings of pip's commands
NO = {"", "0", "n", "no", "f", "false", "off"}


class Bad(Exception):
    """A setting with which nothing can be installed: what it is, and what to do."""


def files(env: Mapping[str, str], home: Path, prefix: Path) -> Iterator[Path]:
    """pip's files, each one stronger than those before it: of the machine, the user, an environment; the one named.

    That one, where it is there, stands for the user's. Source: https://pip.pypa.io/en/stable/topics/configuration/
    """
    own = env.get("PIP_CONFIG_FILE")
    if own == os.devnull:
        return
    for folder in reversed((env.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(os.pathsep)):
        yield Path(folder, "pip", "pip.conf")
    yield Path("/etc/pip.conf")
    if not own or not Path(own).exists():
        yield home / ".pip" / "pip.conf"
        yield Path(env.get("XDG_CONFIG_HOME") or home / ".config", "pip", "pip.conf")
    yield prefix / "pip.conf"
    if own:
        yield Path(own)


def settings(env: Mapping[str, str], home: Path, prefix: Path) -> dict[str, tuple[str, str]]:
    """By name each setting for `pip install`: its value, and where it stands. Raises `Bad`: no such file."""
    found = dict[str, tuple[str, str]]()
    for path in files(env, home, prefix):
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")  # one that is not there is none
        except (configparser.Error, UnicodeDecodeError, OSError) as error:
            why = " ".join(str(error).split())
            raise Bad(f"pip cannot read its settings in {path}: {why}. Correct that file, or move it away.") from None
        for section in ("global", "install"):
            if parser.has_section(section):
                for name, value in parser.items(section):
                    found[name.replace("_", "-").lower()] = value, f"in {path}, [{section}] {name} = "
    for name, value in env.items():
        if name.startswith("PIP_") and name not in OF_ITSELF and value:
            found[name.removeprefix("PIP_").replace("_", "-").lower()] = value, f"{name}="
    return found


def check(found: dict[str, tuple[str, str]]) -> None:
    """Raises `Bad` where nothing can be installed by these settings."""
    no_index, where = found.get("no-index", ("", ""))
    links, _ = found.get("find-links", ("", ""))
    if no_index.strip().lower() not in NO and not links.strip():
        shown = f"{where}{no_index}".strip()
        raise Bad(
            f"pip may ask no index ({shown}), and no find-links names a folder with packages."
            " Take that setting away, or name such a folder in PIP_FIND_LINKS."
        )


def own_env(env: Mapping[str, str], found: dict[str, tuple[str, str]]) -> dict[str, str]:
    """The environment of a pip that has the kept settings only, and reads no file."""
    kept = {name: value for name, (value, _) in found.items() if name in KEPT}
    own = {name: value for name, value in env.items() if not name.startswith("PIP_")}
    own |= {f"PIP_{name.replace('-', '_').upper()}": " ".join(value.splitlines()) for name, value in kept.items()}
    # A package without a wheel is built as PEP 517 says: its setup.py may import what lies beside it, which pip before
    # 23.1 forbids in a safe path.
    fixed = {"DISABLE_PIP_VERSION_CHECK": "1", "NO_INPUT": "1", "USE_PEP517": "1", "CONFIG_FILE": os.devnull}
    fixed["PROGRESS_BAR"] = "off"  # with a log pip shows it, however quiet it is
    return own | {f"PIP_{name}": value for name, value in fixed.items()}


def main(words: list[str]) -> None:
    """Check the settings, or run pip of this Python with the words given."""
    found = settings(os.environ, Path.home(), Path(sys.prefix))
    check(found)
    if words != ["check"]:
        os.execve(sys.executable, [sys.executable, "-I", "-m", "pip", *words], own_env(os.environ, found))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Bad as bad:
        sys.exit(str(bad))
