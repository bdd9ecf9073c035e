"""One table: the loop, the game on it, the open question, the menus."""
