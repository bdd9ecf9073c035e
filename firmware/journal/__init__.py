"""The journal: every event of every game, for ever."""
