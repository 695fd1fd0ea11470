"""What version 0.1.0 did and wrote, held against today's code."""
