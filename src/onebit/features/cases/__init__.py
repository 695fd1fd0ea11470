"""Raw cases: dicts of text, numbers, dates and gaps as sparse rows."""
