"""Under which names a file keeps what all forms of OneBit by experts have in common."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from onebit.learners.one_bit.rated.mixture import Mixture


def common_arrays(state: Any) -> dict[str, tuple[NDArray[Any], ...]]:
    """The arrays of a `.onebit` file by name, but for those of the weights."""
    mixture = state.mixture
    alone = [name for name in Mixture._fields if name != "expert"]
    return {
        **{f"grid-{name}": (array,) for name, array in state.rates._asdict().items()},
        **{name: (array,) for name, array in state.statistics._asdict().items()},
        "clock": tuple(state.clock),
        "line": tuple(state.calibration),
        "forecast": tuple(state.forecast),
        "watch": tuple(state.drift),
        "exploration": (state.exploration,),
        **{f"expert-{name}": (array,) for name, array in mixture.expert._asdict().items()},
        **{f"last-{name}": (getattr(mixture, name),) for name in alone},
    }
