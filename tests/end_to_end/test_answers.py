"""One question, one answer, and the verdict taken again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from end_to_end.conftest import Command

MODULE = '''\
def grade(points, most=10):
    """``high`` for more than half of the points, ``none`` for none."""
    if points <= 0:
        return "none"
    if points * 2 > most * 3:
        return "high"
    return "low"
'''
TESTS = """\
from grades import grade


def test_high():
    assert grade(9) == "high"


def test_low():
    assert grade(2) == "low"


def test_none():
    assert grade(0) == "none"
    assert grade(-1) == "none"
"""
PATCH = """\
--- a/grades.py
+++ b/grades.py
@@ -4,3 +4,3 @@
         return "none"
-    if points * 2 > most * 3:
+    if points * 2 > most:
         return "high"
     return "low"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\n')
    (tmp_path / "grades.py").write_text(MODULE)
    (tmp_path / "tests" / "test_grades.py").write_text(TESTS)
    (tmp_path / "fix.diff").write_text(PATCH)
    return tmp_path


def test_an_answer_settles_what_the_tests_left_open(repair: Command, project: Path):
    asked = repair("check", "fix.diff", "--risk", "0.01", cwd=project)
    assert asked.status == 1
    assert "\nQuestion: What should grade(" in asked.output
    first = repair("check", "fix.diff", "--risk", "0.01", "--json", cwd=project).result
    words = shlex.split(next(line for line in asked.output.splitlines() if "--answer" in line).partition("  --")[2])
    assert words[0] == "answer"
    answers: list[str] = []
    for _ in range(2):  # an answer settles one boundary; the second question, where there is one, is about another
        answers += ["--answer", words[1]]
        told = repair("check", "fix.diff", "--risk", "0.01", *answers, "--json", cwd=project).result
        ready = [e["answer"] for patch in told["patches"] for e in patch["evidence"] if e["answer"]]
        if not ready:
            break
        assert ready[0] not in answers
        words[1] = ready[0]
    assert told["status"] == "plausible", told
    assert told["answers"] == answers[1::2]
    assert told["patches"][0]["risk"]["value"] < first["patches"][0]["risk"]["value"]
    mended = {failure["test"] for failure in told["failures"]}
    assert "tests/test_grades.py::test_high" in mended
    assert not (project / "tests" / "test_repair_answers.py").exists()
    again = repair("replay", told["run"], "--json", cwd=project)
    assert again.result["status"] == "plausible", again.output
    assert again.result["answers"] == told["answers"]


def test_an_answer_against_the_patch_rejects_it(repair: Command, project: Path):
    told = repair("check", "fix.diff", "--answer", "grades.grade(6) == 'low'", "--json", cwd=project).result
    assert told["status"] == "rejected"
    told = repair("check", "fix.diff", "--answer", "grades.grade(4) == 'high'", "--json", cwd=project).result
    assert told["status"] == "rejected"
    assert "test_answer_1 is still failed" in told["patches"][0]["evidence"][-1]["claim"]


def test_a_fix_keeps_to_the_answers(repair: Command, project: Path):
    words = ("fix", "tests/test_grades.py::test_high", "--accept", "plausible", "--max-seconds", "20", "--json")
    told = repair(*words, "--answer", "grades.grade(6) == 'high'", cwd=project).result
    assert told["answers"] == ["grades.grade(6) == 'high'"]
    assert {f["test"] for f in told["failures"]} == {
        "tests/test_grades.py::test_high",
        "tests/test_repair_answers.py::test_answer_1",
    }
    applied = repair("apply", cwd=project)
    assert (applied.status == 0) == (told["status"] in ("certified", "plausible"))
    assert not (project / "tests" / "test_repair_answers.py").exists()


def test_who_says_yes_to_a_patch_gets_that_patch_again(repair: Command, project: Path):
    words = ("fix", "tests/test_grades.py::test_high", "--proposer", "search", "--max-seconds", "30", "--json")
    first = repair(*words, cwd=project).result
    (asked,) = [e for e in first["patches"][0]["evidence"] if e["answer"]]
    assert first["patches"][0]["risk"]["value"] > 0.3, "nothing but the tests speaks for it"
    again = repair(*words, "--answer", asked["answer"], "--max-candidates", "1", cwd=project).result
    assert [each["digest"] for each in again["patches"]] == [first["patches"][0]["digest"]]
    assert again["patches"][0]["operator"] == first["patches"][0]["operator"]
    assert again["status"] == "plausible", "one answer is no certificate"
    assert again["patches"][0]["risk"]["value"] < first["patches"][0]["risk"]["value"]
    alone = repair(*words, "--answer", asked["answer"], "--max-candidates", "1", "--memory", "off", cwd=project).result
    assert [each["digest"] for each in alone["patches"]] != [first["patches"][0]["digest"]]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("perhaps", "is no answer"),
        ("grade(5) == 'low'", "is no module of this project"),
        ("grades.mark(5) raises 5", "is no answer"),
    ],
)
def test_a_bad_answer_is_told(repair: Command, project: Path, answer: str, said: str):
    told = repair("check", "fix.diff", "--answer", answer, cwd=project)
    assert told.status == 2
    assert said in told.messages
