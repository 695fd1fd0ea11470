"""Experiments: a learner played against a stream over many seeds, and what came of it."""
