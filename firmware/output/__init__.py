"""What a game shows: pictures of the display, the strip, sounds, words for screen readers, the evidence of a race."""
