"""A trial may be asked for a few of a server's tests: no other decides, and nothing else is said by it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.bare import bare_target
from fakes.library import SHOP
from fakes.usage import stats_of

from analysis.facts import Limits, TestId, digest
from analysis.functions import functions_of
from analysis.trials import Trial, TrialState
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

(PRICE,) = functions_of("shop.py", SHOP)


@contextmanager
def opened(root: Path, tests: dict[str, str]) -> Iterator[WarmServer]:
    (root / "shop.py").write_bytes(SHOP)
    for name, text in tests.items():
        (root / name).write_text(text)
    with closing(LocalSandbox(bare_target(root))) as sandbox:
        found = sandbox.warm((), limits=Limits(wall_seconds=20, test_seconds=10), jobs=2)
        assert isinstance(found, WarmServer), found
        with closing(found):
            yield found


def trial(body: str, *only: str) -> Trial:
    text = f"def price(count):\n    {body}\n".encode()
    return Trial(digest(body), PRICE.function, text, body, only=tuple(map(TestId, only)))


WRONG_FOR_TWO = "return count * 3 + (count == 2)"


@pytest.mark.parametrize(
    ("only", "failed"),
    [
        ((), "test_plain.py::test_two"),
        (("test_plain.py::test_two",), "test_plain.py::test_two"),
        (("test_plain.py::test_three", "test_plain.py::test_two"), "test_plain.py::test_two"),
        (("test_plain.py::test_three",), None),
        (("test_fixtures.py::test_made",), None),
        (("test_fixtures.py::TestCase::test_six", "test_fixtures.py::test_four"), None),
        (("test_plain.py::test_behind",), "test_plain.py::test_behind"),
    ],
)
def test_only_the_named_tests_decide(server: WarmServer, only: tuple[str, ...], failed: str | None) -> None:
    (outcome,) = server.trials([trial(WRONG_FOR_TWO, *only)])
    assert outcome.state is (TrialState.FAILED if failed else TrialState.PASSED), outcome
    assert outcome.failed == failed


def test_a_fixture_that_is_wrong_fails_its_test_alone(server: WarmServer) -> None:
    wrong = trial("return count * 3 + (count == 5)")
    named = [replace(wrong, only=(TestId(f"test_fixtures.py::{name}"),)) for name in ("test_made", "test_four")]
    assert [next(iter(server.trials([each]))).state for each in named] == [TrialState.FAILED, TrialState.PASSED]


def test_few_tests_among_many_trials_change_no_other_outcome(tmp_path: Path) -> None:
    tests = "".join(f"def test_{n}(): assert shop.price({n}) == {3 * n}\n" for n in (2, 3, 4))
    three = (TestId("test_shop.py::test_3"),)
    whole = [trial(f"return count * {number}") for number in range(240)]
    few = [replace(trial(f"return count * 3 + {number} * (count == 2)"), only=three) for number in range(1, 61)]
    given = [*whole[:120], *few, *whole[120:]]
    with opened(tmp_path, {"test_shop.py": f"import shop\n{tests}"}) as server:
        found = {outcome.digest: outcome.state for outcome in server.trials(given)}
        stats = stats_of(server)
    assert stats.batched > 0
    assert stats.batching_ended == ""
    assert [found[each.digest] for each in given if each.only] == [TrialState.PASSED] * 60
    passed = [each.label for each in given if not each.only and found[each.digest] is TrialState.PASSED]
    assert passed == ["return count * 3"]


def test_a_test_that_is_not_there_is_no_pass(server: WarmServer) -> None:
    (outcome,) = server.trials([trial("return count * 3", "test_plain.py::test_nowhere")])
    assert outcome.state is TrialState.FAILED
    assert outcome.failed is None


ORDERED = """
import random, shop
seen = []
def test_2(): seen.append(2); assert shop.price(2) == 6
def test_3(): assert shop.price(3) == 9 and seen == [2]
def test_chance(): assert shop.price(1) == 3; raise ValueError(random.random())
"""


def test_few_tests_run_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    right, (two, three) = trial("return count * 3"), (f"test_shop.py::test_{n}" for n in (2, 3))
    with opened(tmp_path, {"test_shop.py": ORDERED}) as server:
        orders = [replace(right, only=(TestId(one), TestId(other))) for one, other in ((two, three), (three, two))]
        assert [next(server.trials([each])).failed for each in orders] == [None, three]


def test_each_fork_has_random_numbers_of_its_own(tmp_path: Path) -> None:
    right = replace(trial("return count * 3"), only=(TestId("test_shop.py::test_chance"),))
    with opened(tmp_path, {"test_shop.py": ORDERED}) as server:
        said = {next(server.trials([right])).detail for _ in range(3)}
    assert len(said) == 3
