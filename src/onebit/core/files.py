"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from onebit.core.errors import OutputError


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path to write to, which takes the place of `path` once the block has ended well.

    >>> target = Path(tempfile.mkdtemp()) / "note.txt"
    >>> with written_whole(target) as draft:
    ...     _ = draft.write_text("whole")
    >>> target.read_text(), len(list(target.parent.iterdir()))
    ('whole', 1)
    """
    path = Path(path)
    draft = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
        os.close(handle)
        draft = Path(name)
        yield draft
        # The rights of any new file: the mask can be read only by setting it.
        mask = os.umask(0)
        os.umask(mask)
        draft.chmod(0o666 & ~mask)
        draft.replace(path)
    except OSError as error:
        why = "Not a directory" if isinstance(error, FileExistsError) else error.strerror
        raise OutputError(f"{path}: cannot be written ({why}); choose another place") from error
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)


def written_durably(path: Path, content: bytes, drafts: Path) -> None:
    """Write a file by way of a draft in another folder of the same disk: after a power cut it is whole, or not there.

    >>> folder = Path(tempfile.mkdtemp())
    >>> written_durably(folder / "note.txt", b"whole", folder)
    >>> (folder / "note.txt").read_bytes()
    b'whole'
    """
    draft = drafts / f"{path.name}.draft"
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
