"""Statistics: results of games, summed once beside the journal; evenings; figures of people."""
