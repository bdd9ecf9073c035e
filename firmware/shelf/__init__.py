"""The shelf: score sheets as files. Those beside this one are part of the program; `folders` finds all."""
