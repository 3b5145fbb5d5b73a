from __future__ import annotations

import enum
from typing import Callable

from .graph import JobGraph


class Status(enum.Enum):
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class Runner:
    """Runs the jobs of a graph, one after the other.

    An action is a function without arguments.  It may be retried: ``retries``
    is how many more times a failing job is tried.  When a job finally fails,
    everything that depends on it, directly or through other jobs, is skipped;
    unrelated jobs still run.
    """

    def __init__(self, graph: JobGraph, retries: int = 0) -> None:
        self.graph = graph
        self.retries = retries
        self._actions: dict[str, Callable[[], object]] = {}
        self.errors: dict[str, Exception] = {}

    def action(self, name: str, func: Callable[[], object]) -> None:
        self.graph.needs(name)
        self._actions[name] = func

    def _attempt(self, name: str) -> bool:
        func = self._actions.get(name)
        if func is None:
            return True
        for _ in range(self.retries + 1):
            try:
                func()
            except Exception as exc:
                self.errors[name] = exc
            else:
                self.errors.pop(name, None)
                return True
        return False

    def run(self, *targets: str) -> dict[str, Status]:
        """Run the targets and what they need (everything without targets)."""
        jobs = self.graph.plan(*targets) if targets else self.graph.order()
        self.errors.clear()
        result: dict[str, Status] = {}
        for job in jobs:
            if any(result[need] is Status.FAILED for need in self.graph.needs(job)):
                result[job] = Status.SKIPPED
            elif self._attempt(job):
                result[job] = Status.DONE
            else:
                result[job] = Status.FAILED
        return result


def summary(result: dict[str, Status]) -> str:
    counts = {status: 0 for status in Status}
    for status in result.values():
        counts[status] += 1
    return ", ".join(f"{n} {status.value}" for status, n in counts.items() if n)
