"""People at the table: their names, who is known here, joining, and who sits where."""
