"""Groups the entries of each user to sessions."""
from dataclasses import dataclass, field
from datetime import datetime, timedelta

GAP = timedelta(minutes=30)


@dataclass
class Session:
    user: str
    start: datetime
    end: datetime
    paths: list = field(default_factory=list)

    @property
    def length(self) -> timedelta:
        return self.end - self.start


def sessions(entries, gap=GAP):
    """Sessions of all users, sorted by start and user.

    A pause longer than gap between two entries of a user begins a new
    session.  Entries may come in any order.
    """
    found = []
    current = {}
    for entry in sorted(entries, key=lambda e: e.time):
        session = current.get(entry.user)
        if session is None or entry.time - session.end > gap:
            session = Session(entry.user, entry.time, entry.time)
            current[entry.user] = session
            found.append(session)
        session.end = entry.time
        session.paths.append(entry.path)
    return sorted(found, key=lambda s: (s.start, s.user))


def longest(entries, gap=GAP):
    return max(sessions(entries, gap), key=lambda s: s.length, default=None)
