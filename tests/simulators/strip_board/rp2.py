"""Is there on a Pico and nowhere else."""
