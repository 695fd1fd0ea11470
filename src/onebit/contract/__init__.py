"""What a learner is: the user's methods, the author's protocol, and the machinery between them."""
