"""Graph learners: their speed, and their error beside the paper's."""
