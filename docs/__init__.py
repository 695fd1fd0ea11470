"""Pages, and the script that draws their pictures."""
