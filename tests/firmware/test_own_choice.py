"""A choice that is one seat's: its own button steps through the options, and who is asked next takes it up."""

from tests.firmware.outcomes import outcomes

CHOOSING = "game[pack_the_essentials 2] P2"  # P2 has packed last, and chooses a position first; then P1
TILES = "game[pack_the_essentials 2 ask_tile=True] P2 ok*2"  # holding means something, too
AT = "state.round.at"

EVENINGS = {
    "the control turns and takes": (f"{CHOOSING} turn-2 ok", AT, (None, None, 1, None)),
    "the own button steps on": (f"{CHOOSING} P2*2 ok", AT, (None, None, 1, None)),
    "after the last option the first comes again": (f"{CHOOSING} P2*4 ok", AT, (1, None, None, None)),
    "the press of whoever is next takes what was chosen": (f"{CHOOSING} P2*3 P1", AT, (None, None, None, 1)),
    "that press chooses nothing for its own seat": (f"{CHOOSING} P2*3 P1", "entered", {}),
    "a press of another takes nothing before something was chosen": (f"{CHOOSING} P1", AT, (None,) * 4),
    "the lamp of whoever chooses is on": (CHOOSING, "lit", {"P2"}),
    "where holding means something a press does not step yet": (f"{TILES} +P2", "entered", {}),
    "it steps on release": (f"{TILES} +P2 60 -P2 60", "entered", {None: 1}),
    "and holding does what it means": (f"{TILES} P2!", "state.rats", (1, 0)),
    "the bottom row says so": (CHOOSING, "reads", "tap or turn, then OK"),
    "what was taken by the next one is one undo": (CHOOSING, "same", "P2*3 P1 undo"),
}

test_a_choice = outcomes(EVENINGS)
