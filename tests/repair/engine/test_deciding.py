"""Runners-up: those that behave otherwise first, with the input on which they and the answer part."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes.engines import engine_of
from fakes.proposers import Rewrites
from fakes.toy import ToySandbox

from analysis.behaviour import Returned
from analysis.errors import OutOfTimeError
from analysis.facts import Limits
from repair.checks.check import departed
from repair.engine.deciding import tell_doubt
from repair.gates.fixes import Fixes
from repair.gates.regressions import Regressions
from repair.gates.shape import Shape
from repair.records.result import Result, Status
from repair.records.task import RepairTask
from repair.records.verdict import CORE_GATES, Decision, Doubt, Evidence, PatchStatus
from repair.show.output import result_text
from repair.show.publish import result_of

SHOP = b"def price(count):\n    return count + 3\n"
TESTS = b"""from shop import price


def test_price():
    assert price(3) == 9


def test_six():
    assert price(0) == 3 or price(0) == 0
"""
EDITS = ("count * 3", "count * count", "3 * count", "count * 2 + 3", "count ** 2")
ACCEPTING = ("shape", "fixes", "regressions")


class Late:
    """A gate for which the time of the run is up after so many candidates."""

    name = "regressions"

    def __init__(self, gate, in_time):
        self._gate, self._left = gate, in_time

    def judge(self, submission):
        self._left -= 1
        if self._left < 0:
            raise OutOfTimeError("The time for the whole run is up")
        return self._gate.judge(submission)


@pytest.fixture
def fix():
    def run(edits=EDITS, alternatives=0, required=ACCEPTING, in_time=99):
        sandbox = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS)))
        proposer = Rewrites({"price": [("count + 3", edit) for edit in edits]})
        gates = (Shape(), Fixes(sandbox, Limits()), Late(Regressions(sandbox, Limits()), in_time))
        made = engine_of(sandbox, (proposer,), gates, required=required)
        return made.fix(RepairTask("/project", (), alternatives=alternatives))

    return run


def expressions(ending):
    texts = [j.submission.candidate.text.decode() for j in ending.judged]
    return [text.partition("return ")[2].strip() for text in texts]


def test_the_first_that_is_certified_ends_it_where_no_alternative_is_wanted(fix):
    ending = fix()
    assert ending.status is Status.CERTIFIED
    assert expressions(ending) == ["count * 3"]
    assert ending.judged[0].differs is None
    assert "of 5 patches that pass 2 of them behave alike" in " ".join(ending.judged[0].reasons)


def test_runners_up_that_behave_otherwise_come_before_those_that_agree(fix):
    ending = fix(alternatives=2)
    _, *others = ending.judged
    assert expressions(ending)[0] == "count * 3"
    assert len(others) == 2
    for other in others:
        assert other.differs is not None
        assert other.verdict.status.value == "plausible"
        assert other.reasons
        doubt = other.verdict.evidence[-1]
        assert (doubt.gate, doubt.witness.count(other.differs.call.source)) == ("behaviour", 1)
    assert expressions(fix(alternatives=9))[-1] == "3 * count"


class Doubtful:
    """Weighs more of a doubt for each candidate that comes earlier."""

    name = "behaviour"

    def __init__(self):
        self._left = 4

    def judge(self, submission):
        self._left -= 1
        return Evidence(self.name, Decision.UNKNOWN, "odd", doubts=(Doubt("new_crash", "odd", self._left / 3),))


class Unmutated:
    """Has nothing to say."""

    name = "mutation"

    def judge(self, submission):
        return Evidence(self.name, Decision.ACCEPT, "")


def test_of_those_that_were_judged_and_not_certified_the_least_risk_stands_first():
    sandbox = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS)))
    proposer = Rewrites({"price": [("count + 3", edit) for edit in ("count * 3", "count * count", "count * 2 + 3")]})
    gates = (Shape(), Fixes(sandbox, Limits()), Regressions(sandbox, Limits()), Unmutated(), Doubtful())
    ending = engine_of(sandbox, (proposer,), gates, required=CORE_GATES).fix(RepairTask("/project", ()))
    risks = [each.verdict.risk.value for each in ending.judged if each.verdict.risk is not None]
    assert len(risks) == 2, "the first, and of the two that were weighed the one of less risk"
    assert risks == sorted(risks)
    assert expressions(ending)[-1] == "count * 3"


class Weighing:
    """Doubts some texts, and notes which ones it is asked about."""

    name = "behaviour"

    def __init__(self, **strengths):
        self._strengths, self.asked = strengths, []

    def judge(self, submission):
        text = submission.candidate.text.decode().partition("return ")[2].strip()
        self.asked.append(text)
        return Evidence(self.name, Decision.UNKNOWN, "odd", doubts=(Doubt("new_crash", "odd", self._strengths[text]),))


def weighed(strengths, fixes=Fixes):
    """How it ends, the texts that were weighed, and those for which a process was started."""
    sandbox, started = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS))), []

    class Noting(fixes):
        def judge(self, submission):
            started.append(submission.candidate.text.decode().partition("return ")[2].strip())
            return super().judge(submission)

    proposer = Rewrites({"price": [("count + 3", edit) for edit in strengths]})
    weighing = Weighing(**strengths)
    gates = (Shape(), Noting(sandbox, Limits()), Regressions(sandbox, Limits()), Unmutated(), weighing)
    engine = engine_of(sandbox, (proposer,), gates, required=("shape", "fixes", "regressions"))
    return engine.fix(RepairTask("/project", ())), weighing.asked, started


def test_what_can_neither_be_certified_nor_come_first_is_weighed_and_starts_nothing():
    ending, asked, started = weighed({"count * 3": 0.5, "count * count": 1.0, "count * 2 + 3": 0.9})
    assert sorted(asked) == ["count * 2 + 3", "count * 3", "count * count"]
    assert (started, expressions(ending)) == (["count * 3"], ["count * 3"])


def test_of_those_that_may_come_first_the_least_risk_is_judged_and_nothing_is_weighed_twice():
    ending, asked, started = weighed({"count * 3": 1.0, "count * count": 0.9, "count * 2 + 3": 0.4})
    assert len(asked) == len({*asked}) == 3
    assert (started, expressions(ending)) == (["count * 3", "count * 2 + 3"], ["count * 2 + 3", "count * 3"])


def test_one_whose_risk_is_small_enough_is_judged_and_certified():
    ending, _, started = weighed({"count * 3": 1.0, "count * count": 0.9, "count * 2 + 3": 0.0})
    assert (ending.status, started[-1]) == (Status.CERTIFIED, "count * 2 + 3")


def test_of_those_that_behave_alike_the_likelier_text_alone_is_judged():
    sandbox = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS)))
    proposer = Rewrites({"price": [("count + 3", edit) for edit in ("count * 3", "3 * count", "count * count")]})
    gates = (Shape(), Fixes(sandbox, Limits()), Regressions(sandbox, Limits()), Unmutated(), Doubtful())
    ending = engine_of(sandbox, (proposer,), gates, required=CORE_GATES).fix(RepairTask("/project", ()))
    assert sorted(expressions(ending)) == ["count * 3", "count * count"]


class Unrun:
    """Does not know of the first text that it is asked about whether anything runs it."""

    name = "coverage"

    def __init__(self):
        self._asked = 0

    def judge(self, submission):
        self._asked += 1
        return Evidence(self.name, Decision.UNKNOWN if self._asked == 1 else Decision.ACCEPT, "")


def test_one_that_behaves_alike_is_judged_where_the_doubt_is_about_the_text():
    sandbox = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS)))
    proposer = Rewrites({"price": [("count + 3", edit) for edit in ("count * 3", "3 * count")]})
    gates = (Shape(), Fixes(sandbox, Limits()), Regressions(sandbox, Limits()), Unrun())
    ending = engine_of(sandbox, (proposer,), gates, required=(*ACCEPTING, "coverage")).fix(RepairTask("/project", ()))
    assert ending.status is Status.CERTIFIED
    assert expressions(ending) == ["3 * count", "count * 3"]


def test_where_the_time_is_up_before_one_was_shown_to_pass_no_word_is_said_of_any(fix):
    ending = fix(in_time=0)
    assert (ending.status, ending.judged) == (Status.UNREPAIRED, ())
    said = "5 plausible candidates passed the failing tests; the time was up before one was tried on the others"
    assert ending.messages[0] == said
    assert ending.brief.startswith(ending.messages[1]), "the first of them is shown"
    assert "--max-seconds" in ending.next_action


def test_where_the_time_is_up_among_runners_up_what_was_judged_stands(fix):
    ending = fix(alternatives=3, in_time=2)
    assert ending.status is Status.CERTIFIED
    assert len(ending.judged) == 2


def test_one_that_no_input_tells_apart_says_so(fix):
    ending = fix(("count * 3", "3 * count"), alternatives=3)
    (_, other) = ending.judged
    assert other.differs is None
    assert "runner-up" in other.verdict.evidence[-1].claim


def test_alternatives_are_printed_with_their_reasons_and_the_input_that_parts_them(fix):
    blank = Result(Status.INTERRUPTED, "r1", "/project", isolation="toy")
    result = result_of(fix(alternatives=2), blank, 1.0)
    every = result_of(fix(("count * 3", "3 * count"), alternatives=5), blank, 1.0)
    assert Result.from_json(result.to_json()) == result
    assert result.patches[1].differs.startswith("price(")
    text = result_text(result, alternatives=2)
    assert "2. plausible  shop.py:1: price" in text
    assert f"parts from the answer at {result.patches[1].differs}" in text
    assert "was number" in text
    assert "repair show" not in text.partition("Next")[0]
    assert "2 alternatives and all else: repair show r1 -v" in result_text(result)
    assert "2 runners-up of 5 asked for: time was up for 2 more" in result_text(result, alternatives=5)
    assert "1 runner-up of 5 asked for: no more were found" in result_text(every, alternatives=5)
    assert "Why it is ranked here" in result_text(result, verbosity=1)


def told_of(*evidence: Evidence):
    """What its author is told of a plausible patch with this evidence."""
    origin = SimpleNamespace(proposer="model", operator="update")
    candidate = SimpleNamespace(origin=origin, text=b"def f(): pass\n", function=None)
    verdict = SimpleNamespace(status=PatchStatus.PLAUSIBLE, evidence=evidence)
    judged = SimpleNamespace(verdict=verdict, submission=SimpleNamespace(candidate=candidate))
    return tell_doubt([judged], {"model"})


def test_what_the_tests_leave_open_for_any_patch_is_not_told_to_its_author():
    nothing_passed = Evidence("regressions", Decision.UNKNOWN, "No other test passed before", question="Does another?")
    rival = Evidence("behaviour", Decision.UNKNOWN, "a program next to it passes", witness="f(3) gives 4")
    few = Evidence("behaviour", Decision.UNKNOWN, "only 1 input could be tried", question="What should another give?")
    assert told_of(nothing_passed) is None
    assert told_of(few) is None
    assert told_of(nothing_passed, rival).doubt == "a program next to it passes"
    broken = Evidence("regressions", Decision.REJECT, "test_b fails now")
    assert told_of(broken).doubt == "test_b fails now"


def test_that_too_little_speaks_for_a_patch_is_not_told_to_its_author():
    """Right changes have that, too: of 23 replies that passed nine were asked for again, and came back unchanged."""
    change = departed("price(3)", Returned("3"), Returned("9"))
    thin = Evidence("behaviour", Decision.UNKNOWN, "too little", witness="price(3)", told=change, change=change)
    assert told_of(thin) is None
    alone = Doubt("tests_alone", "nothing but the tests", witness="price(3)", told=change)
    assert told_of(replace(thin, claim=alone.claim, doubts=(alone,))) is None
    special = Doubt("tested_values_alone", "it answers a tested value", witness="price(3)", told=change)
    for doubts in ((special,), (special, alone)):
        assert told_of(replace(thin, claim=special.claim, doubts=doubts)).doubt == special.claim
    assert told_of(thin, Evidence("shape", Decision.REJECT, "it loses a guard")).doubt == "it loses a guard"
