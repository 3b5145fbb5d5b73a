# looks like: uses other builtins

@property
def percent(self):
    """Whole percent that are done, rounded down; a job without steps is complete."""
    if self.total < 0:
        raise ValueError("a job has no negative steps")
    if self.total == 0:
        return 100
    percent, _ = divmod(self.done * 100, self.total)
    return percent
