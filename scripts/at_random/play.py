"""Play whole games at random, check every step, and print a table."""

from tests.simulators.random_play import main

main()
