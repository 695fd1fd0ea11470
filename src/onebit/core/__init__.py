"""Values that all rooms share: decisions, errors, the registry, seeds, folders, typed aliases."""
