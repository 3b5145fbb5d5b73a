"""What a certificate holds: true bytes, all functions, the word for the whole."""

import hashlib
import json
from dataclasses import replace

import pytest
from fakes.submission import FAILING, PASSING, PATH, baseline_of, submission_of

from analysis.errors import UsageError
from repair.records.change import Change
from repair.records.outcome import Judged, RunOutcome
from repair.records.result import Result, Status
from repair.records.verdict import CORE_GATES, EXTRA_GATES, Decision, Evidence, Verdict
from repair.show.output import result_text
from repair.show.publish import result_of
from repair.store.certificate import certificate, file_digests, tell_differences

VERSIONS = {"libcst": "1.8"}
BLANK = Result(Status.INTERRUPTED, "r1", "/project", VERSIONS, 7, isolation="bwrap", isolation_opens=("disk space",))


def accepted():
    return Verdict(tuple(Evidence(gate, Decision.ACCEPT, f"{gate} is content", (("n", 1),)) for gate in CORE_GATES))


def written(*judged, status="certified", change=None):
    change = change or RunOutcome(Status.CERTIFIED, judged=judged).files()
    return certificate(judged, change, replace(BLANK, status=Status(status)), {"python": "python3"})


def sha(content):
    return hashlib.sha256(content).hexdigest()


def test_it_names_bytes_tests_evidence_versions_seed_and_isolation():
    submission = submission_of()
    values = written(Judged(submission, accepted()))
    assert values["schema"] == "repair.certificate/1"
    assert values["function"] == {"file": PATH, "qualname": "price"}
    assert values["files"] == [
        {"path": PATH, "before": sha(submission.sources[0][1]), "after": sha(submission.whole[0][1])}
    ]
    assert values["tests"]["fail_to_pass"] == [FAILING]
    assert values["tests"]["pass_to_pass"] == [PASSING]
    assert values["outcomes"] == {FAILING: "failed", PASSING: "passed"}
    assert [e["gate"] for e in values["evidence"]] == list(CORE_GATES)
    assert (values["versions"], values["seed"], values["isolation"]) == (VERSIONS, 7, "bwrap")
    assert values["isolation_opens"] == ["disk space"]
    assert json.loads(json.dumps(values)) == values


def test_what_gates_say_otherwise_is_named_with_its_place():
    judged = Judged(submission_of(), accepted())
    values = json.loads(json.dumps(written(judged)))
    assert tell_differences(values, [judged]) == ()
    first, second = values["functions"][0]["evidence"][:2]
    first["claim"] += "!"
    second["decision"] = "unknown"
    said, other = tell_differences(values, [judged])
    assert said.startswith(f"not as written: functions[0].evidence.{first['gate']}.claim differs at byte ")
    assert other.startswith(f"not as written: functions[0].evidence.{second['gate']}.decision differs at byte 1 ")
    assert tell_differences({**values, "functions": []}, [judged])[0].startswith("not as written: functions is [")


@pytest.mark.parametrize("functions", [3, [3], [{}], [{"evidence": [3]}], None])
def test_evidence_that_is_none_is_damage(functions):
    with pytest.raises(UsageError, match="cannot be read"):
        tell_differences({"functions": functions}, [])


def test_it_names_the_gates_that_were_required_and_those_that_were_not_asked():
    values = written(Judged(submission_of(), accepted()))
    assert (values["required"], values["not_asked"]) == (list(CORE_GATES), list(EXTRA_GATES))
    strict = (*CORE_GATES, *EXTRA_GATES)
    early = Verdict((Evidence("shape", Decision.REJECT, "no"),), strict)
    values = written(Judged(submission_of(), early), status="rejected")["functions"][0]
    assert values["required"] == list(strict)
    assert values["not_asked"] == list(strict[1:])


@pytest.mark.parametrize("gate", [*CORE_GATES, *EXTRA_GATES])
def test_what_any_gate_ran_and_did_not_check_is_in_certificate_and_result(gate):
    evidence = Evidence(gate, Decision.UNKNOWN, "in doubt", (("n", 1),), not_checked=(f"left out by {gate}",))
    judged = Judged(submission_of(), Verdict((evidence,)))
    written_down = written(judged, status="plausible")["functions"][0]
    assert [(e["gate"], e["claim"], e["not_checked"]) for e in written_down["evidence"]] == [
        (gate, "in doubt", [f"left out by {gate}"])
    ]
    assert gate not in written_down["not_asked"]
    shown = result_text(result_of(RunOutcome(Status.PLAUSIBLE, judged=(judged,)), BLANK, 1.0), verbosity=1)
    assert f"left out by {gate}" in shown
    assert "in doubt" in shown
    assert all(f"{other}: not asked" in shown for other in (*CORE_GATES, *EXTRA_GATES) if other != gate)


def test_its_word_is_that_of_the_whole_change():
    other = Verdict((Evidence("shape", Decision.REJECT, "no"),))
    values = written(Judged(submission_of(), accepted()), Judged(submission_of(), other), status="rejected")
    assert values["status"] == "rejected"
    assert [each["status"] for each in values["functions"]] == ["certified", "rejected"]
    assert values["functions"][1]["evidence"][0]["claim"] == "no"


def test_the_tests_of_all_functions_are_named():
    second = "test_shop.py::test_other"
    judged = [Judged(submission_of(baseline=baseline_of(failing=[t])), accepted()) for t in (second, FAILING)]
    assert written(*judged)["tests"]["fail_to_pass"] == sorted([FAILING, second])


def test_files_that_come_and_go_have_one_side():
    change = Change((("a.py", b"1"), ("gone.py", b"2")), (("a.py", b"3"), ("new.md", b"4")))
    assert file_digests(change) == [
        {"path": "a.py", "before": sha(b"1"), "after": sha(b"3")},
        {"path": "gone.py", "before": sha(b"2"), "after": ""},
        {"path": "new.md", "before": "", "after": sha(b"4")},
    ]
