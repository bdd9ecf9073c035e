"""Quotes as people and their editors write them."""

# what some editors make of straight quotes, by the one that opens
QUOTES = {
    '"': '"',
    "'": "'",
    "\u201c": "\u201d",
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u201a": "\u2018\u2019",
}
QUOTES |= {
    "\u2018": "\u2019",
    "\u2019": "\u2019",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
}
CURLY = frozenset("".join((*QUOTES, *QUOTES.values()))) - {'"', "'"}


def unquoted(value: str) -> str:
    """A value without the pair of quotes around it, straight or curly; one within, or at one end only, stays."""
    if len(value) > 2 and value[-1] in QUOTES.get(value[0], ""):
        within = value[1:-1]
        if value[0] not in within and value[-1] not in within:
            return within
    return value
