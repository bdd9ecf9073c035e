"""Make the table of places for names in docs/people.md from the list that forgetting goes by.

Run it after a change of that list (firmware/journal/places.py). A test compares the page with it.
"""

import argparse

from scripts.generators import people_page

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="scripts/make people", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    people_page.PAGE.write_text(people_page.page(), encoding="utf-8")
    print("docs/people.md")
