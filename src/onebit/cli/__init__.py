"""The command line: one file per command, and `main`."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from onebit.cli import check, data, decide, demo, learners, noise, paper, report, run, sweep, teach
from onebit.cli.output import (
    FAILED,
    FINE,
    INTERRUPTED,
    UNEXPECTED,
    WRONG_USAGE,
    drop_output,
    note,
    usable_streams,
)
from onebit.core.errors import ConfigError, FeedbackError, OnebitError, OutputError
from onebit.core.version import __version__
from onebit.features.cases.idle import IdleColumns

_UsageError: Any = typer.BadParameter.__mro__[1]  # click's; where Typer keeps it depends on its version

app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]})
app.command()(demo.demo)
app.command()(learners.learners)
app.add_typer(data.app, name="data")
app.command()(run.run)
app.command()(teach.teach)
app.command()(decide.decide)
app.command()(sweep.sweep)
app.add_typer(paper.app, name="paper")
app.command()(report.report)
app.command()(noise.noise)
app.command()(check.check)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Online multiclass classification from one bit of feedback: right, or wrong.

    \b
    Examples:
      onebit demo
      onebit learners
      onebit run banditron perceptron --data synsep --rounds 1e5 --seeds 5
      onebit sweep banditron --data synsep --rounds 1e5 --grid gamma=2^-9:2^-3
      onebit COMMAND --help

    Results go to stdout, progress and errors to stderr. Exit code: 0 fine,
    1 failed, 2 wrong usage, 3 interrupted but partly done, 130 interrupted.
    """
    if version:
        print(f"onebit {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; whatever goes wrong is a line on stderr.

    >>> main(["--version"])
    onebit ...
    0
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with usable_streams(), warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = _show_warning
            try:
                code = _run(given)
            finally:
                sys.stdout.flush()
            return code
    except BrokenPipeError:
        drop_output()
        return FAILED
    except OutputError as error:
        return _fail(str(error), FAILED)
    except OSError as error:
        drop_output()
        return _fail(f"{error.filename or 'output'}: {error.strerror or error}; choose another place", FAILED)


def _run(given: list[str]) -> int:
    """The command itself; its errors become exit codes."""
    command = typer.main.get_command(app)
    try:
        with command.make_context("onebit", given, obj=given) as context:
            return command.invoke(context) or FINE
    except typer.Exit as done:
        return done.exit_code
    except _UsageError as error:
        where = error.ctx.command_path if error.ctx else "onebit"
        return _fail(f"{error.format_message()} (see {where} --help)", WRONG_USAGE)
    except (ConfigError, FeedbackError) as error:
        return _fail(str(error), WRONG_USAGE)
    except OnebitError as error:
        return _fail(str(error), FAILED)
    except KeyboardInterrupt:
        return _fail("interrupted before anything was played", INTERRUPTED)
    except OSError:
        raise
    except MemoryError as error:
        return _fail(f"there is not enough memory for this ({error}); play smaller data or fewer classes", FAILED)
    except Exception as error:
        if os.environ.get("ONEBIT_TRACEBACK"):
            raise
        why = f"{type(error).__name__}: {error}"
        return _fail(f"{UNEXPECTED} ({why}); please report it, with what ONEBIT_TRACEBACK=1 shows", FAILED)


def _fail(message: str, code: int) -> int:
    note(f"onebit: error: {' '.join(message.split())}")
    return code


def _show_warning(message: Warning | str, *where: Any, **more: Any) -> None:
    said = (
        message.said(f"try --ignore {','.join(message.columns)}") if isinstance(message, IdleColumns) else str(message)
    )
    note(f"onebit: warning: {' '.join(said.split())}")
