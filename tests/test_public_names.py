"""The names that `onebit` offers: none of an earlier version is lost."""

from __future__ import annotations

import inspect

import pytest

import onebit

OF_0_1_0 = [
    "Arm",
    "BanditPA",
    "BanditPerceptron",
    "Banditron",
    "Bit",
    "Confidit",
    "ConfigError",
    "DataError",
    "Decision",
    "Decisions",
    "FeedbackError",
    "FormatError",
    "Full",
    "GPA",
    "KernelBandit",
    "Learner",
    "LinUCB",
    "MCDBF",
    "MCSLP",
    "MOLGB",
    "MOLGF",
    "MSG",
    "NoiseRates",
    "NoisyBit",
    "OSLG",
    "OSLGBandit",
    "OneBit",
    "OnebitError",
    "OutputError",
    "PNewtron",
    "PageRankUCB",
    "Perceptron",
    "RCINE",
    "RCNBF",
    "Result",
    "SOBA",
    "SOBADiagonal",
    "SecondOrderKernel",
    "SetBanditron",
    "Sweep",
    "__version__",
    "bounds",
    "checks",
    "features",
    "kernels",
    "load",
    "log",
    "noise",
    "plot_boundaries",
    "plot_results",
    "read_log",
    "register",
    "simulate",
    "streams",
    "sweep",
]


@pytest.mark.parametrize("name", OF_0_1_0)
def test_every_name_of_0_1_0_is_still_there(name: str) -> None:
    assert name in onebit.__all__
    assert getattr(onebit, name) is not None


def test_rooms_do_not_hide_the_functions_of_their_name() -> None:
    """`onebit.simulate` and `onebit.sweep` are folders too: what is called must stay the function."""
    assert inspect.isfunction(onebit.simulate)
    assert inspect.isfunction(onebit.sweep)


def test_experiments_still_opens_results_and_says_what_to_use_instead() -> None:
    with pytest.warns(DeprecationWarning, match=r"use onebit\.open_results\(folder\) and onebit\.Results"):
        experiments = onebit.experiments
    assert experiments.open is onebit.open_results
    assert experiments.Results is onebit.Results


def test_a_name_that_never_was() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        onebit.nothing  # noqa: B018  # asked for on purpose
