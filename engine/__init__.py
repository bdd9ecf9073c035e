"""The rules of the games and the referee: pure functions."""
