"""What a sweep is to be, as people write it: options of the command, grids of values, TOML files."""
