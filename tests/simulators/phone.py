"""A phone without a browser: it joins, sits down, answers what it is asked, and remembers what it was told."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from firmware.phones.hub import Phones
from firmware.phones.link import Link, Way
from firmware.table.past_games import Call
from tests.simulators.rig import Rig

SPACES = "game[pack_and_stack 3] P1 ok 3300 P1 100 P2 100 P3 1700 ok"  # all are asked for a number at once


NUMBERS = iter(range(10**8, 10**9))


def as_wish(message: Mapping[str, Any], news: Mapping[str, Any]) -> dict[str, Any]:
    """What the page sends for a wish in short, where it has been told this; any other message stays."""
    opened = news.get("me", {}).get("opened", {"game": 0, "mark": ""})
    game = opened["game"]
    fields: dict[str, Any]
    match message:
        case {"undo": True} | {"redo": True} | {"end": True}:
            fields = {"do": next(iter(message)), "game": game, "was": [opened["mark"]]}
        case {"fix": [seat, points]}:
            scores = {one: now for one, now, _place in (news.get("game") or {"scores": ()})["scores"]}
            fields = {"do": "fix", "game": game, "seat": seat, "points": points, "was": [scores.get(seat, 0)]}
        case {"amend": round_, "numbers": numbers}:
            entered = news.get("entered", {"entries": (), "game": game})
            there = {(one["seat"], one["verb"]): one["value"] for one in entered["entries"]}
            was = [there.get((*one[:2],), 0) if isinstance(one, list) else 0 for one in numbers]
            fields = {"do": "amend", "game": entered["game"], "round": round_, "numbers": numbers, "was": was}
        case {"seat": button}:
            fields = {"do": "take", "button": button}
        case {"leave": button}:
            fields = {"do": "leave", "button": button}
        case {"table": table}:
            fields = {"do": "table", "table": table}
        case {"history": True}:
            fields = {"do": "history"}
        case {"name": name, "button": button}:
            fields = {"do": "introduce", "button": button, "name": name, "latin": message.get("latin", "")}
            fields["agreed"] = news.get("agreed", []) if news.get("named") == name else []
        case _:
            return dict(message)
    return {"id": str(next(NUMBERS)), **fields}


def let_in(rig: Rig) -> Phones:
    """This kit lets phones in from now on."""
    phones = rig.app.table.phones = Phones(rig.app.table, rig.app.journal.phones)
    phones.way = Way(("192.168.178.123:8643",))
    rig.app.follow(phones.hear, *Phones.KINDS)
    return phones


def through(rig: Rig, how: str, phone: "Phone") -> "Phone":
    """The phone after what takes nothing from it: "menu", "fix" of points, "restart" or "reboot", a power cut."""
    if how == "menu":
        rig.do("menu[Main menu] [Go on]")
    elif how == "fix":
        rig.do("menu[Fix points] P1 turn+2 ok")
    else:
        getattr(rig, how)(**({"pulled": True} if how == "reboot" else {}))
        let_in(rig)
        rig.ok()
        phone = Phone(rig, token=phone.token)
    return phone


class Phone:
    """One page of a phone. `news`: the newest of each kind; `acks`: by nonce why an answer was refused."""

    def __init__(self, rig: Rig, *seats: str, token: str | None = None) -> None:
        """It joins, or comes back with its `token`, and takes these buttons' seats."""
        self.rig, self.news, self.acks, self.open = rig, dict[str, Any](), dict[str, str](), False
        self.named = ""  # the name that it has sent last
        phones = self.phones
        joined = phones.join(phones.code) if token is None else token
        assert joined is not None
        self.token: str = joined
        known = phones.known(joined)
        assert known is not None
        self.id: str = known
        self.connect()
        for button in seats:
            self.say(seat=button)
            if self.me["wish"]:  # a game is on
                rig.after(1_000).ok()
            assert button in self.mine, f"{button} was not taken"

    @property
    def phones(self) -> Phones:
        found = self.rig.app.table.phones
        assert isinstance(found, Phones)
        return found

    def connect(self) -> "Phone":
        """Its page is opened, or comes back."""
        self.link = Link(self.id, self._told, self._closed)
        self.open = True
        self.phones.connect(self.link)
        return self

    def sleep(self) -> "Phone":
        """Its page is gone without a word."""
        self.phones.disconnect(self.link)
        self.open = False
        return self

    def _told(self, news: Mapping[str, Any]) -> None:
        if "ack" in news:
            self.acks[news["ack"]["nonce"]] = news["ack"]["refused"]
        self.news.update(news)

    def _closed(self) -> None:
        self.sleep()

    def say(self, **message: Any) -> "Phone":
        """Send a message. A wish in short is sent as the page does that shows what this one shows."""
        sent = as_wish(message, self.news | {"named": self.named})
        self.named = sent.get("name", "")
        return self.send_as_it_is(sent)

    def send_as_it_is(self, message: Mapping[str, Any]) -> "Phone":
        """Send exactly this."""
        self.rig.app.post(Call(partial(self.phones.take, self.link, dict(message)), waits=True))
        self.rig.after(0)
        return self

    @property
    def me(self) -> dict[str, Any]:
        found: dict[str, Any] = self.news["me"]
        return found

    @property
    def tag(self) -> str:
        """What it is called."""
        found: str = self.me["tag"]
        return found

    @property
    def told(self) -> str:
        """What it was told last."""
        found: str = self.news.get("told", "")
        return found

    @property
    def mine(self) -> list[str]:
        """The buttons of its seats."""
        return [place["button"] for place in self.me["places"] if place["mine"]]

    @property
    def asks(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.me["asks"]
        return found

    def ask(self, text: str, seat: int | None = None) -> dict[str, Any]:
        """The question that begins so."""
        found = [one for one in self.asks if one["text"].startswith(text) and seat in (None, one["seat"])]
        assert found, f"no {text!r} in {[one['text'] for one in self.asks]}"
        return found[0]

    def answer(self, text: str, value: int | str | None = None, seat: int | None = None) -> str | None:
        """Answer the question that begins so. Returns why it was refused, empty if not; None: nothing was said yet."""
        return self.send(self.ask(text, seat)["id"], value)

    def send(
        self, id_: str, value: int | str | None, nonce: str | None = None, *, then: str | None = None
    ) -> str | None:
        """`then`: what the same tap answers, once this is acknowledged."""
        nonce = str(next(NUMBERS)) if nonce is None else nonce
        self.say(ask=id_, value=value, nonce=nonce)
        refused = self.acks.get(nonce)
        return self.send(then, None) if then is not None and refused == "" else refused

    def answers(self) -> Iterator[tuple[dict[str, Any], int | str | None]]:
        """All that it may answer now, with values that are allowed."""
        for ask in self.asks:
            if "options" in ask:
                yield from ((ask, option) for option, _ in ask["options"])
            elif "letters" in ask:
                yield ask, None
                yield ask, "mittens"[: ask["letters"]]
            elif "low" in ask:
                yield ask, ask["low"]
                yield ask, ask["high"]
            else:
                yield ask, None
