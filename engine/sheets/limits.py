"""How large a sheet may be, for those too who only look at its title."""

LARGEST = 64 * 1024  # of a file, in bytes
LONGEST_TITLE = 40  # signs
