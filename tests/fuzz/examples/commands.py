"""Commands, plans, logs and numbers that once broke something."""

EXAMPLES: list[tuple[str, str]] = []
"""Pairs: a name, and Python that ends well or with an `onebit.OnebitError`."""

_COMMANDS = """
from onebit.cli import main
for words in {words!r}:
    code = main(words)
    assert code in (1, 2), (words, code)
"""

EXAMPLES.append(
    (
        "commands with numbers of every size",
        _COMMANDS.format(
            words=[
                *(["paper", "run", "soba/fig2", "--rounds", number] for number in ("inf", "nan", "1e400", "1e18")),
                ["paper", "run", "soba/fig2", "--seeds", "9" * 23],
                *(["run", "banditron", "--data", "iris", "--seeds", number] for number in ("9" * 23, "0:9999999999")),
                *(
                    ["run", "banditron", "--data", "iris", "--delay", number]
                    for number in ("9" * 14, "1e12", "5:", "0:")
                ),
                ["run", "banditron", "--data", "iris", "--set", "gamma=-8^0.5"],
                ["run", "banditron", "--data", "iris", "--set", "gamma=" + "9" * 5000],
                ["run", "\udcff", "--data", "a\udcff.csv"],
                ["run", "banditron", "--data", "a\udcff.csv", "--label", "\udcff"],
                ["report", "\udcff"],
                ["noise", "/dev/null"],
            ]
        ),
    )
)

EXAMPLES.append(
    (
        "plans with deep brackets and large numbers",
        """
import pathlib, tempfile
from onebit.cli import main
path = pathlib.Path(tempfile.mkdtemp()) / "plan.toml"
arm = '[[arm]]\\nlearner = "banditron"\\n'
for text in (
    "a = " + "[" * 5000 + "]" * 5000,
    "a = " + "{b = " * 5000,
    'data = "iris"\\nrounds = 1e400\\n' + arm,
    'data = "iris"\\nseeds = 99999999999999999999999\\n' + arm,
    'data = "iris"\\ndelay = 99999999999999\\n' + arm,
    'data = "iris"\\ndelay = "5:"\\n' + arm,
    'data = "iris"\\n' + arm + "set = {gamma = " + "9" * 400 + "}\\n",
    '[[stream]]\\ndata = "synsep"\\nclasses = 1000000000\\n' + arm,
    '[[stream]]\\ndata = "strong-separable"\\nd = 1000000000000\\n' + arm,
):
    path.write_text(text)
    code = main(["sweep", str(path)])
    assert code in (1, 2), (text[:80], code)
""",
    )
)

EXAMPLES.append(
    (
        "numbers of every size in learners, channels and streams",
        """
import onebit
huge = 10**400
def refused(make):
    try:
        make()
    except onebit.OnebitError:
        return
    raise AssertionError("taken")
refused(lambda: onebit.Banditron(3, gamma=huge))
refused(lambda: onebit.Banditron(3, gamma=10**9999))
refused(lambda: onebit.Banditron(3, seed=huge))
refused(lambda: onebit.Banditron(3, n_features=huge))
refused(lambda: onebit.Banditron(10**9))
refused(lambda: onebit.Banditron(huge))
refused(lambda: onebit.RCINE(3, N_s=huge))
refused(lambda: onebit.NoisyBit(huge, 0))
refused(lambda: onebit.Bit(delay=huge))
refused(lambda: onebit.Bit(delay=10**12))
refused(lambda: onebit.streams.synsep(huge))
refused(lambda: onebit.streams.synsep(classes=10**9))
refused(lambda: onebit.streams.synsep(keywords=10**9))
refused(lambda: onebit.streams.synsep(per_class=("a", "b")))
refused(lambda: onebit.streams.strong_separable(d=10**12))
refused(lambda: onebit.streams.strong_separable(classes=10**9))
refused(lambda: onebit.simulate(onebit.Banditron(3), onebit.streams.load("iris"), seeds=huge))
refused(lambda: onebit.simulate(onebit.Banditron(9), onebit.streams.synsep(10), rounds=huge))
refused(lambda: onebit.noise.TailMoment(classes=huge).fit([[1.0]], [0], [0.5], [1]))
""",
    )
)

EXAMPLES.append(
    (
        "logs whose metadata lie",
        """
import json
import onebit, pyarrow
table = pyarrow.table({"played": [0, 1], "propensity": [0.5, 0.5], "bit": [True, False],
                       "indices": [[0], [1]], "values": [[1.0], [2.0]]})
good = {"kind": "decisions", "format": 1, "learner": "", "classes": [0, 1], "n_features": 2}
for key in (*good, "rows_made_with"):
    for value in (None, -1, 1.5, "x", [], [[]], {}, 10**400, {"bias": "x"}):
        facts = json.dumps(good | {key: value})
        try:
            onebit.read_log(table.replace_schema_metadata({"onebit": facts}))
        except onebit.OnebitError:
            pass
onebit.read_log(table.replace_schema_metadata({"onebit": "[" * 100000}))
""",
    )
)
