"""CAT Pageant scored a second time: cubes, cats and cards moved by hand as the rules page says, without the engine."""

from collections.abc import Sequence
from typing import Any

from tests.engine.plain.outcome import Moved, Outcome, best

STATS = ("moxie_low", "moxie_high", "hustle_low", "hustle_high")


class Pageant:
    """One pageant of the round: the trick it asks for, and who has shown how many cats."""

    def __init__(self, players: int, trick: str | None) -> None:
        self.trick = trick  # None: not known
        self.shown = [0] * players


class Table:
    """The state of the table."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.players, self.options = players, options
        self.stats: list[list[int]] = [[] for _ in range(players)]
        self.known: dict[str, list[int]] = {}
        self.moxie, self.hustle = [0] * players, [0] * players
        self.cubes = [4] * players
        self.deck, self.middle = 42, 0
        self.cats, self.scored = [0] * players, [0] * players
        self.tricks: list[list[str]] = [[] for _ in range(players)]
        self.hand: list[list[tuple[str, int, bool, int]]] = [[] for _ in range(players)]  # with the round of adoption
        self.pile, self.media, self.ungroomed, self.fixed = ([0] * players for _ in range(4))
        self.round, self.first = 0, 0
        self.over = False
        self.new_round()

    def fancier(self, seat: int, stats: list[int]) -> None:
        """Four printed numbers; both clips on the lowest."""
        self.stats[seat] = stats
        assert stats[0] <= stats[1] and stats[2] <= stats[3]
        self.moxie[seat], self.hustle[seat] = stats[0], stats[2]

    def new_round(self) -> None:
        """All cubes come back."""
        self.round += 1
        self.on_hustle: dict[int, int] = {}
        self.spare: dict[int, int] = {}  # on groom; with counts on groom or show
        self.on_show = [0] * self.players
        self.taken, self.misfits = [0] * self.players, [0] * self.players
        self.free = [0] * self.players
        self.pageants: list[Pageant] = []
        self.open = self.drawn = False
        self.waiting: list[int] | None = None  # who has still to say what it shows in the pageant that is open
        self.at = -1

    def order(self, fallen: Sequence[int]) -> list[int]:
        """Initiative; lots as they fell."""
        keys = [(-self.hustle[s] - self.on_hustle[s], self.stats[s][2]) for s in range(self.players)]
        if self.options["initiative_tiebreak"] == "seat":
            clockwise = [(self.first + n) % self.players for n in range(self.players)]
            return sorted(clockwise, key=lambda s: keys[s])
        order = sorted(fallen, key=lambda s: keys[s])
        assert order == list(fallen)
        return order

    def may_show(self) -> list[int]:
        """With counts: who has a cat without a cube on it, and a cube to show it with."""
        return [s for s in range(self.players) if self.cats[s] > self.taken[s] and self.spare[s] > 0]

    def show(self, seat: int, cats: int) -> None:
        """With counts: so many in the pageant that is open."""
        while not self.waiting:
            self.at += 1
            self.waiting = self.may_show()
        self.waiting.remove(seat)
        assert 0 <= cats <= self.cats[seat] - self.taken[seat]
        self.pageants[self.at].shown[seat] = cats
        self.cats[seat] -= cats
        self.scored[seat] += cats

    def show_cat(self, seat: int, value: str) -> None:
        """One known cat goes to the score pile."""
        pageant, trick, moxie = value.split()
        asked = self.pageants[int(pageant) - 1]
        self.hand[seat].remove(next(c for c in self.hand[seat] if c[:3] == (trick, int(moxie), True)))
        if not self.open and "wild" not in (trick, asked.trick) and trick != asked.trick:
            self.misfits[seat] += 1
        assert self.misfits[seat] <= self.tricks[seat].count("registration")
        asked.shown[seat] += 1
        most = self.on_show[seat] * (1 + self.tricks[seat].count("show"))
        assert most and (
            sum(p.shown[seat] for p in self.pageants) <= most
            or (self.open and self.options["open_pageant"] == "unlimited")
        )
        self.cats[seat] -= 1
        self.scored[seat] += 1
        self.pile[seat] += int(moxie)

    def groom(self, seat: int, value: str) -> None:
        """One known cat moves to the right."""
        trick, moxie = value.split()
        cat = next(c for c in self.hand[seat] if c[:3] == (trick, int(moxie), False) and c[3] < self.round)
        self.hand[seat].remove(cat)
        self.hand[seat].append((trick, int(moxie), True, cat[3]))
        if self.free[seat]:
            self.free[seat] -= 1
        else:
            self.spend(seat)
            self.free[seat] = self.tricks[seat].count("groom")

    def learn(self, seat: int, value: str) -> None:
        """A cat goes under the time card."""
        words = value.split()
        if len(words) > 1:
            key = (words[0], int(words[1]), len(words) == 3)
            self.hand[seat].remove(next(c for c in self.hand[seat] if c[:3] == key and c[3] < self.round))
        assert self.cats[seat] > self.taken[seat]
        self.cats[seat] -= 1
        self.spend(seat)
        self.tricks[seat].append(words[0])
        if words[0] == "cube" and (self.options["cube_limit"] == "none" or sum(self.cubes) < 20):
            self.cubes[seat] += 1

    def spend(self, seat: int) -> None:
        """A cube leaves groom."""
        assert self.spare[seat] > 0
        self.spare[seat] -= 1

    def draw(self) -> None:
        """The first player draws as many cats as there are players and cubes of theirs on hustle."""
        self.drawn = True
        self.middle = min(self.players + self.on_hustle[self.first], self.deck)
        self.deck -= self.middle

    def close(self) -> bool:
        """Pageant cards go to who has most, or below the deck. Whether any was won."""
        won = False
        for pageant in () if self.open else self.pageants:
            most = [s for s in range(self.players) if pageant.shown[s] == max(pageant.shown)]
            if len(most) == 1:
                self.scored[most[0]] += 1
                won = True
            else:
                self.deck += 1
        return won

    def bonus(self, seat: int) -> int:
        """Media bonus from the tricks that were entered."""
        others = {"show", "groom", "registration", *(["cube"] if self.options["media_counts_cube"] else [])}
        return self.tricks[seat].count("media") * min(3, len(others.intersection(self.tricks[seat])))


def cat_pageant(players: int, options: dict[str, Any], moves: Sequence[Moved]) -> Outcome:
    """Move by move; then the sums."""
    table, known = Table(players, options), options["entry"] == "cards"
    lesson, taking, spelled = False, "", ""
    for move in moves:
        seat, value = 0 if move.seat is None else move.seat, move.value
        if move.verb in ("take", "pass") and not table.drawn:  # the first turn says that the cats are drawn, too
            table.draw()
        if move.verb == "place" and table.on_hustle:  # the countdown of the next round
            won = table.close()
            assert table.deck and (won or any(table.taken))
            table.new_round()
        match move.verb:
            case "fix":
                table.fixed[seat] += value
            case "moxie_low" | "moxie_high" | "hustle_low" | "hustle_high":
                assert STATS[len(table.stats[seat])] == move.verb
                table.stats[seat].append(value)
                if len(table.stats[seat]) == 4:
                    table.fancier(seat, table.stats[seat])
            case "recall":
                table.known = {name: stats for name, *stats in value}
            case "fancier" if str(value) != "new":
                table.fancier(seat, table.known[value])
            case "name" if str(value) != "no":
                done = str(value) == "done"
                spelled += "" if done else value
                if done or len(spelled) == 8:
                    table.known[spelled], spelled = table.stats[seat], ""
            case "hustle":
                table.on_hustle[seat] = value
                table.spare[seat] = table.cubes[seat] - value
                if len(table.on_hustle) == players:
                    table.first = table.order(move.facts[-1].event.order)[0]
                    assert table.first == move.facts[-1].event.order[0]
            case "groom_cubes":
                table.on_show[seat] = table.spare[seat] - value
                table.spare[seat] = value
            case "draw":
                table.draw()
            case "take":
                assert table.on_hustle[seat] > 0
                table.on_hustle[seat] -= 1
                table.middle -= 1
                table.cats[seat] += 1
                table.taken[seat] += 1
            case "pageants":
                drawn = not table.middle and table.deck > 0
                table.deck -= drawn
                table.open = not table.middle and not drawn
                table.pageants = [Pageant(players, None) for _ in range(table.middle or 1)]
                table.middle = 0
            case "trick" if move.seat is None:
                next(p for p in table.pageants if p.trick is None).trick = value
            case "trick" if lesson:
                table.learn(seat, value)
                lesson = False
            case "trick":
                taking = value
            case "moxie" if taking:
                table.hand[seat].append((taking, value, False, table.round))
                assert sum(c[1] for c in table.hand[seat] if not c[2]) <= table.moxie[seat]
                taking = ""
            case "moxie":
                table.pile[seat] += value
            case "train_hustle":
                table.spend(seat)
                table.hustle[seat] += 1
                assert table.hustle[seat] <= table.stats[seat][3]
            case "train_moxie":
                table.spend(seat)
                table.moxie[seat] += 1
                assert table.moxie[seat] <= table.stats[seat][1]
            case "learn":
                lesson = True
            case "groom" if str(value) != "done":
                table.groom(seat, value)
            case "shown":
                table.show(seat, value)
            case "show" if str(value) != "done":
                table.show_cat(seat, value)
            case "next" | "end_now":
                assert not table.over
                won = table.close()
                assert (move.verb == "end_now") is not (any(table.taken) or won or not table.deck)
                table.over = table.deck == 0 or value == "yes"
                if not table.over:
                    table.new_round()
            case "pile":
                table.pile[seat] = value
            case "media":
                assert table.over
                table.media[seat] = value
            case "ungroomed":
                table.ungroomed[seat] = value
    assert table.over
    seats = range(players)
    if known:
        table.media = [table.bonus(seat) for seat in seats]
        table.ungroomed = [sum(not cat[2] for cat in table.hand[seat]) for seat in seats]
        assert [len(hand) for hand in table.hand] == table.cats
    totals = [table.pile[seat] + table.media[seat] + table.fixed[seat] for seat in seats]
    tokens = [
        {
            "cubes": table.cubes[seat],
            "hustle": table.hustle[seat],
            "moxie": table.moxie[seat],
            "cats": table.cats[seat],
            "scored": table.scored[seat],
        }
        for seat in seats
    ]
    return Outcome(totals, best(table.ungroomed, best(totals, seats)), table.round, tokens)
