"""Tests of raw cases."""
