"""Two programs on calls: inputs, answers, twins, and the doubts that follow."""
