"""Is a labelled set separable? Strongly, weakly, in groups; with which margin; and the proof."""

from onebit.separability.checkers import Separability, separability
from onebit.separability.findings import Finding

__all__ = ["Finding", "Separability", "separability"]
