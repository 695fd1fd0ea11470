"""Numbers of every size, and parameters that decide how long a loop runs."""

from __future__ import annotations

_FINITE = """
import warnings
import numpy as np, onebit
from onebit.contract.states import arrays
warnings.simplefilter("ignore", UserWarning)

def finite(learner):
    for name, array in arrays(learner._session.state):
        assert np.isfinite(array).all(), f"{type(learner).__name__}: {name} is not finite"
"""

_STAMPS = """
draw = np.random.default_rng(0)
y = draw.integers(3, size=1000)
X = np.column_stack([draw.normal(size=(3, 6))[y] + 0.3 * draw.normal(size=(1000, 6)), 1.7e9 + 60 * np.arange(1000)])
"""

EXAMPLES: list[tuple[str, str]] = [
    ("one large number in a dict row", "import onebit\nonebit.OneBit(3).decide({'amount': 1e154})"),
    (
        "one large number in a dict row, float32",
        "import onebit\nonebit.OneBit(3, dtype='float32').decide({'amount': 1e19})",
    ),
    (
        "a row beyond the largest value, dense",
        "import onebit\nonebit.LinUCB(3).decide([1.0, -1e200])",
    ),
    (
        "a row beyond the largest value of float32",
        "import onebit\nonebit.Banditron(3, dtype='float32').decide([1.0, 1e20])",
    ),
    *(
        (
            f"a column of time stamps, {name}",
            _FINITE
            + _STAMPS
            + f"""
learner = onebit.{name}(3)
channel = onebit.Full() if learner.feedback == "label" else onebit.Bit()
result = onebit.simulate(learner, onebit.streams.from_arrays(X, y), channel, seeds=1)
finite(result.learners[0])
""",
        )
        for name in ("LinUCB", "SOBA", "MSG", "OSLG")
    ),
    (
        "columns of all scales in one row",
        _FINITE
        + """
X = np.random.default_rng(0).normal(size=(500, 7)) * 10.0 ** np.array([-12, -8, -4, 0, 4, 8, 12])
for learner in (onebit.LinUCB(3), onebit.Banditron(3, gamma=0.1)):
    for x in X:
        learner.learn(learner.decide(x), bool(x[3] > 0))
    finite(learner)
""",
    ),
    (
        "a large power of large rows",
        "import onebit\nonebit.KernelBandit(3, kernel='polynomial:100', form='dual').decide([1e12, 1e12])",
    ),
    (
        "walks that hardly ever end",
        """
import numpy as np, onebit
ring = np.roll(np.eye(8), 1, axis=0)
learner = onebit.PageRankUCB(3, graph=ring + ring.T, teleport=1e-12)
learner.learn(learner.decide(np.eye(8)[0]), True)
""",
    ),
    (
        "walks that end late, and pushes that leave out nothing",
        """
import numpy as np, onebit
ring = np.roll(np.eye(8), 1, axis=0)
learner = onebit.PageRankUCB(3, graph=ring + ring.T, teleport=1e-6, eps=1e-12)
learner.learn(learner.decide(np.eye(8)[0]), True)
""",
    ),
    ("a margin that no row keeps", "import onebit\nnext(onebit.streams.group_separable(10, margin=0.9).windows(0))"),
    (
        "a margin that hardly a row keeps",
        "import onebit\nnext(onebit.streams.group_separable(10, margin=0.2).windows(0))",
    ),
]
