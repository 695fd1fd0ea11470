"""What the theorems of the five papers promise, as numbers, and the exploration that they set.

One file per paper: `kernel` (the names that begin with `log2`), `soba`, `mcdbf`, `rcnbf`, `molg`. Every function says
what its theorem assumes, what we checked of its proof, and where the paper is misprinted or wrong. Bounds are worst
cases: on the papers' own data most of them allow more mistakes than there are rounds.
"""

from onebit.bounds.kernel import (
    log2_gamma_1,
    log2_gamma_2,
    log2_gamma_group,
    log2_mistakes,
    log2_mistakes_group,
    log2_mistakes_weak,
)
from onebit.bounds.mcdbf import mcdbf_gamma, mcdbf_mistakes, mcdbf_update_constants
from onebit.bounds.molg import molg_log_det, molg_mistakes, molgb_phi, molgb_regret, molgf_mistakes
from onebit.bounds.rcnbf import rcnbf_constants, rcnbf_gamma, rcnbf_mistakes
from onebit.bounds.soba import (
    perceptron_mistakes,
    soba_eta,
    soba_gamma,
    soba_greedy_mistakes,
    soba_hinge_gamma,
    soba_hinge_mistakes,
    soba_mistakes,
)

__all__ = [
    "log2_gamma_1",
    "log2_gamma_2",
    "log2_gamma_group",
    "log2_mistakes",
    "log2_mistakes_group",
    "log2_mistakes_weak",
    "mcdbf_gamma",
    "mcdbf_mistakes",
    "mcdbf_update_constants",
    "molg_log_det",
    "molg_mistakes",
    "molgb_phi",
    "molgb_regret",
    "molgf_mistakes",
    "perceptron_mistakes",
    "rcnbf_constants",
    "rcnbf_gamma",
    "rcnbf_mistakes",
    "soba_eta",
    "soba_gamma",
    "soba_greedy_mistakes",
    "soba_hinge_gamma",
    "soba_hinge_mistakes",
    "soba_mistakes",
]
