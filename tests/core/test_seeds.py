"""Seeds and the generators that come of them."""

from typing import Any

import numpy as np
import pytest

from onebit.core.errors import ConfigError
from onebit.core.seeds import bit_generator, check_seed


def test_branches_and_seeds_give_different_generators_and_the_same_ones_again() -> None:
    branches: list[Any] = ["stream", "channel", "learner", "structure"]
    first = {(seed, b): bit_generator(seed, b).random_raw() for seed in range(20) for b in branches}
    assert len(set(first.values())) == 80
    assert first[7, "channel"] == bit_generator(7, "channel").random_raw()


@pytest.mark.parametrize("seed", [-1, 1.0, "1", None, True])
def test_bad_seeds(seed: Any) -> None:
    with pytest.raises(ConfigError, match="seed="):
        check_seed(seed)
    assert check_seed(np.int32(5)) == 5
