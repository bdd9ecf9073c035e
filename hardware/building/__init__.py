"""Building a kit: parts, wires, currents, drawings, enclosure, all from its description. Not used in play."""
