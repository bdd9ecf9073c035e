"""The one door: whatever people wish, at the kit, on its page, on a phone, on pages of the history, comes here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from engine.rules import Refused as Refusal
from engine.words import N_
from firmware.shelf import known as shelf
from firmware.translation import L_, LazyText, Why, lazy
from firmware.wishes.asker import OWN_ANSWER, Asker, When, Wisher
from firmware.wishes.who_may_wish import AnyWish, OfPlay, cell
from firmware.wishes.wish import Answer, Asked, AskFirst, Denied, Done, OnAnswer, Situation

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.table.table import Table

IDS = 256  # of presses that are done, and remembered
NOT_YOURS = N_("That is not for you to say.")


class Desk:
    """Takes wishes: does them, refuses them, asks something first, or asks at the kit. All on the loop's thread."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._waiting: list[tuple[int, Callable[[], None]]] = []  # for tickets
        # by asker and press: what was done, or who is to be told
        self._ids: dict[tuple[str, str], Done | list[OnAnswer]] = {}

    def take(self, asker: Asker, wish: AnyWish, tell: OnAnswer) -> None:
        """Take a wish. `tell` gets what comes of it: at once or later, where storage fails maybe never.

        The same press of the same asker counts once, and is told the same. What is asked of the kit is told twice more:
        that it is asked, and that OK was pressed.
        """
        key = (asker.name, wish.id)
        known = self._ids.get(key) if wish.id else None
        if isinstance(known, Done):
            tell(known)
        elif known is not None:
            known.append(tell)
        elif wish.id:
            self._ids[key] = [tell]
            self._begin(asker, wish, partial(self._told, key))
        else:
            self._begin(asker, wish, tell)

    def _told(self, key: tuple[str, str], answer: Answer) -> None:
        """Tell all who have sent this press; what is refused or asked about may be sent again."""
        waiting = self._ids.pop(key, [])
        if isinstance(answer, Done):
            self._ids[key] = answer
            for old in [one for one, known in self._ids.items() if isinstance(known, Done)][:-IDS]:
                del self._ids[old]
        elif isinstance(answer, Asked):
            self._ids[key] = waiting
        for tell in waiting if isinstance(waiting, list) else ():
            tell(answer)

    # --- may it be? --------------------------------------------------------------------------------------------------

    def _begin(self, asker: Asker, wish: AnyWish, tell: OnAnswer) -> None:
        """The cheapest refusal first: only what may be asked is looked at."""
        may = cell(wish, asker.who)
        by_ok = may.when is When.OK and not (may.at_once and may.at_once.holds(self._table, asker, wish))
        if (refused := self._against(asker, wish)) is not None:
            tell(refused)
        elif by_ok and may.at_once is OWN_ANSWER and asker.phones.take_back(asker.name):
            tell(Done())  # it was kept for later: no step of the game
        elif by_ok and (why := asker.phones.consent.not_now(asker.name)):
            tell(Denied(why))
        elif by_ok:
            self._look(asker, wish, tell, partial(self._ask_kit, asker, wish, tell))
        else:
            self._look(asker, wish, tell, partial(self._do, asker, tell))

    def _against(self, asker: Asker, wish: AnyWish) -> Denied | None:
        """Why it may not be, as far as nothing has to be read for that; None: it may."""
        may, game = cell(wish, asker.who), self._table.game
        fails = [one for one in may.only if not one.holds(self._table, asker, wish)]
        if fails or may.when is When.NO:
            why, short = (fails[0].why or NOT_YOURS, fails[0].short) if fails else (NOT_YOURS, "")
            return Denied(lazy(why), lazy(short) if short else None)
        if isinstance(wish, OfPlay) and (game is None or wish.game != game.number):
            return Denied(lazy(wish.gone) if game is None else changed(L_("another game")), old=True)
        return None

    # --- what comes of it --------------------------------------------------------------------------------------------

    def _look(self, asker: Asker, wish: Any, tell: OnAnswer, then: Callable[[AnyWish, Situation], None]) -> None:
        """Read what has to be known, and decide. `then` is called once, maybe later, if it can be."""
        table, sought = self._table, wish.needs()

        def known(**read: Any) -> None:
            persons = {one.id: one for one in table.roster.persons}
            here = Situation(persons, table.people, table.now_ns, table.game, asker.phones, asker.name, **read)
            why = self._changed(wish, here)
            outcome = Denied(why, old=True) if why else wish.outcome(here)
            if isinstance(outcome, Denied | AskFirst):
                tell(outcome)
            else:
                then(outcome, here)

        if not sought:
            known()
        elif sought == "met":
            table.people.met(wish.whom, lambda met: known(met=met))
        elif sought == "sheets":
            naming = partial(shelf.naming, table.roster.names_of(wish.whom[0]))
            table.read(naming, lambda files: known(sheets=files), lambda: True)
        elif sought == "sat":
            table.people.sat(wish.game, lambda sat: known(sat=sat))
        else:
            table.people.noted(wish.game, lambda sat: known(sat=sat))

    def _changed(self, wish: AnyWish, known: Situation) -> Why:
        """That something else stands there than when it was opened; None: it does not."""
        if (before := wish.before(known)) is None:
            return lazy(wish.gone)
        if wish.was is None and before:
            return L_("Load this page again.")
        return None if (wish.was or ()) == tuple(before) else changed(wish.now(known))

    def _ask_kit(self, asker: Asker, wish: AnyWish, tell: OnAnswer, decided: AnyWish, known: Situation) -> None:
        """Ask at the kit. All is looked at again while it is asked, and when OK is pressed."""
        line = decided.line(known)

        def against() -> Why:
            here = known._replace(game=self._table.game)
            if (refused := self._against(asker, wish)) is not None:
                return refused.line
            return wish.against(here) or (self._changed(wish, here) if isinstance(wish, OfPlay) else None)

        def then(why: Why) -> None:
            tell(Denied(why) if why else Asked(line, granted=True))
            if not why:  # what is known may be another thing by now
                self._look(asker, wish, tell, partial(self._do, asker, tell, by_ok=True))

        tell(Asked(line))
        asker.phones.consent.ask(asker.name, decided.headline(known), line, against, then)

    def _do(self, asker: Asker, tell: OnAnswer, decided: AnyWish, known: Situation, *, by_ok: bool = False) -> None:
        ticket = self._table.journal.ticket
        try:
            if not decided.ready(known):
                self._table.next_step.append(partial(self._go_on, asker, decided, tell, by_ok=by_ok))
                return
            done = decided.do(known)
        except Refusal as refused:
            tell(Denied(lazy(refused.text)))
            return
        done = done._replace(line=(done.line or L_("The kit says yes.")) if by_ok else None)
        at_kit = asker.who is Wisher.KIT
        if isinstance(decided, OfPlay) and not at_kit:
            self._table.touched()
        if at_kit or not decided.path or self._table.journal.ticket == ticket:
            tell(done)
        else:
            self._waiting.append((self._table.journal.ticket, partial(tell, done)))

    def _go_on(self, asker: Asker, wish: AnyWish, tell: OnAnswer, *, by_ok: bool) -> None:
        """Do what takes long, unless something has changed meanwhile."""
        if (refused := self._against(asker, wish)) is not None:
            tell(refused)
        else:
            self._look(asker, wish, tell, partial(self._do, asker, tell, by_ok=by_ok))

    def on_commit(self, ticket: int) -> None:
        """Everything written up to this ticket is on the disk: what is done by then is told."""
        due = [tell for until, tell in self._waiting if until <= ticket]
        self._waiting = [one for one in self._waiting if one[0] > ticket]
        for tell in due:
            tell()


def changed(now: str | LazyText) -> LazyText:
    """That something else stands there now, in words; `now`: what, where that is one value."""
    return L_("This has changed meanwhile. Now: {now}", now=now) if now else L_("This has changed meanwhile.")
