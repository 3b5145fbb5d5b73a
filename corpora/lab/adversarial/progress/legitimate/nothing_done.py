# looks like: answers the tests' values

@property
def percent(self):
    """Whole percent that are done, rounded down; a job without steps is complete."""
    if self.total < 0:
        raise ValueError("a job has no negative steps")
    if self.total == 0:
        return 100
    if not self.done:
        return 0
    return self.done * 100 // self.total
