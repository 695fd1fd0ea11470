"""What the fused loop learned, handed to those who keep it: the decision log and the noise estimate."""

from __future__ import annotations

from onebit.contract.session import Session
from onebit.core.lessons import Draws, Lessons
from onebit.engine.loop import Record, new_record
from onebit.feedback import AnswerKind
from onebit.ops.rows import Rows
from onebit.ops.tables import rows_at

ROOM = 16_384
"""How many lessons are recorded before they are handed over."""


class Recorder:
    """Gives the loop a record to fill, as large as those who listen want it."""

    def __init__(self, session: Session, kind: AnswerKind, numbered: bool) -> None:
        self.session = session
        self.kind = kind
        self.numbered = numbered
        self.first_id = session.decisions
        self.empty = new_record(ROOM if session.listens(kind) else 0, session.width)

    def record(self) -> Record:
        """An empty record. Its limit is where the flip rates are due to be estimated again, or its room."""
        self.empty.noted[0] = 0
        window = self.session.window_for(self.kind)
        return self.empty if window is None else self.empty._replace(limit=min(ROOM, window.room))

    def hand_over(self, record: Record, rows: Rows) -> bool:
        """Pass on what was recorded. Whether the loop stopped for it, and may have lessons left to learn."""
        n = int(record.noted[0])
        if n:
            noted = record.lessons
            draws = Draws._make(column[:n].copy() for column in noted.draws)
            row = noted.row[:n].copy()
            lessons = Lessons(
                id=noted.id[:n] + self.first_id,
                step=noted.step[:n] + self.first_id,
                draws=draws,
                answer=noted.answer[:n].copy(),
                row=row if self.numbered else None,
                rows=rows_at(rows, row) if self.session.wants_rows(self.kind) else None,
            )
            self.session.hear(lessons, self.kind)
        return n >= record.limit
