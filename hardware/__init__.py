"""Parts and their emulated twins: knows buttons and pixels, not games."""
