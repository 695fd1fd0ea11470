"""Pictures of decision boundaries."""
