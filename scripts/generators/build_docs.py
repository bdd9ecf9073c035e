"""Make the documents from the kits' descriptions: docs/kits, and the last part of docs/wiring.md.

With --check it writes nothing, and the exit status is 1 if a file is missing, stale or no longer generated.
"""

import argparse
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hardware.building.documents import WIRING, another_graphviz, documents, stale, wiring_page
from hardware.config import ConfigError

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/build-docs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a file is stale")
    check = parser.parse_args().check
    if shutil.which("dot") is None:
        print("scripts/build-docs draws with Graphviz: sudo apt install graphviz", file=sys.stderr)
        return 1
    try:
        made = documents()
        made[WIRING] = wiring_page((ROOT / WIRING).read_text(encoding="utf-8")).encode()
    except ConfigError as error:
        print(f"scripts/build-docs: {error}", file=sys.stderr)
        return 1
    wrong, gone = stale(ROOT, made)
    if check and (other := another_graphviz(ROOT)) is not None:
        print(other)
        wrong = [path for path in wrong if "/harness" not in path]
    for path in (*wrong, *gone):
        print(f"{path}: {'is not generated any more' if path in gone else 'is stale'}" if check else path)
    if check:
        if wrong or gone:
            print("scripts/build-docs makes them again.", file=sys.stderr)
        return 1 if wrong or gone else 0
    for path in wrong:
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_bytes(made[path])
    for path in gone:
        (ROOT / path).unlink()
    print(f"{len(made)} files in docs, {len(wrong)} of them new, {len(gone)} removed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
