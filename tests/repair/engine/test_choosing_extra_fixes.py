"""What candidates mend besides the tests that they were searched for: what is run, what follows from it."""

from dataclasses import replace

import pytest
from fakes.diagnosed import LABEL, localized_of, observed
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import candidate_of
from fakes.survivors import ranked_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId
from repair.engine.choosing import MOST_CANDIDATES, MOST_TESTS, ExtraFixes, find_extra_fixes
from repair.engine.diagnosing import Diagnosed
from repair.engine.ranking import REFUSED, SUSPECT
from repair.records.result import Seconds

OTHER = TestId("test_shop.py::test_other")
ONE, TWO, THREE = (
    candidate_of(f"def price(text):\n    if not text:\n        return 0\n    return int(text) + {n}\n".encode())
    for n in (1, 2, 3)
)


def choice(candidate, gravity=0):
    return ranked_of(candidate, gravity=gravity)


def mends(**tests):
    """A sandbox in which these candidates, by the number that they add, mend these tests."""

    def answer(asked, files, _):
        number = dict(files)["shop.py"].decode().rsplit("+ ", 1)[1].strip()
        return run_of({test: Outcome.PASSED if test in tests[f"n{number}"] else Outcome.FAILED for test in asked})

    return FakeSandbox(answer)


def known(one=(), two=()):
    return ExtraFixes({ONE.digest: frozenset(one), TWO.digest: frozenset(two)})


def test_each_choice_is_run_on_the_other_failing_tests():
    sandbox = mends(n1=(LABEL,), n2=())
    found = find_extra_fixes(sandbox, (LABEL, OTHER), [choice(ONE), choice(TWO)], Limits(), lambda: False)
    assert found == known(one=(LABEL,))
    assert [asked for asked, *_ in sandbox.asked] == [(LABEL, OTHER)] * 2


@pytest.mark.parametrize(
    ("others", "choices", "over"),
    [
        ((), [choice(ONE)], False),
        ((LABEL,), [], False),
        ((LABEL,), [choice(ONE, REFUSED)], False),
        ((LABEL,), [choice(ONE)], True),
    ],
)
def test_nothing_is_run_without_a_reason_or_time(others, choices, over):
    sandbox = mends(n1=(LABEL,))
    assert find_extra_fixes(sandbox, others, choices, Limits(), lambda: over) == ExtraFixes()
    assert not sandbox.asked


def test_only_so_many_candidates_and_tests_are_run():
    sandbox = mends(n1=())
    others = tuple(TestId(f"test_shop.py::test_{n}") for n in range(MOST_TESTS + 1))
    find_extra_fixes(sandbox, others, [choice(ONE)] * (MOST_CANDIDATES + 1), Limits(), lambda: False)
    assert [len(asked) for asked, *_ in sandbox.asked] == [MOST_TESTS] * MOST_CANDIDATES


def test_of_a_run_without_a_verdict_nothing_is_known():
    sandbox = FakeSandbox(lambda *_: InvalidRun(RunFault.TIMEOUT, "too long"))
    assert find_extra_fixes(sandbox, (LABEL,), [choice(ONE)], Limits(), lambda: False) == ExtraFixes()


def test_what_is_mended_besides_is_asked_like_what_was_searched_for():
    seen = Diagnosed(observed(), localized_of("price"), Seconds(), others=(LABEL, OTHER))
    more = known(one=(LABEL,)).add_to(seen, ONE)
    assert more.baseline.failing == (*seen.baseline.failing, LABEL)
    assert more.others == (OTHER,)
    assert known().add_to(seen, TWO) == replace(seen)


@pytest.mark.parametrize(
    ("one", "two", "leaves"),
    [
        ((), (LABEL,), True),
        ((LABEL,), (LABEL, OTHER), True),
        ((), (), False),
        ((OTHER,), (LABEL,), False),
        ((LABEL,), (), False),
    ],
)
def test_who_mends_less_is_no_rival_and_who_mends_something_else_is(one, two, leaves):
    assert known(one, two).leaves(ONE, TWO) is leaves


def test_of_whom_nothing_is_known_is_a_rival():
    assert not known(two=(LABEL,)).leaves(THREE, TWO)
    assert not known(one=(LABEL,)).leaves(ONE, THREE)


def test_those_that_mend_more_come_first_unless_something_graver_is_known_of_them():
    first, second, third = choice(ONE), choice(TWO), choice(THREE)
    assert known(two=(LABEL,)).reorder([first, second, third]) == (second, first, third)
    assert known().reorder([first, second, third]) == (first, second, third)
    grave = choice(TWO, SUSPECT)
    assert known(two=(LABEL,)).reorder([first, grave]) == (first, grave)


def test_a_candidate_is_not_run_with_tests_that_it_cannot_reach():
    sandbox = FakeSandbox(lambda *_: run_of({}))
    found = find_extra_fixes(sandbox, (LABEL, OTHER), [choice(ONE)], Limits(), lambda: False, lambda *_: ())
    assert sandbox.asked == []
    assert found.mended == {choice(ONE).candidate.digest: frozenset()}
