"""All texts that people read, for translators: found by Babel where they are marked."""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "firmware")
MARKS = {"_": None, "N_": None, "ngettext": (1, 2), "N_many": (1, 2)}  # by name: which arguments are texts


def catalog() -> Catalog:
    """The texts, each with the places where it stands."""
    found = Catalog(project="Lucky Paw")
    for folder in FOLDERS:
        for path, line, text, comments, context in extract_from_dir(ROOT / folder, keywords=MARKS):
            found.add(text, None, [(f"{folder}/{path}", line)], auto_comments=comments, context=context)
    return found
