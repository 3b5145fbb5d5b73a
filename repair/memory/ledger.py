"""The ledger: what was tried against which failures, and how it ended, in one SQLite file.

It holds words of closed lists, numbers and keyed digests. Rows carry a digest made with the user's key: what somebody
else has written is not found. The file may be deleted at any time, and one that is damaged is put aside.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repair.memory.prediction import Tally
from repair.memory.signature import FailureSignature
from repair.store.database import Database, TableLayout, transaction

FILE = "memory.sqlite"

HALF_LIFE_DAYS = 180.0
"""After so many days what another project has shown counts half."""

QUARTER_DAYS = 90

MOST_ALIKE = 200
"""Mended failures of one class, the newest, among which the one most alike is looked for."""

EVERY = b""
"""Stands for all of a user's projects in the counts."""

MENDED = frozenset({"certified", "applied"})
"""Outcomes that count as a fix: nothing is learned of what only passed its tests."""

PATCHED = frozenset({*MENDED, "plausible", "rejected", "undone"})
"""Outcomes of a failure that had a patch: people may have a word on it."""

NOBODY = ""
"""The proposer of the row that stands for the failure as a whole where nothing mended it."""

NOTHING = "nothing"
"""The outcome of a proposer that was asked in vain about a failure."""

LAYOUT = TableLayout(
    (
        "CREATE TABLE attempts (owner BLOB, project BLOB, run TEXT, cause INTEGER, day INTEGER, class TEXT,"
        " subclass TEXT, relation TEXT, exception TEXT, shape TEXT, proposer TEXT, family TEXT, outcome TEXT,"
        " candidates INTEGER, seconds REAL, tokens INTEGER, usd REAL,"
        " PRIMARY KEY (owner, project, run, cause, proposer)) WITHOUT ROWID",
        "CREATE TABLE tallies (owner BLOB, key TEXT, project BLOB, quarter INTEGER, family TEXT, tried INTEGER,"
        " mended INTEGER, PRIMARY KEY (owner, key, project, quarter, family)) WITHOUT ROWID",
    ),
    (
        (
            "ALTER TABLE attempts ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE attempts ADD COLUMN beside INTEGER NOT NULL DEFAULT 0",
            "CREATE TABLE ways (owner BLOB, class TEXT, project BLOB, quarter INTEGER, way TEXT, tried INTEGER,"
            " mended INTEGER, PRIMARY KEY (owner, class, project, quarter, way)) WITHOUT ROWID",
            *(
                f"INSERT INTO ways SELECT owner, class, {project}, day / 90, 'by ' || proposer, COUNT(*),"
                " SUM(outcome IN ('certified', 'applied')) FROM attempts WHERE proposer <> '' GROUP BY 1, 2, 3, 4, 5"
                for project in ("project", "x''")
            ),
        ),
    ),
    patience=0.5,
    large=True,
)

_ADD = (
    "INSERT INTO {} VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
    " tried = tried + excluded.tried, mended = mended + excluded.mended"
)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One way by which a failure was worked on, and its ``outcome``. ``day`` counts from 1970.

    One row of a cause stands for the failure as a whole: that of the proposer that gave it its outcome, or of nobody.
    Others stand ``beside`` it: of proposers that were asked in vain, and of single models (``model/DIGEST``). ``kind``
    is that of a model's edit, where it gave the outcome.
    """

    run: str
    cause: int
    day: int
    signature: FailureSignature
    proposer: str
    family: str
    outcome: str
    candidates: int = 0
    seconds: float = 0.0
    tokens: int = 0
    usd: float = 0.0
    kind: str = ""
    beside: bool = False

    @property
    def ways(self) -> tuple[str, ...]:
        """Under what the attempt is counted beside its family: who worked on it, and by which kind of edit."""
        told = (("by", self.proposer), ("kind", "" if self.beside else self.kind))
        return tuple(f"{word} {name}" for word, name in told if name)

    @property
    def is_mended(self) -> bool:
        """Whether it counts as a fix."""
        return self.outcome in MENDED


@dataclass(frozen=True, slots=True)
class ClassKnown:
    """What is known of one class of failures: how many were worked on, how many mended, and by which families most."""

    failure_class: str
    tried: int
    mended: int
    families: tuple[tuple[str, int], ...]


class RunLedger:
    """The attempts in one file. Whatever reads or writes raises ``sqlite3.Error`` or ``OSError`` where it cannot."""

    def __init__(self, path: Path, key: bytes, project: str) -> None:
        """``project`` is the project's real path: rows hold its keyed digest alone."""
        self.path = path
        self._key = key
        self._owner = _digest(key, b"owner")
        self._project = _digest(key, project.encode("utf-8", "surrogateescape"))

    def add(self, attempts: Iterable[LedgerEntry]) -> None:
        """Write the attempts of a run; one that is known is written anew."""
        with transaction(self.path, LAYOUT) as database:
            for each in attempts:
                self._count(database, self._outcomes(database, each.run, each.cause, each.proposer), sign=-1)
                database.execute(f"INSERT OR REPLACE INTO attempts VALUES ({', '.join('?' * 19)})", self._row(each))
                self._count(database, self._outcomes(database, each.run, each.cause, each.proposer), sign=1)

    def decide(self, run: str, cause: int, outcome: str) -> None:
        """A person's word on a cause's fix: ``applied``, ``rejected`` or ``undone``. Other causes of the run stay."""
        with transaction(self.path, LAYOUT) as database:
            found = [row for row in self._outcomes(database, run, cause) if row["outcome"] in PATCHED]
            self._count(database, found, sign=-1)
            for row in found:
                place = (outcome, self._owner, self._project, run, row["cause"], row["proposer"])
                where = "owner = ? AND project = ? AND run = ? AND cause = ? AND proposer = ?"
                database.execute(f"UPDATE attempts SET outcome = ? WHERE {where}", place)
                row["outcome"] = outcome
            self._count(database, found, sign=1)

    def outcomes(self, runs: Iterable[str]) -> dict[tuple[str, int], str]:
        """How those causes of the runs ended that had a patch and are known, by run and number."""
        with transaction(self.path, LAYOUT) as database:
            rows = [row for run in runs for row in self._outcomes(database, run)]
        return {(str(row["run"]), int(row["cause"])): str(row["outcome"]) for row in rows if row["outcome"] in PATCHED}

    def tallies(self, signature: FailureSignature, today: int, *, of_all: bool) -> tuple[Tally, ...]:
        """What was seen of failures alike, the coarsest key first; ``of_all`` the user's projects, or of this one.

        What other projects have shown counts less with its age.
        """
        with transaction(self.path, LAYOUT) as database:
            return tuple(self._tally(database, key, today, of_all=of_all) for key in signature.keys)

    def ways(self, failure_class: str, today: int, *, of_all: bool) -> dict[str, tuple[float, float]]:
        """How often each way was tried on failures of the class, and how often it mended one.

        What other projects have shown counts less with its age.
        """
        where = ("ways", "class", failure_class)
        with transaction(self.path, LAYOUT) as database:
            return self._weighted(database, where, today, of_all=of_all)

    def mark(self, name: str) -> str:
        """A name of the user's as a digest under his key: a model may be called like a project."""
        return _digest(self._key, b"name " + name.encode("utf-8", "surrogateescape")).hex()

    def mended_like(self, signature: FailureSignature) -> LedgerEntry | None:
        """The mended failure of this project that is most like it, the newest of several: one of its class at least."""
        with transaction(self.path, LAYOUT) as database:
            rows = database.execute(
                "SELECT * FROM attempts WHERE owner = ? AND project = ? AND class = ? AND NOT beside"
                " AND outcome IN ('certified', 'applied') ORDER BY run DESC LIMIT ?",
                (self._owner, self._project, signature.failure_class, MOST_ALIKE),
            )
            found = [_attempt_of(row) for row in _named(rows)]
        return max(found, key=lambda each: len({*each.signature.keys} & {*signature.keys}), default=None)

    def known(self, *, of_all: bool = False) -> tuple[ClassKnown, ...]:
        """What is known of each class of failures."""
        with transaction(self.path, LAYOUT) as database:
            rows = database.execute(
                "SELECT key, family, SUM(tried), SUM(mended) FROM tallies WHERE owner = ? AND project = ?"
                " AND key <> '' AND instr(key, '/') = 0 GROUP BY key, family ORDER BY key",
                (self._owner, EVERY if of_all else self._project),
            ).fetchall()
        found: dict[str, dict[str, tuple[int, int]]] = {}
        for key, family, tried, mended in rows:
            found.setdefault(str(key), {})[str(family)] = (int(tried), int(mended))
        return tuple(
            ClassKnown(
                name,
                sum(tried for tried, _ in of.values()),
                sum(mended for _, mended in of.values()),
                tuple(sorted(((f, m) for f, (_, m) in of.items() if m), key=lambda pair: (-pair[1], pair[0]))),
            )
            for name, of in found.items()
        )

    def forget(self, *, everything: bool = False, before: int | None = None) -> int:
        """Delete what this project has shown, or all that the user's have; how many attempts.

        Only what was seen ``before`` that day, where one is given.
        """
        where, values = "owner = ?", [self._owner]
        if not everything:
            where, values = f"{where} AND project = ?", [*values, self._project]
        days: tuple[Any, ...] = () if before is None else (before,)
        older = "" if before is None else " AND day < ?"
        with transaction(self.path, LAYOUT) as database:
            gone = _named(database.execute(f"SELECT * FROM attempts WHERE {where}{older}", (*values, *days)))
            self._count(database, gone, sign=-1)
            database.execute(f"DELETE FROM attempts WHERE {where}{older}", (*values, *days))
            for table in ("tallies", "ways"):
                database.execute(f"DELETE FROM {table} WHERE tried <= 0 AND mended <= 0")
            return len(gone)

    def attempts(self) -> tuple[LedgerEntry, ...]:
        """All attempts of this project, the oldest first."""
        with transaction(self.path, LAYOUT) as database:
            rows = self._outcomes(database)
        return tuple(_attempt_of(row) for row in sorted(rows, key=lambda row: (row["run"], row["cause"])))

    def _row(self, attempt: LedgerEntry) -> tuple[Any, ...]:
        like = attempt.signature
        return (
            *(self._owner, self._project, attempt.run, attempt.cause, attempt.day),
            *(like.failure_class, like.subclass, like.relation, like.exception, like.shape),
            *(attempt.proposer, attempt.family, attempt.outcome, attempt.candidates, attempt.seconds),
            *(attempt.tokens, attempt.usd, attempt.kind, attempt.beside),
        )

    def _outcomes(
        self, database: Database, run: str = "", cause: int | None = None, proposer: str | None = None
    ) -> list[dict[str, Any]]:
        """The rows of this project: all, those of one run or of one cause, or that of one way of working on a cause."""
        asked: tuple[tuple[str, Any], ...] = (("run", run or None), ("cause", cause), ("proposer", proposer))
        named = {"owner": self._owner, "project": self._project}
        named |= {column: value for column, value in asked if value is not None}
        where, values = " AND ".join(f"{column} = ?" for column in named), tuple(named.values())
        return _named(database.execute(f"SELECT * FROM attempts WHERE {where}", values))

    def _count(self, database: Database, rows: Iterable[dict[str, Any]], *, sign: int) -> None:
        """Add the rows to the counts under each of their keys, or take them out."""
        for row in rows:
            attempt = _attempt_of(row)
            when, counts = attempt.day // QUARTER_DAYS, (sign, sign * attempt.is_mended)
            keys = () if attempt.beside else attempt.signature.keys
            told = [("tallies", key, attempt.family) for key in keys]
            told += [("ways", attempt.signature.failure_class, way) for way in attempt.ways]
            for (table, key, label), project in itertools.product(told, (row["project"], EVERY)):
                database.execute(_ADD.format(table), (row["owner"], key, project, when, label, *counts))

    def _tally(self, database: Database, key: str, today: int, *, of_all: bool) -> Tally:
        found = self._weighted(database, ("tallies", "key", key), today, of_all=of_all)
        families = {family: mended for family, (_, mended) in found.items()}
        return Tally(sum(tried for tried, _ in found.values()), sum(families.values()), families)

    def _weighted(
        self, database: Database, where: tuple[str, str, str], today: int, *, of_all: bool
    ) -> dict[str, tuple[float, float]]:
        """What was tried and mended under a key, by label: what the project has shown counts in full, whatever its age.

        ``where`` names the table, its column of keys, and the key.
        """
        found: dict[str, tuple[float, float]] = {}
        for project in (self._project, EVERY) if of_all else (self._project,):
            for age, label, times, fixes in self._counts(database, where, project, today):
                is_own = project == self._project
                fading = 0.5 ** (age / HALF_LIFE_DAYS)
                weight = fading if not is_own else 1.0 - fading if of_all else 1.0  # own rows are in all, too
                tried, mended = found.get(label, (0.0, 0.0))
                found[label] = (tried + weight * times, mended + weight * fixes)
        return found

    def _counts(
        self, database: Database, where: tuple[str, str, str], project: bytes, today: int
    ) -> Iterator[tuple[int, str, int, int]]:
        table, column, key = where
        label = "way" if table == "ways" else "family"
        rows = database.execute(
            f"SELECT quarter, {label}, tried, mended FROM {table} WHERE owner = ? AND {column} = ? AND project = ?",
            (self._owner, key, project),
        )
        for quarter, name, times, fixes in rows.fetchall():
            yield max(0, today - int(quarter) * QUARTER_DAYS), str(name), int(times), int(fixes)


def _digest(key: bytes, text: bytes) -> bytes:
    return hashlib.blake2b(text, key=key, digest_size=16, person=b"repair memory").digest()


def _named(rows: Any) -> list[dict[str, Any]]:
    names = [column[0] for column in rows.description]
    return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]


def _attempt_of(row: dict[str, Any]) -> LedgerEntry:
    like = FailureSignature(*(str(row[name]) for name in ("class", "subclass", "relation", "exception", "shape")))
    return LedgerEntry(
        str(row["run"]),
        int(row["cause"]),
        int(row["day"]),
        like,
        str(row["proposer"]),
        str(row["family"]),
        str(row["outcome"]),
        int(row["candidates"]),
        float(row["seconds"]),
        int(row["tokens"]),
        float(row["usd"]),
        str(row["kind"]),
        bool(row["beside"]),
    )
