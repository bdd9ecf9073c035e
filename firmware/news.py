"""The news of a table: what others may know of it, made in one place for all who follow, when it has changed."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from PIL import Image

from engine.game import Block
from engine.play import Play
from engine.rules import Seat
from firmware.messages import ROWS, Follower, Row, Seated, TableNews, TimeLeft
from firmware.output import public, spoken
from firmware.output.screens.view import counted_down
from firmware.output.strip_picture import Light
from firmware.setup.certificate import UNMEASURED
from firmware.table import question
from firmware.table.overlay import Overlay
from firmware.table.playing import Playing
from firmware.table.table import Table
from firmware.translation import LazyText

NO_GAME = TableNews(evidence=None, seats=(), hands=(), scores=None, game=None, clocks=(), rounds=None)


class News:
    """Tells its followers what has changed, by kind. On the loop's thread. Without followers nothing is made."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._followers: list[Follower] = []
        # the newest; below what it was made of
        self._told: TableNews = {**NO_GAME, "people": (), "certificate": None, "flashes": ()}
        self._play: Play | None = None
        self._blocks: tuple[Block, ...] = ()  # of the table of rounds
        self._until_ns: int | None = None  # when a countdown ends
        self._names: tuple[str, ...] = ()
        self._sits: Mapping[Seat, str] | None = None
        self._people: tuple[tuple[str, str], ...] = ()
        self._flashes: tuple[tuple[int, LazyText], ...] = ()
        self._standing = UNMEASURED

    def follow(self, tell: Callable[[TableNews], None], *kinds: str) -> None:
        """Tell somebody of these kinds what there is, and from now on what changes; words come with a picture."""
        follower = Follower(tell, *kinds)
        self._followers.append(follower)
        self._make()
        follower.show(self._told)

    def spread(self, picture: Image.Image, light: Light) -> None:
        """Tell everybody what has changed. `picture`, `light`: what display and strip show."""
        if not self._followers:
            return
        self._make()
        table = self._table
        wanted = any(follower.hears("words") for follower in self._followers)
        if wanted and not table.signalling:  # else the picture is not the one on the display
            race = self._told.get("evidence")
            self._told["words"] = spoken.words(table.top, self._names or table.names, picture, light, race)
        for follower in self._followers:
            follower.show(self._told)

    def _make(self) -> None:
        """Make anew whatever is made of something else than last time."""
        table, game = self._table, self._table.game
        play, names, sits = (None, (), None) if game is None else (game.committed, game.page_names, game.people)
        if play is not self._play or names != self._names or sits is not self._sits:  # two may have one name
            self._play, self._names, self._sits = play, names, sits
            blocks = () if play is None or play.rules.tally is None else play.rules.tally(play.state)
            self._told |= NO_GAME if game is None else of_game(game, blocks)
            self._make_rows(blocks)
            self._until_ns = None if play is None or play.over else play.rules.face(play.state).until_ns
        until_ns = self._until_ns
        over = table.top if isinstance(table.top, Overlay) else None
        if over is not None and game is None:
            self._told["hands"] = over.hands()
        self._told["invites"] = "" if over is None or game is not None else over.invites
        self._told["covered"] = over is not None and game is not None
        self._told["sought"] = None if over is None else over.sought
        self._told["count"] = None if until_ns is None else counted_down(table.now_ns, until_ns)
        if (people := table.roster.everybody) != self._people:
            self._people = people
            self._told["people"] = [{"id": id_, "name": name} for id_, name in people]
        if table.flashes != self._flashes:
            self._flashes = table.flashes
            self._told["flashes"] = spoken.flashes(self._flashes)
        if table.standing != self._standing:
            self._standing = table.standing
            measured, unused = self._standing
            self._told["certificate"] = None if measured is None else public.certificate(measured, unused)

    def _make_rows(self, blocks: tuple[Block, ...]) -> None:
        """Make anew the blocks of the table of rounds that are other ones: usually the last."""
        play, before, self._blocks = self._play, self._blocks, blocks
        for n, block in enumerate(blocks):
            if play is not None and (n >= len(before) or block is not before[n]):
                put_rows(self._told, n, public.rows(play, block))
        for n in range(len(blocks), len(before)):
            put_rows(self._told, n, None)


def put_rows(told: TableNews, n: int, rows: Sequence[Row] | None) -> None:
    """Tell a block of the table of rounds."""
    kinds: dict[str, object] = told  # type: ignore[assignment]
    kinds[f"{ROWS} {n}"] = rows


def of_game(game: Playing, blocks: tuple[Block, ...]) -> TableNews:
    """What follows from a game as people may see it. `blocks`: of its table of rounds."""
    from firmware.output import photo_finish, race_evidence  # a start, without a game, need not wait for them

    play, names, of_kit = game.committed, game.page_names, game.table.names
    race = race_evidence.of(play, game.table.sources, names, of_kit)
    return TableNews(
        evidence=None if race is None else photo_finish.for_pages(race),
        seats=seats(play, names),
        hands=hands(play),
        scores=public.scores(game.number, play, names, game.people),
        game=public.game(play, names, of_kit),
        clocks=cast("Sequence[TimeLeft]", public.clocks(play)),
        rounds=public.rounds(play, names, blocks, of_kit),
    )


def hands(play: Play) -> tuple[str, ...]:
    """The buttons that are to be held: before a signal, and until it has been given."""
    buttons = play.buttons or play.players
    return tuple([buttons[seat] for seat in question.of(play.offers).hands])


def seats(play: Play, names: Sequence[str]) -> list[Seated]:
    """By seat the button, its label at the start of the game, and the player's name or nothing."""
    each = zip(play.buttons or play.players, play.players, names, strict=True)
    return [{"button": button, "name": label, "person": "" if name == label else name} for button, label, name in each]
