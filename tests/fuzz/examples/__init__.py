"""Fixed examples: each has broken something once."""
