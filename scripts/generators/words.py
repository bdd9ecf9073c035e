"""All texts that people read, for translators: those marked in Python and JavaScript, and all of the page's HTML."""

from html.parser import HTMLParser
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "hardware", "firmware")
PAGE = "firmware/panel/page/index.html"
LANGUAGES = [("**.py", "python"), ("**.js", "javascript")]
MARKS = {"_": None, "N_": None, "ngettext": (1, 2), "N_many": (1, 2)}  # by name: which arguments are texts


def catalog() -> Catalog:
    """The texts, each with its places."""
    texts = Catalog(project="Lucky Paw")
    for folder in FOLDERS:
        for path, line, text, comments, context in extract_from_dir(ROOT / folder, LANGUAGES, keywords=MARKS):
            texts.add(text, None, [(f"{folder}/{path}", line)], auto_comments=comments, context=context)
    for line, text in _Page(ROOT / PAGE).texts:
        texts.add(text, None, [(PAGE, line)])
    return texts


class _Page(HTMLParser):
    """The texts of an HTML file and its labels, where they have letters."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.texts: list[tuple[int, str]] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A label of an element."""
        self.handle_data(dict(attrs).get("aria-label") or "")

    def handle_data(self, data: str) -> None:
        """A text, or an element's label."""
        if any(letter.isalpha() for letter in data):
            self.texts.append((self.getpos()[0], data.strip()))
