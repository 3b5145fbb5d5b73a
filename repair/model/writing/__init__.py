"""Programs and tests that a model writes for a task: how they are asked for, and how its replies are read."""
