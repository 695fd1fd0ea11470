"""OneBit against its bars and against the other learners, and what was tried on the way.

Bars: `table`, `dense`, `noise`, `sets`, `drift`, `calibration`, `speed`. Without a bar: `compiling`. Research:
`research`, `small_d`, `inside_sets`, `ablations`. Each is run as `python -m benchmarks.onebit.NAME [parts] [--quick]`;
the data sets must be in the data folder. `--quick` plays a few rounds on tuning seeds, to see that everything runs: its
figures mean nothing.
"""
