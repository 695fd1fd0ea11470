"""Reports: results as tables and figures."""
