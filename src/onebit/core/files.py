"""Writing files whole or not at all, so that they are there after a power cut too."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from onebit.core.errors import ConfigError, OutputError

_CANNOT_SYNC = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)
"""What file systems say that know no fsync."""


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A draft to write to, which takes the place of `path` once the block has ended well; else it is removed.

    When this has ended, the file is there for good; where it cannot be written, an `OutputError` says why.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "note.txt"
    >>> with written_whole(target) as draft:
    ...     _ = draft.write_text("whole")
    >>> target.read_text(), len(list(target.parent.iterdir()))
    ('whole', 1)
    """
    with explained_output(path), drafted(path) as draft:
        yield draft


@contextmanager
def drafted(path: str | os.PathLike[str], drafts: Path | None = None, lasting: bool = True) -> Iterator[Path]:
    """`written_whole`, with the errors of the system as they are.

    The draft is a hidden file in the same folder, or in `drafts`, a folder of the same disk. Its content is on the disk
    before it is renamed. The new name is so when this ends, or, with `lasting=False`, after a later `sync_folder`.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "note.txt"
    >>> with drafted(target) as draft:
    ...     _ = draft.write_text("whole")
    >>> target.read_text()
    'whole'
    """
    draft = Draft(path, drafts)
    try:
        draft.begin()
        yield draft.path
        draft.publish()
        if lasting:
            sync_folder(draft.place.parent)
    finally:
        draft.discard()


class Draft:
    """A file on its way: hidden, until it takes its place whole.

    A link stays a link, and what it points to is replaced. A file that is replaced keeps its rights; any other gets
    those of a new file. (The kernel applies the umask: reading it would mean to set it, which other threads see.)

    >>> import tempfile
    >>> draft = Draft(Path(tempfile.mkdtemp()) / "note.txt")
    >>> draft.begin()
    >>> _ = draft.path.write_text("whole")
    >>> draft.publish()
    >>> draft.place.read_text()
    'whole'
    """

    def __init__(self, path: str | os.PathLike[str], folder: Path | None = None) -> None:
        self.place = Path(os.path.realpath(path)) if Path(path).is_symlink() else Path(path)
        self.path = (folder or self.place.parent) / f".{self.place.name[:40]}-{secrets.token_hex(8)}.draft"
        self._rights: int | None = None

    def begin(self) -> None:
        """Make it, empty; an `OSError` where there can be no file."""
        self._rights = _rights_of(self.place)
        make_folder(self.place.parent)
        first_rights = 0o666 if self._rights is None else self._rights | stat.S_IRUSR | stat.S_IWUSR
        os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, first_rights))

    def publish(self) -> None:
        """Bring its content to the disk, then put it in its place."""
        handle = os.open(self.path, os.O_RDWR)
        try:
            _sync(handle)
        finally:
            os.close(handle)
        if self._rights is not None:
            self.path.chmod(self._rights)
        self.path.replace(self.place)

    def discard(self) -> None:
        """Remove what has not been published."""
        with suppress(OSError):
            self.path.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, which are there after a power cut too.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "deep" / "down"
    >>> make_folder(folder)
    >>> folder.is_dir()
    True
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, on systems that can (Windows cannot).

    >>> import tempfile
    >>> sync_folder(Path(tempfile.mkdtemp()))
    """
    if os.name == "nt":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return  # one may write to it, but not read it
    try:
        _sync(handle)
    finally:
        os.close(handle)


@contextmanager
def explained_output(path: Any) -> Iterator[None]:
    """Turns what the system says about writing to a path into an `OutputError`.

    >>> with explained_output("/tmp"):
    ...     open("/tmp", "w")
    Traceback (most recent call last):
    onebit.core.errors.OutputError: /tmp: cannot be written (Is a directory); choose another place
    """
    _check_name(path)
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({reason(error)}); choose another place") from error


def reason(error: OSError) -> str:
    """What the system says, in a few words.

    >>> reason(FileNotFoundError(errno.ENOENT, "a long story"))
    'No such file or directory'
    """
    if isinstance(error, FileExistsError):
        return os.strerror(errno.ENOTDIR)
    return os.strerror(error.errno) if error.errno else str(error)


def _check_name(path: Any) -> None:
    """An error of ours for what no system takes as the name of a file."""
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise ConfigError(f"path={path!r}: must be the path of a file")
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError:
        name = b"\0"
    if not name or b"\0" in name:
        raise OutputError(f"{os.fspath(path)!r}: cannot be written (not a name of a file); choose another place")


def _rights_of(place: Path) -> int | None:
    """The rights of the file that is there, or None; an `OSError` where a file cannot take its place."""
    try:
        found = place.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found):
        raise IsADirectoryError(errno.EISDIR, "", str(place))
    if not stat.S_ISREG(found):
        raise OSError("not an ordinary file")
    return stat.S_IMODE(found) & 0o777


def _sync(handle: int) -> None:
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
