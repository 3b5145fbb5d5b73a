"""The file of facts and words."""

import contextlib
import sqlite3
from dataclasses import replace

from analysis.specified.mapped_sentences import ReadMapping
from repair.records.specified import FactView, PersonSays, PersonsWord
from repair.store.database import TableLayout, transaction
from repair.store.stored_run import Seals
from repair.survey.specified import fact_store
from repair.survey.specified.fact_store import NAME, FactStore

OWN = Seals(b"our own key, which nobody has")
FACT = FactView("F-1", "a.py:f", "returns", "", "n == 1", "2", "a.py", 3, 3, ">>> f(1) 2", "abc", "doctest", "parsed")
WORD = PersonsWord(PersonSays.DISPUTED, "it is meant so", "Ann", "2026-01-02")


def test_facts_are_replaced_and_words_stay(tmp_path):
    store = FactStore(tmp_path, OWN)
    assert store.facts() == ()
    store.say("X-1", WORD)
    store.keep([FACT])
    store.keep([replace(FACT, id="F-2")])
    again = FactStore(tmp_path, OWN)
    assert [fact.id for fact in again.facts()] == ["F-2"]
    assert again.words() == {"X-1": WORD}
    assert again.warnings == []


READING = ReadMapping("req.md", 3, "The fee shall be 6.", "a.py:f", "returns", "6", when="n is 3")


def test_readings_are_replaced_and_foreign_ones_left_out(tmp_path):
    store = FactStore(tmp_path, OWN)
    assert store.readings() == ()
    store.keep_readings([READING, replace(READING, value="7")])
    store.keep_readings([READING])
    assert FactStore(tmp_path, OWN).readings() == (READING,)
    foreign = FactStore(tmp_path, Seals(b"somebody else's key"))
    assert foreign.readings() == ()
    assert "left out" in foreign.warnings[0]


def test_a_file_without_readings_gets_a_place_for_them(tmp_path):
    """So an earlier release wrote it."""
    before = TableLayout(fact_store._LAYOUT.tables)
    with transaction(tmp_path / NAME, before) as database:
        database.execute("INSERT INTO words VALUES (?, ?, ?, ?, ?, ?)", words_row())
    store = FactStore(tmp_path, OWN)
    store.keep_readings([READING])
    assert (store.readings(), store.words(), store.warnings) == ((READING,), {"X-1": WORD}, [])


def words_row():
    values = ("X-1", WORD.says.value, WORD.reason, WORD.who, WORD.day)
    return *values, OWN.seal(*(value.encode() for value in values))


def test_a_damaged_file_is_told_and_started_anew(tmp_path):
    (tmp_path / NAME).write_bytes(b"no database at all" * 100)
    store = FactStore(tmp_path, OWN)
    assert store.facts() == ()
    assert "damaged" in store.warnings[0]
    store.keep([FACT])
    assert FactStore(tmp_path, OWN).facts() == (FACT,)


def test_a_link_in_its_place_is_not_followed(tmp_path):
    (tmp_path / "other").write_bytes(b"")
    (tmp_path / NAME).symlink_to(tmp_path / "other")
    store = FactStore(tmp_path, OWN)
    store.keep([FACT])
    assert "could not be stored" in store.warnings[0]
    assert (tmp_path / "other").read_bytes() == b""


def test_a_file_that_came_with_the_project_is_not_believed(tmp_path):
    """What a stranger's file says is neither a fact that is gone nor what a person said of a finding."""
    theirs = FactStore(tmp_path, Seals(b"the key of somebody else"))
    theirs.keep([FACT])
    theirs.say("X-1", WORD)
    store = FactStore(tmp_path, OWN)
    assert (store.facts(), store.words()) == ((), {})
    assert "1 row left out, which your repair did not write" in store.warnings[0]
    store.keep([FACT])
    store.say("X-2", WORD)
    assert FactStore(tmp_path, OWN).facts() == (FACT,)
    assert [*FactStore(tmp_path, OWN).words()] == ["X-2"]


def test_a_row_that_was_changed_is_not_believed(tmp_path):
    FactStore(tmp_path, OWN).say("X-1", WORD)
    with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as found, found:
        found.execute("UPDATE words SET finding = 'X-2'")
    assert FactStore(tmp_path, OWN).words() == {}
