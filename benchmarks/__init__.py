"""Speed and memory, measured against the machine's limits. Run by `make bench`."""
