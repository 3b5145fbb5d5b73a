"""Tasks with steps."""

from dataclasses import dataclass, field


@dataclass(order=True)
class Task:
    """A task is done when its own steps and all tasks below it are."""

    priority: int
    name: str = field(compare=False)
    steps: int = field(default=1, compare=False)
    finished: int = field(default=0, compare=False)
    below: list = field(default_factory=list, compare=False)

    @property
    def remaining(self):
        """Steps that are left, here and below."""
        return self.steps - self.finished + sum(task.steps for task in self.below)

    @property
    def done(self):
        return self.remaining == 0

    def work(self, steps=1):
        """Do some steps; gives those that were too many."""
        used = min(steps, self.steps - self.finished)
        self.finished += used
        return steps - used


def next_task(tasks):
    """The open task of the highest priority (the smallest number), None where all are done."""
    return min((task for task in tasks if not task.done), default=None)
