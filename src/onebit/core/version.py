"""The version of onebit."""

__version__ = "0.1.0"
