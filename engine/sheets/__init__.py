"""Games as files: a score sheet is read, checked and compiled, and then is a game like any other."""
