import dataclasses
import json

import pytest

from repair.records import result as r
from repair.records.result import EXIT_CODES, Result, Status, exit_code
from repair.show.output import schema_named

FULL = Result(
    Status.CERTIFIED,
    run="20250101-000000-abcd",
    root="/project",
    versions={"repair": "0.1.0"},
    failures=(r.FailureView("t.py::test", "logic", constraints=(r.ConstraintView("nullable", "x may be None"),)),),
    suspects=(r.SuspectView("a.py", "f", 3, 1, ("raises",)),),
    patches=(
        r.PatchView(
            1,
            Status.CERTIFIED,
            "a.py",
            "f",
            "--- a/a.py\n",
            "d1",
            evidence=(
                r.EvidenceView("mutation", "accept", "3 of 3 killed", {"mutants": 3, "score": 1.0, "how": "fork"}),
            ),
            files=(r.FileChange("a.py", "0" * 64, "1" * 64),),
        ),
    ),
    plan=r.PlanView("a.py", "f", "logic", kinds=("update",)),
    counts=r.Counts(executed=2, tiers={"warm": 2}, left=(r.TierLeft("warm", "odd", ("f",)),)),
    findings=(r.FindingView("changed_test", "t.py changed", "t.py", 1),),
    causes=(
        r.CauseView(1, ("t.py::test",), Status.CERTIFIED, "a.py", "f", 3, "d1", plan=r.PlanView("a.py", "f", "x")),
    ),
)


@pytest.mark.parametrize("result", [FULL, Result(Status.USAGE, messages=("Unknown key.",))])
def test_a_result_survives_json(result):
    assert Result.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_the_fields_of_the_contract_are_there():
    values = FULL.to_json()
    assert list(values)[:3] == ["schema", "status", "run"]
    assert {
        "schema", "run", "status", "root", "versions", "seed", "failures", "suspects", "patches", "counts", "seconds",
        "cost", "cold_starts", "isolation", "isolation_opens", "next_action",
    } <= set(values)  # fmt: skip
    assert {"test", "class", "subclass", "exception", "message", "function", "constraints", "analysis"} == set(
        values["failures"][0]
    )
    assert {"file", "function", "line", "suspiciousness", "reasons"} == set(values["suspects"][0])
    assert {
        "rank", "status", "file", "function", "edit_kind", "proposer", "operator", "diff", "digest", "size",
        "explanation", "evidence", "questions", "not_checked",
    } <= set(values["patches"][0])  # fmt: skip
    assert {"gate", "decision", "claim", "measurements", "witness", "seconds", "answer", "otherwise", "asked"} == set(
        values["patches"][0]["evidence"][0]
    )
    assert {
        "candidates", "distinct", "invalid", "executed", "plausible", "remembered", "rivals", "tiers", "left",
    } == set(values["counts"])  # fmt: skip
    assert {"total", "baseline", "localize", "search", "model", "validate", "gates"} == set(values["seconds"])
    assert {"input_tokens", "output_tokens", "usd", "requests", "tries", "arms"} == set(values["cost"])


def test_fields_of_a_later_minor_version_are_passed_over():
    assert Result.from_json({**FULL.to_json(), "news": 1}) == FULL


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"status": "correct"}, "result.status"),
        ({"schema": "repair.result/2"}, "result.schema"),
        ({"seed": "0"}, "result.seed"),
        ({"seed": True}, "result.seed"),
        ({"patches": {}}, "result.patches"),
        ({"patches": [{"rank": 1}]}, r"result.patches\[0\].status"),
        ({"versions": []}, "result.versions"),
        ({"counts": 1}, "result.counts"),
        ({"plan": 1}, "result.plan"),
    ],
)
def test_wrong_values_are_refused_by_place(change, place):
    with pytest.raises(ValueError, match=place):
        Result.from_json({**FULL.to_json(), **change})


def test_every_status_has_an_exit_code():
    assert set(EXIT_CODES) == set(Status)


@pytest.mark.parametrize(
    ("status", "accept", "code"),
    [
        (Status.CERTIFIED, "certified", 0),
        (Status.PLAUSIBLE, "certified", 1),
        (Status.PLAUSIBLE, "plausible", 0),
        (Status.UNREPAIRED, "plausible", 1),
        (Status.FLAKY, "certified", 3),
        (Status.MODEL_ERROR, "certified", 4),
        (Status.NOTHING_FAILS, "certified", 5),
        (Status.INTERRUPTED, "certified", 130),
    ],
)
def test_exit_codes(status, accept, code):
    assert exit_code(status, accept) == code


def test_nothing_failing_can_be_allowed():
    assert exit_code(Status.NOTHING_FAILS, allow_no_failure=True) == 0
    assert exit_code(Status.UNREPAIRED, allow_no_failure=True) == 1


def test_the_schema_describes_what_is_written():
    schema = schema_named("result")
    assert set(schema["properties"]) == set(FULL.to_json())
    assert set(schema["$defs"]["FailureView"]["properties"]) == set(FULL.to_json()["failures"][0])
    assert "class" in schema["$defs"]["FailureView"]["required"]


def test_only_the_first_rank_of_an_accepted_run_is_the_answer():
    second = dataclasses.replace(FULL.patches[0], rank=2)
    result = dataclasses.replace(FULL, patches=(*FULL.patches, second))
    assert result.accepted() == FULL.patches
    plausible = dataclasses.replace(result, status=Status.PLAUSIBLE)
    assert plausible.accepted() == ()
    assert plausible.accepted("plausible") == FULL.patches


def stacked(*statuses, status=Status.UNREPAIRED):
    """A run of several causes, each with a patch of that status, and the stacks of the first one, two and so on."""
    numbers = range(1, len(statuses) + 1)
    patches = [dataclasses.replace(FULL.patches[0], cause=n, status=s) for n, s in zip(numbers, statuses, strict=True)]
    weakest = [max(statuses[:n], key=list(Status).index) for n in numbers]
    stacks = [r.StackView(tuple(range(1, n + 1)), s, f"d{n}") for n, s in zip(numbers, weakest, strict=True)]
    return dataclasses.replace(FULL, status=status, patches=tuple(patches), stacks=tuple(stacks))


def test_of_several_causes_the_accepted_ones_are_the_answer_whatever_the_others_came_to():
    result = stacked(Status.CERTIFIED, Status.CERTIFIED, Status.PLAUSIBLE)
    assert [patch.cause for patch in result.accepted()] == [1, 2]
    assert result.accepted_diff() == "d2"
    assert [patch.cause for patch in result.accepted("plausible")] == [1, 2, 3]
    assert result.accepted_diff("plausible") == "d3"


def test_of_several_causes_without_an_accepted_patch_there_is_no_answer():
    result = stacked(Status.PLAUSIBLE, Status.PLAUSIBLE)
    assert result.accepted() == ()
    assert result.accepted_diff() == ""


def test_with_one_cause_the_accepted_diff_is_that_of_its_patch():
    assert FULL.accepted_diff() == "--- a/a.py\n"
    assert FULL.accepted_stack() is None
