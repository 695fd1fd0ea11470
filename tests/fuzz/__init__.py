"""Hostile inputs: strategies, fixed examples and the room that plays them."""
