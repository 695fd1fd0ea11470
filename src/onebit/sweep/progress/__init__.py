"""How far a sweep has come, and how that is shown."""
