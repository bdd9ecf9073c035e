"""How large a sheet may be, for those too who only look at its texts."""

LARGEST = 64 * 1024  # of a file, in bytes
LONGEST_TITLE = 40  # signs
LONGEST_LINE, MOST_DOTS = 4000, 40  # of a line; Python's own reader of TOML is slow where names have many dots
