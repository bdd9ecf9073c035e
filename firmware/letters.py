"""The letters beside ASCII that the display can draw. Nothing but Python is needed."""

LETTERS = "".join(map(chr, range(0xC0, 0x180)))  # of Latin-1 and Latin Extended-A
