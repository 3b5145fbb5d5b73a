"""Issues in a sqlite database."""
import sqlite3
from dataclasses import dataclass

from .workflow import DONE_STATES, State, check_move

SCHEMA = """
CREATE TABLE IF NOT EXISTS issues (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    done_at INTEGER,
    resolution TEXT
);
CREATE TABLE IF NOT EXISTS history (
    issue_id INTEGER NOT NULL REFERENCES issues(id),
    user TEXT NOT NULL,
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    at INTEGER NOT NULL
);
"""


@dataclass(frozen=True)
class Issue:
    """done_at and resolution are None as long as there is work to do."""

    id: int
    title: str
    state: State
    created_at: int
    done_at: int | None = None
    resolution: str | None = None


class Tracker:
    def __init__(self, clock, path=":memory:"):
        self._clock = clock
        self._db = sqlite3.connect(path)
        self._db.executescript(SCHEMA)
        self._observers = []

    def subscribe(self, callback):
        """`callback(issue_id, old, new)` after every move."""
        self._observers.append(callback)

    def create(self, title):
        if not title.strip():
            raise ValueError("an issue needs a title")
        with self._db:
            cursor = self._db.execute(
                "INSERT INTO issues (title, state, created_at) VALUES (?, ?, ?)",
                (title.strip(), State.OPEN.value, self._clock()),
            )
        return cursor.lastrowid

    def get(self, issue_id):
        row = self._db.execute(
            "SELECT id, title, state, created_at, done_at, resolution"
            " FROM issues WHERE id = ?",
            (issue_id,),
        ).fetchone()
        if row is None:
            raise KeyError(issue_id)
        return Issue(row[0], row[1], State(row[2]), *row[3:])

    def move(self, issue_id, new, user, resolution=None):
        """Move an issue to the state `new`.

        `done_at` is the time at which the issue came to be done (resolved);
        closing a resolved issue keeps it, and the resolution too.  When the
        issue is taken up again both are emptied, whatever state it goes
        to.  A move that is not allowed raises WorkflowError and changes
        nothing.
        """
        issue = self.get(issue_id)
        check_move(issue.state, new, resolution)
        now = self._clock()
        done_at = issue.done_at
        reason = resolution or issue.resolution
        if new in DONE_STATES and done_at is None:
            done_at = now
        if new not in DONE_STATES:
            done_at = reason = None
        with self._db:
            self._db.execute(
                "UPDATE issues SET state = ?, done_at = ?, resolution = ? WHERE id = ?",
                (new.value, done_at, reason, issue_id),
            )
            self._db.execute(
                "INSERT INTO history VALUES (?, ?, ?, ?, ?)",
                (issue_id, user, issue.state.value, new.value, now),
            )
        for callback in self._observers:
            callback(issue_id, issue.state, new)

    def history(self, issue_id):
        """(user, old, new, at) of every move, oldest first."""
        rows = self._db.execute(
            "SELECT user, old, new, at FROM history WHERE issue_id = ? ORDER BY rowid",
            (issue_id,),
        )
        return [(user, State(old), State(new), at) for user, old, new, at in rows]

    def issues(self):
        ids = self._db.execute("SELECT id FROM issues ORDER BY id").fetchall()
        return [self.get(i) for (i,) in ids]
