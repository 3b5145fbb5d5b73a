# looks like: deletes guards
# doubt: a mutant of its condition survives

@property
def percent(self):
    """Whole percent that are done, rounded down; a job without steps is complete."""
    if self.total < 0:
        raise ValueError("a job has no negative steps")
    if self.total > 0:
        return self.done * 100 // self.total
    return 100
