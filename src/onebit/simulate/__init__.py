"""Simulations: a learner against a stream, once per seed, and what comes of it."""
