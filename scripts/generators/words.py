"""All texts that people read, for translators: those marked in Python and JavaScript, and all of the pages' HTML."""

from html.parser import HTMLParser
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "hardware", "firmware")
PAGES = ("firmware/panel/page", "firmware/phones/page")
LANGUAGES = [("**.py", "python"), ("**.js", "javascript")]
MARKS = {
    "_": None,
    "L_": None,
    "N_": None,
    "ngettext": (1, 2),
    "L_many": (1, 2),
    "N_many": (1, 2),
}  # by name: which arguments are texts


def catalog() -> Catalog:
    """The texts, each with its places."""
    texts = Catalog(project="Lucky Paw")
    for folder in FOLDERS:
        for path, line, text, comments, context in extract_from_dir(ROOT / folder, LANGUAGES, keywords=MARKS):
            texts.add(text, None, [(f"{folder}/{path}", line)], auto_comments=comments, context=context)
    for page in sorted(page for folder in PAGES for page in (ROOT / folder).glob("*.html")):
        for line, text in _Page(page).texts:
            texts.add(text, None, [(str(page.relative_to(ROOT)), line)])
    return texts


class _Page(HTMLParser):
    """The texts of an HTML file and its labels, where they have letters."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.texts: list[tuple[int, str]] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The labels of an element."""
        for name in ("aria-label", "alt"):
            self.handle_data(dict(attrs).get(name) or "")

    def handle_data(self, data: str) -> None:
        """A text, or an element's label."""
        if any(letter.isalpha() for letter in data):
            self.texts.append((self.getpos()[0], data.strip()))
