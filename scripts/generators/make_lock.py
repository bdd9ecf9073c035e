"""Write requirements.txt and requirements-build.txt: the versions that an installation takes, with hashes.

Locked versions stay while pyproject.toml allows them.
"""

import argparse
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).with_name("uv")
OPTIONS = (
    *("--universal", "--python-version", "3.11", "--generate-hashes"),
    *("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"),
)
EXTRAS = ("flash", "panel", "pi")
KIT, BUILD = ROOT / "requirements.txt", ROOT / "requirements-build.txt"


def lock(file: Path, what: str, *options: str, names: str | None = None) -> None:
    """Write one file. `names`: what it is made from, else pyproject.toml."""
    with TemporaryDirectory() as folder:
        new = Path(folder) / file.name
        if file.exists():
            new.write_bytes(file.read_bytes())
        source = "-" if names is not None else "pyproject.toml"
        command: list[str | Path] = [UV, "pip", "compile", "--quiet", *OPTIONS, "--output-file", new, *options, source]
        if subprocess.run(command, cwd=ROOT, input=names, text=True, stdout=subprocess.DEVNULL, check=False).returncode:
            sys.exit("No lock; the reason stands above.")
        file.write_text(f"# {what}. Written by scripts/make lock.\n{new.read_text()}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/make lock", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--upgrade", action="store_true", help="take the newest version of each")
    newest = ["--upgrade"] if parser.parse_args().upgrade else []
    extras = [word for extra in EXTRAS for word in ("--extra", extra)]
    lock(KIT, f"What an installed kit has: luckypaw[{','.join(EXTRAS)}], with hashes", *newest, *extras)
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    lock(BUILD, "What builds and installs it", *newest, names="\n".join([*requires, "pip>=26.2"]))
    subprocess.run(["git", "diff", "--stat", "--", KIT, BUILD], cwd=ROOT, check=True)
    print("Next: scripts/test tests/test_lock.py; commit both files.")


if __name__ == "__main__":
    main()
