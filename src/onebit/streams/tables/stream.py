"""What streams of files and frames share: columns with names."""

from __future__ import annotations

from collections.abc import Iterable

from onebit.features.columns import Columns
from onebit.streams.base import Stream
from onebit.streams.tables.feature_columns import shown


class TableStream(Stream):
    """A stream whose rows are columns of a table, with the options of `from_arrays` applied."""

    _features: Columns
    _bias: bool

    def _keep_columns(self, features: Columns, bias: bool) -> None:
        self._features = features
        self._bias = bias
        if self.cases:
            self.facts = {**self.facts, "columns": list(features.types)}

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The column of each feature, or of raw cases; none if the rows are hashed.

        >>> import onebit, pyarrow as pa
        >>> pets = pa.table({"weight": [4.1, 0.3], "legs": [4, 2], "name": ["Tom", "Pip"]})
        >>> onebit.streams.from_frame(pets, label="name", bias=True).feature_names
        ('weight', 'legs', 'bias')
        """
        if self._features.hashed is not None:
            return ()
        names = tuple(self._features.types)
        return (*names, "bias") if self._bias else names

    def first_unknown(self, columns: Iterable[str]) -> str | None:
        """The first of these columns that the cases do not have; what lies within another has a dotted name.

        >>> import onebit, pyarrow as pa
        >>> pets = pa.table({"name": ["Tom", "Pip"], "home": [{"city": "Rome"}, {"city": "Bern"}], "kind": [1, 2]})
        >>> stream = onebit.streams.from_frame(pets, label="kind")
        >>> stream.first_unknown(["name", "home.city"]), stream.first_unknown(["name", "owner"])
        (None, 'owner')
        """
        known = set(self.feature_names)
        for name in columns:
            if known.isdisjoint((name, name.partition(".")[0], name.partition("[")[0])):
                return name
        return None

    def shown_names(self) -> str:
        """The columns, some of them where there are many, for an error.

        >>> import onebit, pyarrow as pa
        >>> pets = pa.table({"weight": [4.1, 0.3], "legs": [4, 2], "name": ["Tom", "Pip"]})
        >>> onebit.streams.from_frame(pets, label="name").shown_names()
        "'weight', 'legs'"
        """
        return shown(self.feature_names)
