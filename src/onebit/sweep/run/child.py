"""A worker process: reads calls from its stdin, writes what they return to its stdout, ends when its stdin does.

Run by `onebit.sweep.run.processes` as `python -m onebit.sweep.run.child`.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any


def main() -> None:
    """Answer calls, one after another, until nobody asks any more."""
    calls = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a learner prints goes to stderr
    import onebit.sweep.run.tasks  # noqa: F401  # ready before the first call comes

    _send(answers, ("ready", None))
    while True:
        try:
            function, arguments, named = pickle.load(calls)
        except EOFError:
            return
        except Exception as error:
            _send(answers, ("error", error))
            continue
        try:
            answer: Any = "value", function(*arguments, **named)
        except Exception as error:
            answer = "error", error
        _send(answers, answer)


def _send(answers: Any, answer: tuple[str, Any]) -> None:
    try:
        packed = pickle.dumps(answer)
    except Exception:
        packed = pickle.dumps(("error", RuntimeError(f"{type(answer[1]).__name__}: {answer[1]}")))
    answers.write(packed)
    answers.flush()


if __name__ == "__main__":
    main()
