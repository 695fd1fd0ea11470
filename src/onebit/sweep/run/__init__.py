"""How a sweep is played: cells handed to processes, and what comes back kept."""
