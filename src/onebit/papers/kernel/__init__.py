"""Fakcharoenphol and Prompak, Bandit multiclass linear classification for the group linear separable case (2024)."""
