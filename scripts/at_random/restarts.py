"""Start the program again in the middle of random games, and check what is left.

In some of them people press while nobody listens.
"""

from tests.simulators.new_runs import main

main()
