"""For all tests: what compiling has left behind is not searched for garbage again and again.

Compiled code keeps millions of small objects alive. To look through them takes seconds, and the check of a learner's
memory asks for it four times; so before each test, what is there is set aside.
"""

import gc

gc.set_threshold(50_000, 20, 100)


def pytest_runtest_setup() -> None:
    """Set aside what is there."""
    gc.freeze()
