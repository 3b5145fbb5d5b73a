"""A part of a fix is shown where there is no whole one, with what it mends and what it leaves."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes.diagnosed import SOURCE, SOURCES, observed
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import scope_in

from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId
from repair.hunt.candidate_maker import find_best_partial
from transforms.tree.proposal import Origin

P, F = Outcome.PASSED, Outcome.FAILED
OTHER = TestId("test_shop.py::test_other")


def tried(text):
    scope = scope_in(SOURCE)
    trial = SimpleNamespace(text=scope.text.replace(b"count + RATE", text))
    proposal = SimpleNamespace(origin=Origin("search", "it"), explanation="")
    return SimpleNamespace(stream=SimpleNamespace(scope=scope), trial=trial, proposal=proposal)


def found(outcomes, *texts, over=lambda: False, failing=()):
    seen = observed()
    baseline = replace(seen, failing=(*seen.failing, OTHER, *failing))

    def answer(tests, files, shuffle):
        given = outcomes(dict(files)["shop.py"])
        if given is None:
            return InvalidRun(RunFault.EXITED, "lost")
        return run_of({test: given.get(test, P if test in seen.passing else F) for test in tests})

    sandbox = FakeSandbox(answer, SOURCES, lambda tests, files: None)
    return find_best_partial(sandbox, baseline, Limits(), [tried(text) for text in texts], over)


def test_what_mends_some_and_breaks_none_is_shown_with_what_it_leaves():
    partial = found(lambda shop: {OTHER: P} if b"count * RATE" in shop else {}, b"count - RATE", b"count * RATE")
    assert partial is not None
    assert partial.mended == (OTHER,)
    assert partial.left == observed().failing
    assert "1 of 2 failing tests pass" in partial.brief
    assert "+    total = count * RATE" in partial.brief
    assert "No gate has judged it" in partial.brief


@pytest.mark.parametrize(
    "outcomes",
    [
        lambda shop: {},
        lambda shop: {OTHER: P, observed().passing[0]: F},
        lambda shop: {OTHER: Outcome.SKIPPED},
        lambda shop: None,
    ],
)
def test_what_mends_nothing_breaks_something_or_cannot_be_told_is_not_shown(outcomes):
    assert found(outcomes, b"count * RATE") is None


def test_nothing_is_run_when_time_is_up():
    assert found(lambda shop: {OTHER: P}, b"count * RATE", over=lambda: True) is None


MANY = tuple(TestId(f"test_shop.py::test_{n}") for n in range(10))


@pytest.mark.parametrize(("mended", "is_part"), [(10, True), (9, False)])
def test_what_mends_many_and_breaks_very_few_is_a_part_where_nothing_better_is(mended, is_part):
    kept = observed().passing[0]

    def outcomes(shop):
        return {**dict.fromkeys(MANY[:mended], P), kept: F} if b"count * RATE" in shop else {}

    partial = found(outcomes, b"count * RATE", failing=MANY)
    assert (partial is not None) is is_part
    if partial is not None:
        assert (partial.mended, partial.broken) == (MANY, (kept,))
        assert f"{kept} breaks" in partial.brief


def test_what_breaks_nothing_comes_before_what_mends_more():
    kept = observed().passing[0]

    def outcomes(shop):
        return {**dict.fromkeys(MANY, P), kept: F} if b"count * RATE" in shop else {OTHER: P}

    partial = found(outcomes, b"count * RATE", b"count - RATE", failing=MANY)
    assert partial is not None
    assert (partial.mended, partial.broken) == ((OTHER,), ())
