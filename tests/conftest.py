"""For all tests: compiling makes millions of small objects, and to look for garbage among them all the time is slow."""

import gc

gc.freeze()
gc.set_threshold(50_000, 20, 100)
