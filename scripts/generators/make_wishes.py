"""Make the table of who may wish what in docs/threat-model.md from the table that the desk goes by.

Run it after a change of that table (firmware/wishes/all.py). A test compares the page with it.
"""

import argparse

from scripts.generators import wishes_page

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="scripts/make wishes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    wishes_page.PAGE.write_text(wishes_page.page(), encoding="utf-8")
    print("docs/threat-model.md")
