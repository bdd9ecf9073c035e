"""What `scripts/random` plays or cuts at random: a module each."""
