"""How large a sheet may be, for those too who only look at its texts."""

LARGEST = 64 * 1024  # of a file, in bytes
LONGEST_TITLE = 40  # signs
LONGEST_LINE, MOST_DOTS = 4000, 40  # of a line; Python's own reader of TOML is slow where names have many dots
MOST_NAMED = 100  # questions, running numbers, parts of the sum and checks
MOST_STEPS = 20_000  # of all formulas of a round with most players: the dearest take 5 ms
FOLD_STEPS = 500  # as much time as they take a round needs beside its formulas
