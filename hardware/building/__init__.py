"""How a kit is built: parts, wires, currents, drawings, enclosure, all from its description. No game needs it."""
