"""How far a job has come."""

from dataclasses import dataclass


@dataclass
class Progress:
    """So many steps of so many."""

    done: int
    total: int

    @property
    def percent(self):
        """Whole percent that are done, rounded down; a job without steps is complete."""
        if self.total < 0:
            raise ValueError("a job has no negative steps")
        if self.total == 0:
            return 100
        return self.done // self.total * 100

    @property
    def label(self):
        """For a person to read."""
        return f"{self.percent} %"
