"""What a phone holds as a guest, and the role of the table, end with the evening, and it is told so.

What a person holds does not end.
"""

from pathlib import Path

import pytest

from hardware.config import KitConfig
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig

pytestmark = pytest.mark.slow

GAME = "[Kitty Paw] P1 P2 ok*2"
PLAYED = f"{GAME} menu[End the game] 2500 ok [Other game]"


class Evening(Rig):
    """A kit with a guest's phone, which answers for the table, too. At `claim` it does so again, and falls asleep."""

    phone: Phone | None = None

    def _start(self, state: Path, config: KitConfig, boot: str) -> None:
        super()._start(state, config, boot)
        let_in(self)

    def claim(self) -> "Evening":
        phone = Phone(self, token=None if self.phone is None else self.phone.token)
        phone.say(leave="P2").say(seat="P2").say(table=True)
        assert (phone.mine, phone.me["role"]) == KEPT[:2]
        self.phone = phone.sleep()
        return self

    @property
    def left(self) -> tuple[list[str], str, str]:
        """What it holds, its role, and what it is told, once its page is open again."""
        assert self.phone is not None
        phone = Phone(self, token=self.phone.token).sleep()
        return phone.mine, phone.me["role"], phone.told


KEPT: tuple[list[str], str, str] = (["P2"], "table", "")
TOLD = "P2 is free again: choose your place anew. You no longer answer for the table."
ENDED: tuple[list[str], str, str] = ([], "watch", TOLD)

CLOCKED = {
    "a game later": (PLAYED, KEPT),
    "a pause": (f"{PLAYED} 359min", KEPT),
    "six hours without a game": (f"{PLAYED} 6h", ENDED),
    "six hours before the first game": ("6h", ENDED),
    "switched off for the night": (f"{PLAYED} off[9h]", ENDED),
    "switched off for a while": (f"{PLAYED} off[1h]", KEPT),
    "a game of many hours": (f"{GAME} 9h", KEPT),
    "a game that is gone on with": (f"{GAME} pulled[9h] ok", KEPT),
    "one that may be gone on with": (f"{GAME} pulled[9h]", KEPT),
    "another game begins instead": (f"{GAME} pulled[9h] ok! {GAME}", ENDED),
    "claimed anew before the first game": (f"{PLAYED} off[9h] claim 5s {GAME}", KEPT),
    "claimed anew, then a power cut": (f"{PLAYED} off[9h] claim pulled[1min] {GAME}", KEPT),
}


@pytest.mark.parametrize(("line", "expected"), CLOCKED.values(), ids=CLOCKED)
def test_a_guests_claim_and_the_role_of_the_table_end_after_six_hours_without_a_game(
    tmp_path: Path, line: str, expected: tuple[list[str], str, str]
) -> None:
    evening = Evening(tmp_path)
    evening.do(f"claim {line}")
    assert evening.left == expected


UNKNOWN = {
    "a new evening": (f"{PLAYED} off[1h] [Kitty Paw] ok ok!", ENDED),
    "the same one": (f"{PLAYED} off[9h] [Kitty Paw] turn+1 ok!", KEPT),
    "not asked yet": (f"{PLAYED} off[9h]", KEPT),
    "claimed anew before it is asked": (f"{PLAYED} off[9h] claim [Kitty Paw] ok ok!", KEPT),
}


@pytest.mark.parametrize(("line", "expected"), UNKNOWN.values(), ids=UNKNOWN)
def test_where_no_clock_can_tell_people_do(tmp_path: Path, line: str, expected: tuple[list[str], str, str]) -> None:
    evening = Evening(tmp_path)
    evening.wall = None
    evening.do(f"restart claim {line}")
    assert evening.left == expected


def test_a_persons_claim_stays(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.do("people[Anna] [Kitty Paw] P1 P2*2 ok*2 menu[End the game] 2500 ok [Other game] claim off[9h]")
    assert evening.left == (["P2"], "seat", "You no longer answer for the table.")
    assert evening.left == (["P2"], "seat", "")


def test_a_page_that_is_open_when_a_game_begins_is_told_at_once(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    phone = Phone(evening, "P1", "P2")
    evening.do("6h")
    assert phone.told == ""
    evening.do(GAME)
    assert (phone.mine, phone.told) == ([], "P1, P2 are free again: choose your place anew.")
