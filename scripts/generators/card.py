"""Makes the folder for the card: all that an installation needs, and what cloud-init starts it by.

The same source gives the same files, byte for byte.
"""

import argparse
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from firmware import VERSION  # noqa: E402
from firmware.card.folder import MANIFEST, NAME  # noqa: E402
from firmware.card.manifest import manifest  # noqa: E402
from scripts.generators.web import page  # noqa: E402

KITS = sorted(path.stem for path in (ROOT / "hardware" / "kits").glob("*.toml"))
PARTS = (  # of the source; the rest is in the wheel
    *("scripts/install", "scripts/uninstall", "scripts/appliance.sh", "systemd/*", "docs/*.md", "requirements.txt"),
    *("firmware/__init__.py", "firmware/boot.py", "firmware/letters.py", "firmware/misnamed.py"),
    *("firmware/wifi_code.py", "firmware/card/*.py"),
    *("hardware/__init__.py", "hardware/words.py", "hardware/header_chip.py", "hardware/parts/__init__.py"),
    *("hardware/parts/buzzer/__init__.py", "hardware/parts/buzzer/pwm.py"),
    *("firmware/fonts/__init__.py", "firmware/fonts/spleen-5x8.pbm", "firmware/fonts/spleen-8x16.pbm"),
)
HOOK = ROOT / "systemd" / "card"  # for cloud-init, which runs it at each start
MADE_S = 1_580_601_600  # 2020-02-02, the time of all files: that of the files in wheels


class Target(NamedTuple):
    """A Python on a machine, and the newest glibc that its wheels may need."""

    python: str
    machine: str = "aarch64"
    glibc: int = 36  # 2.36

    def holds(self, need: Requirement) -> bool:
        """Whether a requirement is for this machine."""
        here = {"python_version": self.python, "python_full_version": f"{self.python}.0", "sys_platform": "linux"}
        return need.marker is None or need.marker.evaluate({**here, "platform_machine": self.machine})

    def options(self) -> Iterator[str]:
        """For pip download."""
        yield from ("--only-binary=:all:", "--implementation=cp", f"--python-version={self.python}")
        yield from (f"--platform=manylinux_2_{minor}_{self.machine}" for minor in range(self.glibc, 16, -1))
        yield f"--platform=manylinux2014_{self.machine}"


TARGETS = (Target("3.13", glibc=41), Target("3.11"))  # Raspberry Pi OS Trixie and Bookworm


def locked(name: str) -> Iterator[tuple[Requirement, str]]:
    """The requirements of a lock, each with its line for pip."""
    for line in (ROOT / name).read_text().replace("\\\n", " ").splitlines():
        if not line.startswith("#"):
            what, *hashes = line.split(" --hash=")
            need = Requirement(what.strip())
            yield need, f"{need.name}{need.specifier} " + " ".join(f"--hash={each.strip()}" for each in hashes)


def pip(python: str | Path, *arguments: str | Path, **environ: str) -> None:
    """Run pip. Raises `CalledProcessError`."""
    command = [python, "-P", "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", *arguments]
    subprocess.run(command, check=True, env={**os.environ, **environ})


def download(lines: Iterable[str], to: Path, *options: str) -> None:
    """Fetch wheels by the lines of a lock, and compare their hashes."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(lines))
        file.flush()
        needs = ("--requirement", file.name)
        pip(sys.executable, "download", "--require-hashes", "--no-deps", "--dest", to, *options, *needs)


def own_wheel(to: Path) -> None:
    """The program itself, made by the locked hatchling."""
    with tempfile.TemporaryDirectory() as tools:
        subprocess.run([sys.executable, "-P", "-m", "venv", tools], check=True)
        python = Path(tools, "bin", "python")
        pip(python, "install", "--require-hashes", "--requirement", ROOT / "requirements-build.txt")
        options = ("--no-deps", "--no-build-isolation", "--no-cache-dir", "--wheel-dir", to)
        pip(python, "wheel", *options, ROOT, SOURCE_DATE_EPOCH=str(MADE_S))


def make(out: Path, kit: str = "table", targets: Iterable[Target] = TARGETS) -> None:
    """Make the folder's content in `out`, which must not be there yet."""
    folder = out / NAME
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    for target in targets:
        download((line for need, line in locked("requirements.txt") if target.holds(need)), wheels, *target.options())
    download((line for need, line in locked("requirements-build.txt") if need.name == "pip"), wheels)
    own_wheel(wheels)
    said = "source scripts/appliance.sh && version_of_source"
    (wheels / "version").write_bytes(
        subprocess.run(["bash", "-c", said], cwd=ROOT, check=True, capture_output=True).stdout
    )
    copy_parts(folder)
    (folder / "start.html").write_bytes(start_page())
    (out / "vendor-data").write_bytes(b"#cloud-boothook\n" + HOOK.read_bytes())
    seal(out, kit)


def copy_parts(folder: Path) -> None:
    """The files of the source in `folder`."""
    for path in sorted(path for part in PARTS for path in ROOT.glob(part)):
        to = folder / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)


def start_page() -> bytes:
    """The steps of docs/build.md with their pictures, in one file."""
    text = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    begins, ends = text.index("## 4. The card"), text.index("## 5. ")
    _, html = page(ROOT, "docs/start.md", text[begins:ends].replace("## 4. The card", "# Lucky Paw", 1).encode())

    def inside(found: re.Match[str]) -> str:
        picture = ROOT / "docs" / found[1]
        kind = {".svg": "image/svg+xml", ".png": "image/png"}[picture.suffix]
        return f'src="data:{kind};base64,{base64.b64encode(picture.read_bytes()).decode()}"'

    return re.sub(r'src="([^"]*)"', inside, html.decode()).encode()


def seal(out: Path, kit: str) -> None:
    """Make the folder that of a kit: its description, then the list of all files."""
    folder = out / NAME
    (folder / MANIFEST).unlink(missing_ok=True)
    shutil.copyfile(ROOT / "hardware" / "kits" / f"{kit}.toml", folder / "kit.toml")
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    (folder / MANIFEST).write_bytes(
        manifest({name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names})
    )
    for path in (out, *out.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (MADE_S, MADE_S))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/make-card",
        description="Make the folder for a card with Raspberry Pi OS Lite (64-bit, Trixie or Bookworm). "
        "Copy all that is in it onto the card's first partition.",
    )
    parser.add_argument("--kit", choices=KITS, default="table", help="the kit that you build (default: table)")
    parser.add_argument("out", metavar="OUT", type=Path, help="folder to make; must not exist yet")
    args = parser.parse_args()
    if args.out.exists():
        parser.error(f"{args.out} is there already: remove it, or give another name")
    new = args.out.with_name(f"{args.out.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    print(f"Fetching and making wheels for Lucky Paw {VERSION} ...", flush=True)
    try:
        make(new, args.kit)
    except subprocess.CalledProcessError:
        shutil.rmtree(new, ignore_errors=True)
        sys.exit("That failed; the reason stands above. Is this machine online? Then start again.")
    new.rename(args.out)
    size = sum(path.stat().st_size for path in args.out.rglob("*"))
    print(f"{args.out} is made, {size / 1e6:.1f} MB. Next: copy all that is in it onto the card; see docs/build.md.")


if __name__ == "__main__":
    main()
