"""Games as files: a score sheet is read, checked, compiled, and then a game like any other. See docs/score-sheets.md."""
