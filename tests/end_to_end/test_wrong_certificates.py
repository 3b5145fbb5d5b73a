"""Wrong patches of real libraries that an earlier judge certified: they pass every test, and are certified no more."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.environment import environment
from corpora.lab.release_pair import BugTree, make_bug_tree
from corpora.lab.wrong_certificates import METRIC, WRONG_CERTIFICATES
from corpora.source_package import IndexUnreachableError, case_cache


@pytest.mark.real
@pytest.mark.parametrize("wrong", WRONG_CERTIFICATES, ids=lambda wrong: wrong.case.name)
def test_what_was_certified_wrongly_is_not_certified_again(wrong, repair, tmp_path):
    try:
        tree = make_bug_tree(wrong.case.pair, tmp_path / "tree", case_cache())
        python = environment(wrong.case.requirements, case_cache())
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    patch = tmp_path / "wrong.diff"
    patch.write_text(wrong.diff(tree))
    answer = repair(
        *("check", str(patch), "--root", str(tree.root), "--python", python, "--json", "--max-seconds", "200"),
        *("--state-dir", str(tmp_path / "state")),
    )
    assert answer.result["status"] == "plausible", answer.messages
    [patch] = answer.result["patches"]
    assert patch["questions"], "a person can settle it"
    shares = patch["risk"]["shares"]
    assert sum(shares.values()) > 0, (
        f"no change by people is certified; what is seen of this one speaks against it: {shares}"
    )


@pytest.mark.slow
def test_a_fix_that_makes_a_needed_branch_superfluous_is_asked_about(repair, tmp_path):
    shutil.copytree(Path(__file__).parents[2] / "corpora" / "own" / "text-ordinal" / "tree", tmp_path / "ordinals")
    answer = repair("fix", "--root", str(tmp_path / "ordinals"), "--json", "--seed", "1", "--max-seconds", "100")
    assert answer.result["status"] == "plausible", "31 became 31th, and the judge of an earlier day was content"
    patch = answer.result["patches"][0]
    assert "number % 20" in patch["diff"]
    (doubt,) = (each["claim"] for each in patch["evidence"] if each["gate"] == "behaviour")
    assert (
        doubt
        == "the old function needed `if 10 <= number <= 20`, the patch leaves it there and does the same without it"
    )
    assert patch["questions"]


def test_a_line_that_is_not_there_is_told(tmp_path: Path):
    tree = BugTree(tmp_path, METRIC.case.pair, b"def metric():\n    return 1\n", b"")
    with pytest.raises(TargetError, match="does not stand there exactly once"):
        METRIC.diff(tree)
    assert "+    return 2" in replace(METRIC, line="return 1", by="return 2").diff(tree)
