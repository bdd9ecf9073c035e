"""Players that know no game: they try every game and every sheet."""
