"""Make the table of faults in docs/check.md from the doctor's findings.

Run it after a change of the findings. A test compares the page with the program.
"""

import argparse

from scripts.generators import check_page

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="scripts/make check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    check_page.PAGE.write_text(check_page.page())
    print("docs/check.md")
