"""What streams of files and frames share: columns with names."""

from __future__ import annotations

from typing import Any

from onebit.features.columns import Columns
from onebit.features.labelled import with_norm_and_bias
from onebit.features.named_rows import are_rows_by_name, is_row_by_name, rows_by_name
from onebit.streams.base import Stream


class TableStream(Stream):
    """A stream whose rows are columns of a table, with the options of `from_arrays` applied."""

    _features: Columns
    _normalize: bool
    _bias: bool

    def _keep_columns(self, features: Columns, normalize: bool, bias: bool) -> None:
        self._features = features
        self._normalize = normalize
        self._bias = bias
        if features.values:
            self.facts = {**self.facts, "columns of text": {name: len(one) for name, one in features.values.items()}}

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The column of each feature, as "weight", or the text for which it stands, as "pet=cat"; none if hashed.

        >>> import onebit, pyarrow as pa
        >>> pets = pa.table({"weight": [4.1, 0.3], "pet": ["cat", "bird"], "name": ["Tom", "Pip"]})
        >>> onebit.streams.from_frame(pets, label="name", bias=True).feature_names
        ('weight', 'pet=bird', 'pet=cat', 'bias')
        """
        if self._features.hashed is not None:
            return ()
        return (*self._features.names, "bias") if self._bias else self._features.names

    def seen(self, X: Any) -> Any:
        """Rows by name (a dict, a list of dicts, a frame, a Series) as a learner sees them; arrays as they are.

        Columns that are no features may be there too. A value of a column of text that the table does not have makes
        all features of that column 0.

        >>> import onebit, pyarrow as pa
        >>> pets = pa.table({"weight": [4.1, 0.3], "pet": ["cat", "bird"], "name": ["Tom", "Pip"]})
        >>> stream = onebit.streams.from_frame(pets, label="name")
        >>> stream.seen({"pet": "bird", "weight": 0.4})
        array([0.4, 1. , 0. ])
        >>> onebit.OneBit(stream.classes).decide(stream.seen({"pet": "bird", "weight": 0.4})).label in stream.classes
        True
        """
        if not are_rows_by_name(X):
            return X
        rows = with_norm_and_bias(rows_by_name(self._features, X), self._normalize, self._bias)
        return rows[0] if is_row_by_name(X) and not self.sparse else rows
