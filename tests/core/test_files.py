"""Files are written whole, and stay."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import onebit
from onebit.core.errors import ConfigError, OutputError
from onebit.core.files import drafted, make_folder, sync_folder, written_whole

POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights and no fsync of folders")


def write(path: Any, text: str = "content") -> None:
    with written_whole(path) as draft:
        draft.write_text(text)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "sub" / "file.txt"
    write(target, "first")
    with pytest.raises(ZeroDivisionError), written_whole(target) as draft:
        draft.write_text(str(1 / 0))
    assert target.read_text() == "first"
    assert list(target.parent.iterdir()) == [target]
    assert target.stat().st_mode & 0o444, "readable like any other file"
    with pytest.raises(OutputError, match="Not a directory"):
        write(target / "below")


def test_a_name_without_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("file.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


def test_a_long_name(tmp_path: Path) -> None:
    write(tmp_path / ("ü" * 120))
    with pytest.raises(OutputError, match="File name too long"):
        write(tmp_path / ("ü" * 150))
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit, MemoryError])
def test_an_ending_from_outside_leaves_no_draft(tmp_path: Path, ending: type[BaseException]) -> None:
    def half_written() -> None:
        with written_whole(tmp_path / "file.txt") as draft:
            draft.write_text("half")
            raise ending

    with pytest.raises(ending):
        half_written()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_ctrl_c_in_the_midst_of_each_step_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    done = getattr(os, step)

    def interrupted(*args: Any, **options: Any) -> None:
        done(*args, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "file.txt")
    left = [path.name for path in tmp_path.iterdir()]
    assert left == (["file.txt"] if step == "replace" else [])


@POSIX
def test_the_content_is_on_the_disk_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace

    def traced_fsync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"file of {os.fstat(handle).st_size}"
        calls.append(f"fsync {kind}")
        fsync(handle)

    def traced_replace(source: Any, target: Any) -> None:
        calls.append("replace")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", traced_fsync)
    monkeypatch.setattr(os, "replace", traced_replace)
    write(tmp_path / "file.txt", "12345")
    assert calls == ["fsync file of 5", "replace", "fsync folder"]
    calls.clear()
    with drafted(tmp_path / "other.txt", lasting=False) as draft:
        draft.write_text("1")
    assert calls == ["fsync file of 1", "replace"]
    calls.clear()
    make_folder(tmp_path / "one" / "two")
    assert calls == ["fsync folder", "fsync folder"]
    calls.clear()
    onebit.Banditron(2, n_features=1).save(tmp_path / "model.onebit")
    size = (tmp_path / "model.onebit").stat().st_size
    assert calls == [f"fsync file of {size}", "replace", "fsync folder"]


@POSIX
def test_a_system_that_cannot_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(number: int) -> Any:
        def fsync(handle: int) -> None:
            raise OSError(number, os.strerror(number))

        return fsync

    monkeypatch.setattr(os, "fsync", fails(errno.EINVAL))
    write(tmp_path / "file.txt", "first")
    monkeypatch.setattr(os, "fsync", fails(errno.EIO))
    with pytest.raises(OutputError, match="cannot be written .Input/output error."):
        write(tmp_path / "file.txt", "second")
    assert (tmp_path / "file.txt").read_text() == "first"
    monkeypatch.setattr(os, "open", lambda *args: (_ for _ in ()).throw(PermissionError))
    sync_folder(tmp_path)


@POSIX
def test_many_threads_get_the_rights_of_new_files(tmp_path: Path) -> None:
    """Setting the umask, if only for a moment, would give wider rights to the files of other threads."""
    before = os.umask(0o027)
    threads = [threading.Thread(target=_write_many, args=(tmp_path / str(at), at % 2 == 0)) for at in range(8)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        os.umask(before)
    rights = {path.stat().st_mode & 0o777 for path in tmp_path.glob("*/*")}
    assert rights == {0o640}
    assert len(list(tmp_path.glob("*/*"))) == 8 * 300


def _write_many(folder: Path, ours: bool) -> None:
    folder.mkdir()
    for at in range(300):
        if ours:
            write(folder / str(at))
        else:
            (folder / str(at)).write_text("content")


def test_the_umask_is_never_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "umask")
    write(tmp_path / "file.txt")


@POSIX
@pytest.mark.parametrize("rights", [0o600, 0o644, 0o666, 0o444])
def test_a_file_that_is_replaced_keeps_its_rights(tmp_path: Path, rights: int) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")
    target.chmod(rights)
    with written_whole(target) as draft:
        draft.write_text("new")
        assert not draft.stat().st_mode & 0o777 & ~(rights | 0o600), "the draft is never wider"
    assert target.stat().st_mode & 0o777 == rights
    assert target.read_text() == "new"


@POSIX
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = tmp_path / "link.txt"
    link.symlink_to(folder / "file.txt")
    for text in ("new", "changed"):
        write(link, text)
        assert link.is_symlink()
        assert (folder / "file.txt").read_text() == text
    assert len(list(folder.iterdir())) == 1
    round_and_round = tmp_path / "loop"
    round_and_round.symlink_to(round_and_round)
    with pytest.raises(OutputError, match="Too many levels of symbolic links"):
        write(round_and_round)


@POSIX
def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written .Is a directory.; choose another place"):
        write(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/null"):
        with pytest.raises(OutputError, match="cannot be written .not an ordinary file."):
            write(path)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800/file"])
def test_no_name_of_a_file(name: str) -> None:
    with pytest.raises(OutputError, match="cannot be written .not a name of a file."):
        write(name)


@pytest.mark.parametrize("path", [5, None, b"file.txt", ["file.txt"]])
def test_no_path(path: Any) -> None:
    with pytest.raises(ConfigError, match="path=.* must be the path of a file"):
        write(path)


@POSIX
def test_a_folder_without_the_right_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: Any) -> None:
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(OutputError, match="file.txt: cannot be written .Permission denied.; choose another place"):
        write(tmp_path / "file.txt")


FULL = """
import resource, sys, onebit
learner = onebit.Banditron(2, n_features=100)
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
try:
    learner.decide([0.0] * 100)
    learner.save(sys.argv[1])
except onebit.OutputError as error:
    sys.exit(f"told: {error}")
"""


@POSIX
def test_a_full_device(tmp_path: Path) -> None:
    (tmp_path / "model.onebit").write_text("old")
    ended = subprocess.run([sys.executable, "-c", FULL, tmp_path / "model.onebit"], capture_output=True, text=True)
    assert "cannot be written (File too large); choose another place" in ended.stderr
    assert ended.stderr.startswith("told: ")
    assert [path.name for path in tmp_path.iterdir()] == ["model.onebit"]
    assert (tmp_path / "model.onebit").read_text() == "old"


SAVES = """
import sys, onebit
learner = onebit.Banditron(3, n_features=500)
while True:
    learner.learn(learner.decide([1.0] * 500), True)
    learner.save(sys.argv[1])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
def test_kill_9_in_a_loop_of_saves_leaves_a_file_that_loads(tmp_path: Path) -> None:
    target = tmp_path / "model.onebit"
    for at in range(6):
        process = subprocess.Popen([sys.executable, "-c", SAVES, target])
        limit = monotonic() + 60
        before = target.stat().st_mtime_ns if target.exists() else 0
        while monotonic() < limit and (not target.exists() or target.stat().st_mtime_ns == before):
            sleep(0.002)
        sleep(0.003 * at)
        process.kill()
        process.wait()
        assert onebit.load(target).n_features == 500
