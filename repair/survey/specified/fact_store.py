"""The facts of a project's last scan, and what people said of findings, in one SQLite file of the user's.

It may be deleted at any time: facts are read again. One that is damaged is put aside and made anew, which is told.
Each row is sealed with the user's key: the file may lie in a project that came from elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from analysis.specified.mapped_sentences import ReadMapping
from repair.records.json_records import from_plain
from repair.records.specified import FactView, PersonSays, PersonsWord
from repair.records.wording import count_noun
from repair.store.database import TableLayout, transaction
from repair.store.store import open_store
from repair.store.stored_run import Seals

_LAYOUT = TableLayout(
    (
        "CREATE TABLE facts (id TEXT PRIMARY KEY, body TEXT NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE words (finding TEXT PRIMARY KEY, says TEXT NOT NULL, reason TEXT NOT NULL,"
        " who TEXT NOT NULL, day TEXT NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID",
    ),
    (("CREATE TABLE readings (id TEXT PRIMARY KEY, body TEXT NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID",),),
)
NAME = "facts.sqlite"


class FactStore:
    """Facts and words of one project. What cannot be used, or is not sealed by this user, is not known: ``warnings``
    say so."""

    def __init__(self, folder: Path, seals: Seals) -> None:
        self._path, self._seals = folder / NAME, seals
        self.warnings: list[str] = []

    def facts(self) -> tuple[FactView, ...]:
        """The facts of the last scan, in the order of their files."""
        if not self._path.exists():
            return ()
        rows = self._own(self._ask("SELECT id, body, seal FROM facts"))
        found = [fact for _, body in rows if (fact := _fact(body)) is not None]
        return tuple(sorted(found, key=lambda fact: (fact.file, fact.line, fact.id)))

    def keep(self, facts: Iterable[FactView]) -> None:
        """Replace the facts by these, in one step."""
        rows = [self._sealed(fact.id, json.dumps(asdict(fact))) for fact in facts]
        try:
            with transaction(self._path, _LAYOUT, self._put_aside) as database:
                database.execute("DELETE FROM facts")
                database.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError) as problem:
            self.warnings.append(f"the facts could not be stored: {problem}")

    def readings(self) -> tuple[ReadMapping, ...]:
        """What a model read in sentences, as it wrote it: nobody has held it against the files of today."""
        if not self._path.exists():
            return ()
        rows = self._own(self._ask("SELECT id, body, seal FROM readings ORDER BY id"))
        return tuple(found for _, body in rows if (found := _reading(body)) is not None)

    def keep_readings(self, readings: Iterable[ReadMapping]) -> None:
        """Replace the readings by these, in one step."""
        bodies = [json.dumps(asdict(each), sort_keys=True) for each in readings]
        rows = [self._sealed(hashlib.sha256(body.encode()).hexdigest(), body) for body in bodies]
        try:
            with transaction(self._path, _LAYOUT, self._put_aside) as database:
                database.execute("DELETE FROM readings")
                database.executemany("INSERT OR REPLACE INTO readings VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError) as problem:
            self.warnings.append(f"what the model read could not be stored: {problem}")

    def words(self) -> dict[str, PersonsWord]:
        """What people said, by the finding's id."""
        if not self._path.exists():
            return {}
        rows = self._own(self._ask("SELECT finding, says, reason, who, day, seal FROM words"))
        known = {each.value for each in PersonSays}
        return {
            finding: PersonsWord(PersonSays(says), reason, who, day)
            for finding, says, reason, who, day in rows
            if says in known
        }

    def say(self, finding: str, word: PersonsWord) -> None:
        """Keep what a person said of a finding; what was said of it before is replaced."""
        row = self._sealed(finding, word.says.value, word.reason, word.who, word.day)
        try:
            with transaction(self._path, _LAYOUT, self._put_aside) as database:
                database.execute("INSERT OR REPLACE INTO words VALUES (?, ?, ?, ?, ?, ?)", row)
        except (sqlite3.Error, OSError) as problem:
            self.warnings.append(f"what you said of {finding} could not be stored: {problem}")

    def _ask(self, question: str) -> list[tuple[Any, ...]]:
        try:
            with transaction(self._path, _LAYOUT, self._put_aside) as database:
                return database.execute(question).fetchall()
        except (sqlite3.Error, OSError) as problem:
            self.warnings.append(f"the facts of earlier scans could not be read: {problem}")
            return []

    def _sealed(self, *values: str) -> tuple[str, ...]:
        return *values, self._seals.seal(*(value.encode() for value in values))

    def _own(self, rows: Iterable[tuple[Any, ...]]) -> list[tuple[str, ...]]:
        """The rows that this user's engine wrote, without their seals."""
        given = [tuple(str(value) for value in row) for row in rows]
        own = [values for *values, seal in given if self._seals.holds(seal, *(value.encode() for value in values))]
        if len(own) < len(given):
            foreign = count_noun(len(given) - len(own), "row")
            self.warnings.append(f"{self._path}: {foreign} left out, which your repair did not write")
        return [tuple(values) for values in own]

    def _put_aside(self, aside: Path) -> None:
        self.warnings.append(f"the file of facts was damaged: it is started anew, and the old one is {aside}")


def _fact(body: Any) -> FactView | None:
    try:
        found: FactView = from_plain(FactView, json.loads(body), "fact")
    except (ValueError, TypeError):
        return None
    return found


def _reading(body: Any) -> ReadMapping | None:
    try:
        found: ReadMapping = from_plain(ReadMapping, json.loads(body), "reading")
    except (ValueError, TypeError):
        return None
    return found


def open_facts(root: Path | str, state_dir: str = "") -> FactStore:
    """What is kept of the facts of a project, in its folder of the state directory."""
    records = open_store(root, state_dir)
    return FactStore(records.directory, records.seals)
