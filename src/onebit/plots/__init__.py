"""Pictures: learning curves, flip rates, reliability, decision boundaries."""
