"""Compiled primitives on arrays: rows, random draws, second-order updates, and how they are compiled."""
