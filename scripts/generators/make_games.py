"""Make the generated parts of docs/games: what to press in each phase, with pictures, a whole game, and the options.

Run it after a change that players can see, and read the pages before you commit them. A test compares them with the
program.
"""

import argparse

from scripts.generators import game_pages

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="scripts/make games", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    for game in game_pages.EVENINGS:
        game_pages.make(game)
        print(f"docs/games/{game}.md")
