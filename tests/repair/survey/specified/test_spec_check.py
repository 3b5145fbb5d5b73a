"""What people say of findings is kept as a whole, or not at all."""

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes.stating import scanned

from analysis.behaviour import Returned
from analysis.calls import PlainAnswer
from analysis.errors import UsageError
from analysis.facts import Limits
from analysis.specified.mapped_sentences import ReadMapping
from repair.records.specified import PersonSays, PersonsWord, SpecKind, SpecReport, SpecRequest
from repair.store.stored_run import Seals
from repair.survey.specified import spec_check
from repair.survey.specified.fact_store import FactStore
from repair.survey.specified.findings import finding_of, with_words
from repair.survey.specified.readings import hold_readings, with_words_of_people
from repair.survey.specified.spec_check import keep_words
from sandbox.workspace import take_snapshot

FINDING = finding_of(SpecKind.GAP, "shop.py:f", "no test runs it", "shop.py", 1, words=("untested",))


def words(*names: str) -> SpecRequest:
    return SpecRequest(words=tuple((name, PersonSays.ANSWERED, "it is so") for name in names), who="Ann")


def test_one_wrong_id_keeps_all_words_out(tmp_path):
    store = FactStore(tmp_path, Seals(b"our own key"))
    for names in ((FINDING.id, "D-wrong"), ("D-wrong", FINDING.id)):
        with pytest.raises(UsageError, match="no finding 'D-wrong'"):
            keep_words(words(*names), [FINDING], store)
    assert store.words() == {}
    keep_words(words(FINDING.id), [FINDING], store)
    assert [(name, word.who) for name, word in store.words().items()] == [(FINDING.id, "Ann")]


class Calling:
    """A sandbox in which each call gives the same."""

    def call_apart(self, function, calls, files=(), *, limits=None, like_tests=False):
        return tuple(PlainAnswer("", Returned("9")) for _ in calls)


SOURCE = 'def f(n):\n    """Returns 1 if n is 3."""\n'
READ = "- REQ-1: The result for a three shall be 2, n is 3.\n"


def test_what_a_model_reads_is_told_and_does_not_count(tmp_path):
    found = scanned(tmp_path, {"a.py": SOURCE, "req.md": READ})
    snapshot = take_snapshot(str(tmp_path / "project"), tmp_path / "again")
    reading = ReadMapping("req.md", 1, READ.strip(), "a.py:f", "returns", "2", when="n is 3")
    held = hold_readings(found, snapshot, [reading])
    surveyor = SimpleNamespace(limits=Limits())
    sandbox = Calling()
    sandbox.snapshot = snapshot
    far = time.monotonic() + 60
    for words, counts in (({}, False), ({held.facts[0].id: ACCEPTED}, True)):
        accepted, read = with_words_of_people(held.facts, words)
        all_facts = replace(found, facts=(*found.facts, *accepted))
        contradictions = spec_check._contradictions(all_facts, read).findings
        drifts = spec_check._drift(all_facts, read, sandbox, surveyor, far, {}).findings
        by_reading = [each for each in (*contradictions, *drifts) if "req.md" in " ".join(each.quotes)]
        assert [each.kind for each in by_reading] == [SpecKind.CONTRADICTION, SpecKind.DRIFT]
        assert [each.by_model for each in by_reading] == [not counts] * 2
        report = SpecReport(findings=tuple(by_reading))
        assert (len(report.counting), report.exit_code) == ((2, 1) if counts else (0, 0))
        (own,) = [each for each in drifts if each not in by_reading]
        assert not own.by_model


ACCEPTED = PersonsWord(PersonSays.ACCEPTED, "", "Ann", "2026-11-28")


def test_what_deserves_a_look_most_is_told_first():
    others = [finding_of(SpecKind.GAP, f"shop.py:{name}", "it is so", "shop.py", 2, words=(name,)) for name in "gh"]
    drift = finding_of(SpecKind.DRIFT, "shop.py:g", "it does otherwise", "shop.py", 9)
    told = with_words([FINDING, *others, drift], {}, {"shop.py:h": 9.0, "shop.py:g": 0.5})
    assert [each.subject for each in told] == ["shop.py:g", "shop.py:h", "shop.py:g", "shop.py:f"]
    assert told[0].kind is SpecKind.DRIFT


def test_facts_of_functions_that_deserve_it_most_run_first(tmp_path):
    names = "abc"
    source = "".join(f'def {name}(n):\n    """Returns 1 if n is 3."""\n\n\n' for name in names)
    found = scanned(tmp_path, {"a.py": source})
    asked = []

    class Watching(Calling):
        def call_apart(self, function, calls, files=(), *, limits=None, like_tests=False):
            asked.append(function.qualname)
            return super().call_apart(function, calls)

    sandbox = Watching()
    sandbox.snapshot = take_snapshot(str(tmp_path / "project"), tmp_path / "again")
    surveyor = SimpleNamespace(limits=Limits())
    spec_check._drift(found, (), sandbox, surveyor, time.monotonic() + 60, {"a.py:c": 2.0, "a.py:b": 1.0})
    assert list(dict.fromkeys(asked)) == ["c", "b", "a"]
