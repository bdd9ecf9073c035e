"""Setting up a kit: the menu, the first start, and the steps that need the parts for themselves."""
