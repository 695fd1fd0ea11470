"""Where onebit keeps files: compiled code in the user's cache, data sets in the user's data folder."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path


def cache_folder() -> Path:
    """The folder for files that can be made again: `ONEBIT_CACHE`, else `onebit` in the user's cache.

    >>> cache_folder().name != ""
    True
    """
    named = os.environ.get("ONEBIT_CACHE")
    return Path(named) if named else user_cache_path("onebit", appauthor=False)


def data_folder() -> Path:
    """The folder of data sets: `ONEBIT_DATA`, else `onebit` in the user's data folder.

    >>> data_folder().name != ""
    True
    """
    named = os.environ.get("ONEBIT_DATA")
    return Path(named) if named else user_data_path("onebit", appauthor=False)
