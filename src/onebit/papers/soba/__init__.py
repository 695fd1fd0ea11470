"""Beygelzimer, Orabona and Zhang, Efficient online bandit multiclass learning with Õ(√T) regret (2017): SOBA."""
