"""Make the reference in docs/score-sheets.md from the format of score sheets.

Run it after a change of the format. A test compares the page with the program.
"""

import argparse

from scripts.generators import sheets_page

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="scripts/make sheets", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    sheets_page.PAGE.write_text(sheets_page.page(), encoding="utf-8")
    print("docs/score-sheets.md")
