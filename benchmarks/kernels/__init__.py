"""The kernel learners: mistakes on separable data, label noise, speed."""
