"""`luckypaw rules GAME`: the rules as a line protocol, one JSON object a line in and out; see docs/protocol.md.

GAME is a game's name, or the file of a score sheet.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TextIO

import msgspec

from engine import games
from engine import play as plays
from engine.game import Rules
from engine.play import Fact, Play
from engine.rules import ERROR_NS, MAX_ERROR_NS, Action, Board, Offer, Refused, read_options
from engine.sheets.reading import SheetErrors
from engine.words import either
from firmware.cli import Failure
from firmware.shelf import folders
from firmware.translation import translated
from firmware.wishes.play import Amend, EndGame, Fix, Redo, Undo

MAX_LINE = 65536  # bytes, its line feed included; a longer one is refused and passed over
MAX_ERROR = 300  # characters; it quotes the input
MAX_DEPTH = 5  # of lists in lists
MAX_NS = 2**62  # of stamps of people: offers due after them still fit into 63 bits
MAX_DUE_NS = 2**63 - 1


def run(args: Namespace) -> None:
    serve(rules_of(args.game), sys.stdin.buffer, sys.stdout)


def rules_of(game: str) -> Rules[Any, Any]:
    """The rules of a game or of a score sheet's file. Raises `Failure`."""
    file = Path(game)
    if game in games.names() or not (file.suffix or file.is_file()):
        try:
            return games.rules(game)
        except Refused as refused:
            raise Failure(translated(refused.text), 2) from None
    return rules_of_file(file)


def rules_of_file(file: Path) -> Rules[Any, Any]:
    """The rules of a score sheet's file. Raises `Failure`, which names what is wrong with file, line and key."""
    try:
        return folders.from_file(file)
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}", 2) from None
    except SheetErrors as errors:
        raise Failure(str(errors), 2) from None


def serve(rules: Rules[Any, Any], lines: BinaryIO, out: TextIO) -> None:
    """Answer line by line until the input ends. Bad lines are refused and change nothing."""
    play: Play | None = None
    for line in read_lines(lines):
        try:
            play, answer = respond(rules, play, parse(line))
        except Refused as refused:
            answer = {"error": one_line(str(refused)), "kind": refused.kind}
        out.write(json.dumps(answer, separators=(",", ":")) + "\n")
        out.flush()


def read_lines(lines: BinaryIO) -> Iterator[bytes]:
    """Lines of the input; of one that is too long only its beginning, so that memory stays small."""
    while line := lines.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            while (rest := lines.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
        if line.strip() or len(line) > MAX_LINE:
            yield line


def one_line(text: str) -> str:
    """A text without line breaks, cut short where it quotes something long."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_ERROR else f"{text[:MAX_ERROR]}..."


def parse(line: bytes) -> dict[str, Any]:
    """A line as an object. Raises `Refused` (`bad_line`)."""
    if len(line) > MAX_LINE:
        raise Refused("bad_line", f"the line is longer than {MAX_LINE} bytes")
    try:
        document = json.loads(line, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Refused("bad_line", f"not JSON: {str(error).splitlines()[0]}") from None
    if not isinstance(document, dict):
        raise Refused("bad_line", f"a line must be one JSON object, not {type(document).__name__}")
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) < len(pairs):
        raise Refused("bad_line", "a key must be given only once in an object")
    return keys


def _no_number(word: str) -> NoReturn:
    raise Refused("bad_line", f"not JSON: {word} is not a number")


def respond(rules: Rules[Any, Any], play: Play | None, line: dict[str, Any]) -> tuple[Play, dict[str, Any]]:
    """The game after a line, and the answer to it. Raises `Refused`; nothing has changed then."""
    if play is None:
        fact = _set_up(rules, line)
        return _answered(plays.opened(rules, fact), (fact,))
    facts = _facts(play, line)
    after = reduce(plays.fold, facts, play)
    if after.due_ns is not None and max(o.due_ns or 0 for o in after.offers) > MAX_DUE_NS:
        text = f"at_ns = {line.get('at_ns')}: must be earlier, so that no offer is due after {MAX_DUE_NS}"
        raise Refused("bad_line", text)
    return _answered(after, facts)


def _set_up(rules: Rules[Any, Any], line: dict[str, Any]) -> Fact:
    _only(line, "bad_setup", "players", "options", "seed")
    players, options, seed = line.get("players"), line.get("options", {}), line.get("seed", 0)
    if not isinstance(players, list) or not all(isinstance(name, str) and 0 < len(name) <= 20 for name in players):
        raise Refused("bad_setup", "players: must be a list of names, each a text of 1 to 20 characters")
    if not isinstance(options, dict):
        raise Refused("bad_setup", "options: must be an object of names and values")
    if type(seed) is not int:
        raise Refused("bad_setup", f"seed = {seed!r}: must be a whole number")
    return plays.start(rules, tuple(players), read_options(rules.options, options), seed)


def _only(line: dict[str, Any], kind: Any, *known: str) -> None:
    if unknown := [key for key in line if key not in known]:
        raise Refused(kind, f"{unknown[0]!r} is unknown: must be {either(known)}")


def _facts(play: Play, line: dict[str, Any]) -> tuple[Fact, ...]:
    """The facts that a line causes."""
    for word, wish in (("undo", Undo()), ("redo", Redo()), ("end", EndGame())):
        if word in line:
            _only(line, "bad_line", word)
            if line[word] is not True:
                raise Refused("bad_line", f"{word} = {line[word]!r}: must be true")
            return wish.facts(play)
    if "correct" in line:
        _only(line, "bad_line", "correct")
        given = line["correct"]
        if not isinstance(given, dict) or set(given) != {"seat", "points"}:
            raise Refused("bad_line", "correct: must be an object with seat and points")
        return Fix(given["seat"], given["points"]).facts(play)
    if "amend" in line:
        _only(line, "bad_line", "amend")
        return Amend(*_amended(line["amend"])).facts(play)
    action = _action(line)
    due = any((o.seat, o.verb) == (action.seat, action.verb) and o.due_ns is not None for o in play.offers)
    if action.at_ns > MAX_NS and not due:
        raise Refused("bad_line", f"at_ns = {action.at_ns}: must be at most {MAX_NS}, unless the clock answers")
    return plays.answer(play, action)


def _amended(given: Any) -> tuple[int, tuple[tuple[int | None, str, int], ...]]:
    """The round and the numbers of it that are put right. Raises `Refused` (`bad_line`)."""
    if not isinstance(given, dict) or set(given) != {"round", "numbers"} or not isinstance(given["numbers"], list):
        raise Refused("bad_line", "amend: must be an object with round and numbers, a list")
    if type(given["round"]) is not int:
        raise Refused("bad_line", f"amend round = {given['round']!r}: must be a whole number")
    numbers = list[tuple[int | None, str, int]]()
    for one in given["numbers"]:
        if not isinstance(one, dict) or set(one) != {"seat", "ask", "value"}:
            raise Refused("bad_line", "amend numbers: each must be an object with seat, ask and value")
        seat, ask, value = one["seat"], one["ask"], one["value"]
        if (seat is not None and type(seat) is not int) or not isinstance(ask, str) or type(value) is not int:
            raise Refused("bad_line", f"amend numbers: {one!r}: must be a seat or null, a verb and a whole number")
        numbers.append((seat, ask, value))
    return given["round"], tuple(numbers)


def _action(line: dict[str, Any]) -> Action:
    _only(line, "bad_line", "seat", "verb", "value", "at_ns", "error_ns", "early_ns")
    seat, verb, value = line.get("seat"), line.get("verb"), line.get("value")
    at_ns, error_ns, early_ns = line.get("at_ns"), line.get("error_ns", ERROR_NS), line.get("early_ns", 0)
    if seat is not None and type(seat) is not int:
        raise Refused("bad_line", f"seat = {seat!r}: must be a whole number or null")
    if not isinstance(verb, str):
        raise Refused("bad_line", f"verb = {verb!r}: must be a verb of the offers")
    if value is not None and type(value := _tuples(value)) not in (int, str, tuple):
        raise Refused("bad_value", f"value = {value!r}: must be a whole number, a text, a list or null")
    for name, number, low, high in (
        ("at_ns", at_ns, 0, MAX_DUE_NS),
        ("error_ns", error_ns, 1, MAX_ERROR_NS),
        ("early_ns", early_ns, 0, MAX_ERROR_NS),
    ):
        if type(number) is not int or not low <= number <= high:
            raise Refused("bad_line", f"{name} = {number!r}: must be a whole number of ns from {low} to {high}")
    assert type(at_ns) is int
    return Action(seat, verb, value, at_ns, error_ns, early_ns=early_ns)


def _tuples(value: Any, depth: int = 0) -> Any:
    """Lists as the engine has them."""
    if not isinstance(value, list):
        return value
    if depth == MAX_DEPTH:
        raise Refused("bad_value", f"value: lists must be at most {MAX_DEPTH} deep")
    return tuple(_tuples(one, depth + 1) for one in value)


def _answered(play: Play, facts: tuple[Fact, ...]) -> tuple[Play, dict[str, Any]]:
    """The game and the answer to a line that was taken."""
    offers = play.offers
    answer: dict[str, Any] = {
        "offers": [offer_as_json(offer) for offer in offers],
        "board": board_as_json(play.board),
        "events": [{"event": type(f.event).__name__, **_fields(f.event)} for f in facts],
    }
    if not offers:
        answer |= {"over": True, "scores": list(play.scores), "winners": list(play.winners)}
        if play.ended:
            answer["unfinished"] = True
    return play, answer


def _fields(event: object) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return fields


def board_as_json(board: Board) -> dict[str, Any]:
    """A board as the protocol writes it, every part by its name."""
    race = None if board.race is None else board.race._asdict()
    written: dict[str, Any] = msgspec.to_builtins({**board._asdict(), "race": race})
    if board.goal is None:
        del written["goal"]
    return written


def offer_as_json(offer: Offer) -> dict[str, Any]:
    """An offer as the protocol writes it: seat and verb always, the rest where it applies."""
    written: dict[str, Any] = {"seat": offer.seat, "verb": str(offer.verb)}
    for key in ("low", "high", "prefill", "due_ns", "example"):
        if (value := getattr(offer, key)) is not None:
            written[key] = value
    if offer.options:
        written["options"] = list(offer.options)
    for key in ("race", "joins", "hold", "menu", "alone"):
        if getattr(offer, key):
            written[key] = True
    if offer.step > 1:
        written["step"] = offer.step
    if offer.says:
        written["says"] = offer.says
    if offer.group:
        written["group"] = list(offer.group)
    if offer.for_seats:
        written["for_seats"] = list(offer.for_seats)
    if offer.out:
        written["out"] = list(offer.out)
    return written
