"""What a project states of itself: facts with their sources, where they disagree, and which tests prove them."""
