"""An evening of CAT Pageant."""

from collections.abc import Callable
from typing import NamedTuple

from tests.simulators.rig import Rig

PLACED_MS = 4000  # the count to three, and the signal
CATS = 42
CUBE, MEDIA = 0, 3  # places in the list of tricks
FANCIERS = ((4, 7, 2, 4), (5, 8, 1, 3), (3, 6, 3, 5), (6, 9, 0, 2))  # moxie, hustle: lowest and highest
FOUND_OUT = 4  # after this round somebody sees that P2 had a cat more in the tied pageant of round 2


class Plan(NamedTuple):
    """What everybody does in a round, by seat."""

    hustle: tuple[int, ...]  # cubes on hustle
    wants: tuple[int, ...]  # cats at most
    shown: tuple[tuple[int, ...], ...]  # cats by pageant


ROUNDS = (
    Plan((3, 2, 2, 1), (3, 2, 2, 1), ()),
    Plan((2, 3, 1, 2), (1, 3, 1, 2), ((1, 1, 0, 0),)),
    Plan((2, 2, 3, 1), (2, 1, 2, 1), ((1, 0, 0, 0), (0, 1, 1, 0))),
    Plan((3, 2, 1, 3), (2, 2, 1, 2), ((0, 1, 1, 2),)),
    Plan((2, 3, 2, 2), (2, 3, 2, 1), ((2, 1, 0, 1), (0, 1, 0, 0))),
    Plan((3, 3, 3, 3), (3, 2, 2, 2), ((1, 2, 0, 0), (1, 0, 0, 0))),
)
PILES = (31, 26, 19, 34)  # moxie, counted at the end


def cat_pageant(rig: Rig, look: Callable[[str], None] = lambda name: None, players: int = 2) -> tuple[int, ...]:
    """Until the deck is empty, with a name saved, a cat too many and a point that comes late.

    `look` is called with the name of each phase while it is on the display. Returns the scores it has to come to.
    """
    names = ("P1", "P2", "P3", "P4")[:players]
    evening = Evening(rig, look, names)
    rig.begin("CAT Pageant", *names)
    for seat in range(players):
        evening.fancier(seat)
    while evening.deck:
        evening.round(ROUNDS[evening.number % len(ROUNDS)])
    return evening.scored()


class Evening:
    """What lies on the table, as far as the next press hangs on it."""

    def __init__(self, rig: Rig, look: Callable[[str], None], names: tuple[str, ...]) -> None:
        self.rig, self.names = rig, names
        self._look, self._seen = look, set[str]()
        self.seats = range(len(names))
        self.number, self.deck = 0, CATS
        self.cubes = [4 for _ in names]
        self.hustle = [FANCIERS[seat][2] for seat in self.seats]
        self.cats, self.cards = [0 for _ in names], [0 for _ in names]
        self.taken, self.rest = [0 for _ in names], [0 for _ in names]

    def look(self, phase: str) -> None:
        """Show a phase when it comes up first."""
        if phase not in self._seen:
            self._seen.add(phase)
            self._look(phase)

    def fancier(self, seat: int) -> None:
        """Four numbers; the first fancier is saved as BE, the others are not."""
        rig, name = self.rig, self.names[seat]
        moxie_low, moxie_high, hustle_low, hustle_high = FANCIERS[seat]
        self.look("fancier")
        for number, low in ((moxie_low, 0), (moxie_high, moxie_low), (hustle_low, 0), (hustle_high, hustle_low)):
            rig.number(name, number)
            self.look("fancier_entered") if low else None
            rig.ok()
        self.look("save")
        if seat == 0:
            rig.arrow(-2)
            self.look("first_letter")
            rig.ok().arrow(-5)
            self.look("next_letter")
            rig.ok()
            self.look("name_done")
        rig.ok()

    def round(self, plan: Plan) -> None:
        """Place, adopt, groom, show."""
        self.number += 1
        order = self.place(plan)
        draw = min(len(self.names) + plan.hustle[order[0]], self.deck)
        self.deck -= draw
        left = self.adopt(order, plan, draw)
        self.look("pageants_left" if left else "pageant_drawn" if self.deck else "open_pageant")
        self.rig.ok()
        is_open = not left and not self.deck
        if not left and self.deck:
            self.deck -= 1
        self.groom(order)
        for at in range(left or 1):
            self.show(plan.shown[at] if at < len(plan.shown) else (0,) * 4, is_open)
        self.look("result" if self.deck else "deck_empty")
        if self.number == FOUND_OUT:  # the card that went below the deck was worth 3
            self.rig.ok().ok_hold().arrow(-1)
            self.look("more")
            self.rig.ok().tap("P2").arrow(3)
            self.look("fix_points")
            self.rig.ok()
        else:
            self.rig.ok()

    def place(self, plan: Plan) -> list[int]:
        """Cubes are placed and read; the order."""
        rig = self.rig
        if self.number == 1:
            self.look("place")
            rig.ok()
        rig.after(1200)
        self.look("countdown")
        rig.after(PLACED_MS - 1200)
        self.look("placed")
        for seat, name in enumerate(self.names):
            if self.number == 1 and seat == 1:
                rig.tap(name, plan.hustle[seat] + 1)
                self.look("mis_press")
                rig.arrow(-1)
            else:
                self.rig.number(name, plan.hustle[seat])
        self.look("cubes")
        rig.ok()
        values = [self.hustle[seat] + plan.hustle[seat] for seat in self.seats]
        order = sorted(self.seats, key=lambda seat: (-values[seat], FANCIERS[seat][2]))
        self.look("order_level" if len(set(values)) < len(values) else "order")
        self.rest = [self.cubes[seat] - plan.hustle[seat] for seat in self.seats]
        return order

    def adopt(self, order: list[int], plan: Plan, middle: int) -> int:
        """One cat after the other; how many are left over."""
        rig, left, at, passes = self.rig, list(plan.hustle[: len(self.names)]), -1, 0
        self.taken = [0 for _ in self.names]
        while middle and passes < len(able := [seat for seat in order if left[seat]]):
            seat = next((seat for seat in order[at + 1 :] if left[seat]), able[0])
            at = order.index(seat)
            self.look("adopt") if any(self.taken) else None
            if self.taken[seat] == plan.wants[seat]:
                rig.hold(self.names[seat])
                passes += 1
                self.look("adopt_passed")
                continue
            if self.number == 2 and not any(self.taken):  # held too long
                rig.hold(self.names[seat]).ok_hold()
                self.look("back")
                rig.ok().ok_hold()
            rig.tap(self.names[seat])
            left[seat], middle, passes = left[seat] - 1, middle - 1, 0
            self.taken[seat] += 1
            self.cats[seat] += 1
        return middle

    def groom(self, order: list[int]) -> None:
        """P1 trains hustle in round 2 and learns two tricks later; nobody else tells the kit anything."""
        rig = self.rig
        asked = [seat for seat in order if self.rest[seat]]
        if not asked:
            return
        self.look("groom")
        if self.number in (2, 3, 5) and 0 in asked:
            for seat in asked[: asked.index(0)]:
                rig.tap(self.names[seat])
            self.look("groom_next")
            if self.number == 2:
                self.train()
            else:
                self.learn({3: MEDIA, 5: CUBE}[self.number])
            self.rest[0] -= 1
            if not self.rest[0] and asked[-1] == 0:
                return
        rig.ok()

    def train(self) -> None:
        """Hustle goes up by one."""
        self.rig.ok_hold().arrow(-1)
        self.look("train")
        self.rig.ok()
        self.hustle[0] += 1
        self.look("groom_trained")

    def learn(self, trick: int) -> None:
        """A cat goes under the time card."""
        self.rig.ok_hold().arrow(-3).ok().arrow(-trick)
        self.look("learn")
        self.rig.ok()
        self.cats[0] -= 1
        if trick == CUBE:
            self.cubes[0] += 1

    def show(self, shown: tuple[int, ...], is_open: bool) -> None:
        """Cats in one pageant, and where its card goes."""
        asked = [seat for seat in self.seats if self.cats[seat] > self.taken[seat] and self.rest[seat]]
        counts = [min(shown[seat], self.cats[seat] - self.taken[seat]) if seat in asked else 0 for seat in self.seats]
        self.look("show") if asked else None
        for seat in asked:
            self.rig.number(self.names[seat], counts[seat])
        if asked:
            self.look("shown")
            self.rig.ok()
        for seat in self.seats:
            self.cats[seat] -= counts[seat]
            self.cards[seat] += counts[seat]
        if is_open:
            return
        most = [seat for seat in self.seats if counts[seat] == max(counts)]
        if any(counts) and len(most) == 1:
            self.cards[most[0]] += 1
        else:
            self.deck += 1

    def scored(self) -> tuple[int, ...]:
        """Piles and media bonuses; one for P1, who has learned media and cube."""
        rig = self.rig
        self.look("piles")
        scores = [0 for _ in self.names]
        for seat in self.seats:
            if self.cards[seat]:
                self.rig.number(self.names[seat], PILES[seat])
                scores[seat] = PILES[seat]
        self.look("piles_counted")
        rig.ok()
        self.look("media")
        rig.ok()
        self.look("end")
        return (scores[0] + 1, scores[1] + 3, *scores[2:])
