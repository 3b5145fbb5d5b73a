"""What documents state of functions, for who grows tests."""

import pytest
from fakes.stating import write_project

from analysis.behaviour import Call, Returned
from analysis.facts import FunctionId
from analysis.specified.mapped_sentences import ReadMapping
from analysis.stated.function import stated_of
from repair.records.specified import PersonSays, PersonsWord
from repair.store.stored_run import Seals
from repair.survey.growing.stated_elsewhere import facts_elsewhere
from repair.survey.specified.fact_store import FactStore
from repair.survey.specified.readings import hold_readings
from repair.survey.specified.scan import scan_project
from sandbox.workspace import take_snapshot

CODE = 'def fee(days):\n    """Returns 0 if days is 0."""\n    return 1 if days == 0 else days * 3\n'
TESTS = "from shop import fee\n\n\ndef test_fee():\n    assert fee(2) == 6\n"


def test_a_requirement_is_told_with_its_file_and_the_rest_left_out(tmp_path):
    files = {"shop.py": CODE, "test_shop.py": TESTS, "req.md": "# Fees\n\n- REQ-1: `fee(0)` shall return `0`.\n"}
    found = facts_elsewhere(
        take_snapshot(write_project(tmp_path / "shop", files), tmp_path / "copy"), FactStore(tmp_path, Seals(b"own"))
    )
    assert list(found) == ["shop.py:fee"]
    [fact] = found["shop.py:fee"]
    stated = stated_of(FunctionId("shop.py", "fee", 1), CODE.encode())
    both = stated.with_facts(found["shop.py:fee"])
    assert both.cite(fact).startswith("req.md:3 says ")
    assert both.broken_by(Call("fee", "(0)"), Returned("1")) == (*stated.facts, fact)


SILENT = "def fee(days):\n    return 1 if days == 0 else days * 3\n"
READ = "- REQ-1: The result for a three shall be 2, days is 3."


@pytest.mark.parametrize("word", [None, PersonSays.ACCEPTED, PersonSays.DISPUTED])
def test_what_a_model_read_counts_where_a_person_agreed(tmp_path, word):
    project = write_project(tmp_path / "shop", {"shop.py": SILENT, "req.md": f"# Fees\n\n{READ}\n"})
    snapshot, store = take_snapshot(project, tmp_path / "copy"), FactStore(tmp_path, Seals(b"own"))
    reading = ReadMapping("req.md", 3, READ, "shop.py:fee", "returns", "2", when="days is 3")
    store.keep_readings([reading])
    [read] = hold_readings(scan_project(snapshot), snapshot, [reading]).facts
    if word is not None:
        store.say(read.id, PersonsWord(word, "", "Ann", "2026-11-29"))
    assert list(facts_elsewhere(snapshot, store)) == (["shop.py:fee"] if word is PersonSays.ACCEPTED else [])
