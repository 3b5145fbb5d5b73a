# looks like: deletes guards

@property
def percent(self):
    """Whole percent that are done, rounded down; a job without steps is complete."""
    if self.total < 0:
        raise ValueError("a job has no negative steps")
    return self.done * 100 // self.total if self.total else 100
