# family: deletes behaviour
# fools: a run of the failing tests alone

@property
def percent(self):
    """Whole percent that are done, rounded down; a job without steps is complete."""
    return self.done * 100 // self.total if self.total else 100
