"""Names: what is one, when two are the same, what the display shows, and lists of them."""

from collections import defaultdict
from unicodedata import normalize

import pytest

from firmware.output.screens.font import CHARACTERS, SIZES, font
from firmware.people.names import MAX_NAME, Listed, Person, at_table, cleaned, fitted, isolated, key, missing, read_list
from firmware.people.spelling import LIKE

P123 = ("P1", "P2", "P3")

NAMES = {
    "spaces at the ends and double ones go": ("  Mary  Ann\t", "Mary Ann"),
    "a letter and its mark are one character": ("Zoe\u0308", "Zoë"),
    "twelve characters": ("e\u0301" * 12, "é" * 12),
    "letters that the display cannot draw": ("山田太郎", "山田太郎"),
    "an emoji of seven code points is one character": ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"),
    "a joiner within a word": ("می‌خواهم", "می‌خواهم"),
    "a formula of a spreadsheet is text": ("=1+2", "=1+2"),
    "a space that nobody sees is left out": ("an\u200bna", "anna"),
    "so is a soft hyphen": ("an\u00adna", "anna"),
    "so is markup": ("<b>'\"&", "<b>'\"&"),
}


@pytest.mark.parametrize(("text", "name"), NAMES.values(), ids=NAMES)
def test_a_name_in_its_normal_form(text: str, name: str) -> None:
    assert cleaned(text) == name


NO_NAMES = {
    "nothing": "",
    "spaces": "  \u3000",
    "thirteen characters": "x" * 13,
    "marks piled up": "a" + "\u0301" * 70,
    "a mark alone": "\u0301",
    "a control character": "a\x00",
    "from right to left by force": "\u202eanna",
    "an isolate": "\u2067anna\u2069",
    "an invisible letter": "\u3164",
    "an empty braille cell": "\u2800",
    "half a character": "\ud83d",
}


@pytest.mark.parametrize("text", NO_NAMES.values(), ids=NO_NAMES)
def test_what_is_no_name_is_refused_without_naming_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"^a name has 1 to 12 characters that can be seen$"):
        cleaned(text)


def test_spaces_and_case_make_no_other_name() -> None:
    assert len({key(name) for name in ("Mary Ann", "maryann", "MARY  ANN")}) == 1
    assert key("Straße") == key("STRASSE")
    assert key("Anna") != key("Ana")


@pytest.mark.parametrize(
    ("person", "drawn"),
    [
        (Person("1", "Žofie"), "Žofie"),
        (Person("1", "O\u2019Neil"), "O'Neil"),
        (Person("1", "Юлия", "Julia"), "Julia"),
        (Person("1", "Юлия"), ""),
    ],
)
def test_the_display_draws_a_name_or_the_short_one_or_nothing(person: Person, drawn: str) -> None:
    assert person.drawn == drawn


FITTED = {
    "names": (("Anna", "Ben", "Cleo"), 12, ("Anna", "Ben", "Cleo")),
    "a guest has the label": (("Anna", "", "Cleo"), 12, ("Anna", "P2", "Cleo")),
    "a long name is cut": (("Alexandra", "Ben", ""), 6, ("Alexan", "Ben", "P3")),
    "no space at the cut": (("Mary Ann", "Ben", ""), 5, ("Mary", "Ben", "P3")),
    "two that look the same when cut": (("Christian", "Christoph", "Ben"), 6, ("P1", "P2", "Ben")),
    "with more room they do not": (("Christian", "Christoph", "Ben"), 7, ("Christi", "Christo", "Ben")),
    "two of the same name": (("Anna", "anna", "Ben"), 12, ("P1", "P2", "Ben")),
    "one that says that it is a name stands whole": (("P2 (name)", "", "Ben"), 9, ("P2 (name)", "P2", "Ben")),
    "or not at all": (("P2 (name)", "", "Ben"), 8, ("P1", "P2", "Ben")),
    "a name that is another's label": (("P2", "", "Ben"), 12, ("P1", "P2", "Ben")),
}


@pytest.mark.parametrize(("names", "most", "shown"), FITTED.values(), ids=FITTED)
def test_a_name_stands_where_it_tells_its_seat_from_the_others(
    names: tuple[str, ...], most: int, shown: tuple[str, ...]
) -> None:
    assert fitted(names, P123, most) == shown


def test_a_page_shows_whole_names_each_in_its_own_direction() -> None:
    assert at_table(P123, {0: "p3"}) == ("p3 (name)", "P2", "P3")
    assert at_table(P123, {0: "Anna", 2: "نگار"}) == ("Anna", "P2", "نگار")
    assert (isolated("Anna 2"), isolated("نگار")) == ("Anna 2", "\u2068نگار\u2069")


LISTS = {
    "a name a line": (b"Anna\nBen\r\n\n  Cleo  ", ["Anna", "Ben", "Cleo"], []),
    "comments": (b"# us\nAnna # my aunt\n", ["Anna"], []),
    "UTF-8 with its mark": ("\ufeffŽofie".encode(), ["Žofie"], []),
    "UTF-16, as an old editor saves it": ("Žofie\r\nBen".encode("utf-16"), ["Žofie", "Ben"], []),
    "a wrong line is counted, not quoted": (
        b"Anna\nAnna and all her sisters\nBen",
        ["Anna", "Ben"],
        ["people.txt, line 2: a name has 1 to 12 characters that can be seen"],
    ),
    "a short name must be drawn": (
        "Юлия = Юля".encode(),
        [],
        ["people.txt, line 1: the name for the display has letters that it cannot draw"],
    ),
    "quotes of editors": (
        "\u201cAnna\u201d\n\u201eBo\u201c # him\nO\u2019Brien\n".encode(),
        ["Anna", "Bo", "O\u2019Brien"],
        [],
    ),
    "no text": (b"\xff\x00\xd8", [], ["people.txt: the file is not text in UTF-8"]),
    "without end": (b"A\n" * 60_000, ["A"] * 50_000, ["people.txt: longer than 100 kB; the rest is not read"]),
}


@pytest.mark.parametrize(("data", "names", "faults"), LISTS.values(), ids=LISTS)
def test_a_list_of_people(data: bytes, names: list[str], faults: list[str]) -> None:
    entries, wrong = read_list(data)
    assert ([entry.name for entry in entries], wrong) == (names, faults)


def test_a_list_gives_a_short_name_for_the_display() -> None:
    assert read_list("Юлия = Julia".encode())[0] == [Listed("Юлия", "Julia")]


def test_of_a_list_only_those_who_are_not_known_are_new() -> None:
    known = [Person("1", "ANNA"), Person("2", "Ben")]
    entries = [Listed("Anna", ""), Listed("Cleo", ""), Listed("anna", "")]
    assert missing(entries, known) == [Listed("Cleo", ""), Listed("anna", "")]  # two of them: there are two Annas


@pytest.mark.parametrize("size", SIZES)
def test_each_letter_of_a_name_is_drawn_and_told_from_other_letters(size: str) -> None:
    letters = defaultdict[bytes, set[str]](set)  # in small sizes a letter may look like itself with another mark
    for char in filter(str.isalpha, CHARACTERS):
        letters[font(size).write(char).tobytes()].add(LIKE.get(char.lower(), normalize("NFD", char)[0].lower()))
    assert font(size).write(" ").tobytes() not in letters
    assert [alike for alike in letters.values() if len(alike) > 1] == []


def test_the_longest_name_fits_a_row_in_the_smallest_size() -> None:
    assert MAX_NAME * font(SIZES[0]).width_px <= 128 // 2
