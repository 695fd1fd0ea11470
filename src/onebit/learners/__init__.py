"""Learners, one file per algorithm; `onebit.contract.learner` holds their contract in prose."""

from onebit.contract.learner import Learner
from onebit.contract.saving import load
from onebit.learners.bandit_pa import BanditPA
from onebit.learners.bandit_perceptron import BanditPerceptron
from onebit.learners.banditron import Banditron
from onebit.learners.confidit import Confidit
from onebit.learners.gpa import GPA
from onebit.learners.kernel_bandit import KernelBandit
from onebit.learners.lin_ucb import LinUCB
from onebit.learners.mcdbf import MCDBF
from onebit.learners.mcslp import MCSLP
from onebit.learners.molgb import MOLGB
from onebit.learners.molgf import MOLGF
from onebit.learners.msg import MSG
from onebit.learners.one_bit.learner import OneBit
from onebit.learners.oslg import OSLG
from onebit.learners.oslg_bandit import OSLGBandit
from onebit.learners.page_rank_ucb import PageRankUCB
from onebit.learners.perceptron import Perceptron
from onebit.learners.pnewtron import PNewtron
from onebit.learners.rcine import RCINE
from onebit.learners.rcnbf import RCNBF
from onebit.learners.second_order_kernel import SecondOrderKernel
from onebit.learners.set_banditron import SetBanditron
from onebit.learners.soba import SOBA
from onebit.learners.soba_diagonal import SOBADiagonal

__all__ = [
    "GPA",
    "MCDBF",
    "MCSLP",
    "MOLGB",
    "MOLGF",
    "MSG",
    "OSLG",
    "RCINE",
    "RCNBF",
    "SOBA",
    "BanditPA",
    "BanditPerceptron",
    "Banditron",
    "Confidit",
    "KernelBandit",
    "Learner",
    "LinUCB",
    "OSLGBandit",
    "OneBit",
    "PNewtron",
    "PageRankUCB",
    "Perceptron",
    "SOBADiagonal",
    "SecondOrderKernel",
    "SetBanditron",
    "load",
]
