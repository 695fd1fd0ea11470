"""scikit-learn classifiers that learn online, from bits that labelled data answer.

>>> from onebit.sklearn import OneBitClassifier
>>> OneBitClassifier(random_state=0).fit([[0.0], [1.0], [2.0], [3.0]] * 25, ["low", "low", "high", "high"] * 25)
OneBitClassifier(random_state=0)
"""

from onebit.sklearn.bandit import BanditClassifier
from onebit.sklearn.one_bit import OneBitClassifier

__all__ = ["BanditClassifier", "OneBitClassifier"]
