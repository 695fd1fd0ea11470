"""OneBit for dense rows: the posterior over a growing dictionary of kept cases, for each of several flip rates."""
