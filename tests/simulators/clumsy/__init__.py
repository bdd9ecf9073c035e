"""Evenings at the page, played clumsily by real keys, a real pointer or fingers, with cuts in the middle of everything.

The program is a process of its own with its journal on the disk, its page is in Chromium, its clock is told. Whatever
happens, the page and the journal tell the same scores, and no fact of the journal changes. A cut may fall between any
two movements: while a button is down, in a menu, in a race. What must come of it is worked out as `new_runs` does.
"""
