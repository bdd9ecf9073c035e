"""The phones that have joined: who each plays for, what it may answer, and what it has sent. On the loop's thread.

A phone is a convenience: everything it does the kit's own buttons can do, and what it sends goes the same way as what
is entered there. Nothing is acknowledged before it is in the journal.
"""

import re
import secrets
from collections import Counter
from collections.abc import Callable, Container, Iterable
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from engine.rules import Action, Offer, Seat
from engine.words import N_
from firmware.journal.phones import SEAT, TABLE, WATCH, KeptAnswer, Phone, Sent
from firmware.messages import Me, OnPhone, PhoneQuestion, TableNews, told_at
from firmware.output import public
from firmware.people.names import capitals
from firmware.phones import view
from firmware.phones.called import Called
from firmware.phones.claims import Claims
from firmware.phones.consent import Consent
from firmware.phones.history import HistoryPhone
from firmware.phones.link import EVERYBODYS, Link, Way
from firmware.phones.signs import copied, new_code, tag
from firmware.table.phone_list import Joining
from firmware.table.playing import Playing
from firmware.table.table import Table
from firmware.translation import L_, L_many, LazyText, _, joined, language, ngettext, reading
from firmware.wall_clock import ends_evening_ns
from firmware.wishes import who_may_wish as wishes
from firmware.wishes import wish as kinds
from firmware.wishes.asker import Asker, When, Wisher
from firmware.wishes.phones import Take
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, Asked, Denied

MAX_PHONES = 16  # a table of six has that many with a board and two that were changed
MAX_LINKS, MAX_OF_ONE = 32, 4  # open pages: of all phones, so that each has one for sure; of one phone
NONCE = re.compile(r"[0-9a-f]{8,16}", re.ASCII)
NONCES = 8  # of each phone; a page waits for one answer at a time, and a phone may have several pages open
OLD = {"seat", "leave", "name", "table", "undo", "fix", "amend", "end", "history"}  # that earlier pages sent
MAX_ASKS = 64  # questions that are remembered
AWAY_NS = 120_000_000_000  # a phone that is away for so long keeps no seat or role from another one


class Unfit(Exception):
    """A message that the page never sends. The text is the reason, in one line."""


class _Waiting(NamedTuple):
    """What is acknowledged once this ticket is on the disk."""

    ticket: int
    phone: str
    nonce: str


def hashed(token: str) -> str:
    """What is kept of a cookie."""
    return sha256(token.encode()).hexdigest()


class Phones:
    """All phones of this table."""

    KINDS = EVERYBODYS  # of news, which `hear` gets

    def __init__(self, table: Table, known: Iterable[Phone], *, code: Callable[[], str] = new_code) -> None:
        """`known`: those that have joined in earlier runs."""
        self.table = table
        self._way = Way(closed=(N_("no network"),))
        self._new_code = code
        self.code = code()
        self.by_id = {phone.id: phone for phone in known}
        self.called = Called(self)
        self._by_token = {phone.token: phone.id for phone in self.by_id.values()}
        self._links: list[Link] = []
        self._seen_ns = dict.fromkeys(self.by_id, table.now_ns)  # by phone of which no page is open: since when
        self._new: dict[str, str] = {}  # phones that never had a page, by id: the addresses at which they joined
        self._untold: dict[str, LazyText] = {}  # by phone: what it is told when it comes back
        self.claims = Claims(self)
        self.consent = Consent(self)
        self.history = HistoryPhone(self)
        self._waiting: list[_Waiting] = []
        self._epoch = secrets.token_hex(4)  # questions of another run are others
        self._asks: dict[tuple[object, ...], PhoneQuestion] = {}  # by offer, in turn or not, id, names and language
        # by language
        self._everybody: dict[object, TableNews] = {None: TableNews(game=None, evidence=None, count=None)}
        self.on_change: Callable[[], None] = lambda: None  # phones have come or gone: not by a message or a press
        self.expire()

    # --- joining -----------------------------------------------------------------------------------------------------

    @property
    def all(self) -> tuple[Phone, ...]:
        """Those that have joined, in that order."""
        return tuple(self.by_id.values())

    @property
    def way(self) -> Way:
        """How phones reach the kit."""
        return self._way

    @way.setter
    def way(self, way: Way) -> None:
        if way != self._way:
            self._way = way
            self.on_change()

    def connected(self, phone: str) -> bool:
        """Whether a page of this phone is open."""
        return any(link.phone == phone for link in self._links)

    def links(self, phone: str) -> list[Link]:
        """The open pages of a phone, the oldest first."""
        return [link for link in self._links if link.phone == phone]

    def right(self, code: str) -> bool:
        """Whether this is the code on the display."""
        return secrets.compare_digest(copied(code).encode(), self.code.encode())

    def join(self, code: str, button: str | None = None, address: str = "") -> str | None:
        """A phone joins by the code on the display. Returns the secret for its cookie, None if the code is wrong.

        `button`: the place that it wants. `address`: of the phone. Raises `ValueError` if too many have joined.
        """
        if not self.right(code):
            return None
        if len(self.by_id) >= MAX_PHONES and not self._make_room():
            raise ValueError(_("{n} phones have joined already: throw one out on the kit", n=MAX_PHONES))
        token, taken = secrets.token_urlsafe(24), {tag(id_) for id_ in self.by_id}
        id_ = next(new for new in iter(lambda: secrets.token_hex(4), "") if tag(new) not in taken)
        phone = Phone(id_, hashed(token), WATCH)
        self.called.joined(id_)
        self._by_token[phone.token] = phone.id
        self._seen_ns[phone.id] = self.table.now_ns
        self._new[phone.id] = address
        self.change(phone)
        if button is not None:
            self._wish(phone, Take(button))
        self.on_change()
        return token

    def unkept(self, address: str) -> None:
        """A browser at this address has just joined, but keeps no cookie: its phone, the latest, is removed."""
        new = [id_ for id_, at in self._new.items() if at == address]
        if new:
            self._forget(new[-1])
            self.on_change()

    def known(self, token: str) -> str | None:
        """The phone with this cookie; None where it has not joined, or was thrown out."""
        return self._by_token.get(hashed(token))

    def joined(self, phone: str) -> bool:
        """Whether a phone has joined, and was not thrown out."""
        return phone in self.by_id

    def for_table(self, phone: str) -> bool:
        """Whether a phone answers for the table."""
        return phone in self.by_id and self.by_id[phone].role == TABLE

    def reads(self, token: str) -> str | None:
        """The phone with this cookie, if it may open the history now, which also shows that it is there; else None."""
        phone = self.known(token)
        if phone is None or not self.history.open_to(phone):
            return None
        self._seen_ns[phone] = self.table.now_ns
        return phone

    def shut(self) -> None:
        """Phones are let in no longer: what they were allowed ends."""
        self.history.end()

    @property
    def due_ns(self) -> int | None:
        """When something changes for a phone by itself: the history is closed, or another one is away for too long."""
        times = [] if self.history.due_ns is None else [self.history.due_ns]
        if self.table.game is not None:
            away = [self._seen_ns[one.id] + AWAY_NS for one in self.all if one.holds and not self.connected(one.id)]
            times += [time for time in away if time > self.table.now_ns]
        return min(times, default=None)

    def throw_out(self, phone: str) -> None:
        """A phone has to join again, with another code; the others stay."""
        if phone in self.by_id:
            self.code = self._new_code()
            self._forget(phone)

    def _forget(self, id_: str) -> None:
        del self._by_token[self.by_id.pop(id_).token], self._seen_ns[id_]
        self.called.forget(id_)
        self._new.pop(id_, None)
        self._untold.pop(id_, None)
        self.claims.forget(id_)
        self.consent.forget(id_)
        self.history.end(id_)
        self.table.journal.write_phones((), (id_,))
        for link in self.links(id_):
            link.close()

    def _make_room(self) -> bool:
        """Let the phone go that is missed least; False where all are needed.

        Never one with a place, the table's, or one with an open page. Those that never had a page go first, of the
        address with most of them, then those that are away longest.
        """
        idle = [one.id for one in self.all if one.role == WATCH and not one.holds and not self.connected(one.id)]
        if not idle:
            return False
        new = [id_ for id_ in idle if id_ in self._new]
        if new:
            crowd, _n = Counter(self._new[id_] for id_ in new).most_common(1)[0]
            gone = next(id_ for id_ in new if self._new[id_] == crowd)
        else:
            gone = min(idle, key=lambda id_: self._seen_ns[id_])
        self._forget(gone)
        return True

    def connect(self, link: Link) -> None:
        """A page is open. If there are too many, a phone with several loses one: each phone always keeps one."""
        own = self.links(link.phone)
        if len(own) >= MAX_OF_ONE:
            self._close(own[0])
        elif len(self._links) >= MAX_LINKS:
            most, _n = Counter(one.phone for one in self._links).most_common(1)[0]
            self._close(self.links(most)[0])
        self._new.pop(link.phone, None)
        self.expire()  # what ended while it was away is told with the rest
        self._links.append(link)
        self.refresh()
        self.say_to(link.phone, self._untold.pop(link.phone, None))
        self.on_change()

    def sight(self, id_: str) -> dict[str, Any]:
        """What a phone sees when it has just joined."""
        return {**told_at({**self._everybody[None], "me": self._me(self.by_id[id_])}, self.table.now_ns)}

    def disconnect(self, link: Link) -> None:
        """A page is closed, or its phone asleep."""
        if link in self._links:
            self._links.remove(link)
            if link.phone in self.by_id:
                self._seen_ns[link.phone] = self.table.now_ns
            self.on_change()

    def say_to(self, phone: str, text: LazyText | None) -> None:
        """Say something to whoever has this phone; once it is back, where it is away. No text: nothing."""
        links = self.links(phone)
        if text is not None and not links and phone in self.by_id:
            self._untold[phone] = joined(filter(None, (self._untold.get(phone), text)))
        elif text is not None:
            for link in links:
                with reading(link.language):
                    link.send({"told": text.words()})

    def _close(self, link: Link) -> None:
        self._links.remove(link)
        link.close()

    def change(self, phone: Phone) -> int:
        """Store a phone that has changed. Returns the ticket of its commit."""
        self.by_id[phone.id] = phone
        if phone.role != TABLE:
            self.history.end(phone.id)
        return self.table.journal.write_phones((phone,))

    # --- who plays for whom ------------------------------------------------------------------------------------------

    def seats(self, phone: Phone) -> tuple[Seat, ...]:
        """The seats that a phone plays for in the game on the table."""
        game = self.table.game
        if game is None:
            return ()
        # what stands for a seat in `Phone.holds`: who sits there, or for a guest the button
        keys = (game.people.get(seat) or game.seating.button(seat) for seat in range(len(game.play.players)))
        return tuple(seat for seat, key in enumerate(keys) if key in phone.holds)

    @property
    def with_phone(self) -> frozenset[Seat]:
        """The seats that have a phone; one that is away for too long counts as none."""
        return frozenset(seat for phone in self.all if self.keeps(phone) for seat in self.seats(phone))

    @property
    def away(self) -> frozenset[Seat]:
        """The seats that have a phone of which no page is open."""
        return frozenset(seat for one in self.all if not self.connected(one.id) for seat in self.seats(one))

    def seated(self, phone: str) -> bool:
        """Whether a phone plays for anybody in the game on the table."""
        return phone in self.by_id and bool(self.seats(self.by_id[phone]))

    def keeps(self, phone: Phone) -> bool:
        """Whether a phone keeps its seats and its role from others: it is there, or was a short time ago."""
        return self.connected(phone.id) or self.table.now_ns < self._seen_ns[phone.id] + AWAY_NS

    def who(self, id_: str) -> Wisher:
        """The role of a phone, where it wishes something."""
        return Wisher[self.by_id[id_].role.upper()] if id_ in self.by_id else Wisher.WATCH

    def answered_last(self, id_: str) -> bool:
        """Whether the game stands as this phone's answer has left it."""
        return self.table.game is not None and self.table.game.own == (self.table.game.play, id_)

    def take_back(self, id_: str) -> bool:
        """Take back the latest of what a phone has answered before its turn. False: there is nothing."""
        game = self.table.game
        seats = [] if game is None else self._kept(game, self.by_id[id_])
        if game is not None and seats:
            game.take_back(seats[-1])
        return bool(seats)

    # --- evenings ----------------------------------------------------------------------------------------------------

    def expire(self, *, begins: bool = False) -> None:
        """End what phones hold as guests, and the role of the table, after six hours without a game (decision 0014).

        `begins`: a game begins now. Otherwise nothing ends while there is an unfinished game to go on with.
        """
        table = self.table
        open_ = table.reading is not None or any(
            one is not None and not one.play.over for one in (table.game, table.unfinished)
        )
        if begins or not open_:
            now_ns, journal = table.now_ns, table.journal
            if ends_evening_ns(journal.idle_ns(now_ns)):
                if begins:
                    self.history.end()
                earlier = ends_evening_ns(journal.last_run_ns(now_ns))
                self._end_claims(lambda claimed_ns: ends_evening_ns(now_ns - claimed_ns), earlier=earlier)

    def new_evening(self) -> None:
        """People say that a new evening begins: end all claims that were made before this run."""
        self.history.end()
        self._end_claims(lambda claimed_ns: False, earlier=True)

    def _end_claims(self, over: Callable[[int], bool], *, earlier: bool) -> None:
        """End claims by their stamps; `earlier`: those of earlier runs, too."""

        def ends(phone: Phone, claim: str) -> bool:
            claimed_ns = self.claims.since_ns.get((phone.id, claim))
            return earlier if claimed_ns is None else over(claimed_ns)

        for phone in self.all:
            holds = tuple(hold for hold in phone.holds if hold not in self.table.names or not ends(phone, hold))
            role = phone.role
            if role == TABLE and ends(phone, TABLE):
                role = SEAT
            if role == SEAT and not holds:
                role = WATCH
            if (holds, role) != (phone.holds, phone.role):
                self.change(msgspec.structs.replace(phone, holds=holds, role=role))
                self.say_to(phone.id, _ended(phone, holds, role))

    def replace(self, id_: str, by: str | None) -> None:
        """A person is a guest or another person (`by`) from now on: their phone stays if they are at this table."""
        button = next((button for button, _label, person in self.table.people.places() if person == id_), None)
        key = by or button
        for phone in self.all:
            if id_ not in phone.holds:
                continue
            if key is None:
                self.claims.let_go(phone, {id_})
                self.say_to(phone.id, L_("A name that you play for is forgotten: choose your place anew."))
            else:
                holds = dict.fromkeys(key if hold == id_ else hold for hold in phone.holds)
                self.change(msgspec.structs.replace(phone, holds=tuple(holds)))

    def follow(self, button: str, person: str) -> None:
        """The guest at this button is known from now on: their phone stays."""
        for phone in self.all:
            if button in phone.holds:
                holds = tuple(person if hold == button else hold for hold in phone.holds)
                self.change(msgspec.structs.replace(phone, holds=holds))

    # --- messages ----------------------------------------------------------------------------------------------------

    def take(self, link: Link, message: object) -> None:
        """Take a message of a page; `refresh` follows. A message that no page sends only closes the link."""
        phone = self.by_id.get(link.phone)
        if phone is not None and link in self._links:
            try:
                with reading(link.language):
                    self._do(link, phone, message)
            except Unfit:
                link.close()

    def _do(self, link: Link, phone: Phone, message: object) -> None:
        """Do what a message says. Raises `Unfit`."""
        match message:
            case {"do": str(), "id": str()}:
                self._say(phone, link, message)
            case dict() if message.keys() & OLD:
                link.send({"told": _("Load this page again.")})
            case {"ask": str(id_), "value": (int() | str() | None) as value, "nonce": str(nonce), **rest} if not rest:
                if isinstance(value, bool) or not NONCE.fullmatch(nonce):
                    raise Unfit("no such answer")
                self._answer(link, phone, id_, value, nonce)
            case {"try": str(id_), "value": int(value), **rest} if not rest:
                self._try(link, phone, id_, value)
            case {"round": int(round_), **rest} if not rest and phone.role == TABLE:
                if (game := self.table.game) is not None:
                    link.send({"entered": public.entered(game.number, game.play, round_, game.page_names)})
            case _:
                raise Unfit("unknown message")

    def _say(self, phone: Phone, link: Link, message: Any) -> None:
        """A page wishes something. Raises `Unfit` for what the page of such a phone has no button for."""
        try:
            wish = wishes.read(message)
        except ValueError:
            raise Unfit("no such wish") from None
        asker = Asker(phone.id, self)
        may = wishes.cell(wish, asker.who)
        if may.when is When.NO or any(not one.why and not one.holds(self.table, asker, wish) for one in may.only):
            raise Unfit("not yours")
        self._wish(phone, wish, link)

    def _wish(self, phone: Phone, wish: AnyWish, link: Link | None = None) -> None:
        """A phone wishes something: its page is told what has come of it, also later."""

        def tell(answer: Answer) -> None:
            agreed = list[str]()
            if isinstance(answer, kinds.AskFirst):  # the page sends it again with this agreed to
                agreed, answer = sorted(answer.choices[0].wish.agreed), Denied(answer.lines[0])
            if wish.told == "told" and not isinstance(answer, Asked):
                self.say_to(phone.id, answer.line)
            elif link is not None and not isinstance(answer, Asked):
                with reading(link.language):
                    link.send({"refused": answer.line.words() if answer.line else "", "agreed": agreed})

        self.table.desk.take(Asker(phone.id, self), wish, tell)

    def _answer(self, link: Link, phone: Phone, id_: str, value: int | str | None, nonce: str) -> None:
        """An answer to a question: entered once, acknowledged once it is on the disk."""
        if nonce in phone.nonces:  # it came twice
            if not any((one.phone, one.nonce) == (phone.id, nonce) for one in self._waiting):
                link.send(_acknowledged(nonce, saved=self.table.saved))
            return
        with self.table.journal.together():
            refused = self._entered(phone, id_, value, nonce)
            if refused is not None:
                link.send(_acknowledged(nonce, refused))
                return
            phone = self.by_id[phone.id]
            ticket = self.change(msgspec.structs.replace(phone, nonces=(*phone.nonces, nonce)[-NONCES:]))
        self.table.touched()
        self._waiting.append(_Waiting(ticket, phone.id, nonce))
        self._go_on_unsaved()

    def _entered(self, phone: Phone, id_: str, value: int | str | None, nonce: str) -> str | None:
        """Enter it. Returns why it is refused, else None."""
        game = self.table.game
        if game is not None and self._closes(game, phone) and id_ == self._ok_id(game):
            game.entered.enter_counts(phone.id)
            return game.entry.note.words() if game.entry.note else None
        offers = [] if game is None else self._offers(game, phone)
        offer = next((one for one in offers if game is not None and self._id(game, one) == id_), None)
        if game is None or offer is None:
            return _("too late: this is not asked any more")
        if offer.low is not None and offer.high is not None:
            if not isinstance(value, int) or not offer.low <= value <= offer.high:
                return _("from {low} to {high}", low=offer.low, high=offer.high)
            if offer in game.question.count.values() and not offer.alone:
                assert offer.seat is not None
                game.entered.send(Sent(offer.seat, offer.verb, value, phone.id, nonce))
                return None
        word, refused = _word(offer, value) if offer.letters else ("", "")
        return refused or self._given(game, offer, word if offer.letters else value, phone)

    def _given(self, game: Playing, offer: Offer, value: int | str | None, phone: Phone) -> str | None:
        """Give an answer, early or in turn. Returns why it is refused, else None."""
        if game.is_early(offer):
            assert offer.seat is not None
            entered = game.keep(KeptAnswer(offer.seat, offer.verb, value, phone.id))
        elif offer.letters:
            entered = game.enter(offer, str(value), phone.id)
        else:
            entered = game.answer(Action(offer.seat, offer.verb, value, self.table.now_ns), phone.id)
        return None if entered else _("that is not possible now")

    def _try(self, link: Link, phone: Phone, id_: str, value: int) -> None:
        """Say what the total would be with a number that is being typed."""
        game = self.table.game
        offers = [] if game is None else self._offers(game, phone)
        for offer in offers:
            if game is not None and self._id(game, offer) == id_ and offer.low is not None and offer.high is not None:
                fits = type(value) is int and offer.low <= value <= offer.high
                sent = {} if offer.alone else game.entered.numbers_sent
                total = view.total(game.play, offer, value, sent) if fits and not game.is_early(offer) else None
                link.send({"tried": {"ask": id_, "value": value, "total": total}})

    # --- what they see -----------------------------------------------------------------------------------------------

    def _offers(self, game: Playing, phone: Phone) -> list[Offer]:
        """The offers that a phone may answer."""
        seats, with_phone = self.seats(phone), self.with_phone
        if phone.role == WATCH:
            return []
        table, offers = phone.role == TABLE, [*view.answerable(game.play)]
        if game.question.count and not game.entered.none_counted:  # a number stands against it
            offers = [one for one in offers if one != game.question.ok]
        for seat, play in game.early.later.items():
            offers += [one for one in view.answerable(play) if one.seat == seat]
        mine = [one for one in offers if view.may(one, seats, table=table, with_phone=with_phone)]
        seated = {one.verb for one in mine if one.seat is not None}  # the same for everybody would be one key more
        return [one for one in mine if one.seat is not None or one.verb not in seated]

    def _kept(self, game: Playing, phone: Phone) -> list[Seat]:
        """The seats for which answers are kept that this phone may give and take back, the latest last."""
        if phone.role == WATCH or game.play.over:
            return []
        seats, with_phone, table = self.seats(phone), self.with_phone, phone.role == TABLE
        return [seat for seat in game.early.kept if seat in seats or (table and seat not in with_phone)]

    def _id(self, game: Playing, offer: Offer) -> str:
        return f"{self._epoch}.{game.number}.{game.asked_as(offer)}.{offer.seat}.{offer.verb}"

    def _closes(self, game: Playing, phone: Phone) -> bool:
        """Whether this phone says OK to numbers: it answers for the table, and all of them are in."""
        return phone.role == TABLE and game.entered.only_ok

    def _ok_id(self, game: Playing) -> str:
        return f"{self._epoch}.{game.number}.{game.mark}.ok"

    def _ok(self, game: Playing) -> PhoneQuestion:
        """The key of the table's phone for that."""
        text = _("OK: all have answered")
        return {
            "id": self._ok_id(game),
            "seat": None,
            "verb": "ok",
            "for_seats": (),
            "text": text,
            "does": "",
            "aside": False,
            "then": None,
            "early": False,
        }

    def on_commit(self, ticket: int) -> None:
        """Everything up to this ticket is on the disk: acknowledge it."""
        done = [one for one in self._waiting if one.ticket <= ticket]
        self._waiting = [one for one in self._waiting if one.ticket > ticket]
        self._acknowledge(done, saved=True)

    def _go_on_unsaved(self) -> None:
        """Where storage fails the game goes on in memory: say that an answer is entered, and not saved."""
        if self._waiting and not self.table.saved:
            done, self._waiting = self._waiting, []
            self._acknowledge(done, saved=False)

    def _acknowledge(self, done: Iterable[_Waiting], *, saved: bool) -> None:
        for one in done:
            for link in self._links:
                if link.phone == one.phone:
                    link.send(_acknowledged(one.nonce, saved=saved))

    def hear(self, news: TableNews, language: object = None) -> None:
        """What everybody may see has changed, in a language; `refresh` follows."""
        self._everybody[language] = self._everybody.get(language, TableNews()) | news

    def refresh(self) -> None:
        """Tell every page what has changed."""
        self._go_on_unsaved()
        self.history.tick()
        if not self._links:
            return
        for link in self._links:
            phone = self.by_id.get(link.phone)
            if phone is None:
                continue
            game, news = self.table.game, dict[str, object](self._everybody[link.language])
            if game is None or game.committed is game.play or "me" not in link.shown:  # else there will be more at once
                with reading(link.language):
                    news["me"] = self._me(phone)
            if fresh := link.fresh(news):
                link.send(told_at(fresh, self.table.now_ns))

    def _ask(self, game: Playing, offer: Offer, names: tuple[str, ...], *, small: bool) -> PhoneQuestion:
        """A question in words. The same one is made once."""
        early = game.is_early(offer)
        key = (offer, early, self._id(game, offer), names, language(), small)
        if key not in self._asks:
            if len(self._asks) >= MAX_ASKS:
                self._asks.clear()
            play = game.early.later[offer.seat] if early and offer.seat is not None else game.play
            self._asks[key] = view.ask(play, offer, key[2], names, early=early, small=small)
        return self._asks[key]

    def _me(self, phone: Phone) -> Me:
        """What only this phone sees."""
        game = self.table.game
        places: Any = [place._asdict() for place in self.claims.places(phone)]
        data: Me = {
            "role": phone.role,
            "tag": self.called.tag(phone.id),
            "wish": self.consent.shown(phone.id),
            "places": places,
            "seats": [],
            "asks": [],
            "sent": [],
            "at_kit": [],
            "kept": [],
            "note": "",
            "own": False,
            "table": self.called.for_ok(() if game is None else game.page_names),
            "code": isinstance(self.table.top, Joining) if self.table.overlays else False,
            "history": self.history.lasts(phone.id),
        }
        if game is None:
            return data
        seats, names = self.seats(phone), game.page_names
        with_phone = self.with_phone
        asks = [
            self._ask(game, one, names, small=view.passes_for(one, seats, with_phone))
            for one in self._offers(game, phone)
        ]
        if self._closes(game, phone):
            asks.insert(0, self._ok(game))
        seen = seats if phone.role != TABLE else range(len(names))
        return {
            **data,
            "seats": list(seats),
            "asks": asks,
            "sent": view.sent(game.entered.numbers_sent, seen),
            "at_kit": view.sent(game.entered.at_kit, seen),
            "kept": [view.kept(game.play, seat, game.early.kept, names) for seat in sorted(self._kept(game, phone))],
            "missing": game.entered.missing,
            "closes": game.entered.only_ok,
            "note": game.entry.note.words() if game.entry.note else "",
            "own": game.own == (game.play, phone.id) or bool(self._kept(game, phone)),
            "opened": {"game": game.number, "mark": game.mark},
            "redo": game.play.future is not None,
        }


def _word(offer: Offer, value: int | str | None) -> tuple[str, str]:
    """What was typed, in the letters of the question, empty for none; and why it is refused, in words."""
    if value is None:
        return "", ""
    if not isinstance(value, str):
        return "", _("that is not possible now")
    word = capitals(value)
    if len(word) > offer.letters:
        return "", ngettext("at most {n} letter", "at most {n} letters", offer.letters)
    lost = any(char.isalnum() and not capitals(char) for char in value)  # a letter that is none of A to Z
    if not word or lost or set(word) - set(map(str, offer.options[1:])):
        return "", _("a name of A to Z and 0 to 9")
    return word, ""


def _acknowledged(nonce: str, refused: str = "", *, saved: bool = True) -> OnPhone:
    return {"ack": {"nonce": nonce, "refused": refused, "saved": saved}}


def _ended(before: Phone, holds: Container[str], role: str) -> LazyText:
    """What a phone is told that keeps only these, and this role."""
    places, told = [hold for hold in before.holds if hold not in holds], list[LazyText]()
    if places:
        free = L_many("{places} is free again", "{places} are free again", len(places), places=", ".join(places))
        told.append(L_("{free}: choose your place anew.", free=free))
    if before.role == TABLE != role:
        told.append(L_("You no longer answer for the table."))
    return joined(told)
