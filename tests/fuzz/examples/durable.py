"""Files that cannot be written, folders of sweeps and logs that went bad."""

from __future__ import annotations

_SWEEP = """
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import onebit
plan = onebit.Sweep.cross([onebit.Banditron(9)], onebit.streams.synsep(50), seeds=2, tune_seeds=0)
def play():
    with ThreadPoolExecutor(1) as pool:
        return onebit.sweep(plan, "sweep", executor=pool, workers=1, progress=False)
play()
path = Path("sweep/sweep.json")
def refused(text):
    path.write_text(text)
    try:
        onebit.open_results("sweep").summary()
    except onebit.OnebitError:
        return
    raise AssertionError(text[:200])
record = json.loads(path.read_bytes())
"""

_LOG = """
import json
import onebit, onebit.log
from pyarrow import parquet
learner = onebit.Banditron(["ant", "bee"])
with learner.log("log.parquet"):
    for _ in range(5):
        learner.learn(learner.decide([1.0, 2.0]), True)
table = parquet.read_table("log.parquet")
facts = json.loads(table.schema.metadata[b"onebit"])
def read(**changes):
    parquet.write_table(table.replace_schema_metadata({"onebit": json.dumps(facts | changes)}), "log.parquet")
    try:
        onebit.read_log("log.parquet")
    except onebit.OnebitError:
        pass
"""

EXAMPLES: list[tuple[str, str]] = [
    (
        "places where no file can be",
        """
import os
import onebit
learner = onebit.Banditron(2, n_features=1)
os.mkdir("folder")
os.mkfifo("pipe")
os.symlink("loop", "loop")
open("file", "w").close()
hostile = ["", ".", "..", "/", "folder", "pipe", "loop", "file/below", "/dev/null", "/dev/full", "/dev/null/below",
           "a\\0b", "\\ud800", "x" * 256, "\u00fc" * 128, "d/" * 3000 + "x", 5, None, b"name", [], object()]
for path in hostile:
    try:
        learner.save(path)
    except onebit.OnebitError:
        continue
    raise AssertionError(path)
assert sorted(os.listdir()) == ["file", "folder", "loop", "pipe"], os.listdir()
""",
    ),
    (
        "a full device",
        """
import subprocess, sys
program = '''
import resource, onebit
learner = onebit.Banditron(2, n_features=1000)
learner.decide([0.0] * 1000)
resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))
try:
    learner.save("model.onebit")
except onebit.OutputError:
    import os
    assert os.listdir() == []
    os._exit(0)
os._exit(9)
'''
assert subprocess.run([sys.executable, "-c", program]).returncode == 0
""",
    ),
    (
        "rights in the midst of saves",
        """
import os, threading
import onebit
os.umask(0o077)
learner = onebit.Banditron(2, n_features=1)
stop = threading.Event()
def saves():
    while not stop.is_set():
        learner.save("model.onebit")
thread = threading.Thread(target=saves)
thread.start()
for at in range(2000):
    open(f"file-{at}", "w").close()
stop.set()
thread.join()
os.umask(0o022)
wide = [name for name in os.listdir() if os.stat(name).st_mode & 0o077]
assert not wide, wide
""",
    ),
    (
        "fields of a plan that are not what they were",
        _SWEEP
        + """
for field in ("seeds", "tune_seeds", "select", "entries", "format", "versions"):
    for odd in (None, -1, [None], [10**400], "\\ud800"):
        refused(json.dumps(record | {field: odd}))
for field in record["entries"][0].keys() - {"about", "grid", "channel", "rounds", "classes", "features"}:
    for odd in (None, -1, {"a": []}, "\\ud800"):
        entry = dict(record["entries"][0])
        entry[field] = odd
        refused(json.dumps(record | {"entries": [entry]}))
        del entry[field]
        refused(json.dumps(record | {"entries": [entry]}))
for text in ("", "{", "[]", "null", "[" * 100_000, "\\x00"):
    refused(text)
assert play().complete
""",
    ),
    (
        "notes of failures that are none",
        _SWEEP
        + """
import os
os.mkdir("sweep/failed")
os.mkdir("sweep/failed/folder.json")
for text in (b"", b"\\xff", b"[]", b"null", b"{}", b'{"cell": 3}', b"[" * 100_000):
    Path("sweep/failed/x.json").write_bytes(text)
    assert onebit.open_results("sweep").complete
""",
    ),
    (
        "cells that are tables of another kind",
        _SWEEP
        + """
from pyarrow import parquet, nulls
for cell in sorted(Path("sweep/cells").iterdir()):
    table = parquet.read_table(cell)
    bad = [table.set_column(6, "rounds", nulls(table.num_rows)), table.drop_columns(["rounds"]), table.slice(0, 0),
           table.slice(0, 1), table.set_column(6, "rounds", table["cell"])]
    for other in bad:
        parquet.write_table(other, cell)
        onebit.open_results("sweep").summary()
""",
    ),
    (
        "metadata of a log",
        _LOG
        + """
for field in (*facts, "more"):
    for odd in (None, -1, 0.5, "x", [], [[1]], {}, 10**400, "\\ud800"):
        read(**{field: odd})
for text in (b"", b"{", b"[]", b"\\xff", b"[" * 100_000):
    parquet.write_table(table.replace_schema_metadata({"onebit": text}), "log.parquet")
    onebit.read_log("log.parquet")
""",
    ),
    (
        "logs to places where none can be",
        """
import os
import onebit
from onebit.log import DecisionLog
open("file", "w").close()
os.symlink("loop.parquet", "loop.parquet")
for path in ("", "file", "file/x.parquet", "loop.parquet", "a\\0.parquet", "\\ud800.parquet", "\\ud800", "a\\0",
             "x" * 300 + ".parquet", "y" * 300, "/dev/null/x", "/dev/null/x.parquet"):
    try:
        DecisionLog(path, classes=[0, 1]).close()
    except onebit.OnebitError:
        continue
    raise AssertionError(path)
""",
    ),
]
