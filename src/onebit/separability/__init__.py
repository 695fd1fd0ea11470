"""Is a labelled set separable? Strongly, weakly, in groups; with which margin; and the proof."""

from onebit.separability.check import separability
from onebit.separability.findings import Finding, Separability

__all__ = ["Finding", "Separability", "separability"]
