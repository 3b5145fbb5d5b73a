import heapq

from jobs.entry import Entry


class JobQueue:
    """Named jobs, each due at some time.

    A cancelled job stays in the heap, marked, until it comes to the top.
    """

    def __init__(self):
        self._heap = []
        self._live = {}

    def __len__(self):
        return len(self._live)

    def __contains__(self, name):
        return name in self._live

    def add(self, name, when, priority=10):
        """Add a job; one of the same name that still waits is replaced."""
        if name in self._live:
            self.cancel(name)
        entry = Entry(when, priority, name=name)
        self._live[name] = entry
        heapq.heappush(self._heap, entry)

    def cancel(self, name):
        """Returns whether there was such a job."""
        entry = self._live.pop(name, None)
        if entry is None:
            return False
        entry.cancelled = True
        return True

    def postpone(self, name, delay):
        entry = self._live[name]
        self.add(name, entry.when + delay, entry.priority)

    def next_due(self):
        """When the next job is due, None if there is none."""
        while self._heap and self._heap[0].cancelled:
            heapq.heappop(self._heap)
        return self._heap[0].when if self._heap else None

    def pop_due(self, now, limit=None):
        """Take out the names of the jobs due at `now` or before, in order.

        No more than `limit` are taken if that is given; the others wait.
        """
        due = []
        while self._heap and self._heap[0].when <= now:
            if limit is not None and len(due) >= limit:
                break
            entry = heapq.heappop(self._heap)
            if entry.cancelled:
                continue
            del self._live[entry.name]
            due.append(entry.name)
        return due

    def names(self):
        """All waiting names in order."""
        return [entry.name for entry in sorted(self._live.values())]
