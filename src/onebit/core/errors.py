"""Errors: each says which argument, what it was, and what to do about it."""

from __future__ import annotations


class OnebitError(Exception):
    """The parent of every error that onebit raises on purpose.

    >>> import onebit
    >>> try:
    ...     onebit.Banditron(classes=1)
    ... except onebit.OnebitError as error:
    ...     print(error)
    classes=1: a learner needs at least 2 classes; give their number or a list of labels
    """


class ConfigError(OnebitError, ValueError):
    """A parameter has a value that cannot work.

    >>> import onebit
    >>> onebit.Banditron(3, gamma=2)
    Traceback (most recent call last):
    onebit.core.errors.ConfigError: gamma=2: must be a number from 0 to 1
    """


class DataError(OnebitError, ValueError):
    """A row, a label or a file of data is not what it should be.

    >>> import onebit
    >>> onebit.Banditron(3, n_features=2).decide([1.0, float("nan")])
    Traceback (most recent call last):
    onebit.core.errors.DataError: row: feature 1 is nan; rows must be finite: ...
    """


class FeedbackError(OnebitError, ValueError):
    """The feedback is of the wrong kind for the learner, or given twice.

    >>> import onebit
    >>> learner = onebit.Banditron(["cat", "dog"])
    >>> learner.learn(learner.decide([1.0]), "dog")
    Traceback (most recent call last):
    onebit.core.errors.FeedbackError: feedback='dog': Banditron learns from a bit, True (right) or False ...
    """


class FormatError(OnebitError, ValueError):
    """A `.onebit` file is truncated, foreign, or from a newer version.

    >>> import onebit, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "m.onebit"
    >>> _ = path.write_text("not a model")
    >>> onebit.load(path)
    Traceback (most recent call last):
    onebit.core.errors.FormatError: ...m.onebit: not a .onebit file (no zip archive); was it cut short ...
    """


class OutputError(OnebitError, OSError):
    """A file or folder cannot be written.

    >>> import onebit
    >>> onebit.Banditron(2, n_features=1).save("/dev/null/model.onebit")
    Traceback (most recent call last):
    onebit.core.errors.OutputError: /dev/null/model.onebit: cannot be written (Not a directory); ...
    """
