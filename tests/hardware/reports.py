"""What the fixture `reports` collects."""

Reports = list[tuple[str, str | None]]  # name of a part, its fault or None
