"""A small single-threaded scheduler; time is passed in by the caller."""
import heapq
import itertools

from .backoff import Backoff
from .job import FatalError, Job, State


class Scheduler:

    def __init__(self, backoff=None, on_dead=None):
        self.backoff = backoff or Backoff()
        self.on_dead = on_dead
        self.jobs = {}
        self._heap = []
        self._order = itertools.count()

    def add(self, name, func, *args, at=0.0, every=None, max_attempts=3):
        if name in self.jobs:
            raise ValueError(f"job {name!r} exists already")
        if every is not None and every <= 0:
            raise ValueError("interval must be positive")
        job = Job(name, func, args, due=at, interval=every, max_attempts=max_attempts)
        self.jobs[name] = job
        self._push(job, at)
        return job

    def cancel(self, name):
        """Forget a job. Its entry in the heap is skipped when it comes up."""
        self.jobs.pop(name)

    def next_due(self):
        times = [due for due, _, job in self._heap if self.jobs.get(job.name) is job]
        return min(times, default=None)

    async def run_due(self, now):
        """Run every job due at `now` or earlier, earliest first.

        A job runs at most once per call, even if it is due again at once.
        Returns the names of the jobs that ran.
        """
        ready = []
        while self._heap and self._heap[0][0] <= now:
            _, _, job = heapq.heappop(self._heap)
            if self.jobs.get(job.name) is job:
                ready.append(job)
        for job in ready:
            await self._execute(job, now)
        return [job.name for job in ready]

    async def _execute(self, job, now):
        """Make one try of a job and decide what comes next.

        Success: a one-off job is DONE, and its `attempts` tell how many
        tries it took.  A periodic job waits for its next run, one interval
        after `now`; every run has `max_attempts` tries of its own.
        Failure: try again after the backoff, until the tries of the run are
        used up; then (or at once on a FatalError) the job is DEAD and
        `on_dead` is called with it.
        """
        job.state = State.RUNNING
        job.attempts += 1
        try:
            job.result = await job.func(*job.args)
        except FatalError as exc:
            self._failed(job, exc, now)
            self._bury(job)
        except Exception as exc:
            self._failed(job, exc, now)
            if job.attempts >= job.max_attempts:
                self._bury(job)
            else:
                self._push(job, now + self.backoff.delay(job.attempts))
        else:
            job.history.append((now, "ok"))
            job.last_error = None
            if job.periodic:
                self._push(job, now + job.interval)
            else:
                job.state = State.DONE

    def _failed(self, job, exc, now):
        job.last_error = f"{type(exc).__name__}: {exc}"
        job.history.append((now, "failed"))

    def _bury(self, job):
        job.state = State.DEAD
        if self.on_dead is not None:
            self.on_dead(job)

    def _push(self, job, due):
        job.due = due
        job.state = State.WAITING
        heapq.heappush(self._heap, (due, next(self._order), job))

    def report(self):
        """One line per job, by name."""
        lines = []
        for name in sorted(self.jobs):
            job = self.jobs[name]
            line = f"{name}: {job.state.value}, {job.attempts} of {job.max_attempts} tries"
            if job.last_error:
                line += f" ({job.last_error})"
            lines.append(line)
        return lines
