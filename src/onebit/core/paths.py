"""Where onebit keeps files: compiled code in the user's cache, data sets in the user's data folder."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder for files that can be made again: `ONEBIT_CACHE`, else `onebit` in the user's cache.

    >>> cache_folder().name != ""
    True
    """
    named = os.environ.get("ONEBIT_CACHE")
    return Path(named) if named else _home("XDG_CACHE_HOME", ".cache") / "onebit"


def data_folder() -> Path:
    """The folder of data sets: `ONEBIT_DATA`, else `onebit` in the user's data folder.

    >>> data_folder().name != ""
    True
    """
    named = os.environ.get("ONEBIT_DATA")
    return Path(named) if named else _home("XDG_DATA_HOME", ".local/share") / "onebit"


def _home(variable: str, default: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / default)
