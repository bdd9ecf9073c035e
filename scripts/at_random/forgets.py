"""Cut forgetting, and the starts after it, at random writes and reads.

Each time the name of somebody stands in other texts of a state folder. The power goes while somebody is forgotten, and
again while the kit starts, or a read fails. A list of people has the name, too, and is read at the first start. Once a
kit has started in good order the name is in no file, the others of the list are known, and all games are as they were.
"""

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.simulators import faulty_disk


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/random forgets", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--forgets", type=int, default=500, metavar="N", help="how often (default 500)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of texts and cuts (default 0)")
    asked = parser.parse_args()
    if asked.forgets < 1:
        parser.error(f"--forgets {asked.forgets}: must be a whole number of 1 or more")
    if not faulty_disk.READY:
        sys.exit(faulty_disk.MISSING)
    with TemporaryDirectory(dir=faulty_disk.MEMORY) as place:
        library, module = faulty_disk.build(Path(place)), "tests.simulators.faulty_disk.forgetting"
        done = faulty_disk.start(library, module, place, "random", str(asked.forgets), str(asked.seed))
    if done.returncode != 0:
        sys.exit(done.stderr)
    found = json.loads(done.stdout)
    kinds = ", ".join(f"{many:,} {kind}" for kind, many in sorted(found["kinds"].items()))
    print(f"{found['forgets']:,} forgets ({kinds}): {len(found['wrong'])} failed")
    print("".join(f"  {text}\n" for text in found["wrong"]), end="")
    sys.exit(bool(found["wrong"]))


if __name__ == "__main__":
    main()
