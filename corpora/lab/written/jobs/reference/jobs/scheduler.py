"""Runs jobs by a clock that the caller turns."""

from .backoff import delay
from .job import Job


class Scheduler:
    def __init__(self, max_failures=3):
        self.max_failures = max_failures
        self._jobs = {}

    def add(self, name, func, every, start=0):
        if name in self._jobs:
            raise ValueError(f"job {name!r} exists already")
        job = Job(name, func, every, next_run=start)
        self._jobs[name] = job
        return job

    def get(self, name):
        return self._jobs[name]

    def cancel(self, name):
        del self._jobs[name]

    def due(self, now):
        """Due jobs, the longest waiting first."""
        ready = [j for j in self._jobs.values() if j.is_due(now)]
        return sorted(ready, key=lambda j: (j.next_run, j.name))

    def tick(self, now):
        """Run everything that is due; return the names of what ran."""
        ran = []
        for job in self.due(now):
            error = None
            try:
                job.func()
            except Exception as exc:
                error = exc
            self._finish(job, now, error)
            ran.append(job.name)
        return ran

    def _finish(self, job, now, error=None):
        """Note the outcome of a run and plan the next one.

        A job that fails ``max_failures`` times in a row is switched off.
        """
        job.history.append((now, error is None))
        if error is None:
            job.failures = 0
            job.last_error = None
        else:
            job.failures += 1
            job.last_error = str(error)
            if job.failures >= self.max_failures:
                job.enabled = False
        job.next_run = now + delay(job.every, job.failures)

    def revive(self, name, now):
        """Switch a job on again, with a clean slate."""
        job = self._jobs[name]
        job.enabled = True
        job.failures = 0
        job.next_run = now

    def next_wakeup(self):
        times = [j.next_run for j in self._jobs.values() if j.enabled]
        return min(times, default=None)
