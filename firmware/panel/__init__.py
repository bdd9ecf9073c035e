"""The browser kit: shows the emulated twins on a page and presses their buttons."""
