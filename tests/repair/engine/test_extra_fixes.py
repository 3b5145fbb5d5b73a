"""What candidates mend besides the tests that they were searched for: what is run, what follows from it."""

from dataclasses import replace

import pytest
from fakes.diagnosed import FAILING, LABEL, localized_of, observed
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import HEAD, OLD, candidate_of
from fakes.survivors import ranked_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId
from analysis.trials import TrialState
from repair.engine.diagnosing import Diagnosed
from repair.engine.extra_fixes import MOST_CANDIDATES, MOST_TESTS, AskingOthers, ExtraFixes
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


def seen_with(others, line_map=()):
    """A diagnosis of one failing test, where these fail too."""
    own = observed()
    return Diagnosed(
        replace(own, traced=replace(own.traced, line_map=line_map)), localized_of("price"), Seconds(), others=others
    )


def find(sandbox, others, choices, over=lambda: False, line_map=()):
    asking = AskingOthers(sandbox, seen_with(others, line_map), (("shop.py", HEAD + OLD),), Limits(), over)
    return asking.find(choices)


def known(one=(), two=()):
    return ExtraFixes({ONE.digest: frozenset(one), TWO.digest: frozenset(two)})


def test_each_choice_is_run_on_the_other_failing_tests():
    sandbox = mends(n1=(LABEL,), n2=())
    assert find(sandbox, (LABEL, OTHER), [choice(ONE), choice(TWO)]) == known(one=(LABEL,))
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
    assert find(sandbox, others, choices, lambda: over) == ExtraFixes()
    assert not sandbox.asked


def test_only_so_many_candidates_and_tests_are_run():
    sandbox = FakeSandbox(lambda asked, *_: run_of(dict.fromkeys(asked, Outcome.FAILED)))
    others = tuple(TestId(f"test_shop.py::test_{n}") for n in range(MOST_TESTS + 1))
    many = [candidate_of(OLD.replace(b"0", str(n).encode())) for n in range(1, MOST_CANDIDATES + 2)]
    find(sandbox, others, [choice(each) for each in many])
    assert [len(asked) for asked, *_ in sandbox.asked] == [MOST_TESTS] * MOST_CANDIDATES


def test_of_a_run_without_a_verdict_nothing_is_known():
    sandbox = FakeSandbox(lambda *_: InvalidRun(RunFault.TIMEOUT, "too long"))
    assert find(sandbox, (LABEL,), [choice(ONE)]) == ExtraFixes()


def test_one_server_asks_several_candidates_and_none_is_run_cold():
    served = FakeSession(lambda trial: b"+ 1" in trial.text and trial.only == (LABEL,))
    started = []

    def serve(tests, files):
        started.append(tests)
        return served

    sandbox = FakeSandbox(lambda *_: run_of({}), session=serve)
    assert find(sandbox, (LABEL, OTHER), [choice(ONE), choice(TWO)]) == known(one=(LABEL,))
    assert (started, sandbox.asked, served.closed) == ([(LABEL, OTHER)], [], True)
    assert [trial.only for trial in served.seen] == [(LABEL,), (OTHER,)] * 2


@pytest.mark.parametrize(
    "served", [FakeSession(lambda trial: TrialState.INVALID), FakeSession(lambda trial: True, swaps=False)]
)
def test_whom_the_server_cannot_tell_is_asked_in_a_cold_run(served):
    sandbox = FakeSandbox(lambda asked, *_: run_of(dict.fromkeys(asked, Outcome.FAILED)), session=served)
    assert find(sandbox, (LABEL,), [choice(ONE), choice(TWO)]) == known()
    assert len(sandbox.asked) == 2


def test_a_single_candidate_needs_no_server():
    served = FakeSession(lambda trial: True)
    sandbox = FakeSandbox(lambda asked, *_: run_of(dict.fromkeys(asked, Outcome.PASSED)), session=served)
    assert find(sandbox, (LABEL,), [choice(ONE)]).mended == {ONE.digest: frozenset({LABEL})}
    assert not served.seen


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
    lines = ((FAILING, (("shop.py", frozenset({7})),)), (LABEL, (("shop.py", frozenset({1})),)))
    assert find(sandbox, (LABEL,), [choice(ONE)], line_map=lines).mended == {ONE.digest: frozenset()}
    assert sandbox.asked == []
