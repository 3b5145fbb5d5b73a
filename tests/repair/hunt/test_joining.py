"""Two faults in one function: edits that came near are united, and gone on from."""

from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest
from fakes.diagnosed import FAILING, KEPT, LABEL, SOURCE, TESTS, localized_of, observed
from fakes.engines import search_parts
from fakes.proposers import Rewrites
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.toy import ToySandbox

from analysis.facts import Outcome
from analysis.trials import TrialOutcome, TrialState
from repair.hunt.search_loop import SearchLoop
from repair.records.task import Budget, Pause
from transforms.patch.apply import place

SHOP = SOURCE.replace(b"    return total\n", b"    more = RATE - 1\n    return total + more\n")
SOURCES = (("shop.py", SHOP), ("test_shop.py", TESTS))
FIRST, SECOND = ("count + RATE", "count * RATE"), ("RATE - 1", "RATE - 2")
OTHERS = tuple(("count + RATE", f"count + {n}") for n in range(6))


class Shop:
    """Two failing tests: the first asks for one edit, the other for another one, unless ``both`` ask for both."""

    def __init__(self, wants):
        self.wants = wants
        self.orders = []

    def mends(self, test, text):
        return all(each in text for each in self.wants[test])

    def session(self, tests, files):
        if KEPT in tests:
            return FakeSession(lambda trial: True)
        self.orders.append(tests)

        def outcome(trial):
            failed = next((test for test in tests if not self.mends(test, trial.text.decode())), None)
            state = TrialState.FAILED if failed else TrialState.PASSED
            return TrialOutcome(trial.digest, state, failed, tier="warm")

        return FakeSession(outcome)

    def search(self, *proposers, **parts):
        def answer(tests, files, shuffle):
            text = dict(files)["shop.py"].decode()
            kept = Outcome.PASSED
            return run_of({t: kept if t == KEPT or self.mends(t, text) else Outcome.FAILED for t in tests})

        sandbox = FakeSandbox(answer, SOURCES, self.session)
        times = count(0, 0.001)
        parts = search_parts(sandbox, *proposers, clock=lambda: next(times), **parts)
        seen = replace(observed(), failing=(FAILING, LABEL), passing=(KEPT,))
        with closing(parts.open_pool(seen, SOURCES)) as pool:
            return SearchLoop(
                parts, seen, localized_of("price", source=SHOP), SOURCES, Budget(max_seconds=1e3), pool
            ).run()


APART = {FAILING: ("count * RATE",), LABEL: ("RATE - 2",)}
TOGETHER = {FAILING: ("count * RATE",), LABEL: ("count * RATE", "RATE - 2")}
LATE = {FAILING: ("count * RATE", "RATE - 2"), LABEL: ("RATE - 2",)}


def texts(result):
    return [(s.candidate.origin.operator, s.candidate.text.decode()) for s in result.survivors]


def test_two_edits_that_each_mend_one_test_are_united():
    result = Shop(APART).search(Rewrites({"price": [*OTHERS, FIRST, SECOND]}))
    ((operator, text),) = texts(result)
    assert operator == "fused edit 6+edit 7"
    assert "count * RATE" in text
    assert "RATE - 2" in text


def test_without_the_work_on_near_edits_they_are_not():
    assert not Shop(APART).search(Rewrites({"price": [*OTHERS, FIRST, SECOND]}), joins=False).survivors


def test_the_failing_tests_are_asked_backwards_too_so_that_an_edit_that_mends_the_last_one_is_seen():
    shop = Shop(APART)
    shop.search(Rewrites({"price": [FIRST, SECOND]}))
    assert (FAILING, LABEL) in shop.orders
    assert (LABEL, FAILING) in shop.orders


@pytest.mark.parametrize(("wants", "near"), [(TOGETHER, FIRST), (LATE, SECOND)])
def test_an_edit_that_mends_a_part_is_gone_on_from(wants, near):
    other = SECOND if near is FIRST else FIRST
    result = Shop(wants).search(Rewrites({"price": [near, *OTHERS, other]}, where_it_fits=True))
    ((operator, text),) = texts(result)
    assert "count * RATE" in text
    assert "RATE - 2" in text
    assert "edit" in operator


def test_a_models_edit_that_mends_nothing_is_gone_on_from_at_once_and_it_is_not_asked_again():
    wants = {FAILING: ("count * RATE", "RATE - 2"), LABEL: ("count * RATE", "RATE - 2")}
    model = Rewrites({"price": [FIRST, ("count + RATE", "7")]}, eager=False)
    search = Rewrites({"price": [*OTHERS, SECOND]}, where_it_fits=True)
    result = Shop(wants).search(model, search)
    ((operator, text),) = texts(result)
    assert operator == "edit 0+edit 6"
    assert "count * RATE" in text
    assert len(model.seen) == 1


def test_what_stands_on_a_near_edit_is_minimized():
    wants = {FAILING: ("count * RATE",), LABEL: ("count * RATE", "RATE - 2")}
    noisy = SHOP.decode().split("\n\n\n")[1].replace("count + RATE", "count * RATE\n    spare = 0") + "\n"
    search = Rewrites({"price": [noisy, SECOND]}, where_it_fits=True)
    ((_, text),) = texts(Shop(wants).search(search))
    assert "spare" not in text
    assert "RATE - 2" in text


def test_it_is_the_same_for_the_same_seed():
    edits = {"price": [*OTHERS, FIRST, *((FIRST[0], f"count * RATE + {n}") for n in range(9)), SECOND]}
    first, second = (Shop(TOGETHER).search(Rewrites(edits, where_it_fits=True), seed=3) for _ in range(2))
    assert texts(first) == texts(second)
    assert first.counts == second.counts


def test_a_near_edit_runs_as_it_reads():
    """The text of a united edit is a program that does what both parts say."""
    shop = Shop(APART)
    (found,) = shop.search(Rewrites({"price": [FIRST, SECOND]})).survivors
    tests = b"from shop import price\n\ndef test_it():\n    assert price(3) == 6\n"
    text = place(found.stream.scope, found.candidate.text)
    run = ToySandbox((("shop.py", text), ("test_it.py", tests))).run(())
    assert [each.outcome for each in run.results] == [Outcome.PASSED]


class Words(Rewrites):
    """A patient proposer that names words and makes no edit."""

    def __init__(self, *words):
        super().__init__({}, eager=False)
        self.words, self.asked_again = words, 0

    def propose(self, plan, context):
        yield Pause(words=self.words)
        self.asked_again += 1


def test_words_are_built_into_edits_before_anything_more_is_asked():
    wants = {FAILING: ("min(count, RATE)",), LABEL: ("min(count, RATE)",)}
    model = Words("unknown_name(count)", "((", "min(count, RATE)")
    found = Shop(wants).search(model, Rewrites({"price": OTHERS}, where_it_fits=True))
    assert found.survivors
    assert found.survivors[0].candidate.origin.proposer == "rewrites+rewrites"
    assert not model.asked_again
    assert not Shop(wants).search(Rewrites({"price": OTHERS})).survivors


class Built(Rewrites):
    """A search whose edits come of words alone."""

    name = "search"

    def propose(self, plan, context):
        yield from super().propose(plan, context) if context.words else ()


def test_what_the_search_builds_of_a_models_words_is_the_models_too():
    model = Words("max(count, 1)")
    model.name = "model"
    wants = {FAILING: ("count * 9",), LABEL: ("count * 9",)}
    found = Shop(wants).search(model, Built({"price": [(OTHERS[0][0], "count * 9")]}, where_it_fits=True))
    origins = [survivor.candidate.origin for survivor in found.survivors]
    assert [(each.proposer, each.is_searched) for each in origins] == [("model+search", False)]
