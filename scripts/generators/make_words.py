"""Write a template for translators with all texts that people read."""

import argparse
from pathlib import Path

from babel.messages.pofile import write_po

from scripts.generators import words

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/make words", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="template to write, e.g. luckypaw.pot")
    file = parser.parse_args().file
    texts = words.catalog()
    with file.open("wb") as out:
        write_po(out, texts)
    print(f"{file}: {len(texts)} texts")
