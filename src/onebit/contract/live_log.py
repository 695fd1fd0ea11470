"""The decision log of a learner."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Self, get_args

from onebit.contract.layout import Layout
from onebit.core.aliases import Label
from onebit.core.checks import check_flag
from onebit.core.errors import ConfigError, FeedbackError
from onebit.core.lessons import Lessons
from onebit.feedback import AnswerKind
from onebit.log import DecisionLog, check_path

if TYPE_CHECKING:
    from onebit.contract.learner import Learner


def open_log(
    learner: Learner,
    layout: Layout,
    path: str | os.PathLike[str],
    *,
    feedback: AnswerKind,
    features: bool,
    has_row: bool = False,
    rows_made_with: Mapping[str, bool] | None = None,
    classes_change: bool = False,
    overwrite: bool = False,
) -> DecisionLog:
    """A log for the decisions of this learner and answers of one kind, with the rows if `features`."""
    return DecisionLog(
        path,
        classes=learner.classes,
        learner=repr(learner),
        feedback=feedback,
        set_size=learner.set_size,
        top_size=learner.top_size,
        layout=layout if features else None,
        has_row=has_row,
        rows_made_with=rows_made_with,
        classes_change=classes_change,
        overwrite=overwrite,
    )


class LiveLog:
    """Writes each decision of a live learner when its answer is learned, until closed. See `Learner.log`."""

    def __init__(
        self,
        learner: Learner,
        path: str | os.PathLike[str],
        features: bool,
        overwrite: bool,
        feedback: AnswerKind | None,
    ) -> None:
        if learner._session.log is not None:
            raise ConfigError(f"log={os.fspath(path)!r}: the learner writes a log already; close that one first")
        check_flag("features", features)
        taken: list[AnswerKind] = [kind for kind in get_args(AnswerKind) if learner.takes(kind)]
        if feedback is not None and feedback not in taken:
            which = " or ".join(map(repr, taken))
            raise ConfigError(f"feedback={feedback!r}: must be {which}, which {type(learner).__name__} learns from")
        self._learner = learner
        self._path = check_path(path, overwrite)
        self._features = features
        self._overwrite = overwrite
        self._feedback = feedback or learner.feedback
        self._log: DecisionLog | None = None
        if learner._session.layout is not None:
            self.open(learner._logged(learner._session.layout))
        learner._session.log = self

    def open(self, layout: Layout) -> None:
        """Open the file, now that the form of the rows is known."""
        self._log = open_log(
            self._learner,
            layout,
            self._path,
            feedback=self._feedback,
            features=self._features,
            classes_change=True,
            overwrite=self._overwrite,
        )

    def check(self, kind: AnswerKind) -> None:
        """A `FeedbackError` where the log does not keep answers of this kind."""
        if kind != self._feedback:
            raise FeedbackError(
                f"log={str(self._path)!r}: keeps answers that are a {self._feedback}, and this is a {kind}; close it "
                f"and open one with feedback={kind!r}"
            )

    def check_classes(self, classes: tuple[Label, ...]) -> None:
        """A `ConfigError` where the log could not hold labels of these classes."""
        if self._log is not None:
            self._log.check_classes(classes)

    def change_classes(self, classes: tuple[Label, ...]) -> None:
        """From now on lessons are about these classes."""
        if self._log is not None:
            self._log.change_classes(classes)

    @property
    def keeps_rows(self) -> bool:
        """Whether the rows are logged too."""
        return self._features

    def write(self, lessons: Lessons) -> None:
        """Log these decisions."""
        assert self._log is not None, "a learner's first row opens its log"
        self._log.write(lessons)

    def flush(self) -> None:
        """Write what has come so far; a log that is a folder is complete up to here.

        >>> import onebit, tempfile
        >>> onebit.Banditron(2).log(tempfile.mkdtemp() + "/decisions").flush()
        """
        if self._log is not None:
            self._log.flush()

    def close(self) -> None:
        """Complete the log; the learner goes on without it."""
        self._learner._session.log = None
        if self._log is not None:
            self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
