"""Text to sheet: what is read, and what is refused with file, line and key."""

import msgspec
import pytest

from engine.sheets.reading import SheetErrors, read
from engine.sheets.rules import rules
from engine.sheets.sheet import Sheet, schema
from tests.engine.sheets.shelf import HEAD, PAGE, WIZARD

ASK = 'ask = [{ id = "a" }]\n'


@pytest.mark.parametrize("name", PAGE)
def test_the_sheets_of_the_page_are_read(name: str) -> None:
    assert PAGE[name].startswith(f'\ntitle = "{read(PAGE[name]).title}"')


@pytest.mark.parametrize(
    "given",
    [
        "\ufeff" + WIZARD,
        ("\ufeff" + WIZARD).encode(),
        WIZARD.replace("\n", "\r\n"),
        WIZARD.replace("\n", "\r\n").encode(),
    ],
)
def test_marks_and_line_ends_of_other_machines_are_nothing(given: str | bytes) -> None:
    assert read(given) == read(WIZARD)


def test_the_schema_names_all_keys() -> None:
    assert tuple(schema()["$defs"]["Sheet"]["properties"]) == Sheet.__struct_fields__


def test_a_sheet_is_made_of_what_json_knows() -> None:
    sheet = read(WIZARD)
    assert msgspec.json.decode(msgspec.json.encode(sheet), type=Sheet) == sheet


REFUSED = [
    # the file
    ("x" * 65537, "1: file: has 65537 bytes: must be at most 65536"),
    (b"\xff\xfe\x00", "1: file: is no text in UTF-8: must be TOML"),
    (b'title = "T"\n\xe4', "2: file: is no text in UTF-8: must be TOML"),
    ('title = "T"\n\0', "2: file: has a sign that is no text: must be TOML"),
    ("[" * 3000, "1: file: "),
    ("x = " + "[\n" * 30000, "1: file: has brackets in brackets without end: must be TOML"),
    (".".join("a" * 2000) + " = 1", "1: file: a line is too long"),
    ("x = " + "9" * 3990, "1: x: is unknown"),
    (HEAD + "ask = [{ id = }]", "3: ask: invalid value: must be a number, or a text in straight quotes"),
    (HEAD + 'title = "U"\n', "3: title: cannot overwrite a value: must stand once"),
    ("", "1: title: is missing: must be a text of 1 to 40 signs"),
    # keys and types
    (HEAD + ASK + "colour = 1", "4: colour: is unknown: must be one of title, players, teams, source, bgg, format,"),
    (HEAD + 'ask = [\n  { id = "a" },\n  { id = "b", hihg = 3 },\n]', "5: ask 2 hihg: is unknown: must be one of id,"),
    (HEAD + ASK + "final = [{ id = 'b', pts = 3 }]", "4: final 1 pts: is unknown: must be one of id,"),
    (HEAD + '[[ask]]\nid = "a"\n\n[[ask]]\nid = "b"\nhihg = 3', "8: ask 2 hihg: is unknown"),
    (HEAD + "[race]\nkind = 'first'\nlockout = true", "5: race lockout: is unknown: must be one of kind, lock_out,"),
    (HEAD + "race = { lock_out = true }", "3: race kind: is missing: must be first, last, order or signal"),
    (HEAD + "ask = [{ title = 'x' }]", "3: ask 1 id: is missing: must be a name of a to z"),
    (HEAD + "ask = 3", "3: ask: 3 does not fit: must be a list"),
    (HEAD + "[ask]\nid = 'a'", "3: ask: {'id': 'a'} does not fit: must be a list"),
    (HEAD + "ask = [{ id = 'a', high = true }]", "3: ask 1 high: true does not fit: must be a whole number or an"),
    (HEAD + "ask = [{ id = 'a', high = 1.5 }]", "3: ask 1 high: 1.5 does not fit"),
    (HEAD + "ask = [{ id = 'a', high = 1000000000 }]", "3: ask 1 high: 1000000000 does not fit"),
    (HEAD + "ask = [{ id = 'A' }]", "3: ask 1 id: 'A' does not fit: must be a name of a to z"),
    (HEAD + "ask = [{ id = 'a\\n' }]".replace("'", '"'), "3: ask 1 id: 'a\\n' does not fit"),
    (HEAD + "ask = [{ id = 'a', kind = 'text' }]", "3: ask 1 kind: 'text' does not fit: must be number, yes, words"),
    (HEAD + "ask = [{ id = 'a', step = 0 }]", "3: ask 1 step: 0 does not fit: must be a whole number from 1"),
    (HEAD + "ask = [{ id = 'a', per = 'all' }]", "3: ask 1 per: 'all' does not fit: must be each, team, table"),
    (HEAD + f"ask = [{{ id = 'a', title = '{'x' * 41}' }}]", "3: ask 1 title: 'xxxxxxxx"),
    ('title = ""\nplayers = [1, 2]\n' + ASK, "1: title: '' does not fit: must be a text of 1 to 40 signs"),
    ('title = "T"\nplayers = [0, 2]\n' + ASK, "2: players: [0, 2] does not fit: must be [fewest, most], both from"),
    ('title = "T"\nplayers = [1, 13]\n' + ASK, "2: players: [1, 13] does not fit"),
    ('title = "T"\nplayers = [3, 2]\n' + ASK, "2: players: [3, 2] is the wrong way round"),
    ('title = "T"\nplayers = 3\n' + ASK, "2: players: 3 does not fit"),
    (HEAD + ASK + "format = 2", "4: format: 2 does not fit: must be 1"),
    (HEAD + ASK + "first = 'dealer'", "4: first: 'dealer' does not fit: must be fixed, rotates, highest or lowest"),
    (HEAD + ASK + "steps.fee = { x = 1 }", "4: steps fee: {'x': 1} does not fit"),
    (HEAD + ASK + "let.b = []", "4: let b: [] does not fit"),
    (HEAD + ASK + "check = [3]", "4: check: [3] does not fit"),
    (HEAD + ASK + "check = [{ says = 'x' }]", "4: check 1 that: is missing"),
    # names
    (HEAD + 'ask = [{ id = "a" }, { id = "a" }]', "3: ask 2 id: a is the name of the ask in line 3 already"),
    (HEAD + ASK + 'keep.a = "1"', "4: keep a: a is the name of the ask in line 3 already"),
    (HEAD + 'ask = [{ id = "round" }]', "3: ask 1 id: round is a name of every expression"),
    (HEAD + 'ask = [{ id = "sum" }]', "3: ask 1 id: sum is a function of every expression"),
    (HEAD + 'ask = [{ id = "lambda" }]', "3: ask 1 id: lambda is a word of every expression"),
    (HEAD + ASK + '[keep]\nb = "1"\nend = "b == 3"', "6: keep end: end is a key of the sheet, and a line below [keep]"),
    (HEAD + ASK + 'let.check = "1"', "4: let check: check is a key of the sheet"),
    (HEAD + ASK + 'keep.total = "1"', "4: keep total: total is a name of every expression"),
    # kinds
    (HEAD + "ask = [{ id = 'a', kind = 'words' }]", "3: ask 1 kind: words is empty"),
    (HEAD + "ask = [{ id = 'a', words = [] }]", "3: ask 1 words: [] does not fit"),
    (HEAD + "ask = [{ id = 'a', words = ['b'], kind = 'yes' }]", "3: ask 1 kind: yes has no words"),
    (HEAD + "ask = [{ id = 'a', kind = 'yes', high = 2 }]", "3: ask 1 high: is not for yes"),
    (HEAD + "ask = [{ id = 'a', kind = 'seat', per = 'each' }]", "3: ask 1 per: each does not fit a seat"),
    (HEAD + "ask = [{ id = 'a', kind = 'seat', low = 1 }]", "3: ask 1 low: 1 does not fit a seat"),
    (HEAD + "ask = [{ id = 'a', low = 5, high = 4 }]", "3: ask 1 high: low 5 is above high 4"),
    (HEAD + "ask = [{ id = 'a', high = -1 }]", "3: ask 1 high: low 0 is above high -1"),
    # who answers
    (HEAD + "ask = [{ id = 'a', per = 'team' }]", "3: ask 1 per: team is only for a sheet with teams"),
    (HEAD + "ask = [{ id = 'a', per = 'turn' },\n{ id = 'b' }]", "4: ask 2 per: each stands beside turn"),
    (HEAD + "ask = [{ id = 'a', per = 'race' }]", "3: ask 1 per: race is only for a race"),
    (HEAD + "race = { kind = 'first' }\nask = [{ id = 'a' }]", "4: ask 1 per: each stands beside race"),
    (HEAD + "rounds = 3\nask = [{ id = 'a', per = 'any' }]", "3: rounds: is not for per any"),
    (HEAD + "rounds = 3\nask = [{ id = 'a', per = 'box' }]", "3: rounds: is not for per box"),
    (HEAD + "last = 'lap'\nend = 'a'\nask = [{ id = 'a', per = 'any' }]", "3: last: is only for per turn and box"),
    (HEAD + ASK + "last = 'lap'\nend = 'a'", "4: last: is only for per turn and box"),
    (HEAD + "final = [{ id = 'b', per = 'turn' }]\n" + ASK, "3: final 1 per: turn is not for the end"),
    (HEAD, "1: ask: is missing: must have an ask, a race or a clock"),
    # race and clock
    (HEAD + "race = { kind = 'first', jump = 'loses' }", "3: race jump: is not for first"),
    (HEAD + "race = { kind = 'first', delay = [1, 2] }", "3: race delay: is not for first"),
    (HEAD + "race = { kind = 'signal', delay = [3, 2] }", "3: race delay: is the wrong way round"),
    (HEAD + "race = { kind = 'signal', delay = [0, 2] }", "3: race delay: [0, 2] does not fit"),
    (HEAD + "race = { kind = 'first', lock_out = true }", "3: race lock_out: needs a question"),
    (HEAD + "clock = { kind = 'chess', seconds = 3 }", "3: clock seconds: is not for chess"),
    (HEAD + "clock = { kind = 'turn' }", "3: clock kind: turn needs seconds"),
    # expressions: only what is known there
    (HEAD + ASK + "points = 'a + c'", "4: points: column 5: c is unknown: must be one of a, first, players, round,"),
    (HEAD + ASK + "points = '''\n  a\n  + c'''", "4: points: column 9: c is unknown"),
    (HEAD + "ask = [{ id = 'a', high = 'b' },\n{ id = 'b' }]", "3: ask 1 high: column 1: b is not known here yet"),
    (HEAD + "ask = [{ id = 'a', high = 'points' }]", "3: ask 1 high: column 1: points is not known here yet"),
    (HEAD + ASK + "let.b = 'c'\nlet.c = '1'", "4: let b: column 1: c is not known here yet"),
    (HEAD + ASK + "let.b = 'b'", "4: let b: column 1: b is not known here yet"),
    (HEAD + ASK + "[let]\nc = '1'\nb = 'x'", "6: let b: column 1: x is unknown"),
    (HEAD + ASK + "check = 'points'", "4: check: column 1: points is not known here yet"),
    (HEAD + ASK + "check = ['a',\n 'x']", "5: check 2: column 1: x is unknown"),
    (HEAD + ASK + "check = [{ that = 'a' },\n { that = 'x' }]", "5: check 2 that: column 1: x is unknown"),
    (HEAD + ASK + "check = [{ that = 'a', says = '{x}' }]", "4: check 1 says: {x} is unknown here"),
    (HEAD + ASK + "check = [{ that = 'a', says = '{' }]", "4: check 1 says: '{' has a single brace"),
    (HEAD + ASK + "final = [{ id = 'b' }]\npoints = 'b'", "5: points: column 1: b is not known here yet"),
    (HEAD + ASK + "placed = 1", "4: placed: is unknown"),
    (HEAD + ASK + "end = 'placed'", "4: end: column 1: placed is not known here yet"),
    (HEAD + ASK + "rounds = 'a'", "4: rounds: column 1: a is not known here yet: must be one of players"),
    (HEAD + ASK + "rounds = 0", "4: rounds: 0 rounds with 1 players: must be 1 or more"),
    (HEAD + ASK + "rounds = '12 // (players - 3)'", "4: rounds: -6 rounds with 1 players"),
    (HEAD + ASK + "rounds = '12 // (players - 1)'", "4: rounds: with 1 players there is a division by 0"),
    (HEAD + ASK + "win = ['total', '-x']", "4: win: column 2: x is unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "first"), REFUSED)
def test_refused_with_line_and_key(given: str | bytes, first: str) -> None:
    with pytest.raises(SheetErrors) as errors:
        read(given, "my.toml")
    assert str(errors.value).startswith(f"my.toml:{first}")


def test_three_errors_at_most_in_the_order_of_the_lines() -> None:
    with pytest.raises(SheetErrors) as errors:
        read("d = 1\nc = 2\n\nb = 3\na = 4\n" + HEAD + ASK)
    assert [error.line for error in errors.value.errors] == [1, 2, 4]


PASTED = [
    WIZARD.replace(" = ", "\u00a0=\u00a0"),
    WIZARD.replace("\n", "\n\u200b"),
    WIZARD.replace("[3, 6]", "[3,\u202f6]"),
    f"```toml\n{WIZARD}```\n",
    f"\n~~~\n{WIZARD}\n~~~",
]


@pytest.mark.parametrize("given", PASTED, ids=["no-break", "zero-width", "thin", "fences", "waves"])
def test_what_is_pasted_from_a_page_or_a_chat_is_read(given: str) -> None:
    assert read(given) == read(WIZARD)


def test_an_error_below_a_fence_has_the_line_of_the_file() -> None:
    with pytest.raises(SheetErrors, match=r"^my.toml:5: colour: is unknown"):
        read(f"```toml\n{HEAD}{ASK}colour = 1\n```\n", "my.toml")


def test_signs_that_nobody_sees_are_not_shown() -> None:
    ask = 'ask = [{ id = "a", title = "x\\u2028y", words = ["\\u2060b\\u200b", "c"] }]'
    text = HEAD.replace('"T"', '"\\u001bTwo\\u202e"') + ask
    shown = rules("sheet:my", read(text))
    state = shown.start(1, shown.options())
    (offer,) = state.ask.offers(state)[:1]
    assert (shown.title, shown.label(state, offer), shown.label(state, offer, 0)) == ("Two", "x y", "b")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (HEAD.replace('"T"', '"\\u001b"') + ASK, "1: title: has nothing that can be seen"),
        (HEAD + 'ask = [{ id = "a", title = "\\u200b" }]', "3: ask 1 title: has nothing that can be seen"),
        (HEAD + 'ask = [{ id = "a", words = ["b", "\\u2060"] }]', "3: ask 1 words 2: has nothing that can be seen"),
    ],
)
def test_a_text_of_which_nothing_is_seen_is_refused_in_a_file_and_read_in_a_journal(text: str, error: str) -> None:
    with pytest.raises(SheetErrors, match=f"^my.toml:{error}"):
        read(text, "my.toml")
    assert rules("sheet:my", read(text, known=True)).title in ("T", "sheet:my")
