"""A player that knows no game: it answers what is offered, as a random driver of the line protocol would.

What it is given and what it gives are lines of the protocol, as dictionaries.
"""

from random import Random
from typing import Any

MS = 1_000_000
SIDEWAYS = 0.05  # how often it takes something that does not lead on


class RandomDriver:
    """Answers offers at random, and is the clock."""

    def __init__(self, seed: int) -> None:
        self._dice = Random(seed)
        self.now_ns = 1000 * MS

    def answer(self, offers: list[dict[str, Any]]) -> dict[str, Any]:
        """An answer to one of the offers."""
        self.now_ns += self._dice.randint(1, 1500) * MS
        due = min((offer for offer in offers if "due_ns" in offer), key=lambda offer: offer["due_ns"], default=None)
        open_now = [offer for offer in offers if "due_ns" not in offer]
        straight = [offer for offer in open_now if leads_on(offer)]
        if due is not None and (due["due_ns"] <= self.now_ns or not straight):
            self.now_ns = max(self.now_ns, due["due_ns"])
            return {"seat": due["seat"], "verb": due["verb"], "at_ns": due["due_ns"]}
        sideways = not straight or self._dice.random() < SIDEWAYS
        offer = self._dice.choice(open_now if sideways else straight)
        answer = {"seat": offer["seat"], "verb": offer["verb"], "at_ns": self.now_ns}
        if "low" in offer:
            answer["value"] = self._dice.randint(offer["low"], offer["high"])
        elif "options" in offer:
            answer["value"] = self._dice.choice(offer["options"])
        elif "example" in offer:
            answer["value"] = offer["example"]
        if offer.get("race"):
            answer["error_ns"] = self._dice.choice((100_000, 10 * MS))
        return answer


def as_tuples(value: Any) -> Any:
    """A value of a line as the rules and the second scorers have it: lists are tuples."""
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


def leads_on(offer: dict[str, Any]) -> bool:
    """Whether an offer is an answer to the question, rather than a way back or out."""
    return not (offer.get("menu") or offer.get("hold") or offer["verb"] == "release")
