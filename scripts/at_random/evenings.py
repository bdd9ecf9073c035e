"""Play random evenings, check every figure, and print a table."""

from tests.simulators.random_evenings import main

main()
