"""The maps come when asked for, and scikit-learn with them."""

from __future__ import annotations

import subprocess
import sys

import pytest
import sklearn.kernel_approximation

from onebit import features


def test_importing_onebit_does_not_import_scikit_learn() -> None:
    script = "import sys, onebit.features; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_the_maps_are_names_of_the_module() -> None:
    assert {"Nystroem", "RandomFourier", "RationalMap", "hash_rows"} <= set(dir(features))
    assert features.Nystroem is sklearn.kernel_approximation.Nystroem
    with pytest.raises(AttributeError, match="has no attribute 'Nystrom'"):
        features.Nystrom  # noqa: B018  # the mistake under test
