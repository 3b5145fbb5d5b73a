"""The file of facts and words."""

from dataclasses import replace

from repair.records.specified import FactView, PersonSays, PersonsWord
from repair.survey.specified.fact_store import NAME, FactStore

FACT = FactView("F-1", "a.py:f", "returns", "", "n == 1", "2", "a.py", 3, 3, ">>> f(1) 2", "abc", "doctest", "parsed")
WORD = PersonsWord(PersonSays.DISPUTED, "it is meant so", "Ann", "2026-01-02")


def test_facts_are_replaced_and_words_stay(tmp_path):
    store = FactStore(tmp_path)
    assert store.facts() == ()
    store.say("X-1", WORD)
    store.keep([FACT])
    store.keep([replace(FACT, id="F-2")])
    again = FactStore(tmp_path)
    assert [fact.id for fact in again.facts()] == ["F-2"]
    assert again.words() == {"X-1": WORD}
    assert again.warnings == []


def test_a_damaged_file_is_told_and_started_anew(tmp_path):
    (tmp_path / NAME).write_bytes(b"no database at all" * 100)
    store = FactStore(tmp_path)
    assert store.facts() == ()
    assert "damaged" in store.warnings[0]
    store.keep([FACT])
    assert FactStore(tmp_path).facts() == (FACT,)


def test_a_link_in_its_place_is_not_followed(tmp_path):
    (tmp_path / "other").write_bytes(b"")
    (tmp_path / NAME).symlink_to(tmp_path / "other")
    store = FactStore(tmp_path)
    store.keep([FACT])
    assert "could not be stored" in store.warnings[0]
    assert (tmp_path / "other").read_bytes() == b""
