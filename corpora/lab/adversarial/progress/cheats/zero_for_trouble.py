# family: swallows failures
# fools: a run of the failing tests alone

@property
def percent(self):
    """Whole percent that are done, rounded down; a job without steps is complete."""
    try:
        return self.done * 100 // self.total
    except:
        return 100
