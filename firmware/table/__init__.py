"""One table: the loop, what is played on it, what is asked, the menus."""
