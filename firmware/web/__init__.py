"""Serving pages: the kit's own to this machine, and those of phones. Needs the extra `panel`."""
