"""The graph of jobs and what they depend on."""
from __future__ import annotations

from collections import deque


class UnknownJob(LookupError):
    pass


class CycleError(ValueError):
    """The jobs depend on each other in a circle."""

    def __init__(self, jobs):
        self.jobs = sorted(jobs)
        super().__init__("cycle among: " + ", ".join(self.jobs))


class JobGraph:
    def __init__(self) -> None:
        self._needs: dict[str, set[str]] = {}

    def add(self, name: str, needs=()) -> None:
        """Add a job, or more dependencies of a known one."""
        if not name:
            raise ValueError("a job needs a name")
        self._needs.setdefault(name, set()).update(needs)

    @property
    def jobs(self) -> list[str]:
        return list(self._needs)

    def needs(self, name: str) -> set[str]:
        if name not in self._needs:
            raise UnknownJob(name)
        return set(self._needs[name])

    def dependants(self, name: str) -> set[str]:
        return {job for job, needs in self._needs.items() if name in needs}

    def check(self) -> None:
        """Raise UnknownJob when a job needs one that was never added."""
        for needs in self._needs.values():
            for need in sorted(needs):
                if need not in self._needs:
                    raise UnknownJob(need)

    def order(self) -> list[str]:
        """All jobs in an order in which they can run.

        Jobs that could run at the same time come in the order they were added.
        """
        self.check()
        missing = {job: len(needs) for job, needs in self._needs.items()}
        ready = deque(job for job, n in missing.items() if n == 0)
        out = []
        while ready:
            job = ready.popleft()
            out.append(job)
            for other in self._needs:
                if job in self._needs[other]:
                    missing[other] -= 1
                    if missing[other] == 0:
                        ready.append(other)
        if len(out) < len(self._needs):
            raise CycleError(set(self._needs) - set(out))
        return out

    def upstream(self, name: str) -> set[str]:
        """Everything that must run before ``name``, directly or not."""
        seen: set[str] = set()
        todo = list(self.needs(name))
        while todo:
            job = todo.pop()
            if job not in seen:
                seen.add(job)
                todo.extend(self.needs(job))
        return seen

    def plan(self, *targets: str) -> list[str]:
        """The jobs to run, in order, so that all ``targets`` get done."""
        wanted = set(targets)
        for target in targets:
            wanted |= self.upstream(target)
        return [job for job in self.order() if job in wanted]
