"""The program on the Pi: the only place that knows games and parts."""

VERSION = "0.1.0"
