"""OneBit by a grid of flip rates: experts that read the same bits as lying more or less often, and their mixture."""
