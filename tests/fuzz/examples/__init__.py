"""Inputs that once broke something, each a snippet to run in a process of its own."""
