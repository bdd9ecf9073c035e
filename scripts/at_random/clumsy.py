"""Play evenings clumsily in a real browser, with cuts in the middle of everything."""

from tests.simulators.clumsy.many import main

main()
