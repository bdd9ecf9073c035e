"""A program that opens a SQLite connection, and closes it if it is told to."""

import sqlite3
import sys

db = sqlite3.connect(":memory:")
if "closed" in sys.argv:
    db.close()
