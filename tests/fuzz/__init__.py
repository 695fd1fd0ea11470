"""Hostile inputs of every kind: what must end well, or with one of onebit's own errors."""
