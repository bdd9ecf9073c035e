"""Second scorer of Pack the Essentials: the draft record and the pad by the rules page, without the engine."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.engine.plain.outcome import Moved, Outcome, best

POINTS = [0, 1, 3, 5, 8, 11, 15, 19, 24, 29, 35, 41, 48]
COLOURS = ["magenta", "lavender", "peach", "mint"]


class Pad:
    """Everything that has been noted of one game."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.players, self.options = players, options
        self.rats, self.toys, self.cats = [1] * players, [0] * players, [0] * players
        self.fixed = [0] * players
        self.todo: list[list[int]] = [[] for _ in range(players)]
        self.sizes: list[list[int]] = [[] for _ in range(players)]
        self.counted_cats: dict[int, int] = {}
        self.counted_rats: dict[int, int] = {}
        self.empty: dict[int, int] = {}
        self.laid: list[list[tuple[str, set[tuple[int, int]]]]] = [[] for _ in range(players)]
        self.dark: list[int] = [0] * players
        self.chosen: int | None = None
        self.voting: list[int] = []  # who was level when the vote under way began
        self.tied: list[int] = []  # whose pictures are still in it
        self.votes: list[int] = []

    def cats_of(self, seat: int) -> int:
        return self.counted_cats.get(seat, self.cats[seat])

    def rats_of(self, seat: int) -> int:
        return self.counted_rats.get(seat, self.rats[seat] + self.cats[seat] - self.cats_of(seat))

    def totals(self) -> list[int]:
        found = []
        for seat in range(self.players):
            total = sum(self.todo[seat]) + 5 * self.cats_of(seat) + self.fixed[seat]
            total += self.rats_of(seat) if self.options["rats_in_total"] else 0
            found.append(total + sum(POINTS[min(size, 12)] for size in self.sizes[seat]))
        return found

    def level(self) -> list[int]:
        """The leaders, ties broken as far as squares are counted."""
        lead = best(self.totals(), range(self.players))
        if len(lead) > 1 and all(seat in self.empty for seat in lead):
            fewest = min(self.empty[seat] for seat in lead)
            lead = [seat for seat in lead if self.empty[seat] == fewest]
            lead = best([self.rats_of(seat) for seat in range(self.players)], lead)
        return lead

    def vote(self, picture: int) -> None:
        """A vote between those level; who was in an earlier one does not matter."""
        lead = self.level()
        if lead != self.voting:
            self.voting, self.tied, self.votes = lead, lead, []
        self.votes.append(picture)
        if len(self.votes) == self.players - len(self.tied):
            often = [self.votes.count(one) for one in self.tied]
            self.tied = [one for one, many in zip(self.tied, often, strict=True) if many == max(often)]
            self.votes = []
            if len(self.tied) == 1:
                (self.chosen,), self.voting = self.tied, []

    def count_suitcases(self) -> None:
        """With reported tiles the pad fills itself."""
        for seat in range(self.players):
            self.counted_cats[seat], self.counted_rats[seat] = self.cats[seat], self.rats[seat]
            self.sizes[seat] = [biggest([squares for c, squares in self.laid[seat] if c == name]) for name in COLOURS]
            covered = self.dark[seat] + sum(len(squares) for _, squares in self.laid[seat])
            toys = self.toys[seat] if self.options["toys_fill_for_tiebreak"] else 0
            self.empty[seat] = max(0, 96 - covered - toys)


def biggest(tiles: list[set[tuple[int, int]]]) -> int:
    """Tiles in the largest group: every tile takes over the number of those it touches."""
    number = list(range(len(tiles)))
    for a, one in enumerate(tiles):
        for b, other in enumerate(tiles[:a]):
            if any(abs(x - u) + abs(y - v) == 1 for x, y in one for u, v in other):
                number = [number[b] if n == number[a] else n for n in number]
    return max((number.count(n) for n in number), default=0)


def flipped(lady: Any, stands: dict[int, int], mat: list[int], *, numbered: bool) -> None:
    """A Cat Lady stands where nobody does, and takes one of the tiles: the first of her numbers, where the kit drew."""
    assert lady.position not in stands
    assert len(mat) == 5 - lady.position
    if lady.bold is not None:
        order = [(lady.bold + n - 1) % 4 + 1 for n in range(4)]
        assert lady.tile == next(n for n in order if n in mat)
    mat.remove(lady.tile if numbered else mat[-1])


def pack_the_essentials(players: int, options: dict[str, Any], moves: Sequence[Moved]) -> Outcome:
    """Positions give rats and toys, rats become cats, the pad is added up; then the tie-breaks."""
    pad = Pad(players, options)
    table = [entry.split("+") for entry in options["bonus_table"].split()]
    reported = options["entry"] == "placements"
    numbered = options["ask_tile"] or reported or (options["cat_lady"] == "virtual" and players < 4)
    stands: dict[int, int] = {}
    mat: list[int] = []
    rounds, goal, start, turns, spent = 1, 0, 0, 0, 0
    drawn: tuple[Any, ...] = ()
    small = Counter[tuple[str, int]]()  # bonus tiles laid, by colour and squares

    for move in moves:
        seat = 0 if move.seat is None else move.seat
        gone: int | None = None
        value = move.value
        ladies = [fact.event for fact in move.facts if type(fact.event).__name__ == "CatLadyActed"]
        position = next((at for at, who in stands.items() if who == move.seat), 0)
        while mat and move.seat is not None and ladies and ladies[0].position < position:  # passed over by a press
            flipped(ladies.pop(0), stands, mat, numbered=numbered)
        match move.verb:
            case "fix":
                pad.fixed[seat] += value
                continue
            case "packed_last":
                start = seat
            case "goal":
                goal = value
            case "prefilled":
                pad.dark[seat] = len(value)
            case "block" | "position":
                if turns == players:  # the first choice of a round
                    assert mat == []
                    rounds, start, stands, turns = rounds + 1, (start + 1) % players, {}, 0
                if move.verb == "position":
                    assert seat == (start + len(stands)) % players
                    assert int(value) not in stands
                    stands[int(value)] = seat
                shut = value.split("+") if move.verb == "block" else []
                left = [n for n in range(1, 5) if n not in stands and str(n) not in shut]
                if len(left) == 1 and len(stands) == players - 1:
                    stands[left[0]] = (start + len(stands)) % players
                if len(stands) == players:
                    mat = [1, 2, 3, 4]
                    for position, who in stands.items():
                        pad.rats[who] += table[position - 1].count("rat")
                        pad.toys[who] += table[position - 1].count("toy")
            case "rat":
                pad.rats[seat] -= 1
                pad.cats[seat] += 1
                spent += 1
            case "take" | "to_box":
                gone = int(value) if value is not None else mat[0]
                turns += move.seat is not None
            case "nothing_fits":
                bonus = min(sum(word in ("sock", "underwear") for word in table[position - 1]), 2)
                turnable = min(pad.rats[seat], bonus - spent) > 0
                if not turnable and (not numbered or len(mat) == 1):
                    gone = mat[0]
                    turns += 1
            case "lay":
                (space,) = [tile[0] for tile in value if isinstance(tile[0], int)]
                gone = space
                turns += 1
                for tile in value:
                    if tile[-2] == "discard":
                        continue
                    colour = drawn[space - 1][0] if tile[0] == space else tile[1]
                    if tile[0] != space:
                        small[colour, len(tile[-1])] += 1
                        assert small[colour, 1] <= 8 and small[colour, 2] <= 10
                    pad.laid[seat].append((colour, set(tile[-1])))
                    pad.cats[seat] += tile[-2] == "cat"
                    pad.rats[seat] -= tile[-2] == "cat"
            case "tiles":
                drawn = value
            case "todo":
                pad.todo[seat].append(value)
                if reported and sum(map(len, pad.todo)) == 3 * players:
                    pad.count_suitcases()
            case "cats":
                pad.counted_cats[seat] = value
            case "rats":
                pad.counted_rats[seat] = value
            case "group":
                pad.sizes[seat].append(value)
            case "empty":
                pad.empty[seat] = value
            case "vote":
                pad.vote(value)
            case "guest":
                pad.chosen = value if value != "shared" else None
        if gone is not None:
            mat.remove(gone if numbered else mat[-1])
            spent = 0
        for lady in ladies[move.verb == "to_box" and move.seat is None :]:  # the table has answered for the first
            flipped(lady, stands, mat, numbered=numbered)

    assert mat == []
    totals = pad.totals()
    level = pad.level()
    winners = [pad.chosen] if pad.chosen in level else level
    if players == 1:
        winners = [0] if totals[0] > goal or (totals[0] == goal and options["solo_goal"] == "≥") else []
    tokens = [{"rats": pad.rats_of(s), "toys": pad.toys[s], "cats": pad.cats_of(s)} for s in range(players)]
    return Outcome(totals, winners, rounds, tokens)
