"""Sweeps: learners with grids of hyper-parameters, over streams, channels and seeds, kept in a folder."""
