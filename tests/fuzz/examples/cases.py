"""Raw cases that could do harm: each makes a sensible row, or is refused before anything changes."""

from __future__ import annotations

_HEAD = """
import warnings
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import numpy as np, pandas as pd, pyarrow as pa, onebit
from onebit.contract.states import arrays

warnings.simplefilter("ignore")
learner = onebit.OneBit(["a", "b"], cases=onebit.Cases())
learner.learn(learner.decide({"x": 1, "subject": "two words"}), True)

def sensible(*cases):
    for case in cases:
        learner.learn(learner.decide(case), True)
        encoder = learner._session.encoder
        rows = encoder.row(case, 0)
        assert np.isfinite(rows.values).all()
    for name, array in arrays(learner._session.state):
        assert array.dtype.kind != "f" or np.isfinite(array).all(), name

def refused(case, message):
    encoder = learner._session.encoder
    before = list(encoder.names), encoder.columns, encoder.memory.statistics.tobytes(), dict(encoder.lengths)
    try:
        learner.decide(case)
    except onebit.DataError as error:
        assert message in str(error), error
    else:
        raise AssertionError("not refused")
    after = list(encoder.names), encoder.columns, encoder.memory.statistics.tobytes(), dict(encoder.lengths)
    assert before == after
"""

_EACH = {
    "a column that changes": (
        "sensible(*[{'x': value} for value in (1, '2', 'three', 'three and more', None, True, "
        "[1.0] * 4)])"
    ),
    "lists of lists": (
        "refused({'x': [['a'], ['b']]}, 'within a list'); refused({'x': [{'a': 1}]}, "
        "'within a list')"
    ),
    "a million words": (
        "sensible({'subject': 'word ' * 1_000_000}, {'subject': 'x' * 5_000_000}, "
        "{'tags': ['w'] * 100_000})"
    ),
    "control characters": "sensible({'subject': '\\x00 \\x1b[2J \\x7f \\u2028 \\u202e'}, {'\\x00': '\\x00'})",
    "lone surrogates": "sensible({'subject': '\\ud800 half', '\\udfff': '\\ud800'}, {'tags': ['\\ud800']})",
    "huge numbers": (
        "sensible({'x': 10**400}, {'x': -(10**5000)}, {'x': '1e999'}, {'v': [10**400] * 4}, "
        "{'x': 1e-320})"
    ),
    "no numbers": "sensible({'x': float('nan')}, {'x': float('inf')}, {'x': -np.inf}, {'v2': [float('nan')] * 5})",
    "gaps of all packages": (
        "sensible({'x': pd.NaT}, {'x': pd.NA}, {'x': np.datetime64('NaT')}, {'x': Decimal('sNaN')}, "
        "{'x': []})"
    ),
    "decimals": "sensible({'x': Decimal('1.50')}, {'x': Decimal('1e999')}, {'v3': [Decimal(1)] * 4})",
    "bytes": "refused({'x': b'abc'}, 'decode'); refused({'x': memoryview(b'abcd')}, 'decode')",
    "UUID": "sensible({'key': UUID(int=7)})",
    "zones and spans": (
        "sensible({'t': datetime(2026, 1, 1, tzinfo=timezone.utc)}, {'d': timedelta(-1)}, "
        "{'d': np.timedelta64(3, 's')})"
    ),
    "NumPy's scalars": (
        "sensible({'x': np.float16(1)}, {'x': np.int8(-1)}, {'x': np.str_('a')}, {'x': np.bool_(True)}, "
        "{'x': np.longdouble(2)})"
    ),
    "names that collide": (
        "refused({'a.b': 1, 'a': {'b': 2}}, 'there twice'); refused({'t': date.max, 't (day)': 1}, "
        "'there twice')"
    ),
    "ten thousand columns": (
        "sensible({f'c{i}': i for i in range(10_000)}, "
        "{f'c{i}': str(i) for i in range(10_000)})"
    ),
    "new columns in every case": (
        "for j in range(9): sensible({f'{j} {i}': 1 for i in range(10_000)})\n"
        "refused({f'last {i}': 1 for i in range(20_000)}, 'more than 100,000 columns')"
    ),
    "too much for one case": "refused({f'{i}': 'a b ' * 16_000 for i in range(120)}, 'more text and numbers')",
    "nested too deep": "case = {'x': 1}\nfor _ in range(5000): case = {'deep': case}\nrefused(case, 'flatten it')",
    "a key that is no string": "refused({1: 2}, 'not a string'); refused({'a': {None: 2}}, 'not a string')",
    "huge dates": (
        "sensible({'t': date.max}, {'t': date.min}, {'t': '9999-12-31T23:59'}); "
        "refused({'t': np.datetime64(2**62, 's')}, 'years')"
    ),
    "numbers too long to be written, as declared text": (
        "learner = onebit.OneBit(2, cases=onebit.Cases(text='x', category='y', number='z'))\n"
        "learner.decide({'x': 1})\n"
        "for case in ({'x': 10**5000}, {'y': [10**5000]}, {'x': {'a': 10**5000}}): refused(case, 'too long')"
    ),
    "an empty dict": (
        "learner.learn(learner.decide({}), False); learner.predict({}); "
        "learner.learn(learner.decide({'a': {}}), True)"
    ),
    "complex numbers": "refused({'x': 1j}, 'is 1j')",
    "dates of a frame that Python does not know": (
        "table = pa.table({'t': pa.array([2**60], pa.timestamp('s'))})\n"
        "try: learner.decide_many(table)\nexcept onebit.DataError: pass"
    ),
    "text of a frame that is no text": (
        "bad = pa.Array.from_buffers(pa.string(), 1, "
        "[None, pa.py_buffer(np.array([0, 2], np.int32)), pa.py_buffer(b'\\xff\\xfe')])\n"
        "try: learner.decide_many(pa.table({'subject': bad}))\nexcept onebit.DataError: pass"
    ),
}  # fmt: skip

EXAMPLES = [(name, _HEAD + source) for name, source in _EACH.items()]
