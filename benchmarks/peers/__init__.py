"""onebit beside other libraries that learn from one bit: played error, speed and memory on the same rows.

python -m benchmarks.peers tune     # each peer's best setting for each stream, on seeds of its own: settings.json
python -m benchmarks.peers run      # every contender on every stream, five fresh seeds: results.json
python -m benchmarks.peers page     # docs/benchmarks.md and docs/images/peers.svg from the two files

Peers come with `pip install 'onebit[peers]'`; one that is not installed is skipped. Every measurement is kept in
benchmarks/build/peers/, so a second start goes on where the first one stopped.
"""
