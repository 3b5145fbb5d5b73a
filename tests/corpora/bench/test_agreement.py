"""Patches against references: the same tree, held-out tests, inputs, and what only a person can say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from fakes.bare import bare_target

from analysis.facts import Limits
from corpora.bench.agreement import Agreement, Effort, Patched, Standing, agreement
from corpora.bug import Bug, Oracle, Provenance
from sandbox.sandbox import LocalSandbox

BEFORE = """\
def clip(values, most):
    kept = []
    for value in values:
        if value < most:
            kept.append(value)
    return kept[0], kept


def other():
    return 1
"""
TESTS = """\
from clip import clip

def test_at_the_bound(): assert clip([1, 2, 3], 2) == (1, [1, 2])
def test_below(): assert clip([1], 5) == (1, [1])
"""
HELD_OUT = "from clip import clip\n\ndef test_more(): assert clip([3, 9], 3) == (3, [3])\n"
REFERENCE = BEFORE.replace("value < most", "value <= most")
HIDDEN, HIDDEN_TESTS = (("test_more.py", HELD_OUT.encode()),), ("test_more.py::test_more",)
BUG = Bug("clip", ("test_clip.py::test_at_the_bound",), Provenance("toy", "handwritten"))
ORACLE = Oracle(reference=(("clip.py", REFERENCE.encode()),))
EFFORT = Effort(Limits(wall_seconds=60, test_seconds=20), seed=1, inputs=200)


Judged = Callable[..., Agreement]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    folder = tmp_path_factory.mktemp("clip")
    (folder / "clip.py").write_text(BEFORE)
    (folder / "test_clip.py").write_text(TESTS)
    with LocalSandbox(bare_target(folder)) as sandbox:

        def judge(after: str, oracle: Oracle = ORACLE) -> Agreement:
            patched = Patched((("clip.py", BEFORE.encode()),), (("clip.py", after.encode()),))
            return agreement(sandbox, BUG, oracle, patched, EFFORT)

        yield judge


def patch(old: str, new: str) -> str:
    assert old in BEFORE
    return BEFORE.replace(old, new)


def test_the_same_tree_agrees_without_a_run(judged: Judged):
    found = judged(patch("value < most", "(value <= most)"))
    assert (found.standing, found.by, found.exact, found.tree) == (Standing.AGREES, "tree", False, True)
    assert judged(REFERENCE).exact


def test_another_text_that_does_the_same_agrees_on_inputs(judged: Judged):
    oracle = Oracle((*ORACLE.reference, ("more.py", b"")), held_out=HIDDEN, held_out_tests=HIDDEN_TESTS)
    found = judged(patch("value < most", "not value > most"), oracle)
    assert (found.standing, found.by, found.held_out) == (Standing.AGREES, "inputs", 1)
    assert found.inputs > 20


def test_a_difference_on_an_input_is_shown(judged: Judged):
    found = judged(patch("value < most", "value < most or value == 2"))
    assert (found.standing, found.by) == (Standing.DIFFERS, "inputs")
    assert found.witness.startswith("reference: clip(")


def test_a_difference_where_the_reference_ends_by_accident_is_left_to_a_person(judged: Judged):
    after = patch("value < most", "value <= most").replace("return kept[0], kept", "return (kept or [None])[0], kept")
    found = judged(after)
    assert found.standing is Standing.UNDECIDABLE
    assert "IndexError" in found.witness


def test_a_patch_that_never_answers_alike_agrees_with_nothing(judged: Judged):
    left = "import random\n    values.append(random.random())\n    return kept[0], kept"
    found = judged(patch("value < most", "value <= most").replace("return kept[0], kept", left))
    assert found.standing is Standing.UNDECIDABLE
    assert found.detail == "no call of the patch came to an end that could be compared"


def test_one_of_several_references_is_enough(judged: Judged):
    later = patch("value < most", "value <= most").replace("return kept[0], kept", "return (kept or [None])[0], kept")
    found = judged(later, replace(ORACLE, alternatives=((("clip.py", later.encode()),),)))
    assert (found.standing, found.by) == (Standing.AGREES, "tree")


def test_held_out_tests_come_before_inputs(judged: Judged):
    oracle = replace(ORACLE, held_out=HIDDEN, held_out_tests=HIDDEN_TESTS)
    found = judged(patch("value < most", "value < most or value == 2"), oracle)
    assert (found.standing, found.by) == (Standing.DIFFERS, "tests")
    assert "held-out test test_more.py::test_more fails" in found.witness


def test_held_out_tests_do_without_a_reference(judged: Judged):
    oracle = Oracle(held_out=HIDDEN, held_out_tests=HIDDEN_TESTS)
    assert judged(REFERENCE, oracle).standing is Standing.AGREES
    assert judged(BEFORE, oracle).standing is Standing.DIFFERS


def test_a_patch_elsewhere_is_undecidable(judged: Judged):
    after = patch("return 1", "return 2").replace("value < most", "value <= most")
    found = judged(after)
    assert (found.standing, found.by) == (Standing.UNDECIDABLE, "functions")


def test_a_broken_patch_differs_and_a_broken_reference_is_undecidable(judged: Judged):
    broken = BEFORE + "\nraise SystemExit(1)\n"
    assert judged(broken).standing is Standing.DIFFERS
    spoilt = Oracle(reference=(("clip.py", broken.encode()),))
    found = judged(REFERENCE, spoilt)
    assert found.standing is Standing.UNDECIDABLE
    assert "the reference cannot be tested" in found.detail


def test_nobody_knows_the_fix(judged: Judged):
    assert judged(REFERENCE, Oracle()) == Agreement(Standing.NO_REFERENCE)
