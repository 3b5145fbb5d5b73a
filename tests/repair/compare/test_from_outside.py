"""Programs told apart by calls of a function above the patched one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, FakeSession
from fakes.submission import FAILING, PASSING, baseline_of, submission_of

from analysis.behaviour import Call, CallOrigin, Difference, Raised, Returned
from analysis.calls import AgainstOld, AgainstRivals, CallInput, Comparison, Neighbours, PlainAnswer, RecordedCall
from analysis.errors import OutOfTimeError
from analysis.facts import InvalidRun, Limits, RunFault
from analysis.functions import functions_of
from repair.compare.comparing import open_versions
from repair.compare.from_outside import Outside, SeenFromOutside, functions_above, splice_calls
from repair.compare.ready_answers import write_answer
from repair.records.functions import as_trial

HEAD = b"""def total(text, **more):
    return sum(Basket(text).prices())


class Basket:
    def __init__(self, text):
        self.parts = text.split(" ")

    def prices(self):
        return [_price(each) for each in self.parts]


async def wait(text):
    return _price(text)


def idle(text):
    return text


"""
OLD = b"def _price(text):\n    return int(text)\n"
NEW = OLD.replace(b"int(text)", b"int(float(text))")
RIVAL = OLD.replace(b"int(text)", b"round(float(text))")
LINES = {span.function.qualname: span for span in functions_of("shop.py", HEAD + OLD)}
RAN = tuple(sorted({span.def_line + 1 for span in LINES.values()}))
CALLS = tuple(
    RecordedCall(test, CallInput(repr((text,)), "{}"), True)
    for test, text in ((FAILING, "1.5 2"), (PASSING, "7"), (PASSING, "3 4"), (PASSING, "2.6 9.5 8.8"))
)


def submission(ran=RAN, **kwargs):
    files = (("shop.py", ran), ("test_shop.py", (1, 2)))
    baseline = baseline_of(line_map=((FAILING, files), (PASSING, files)), **kwargs)
    return submission_of(NEW, OLD, head=HEAD, qualname="_price", baseline=baseline)


def answer(calls, files, like_tests):
    """What the module gives: these texts are our own."""
    place = {}
    exec(dict(files)["shop.py"].decode(), place)
    found = []
    for call in calls:
        args, named = call.values()
        try:
            given = Returned(repr(place["total"](*args, **named)))
        except ValueError as problem:
            given = Raised("ValueError", repr(str(problem)))
        found.append(PlainAnswer(repr(given), given))
    return tuple(found)


def late(*asked):
    raise OutOfTimeError("The time for the whole run is up")


def look(made, calls=CALLS, apart=answer, left=60.0):
    session = FakeSession(lambda trial: True, calls=calls)
    sandbox = FakeSandbox(lambda *asked: None, made.sources, session, apart=apart)
    both = open_versions(made)
    rival = as_trial(both.new, RIVAL, "rounds")
    return rival, Outside(sandbox, Limits(), 1, lambda: left).look(session, made, both, [rival])


def test_functions_that_lead_to_it_and_can_be_called_by_name_are_above():
    made = submission()
    above = functions_above(made, made.candidate.function)
    assert [each.qualname for each in above] == ["total"]


def test_a_function_that_no_test_runs_is_not_above():
    made = submission(ran=tuple(line for line in RAN if line != LINES["total"].def_line + 1))
    assert functions_above(made, made.candidate.function) == ()


def test_files_that_this_python_cannot_read_and_functions_that_are_not_there_have_nothing_above():
    made = submission()
    beside = replace(made, sources=(*made.sources, ("new.py", b"def broken(:\n")))
    files = (("shop.py", RAN), ("new.py", (1, 2)), ("gone.py", (1,)))
    traced = replace(made.baseline.traced, line_map=((FAILING, files), (PASSING, files)))
    beside = replace(beside, baseline=replace(made.baseline, traced=traced))
    assert [each.qualname for each in functions_above(beside, made.candidate.function)] == ["total"]
    moved = replace(made, sources=(("shop.py", b"\n" + made.sources[0][1]),))
    assert functions_above(moved, made.candidate.function) == ()


def test_calls_from_outside_tell_the_patch_from_the_old_function_and_from_a_rival():
    made = submission()
    rival, seen = look(made)
    changed = {each.call.source: (each.mine, each.other) for each in seen.old}
    assert changed["total('1.5 2')"][0] == Returned("3")
    assert isinstance(changed["total('1.5 2')"][1], Raised)
    told = {each.call.source: (each.mine, each.other) for each in seen.rivals[rival.digest]}
    assert told["total('2.6 9.5 8.8')"] == (Returned("19"), Returned("22"))
    assert "total('3 4')" not in told
    first = next(each for each in seen.rivals[rival.digest] if each.call.is_made)
    assert write_answer(made.candidate.function, first, made.sources).startswith("shop.total('")


def test_what_is_put_together_of_the_tests_texts_is_called():
    _, seen = look(submission())
    assert any(each.call.origin is CallOrigin.GENERATED and "1.5" in each.call.source for each in seen.old)


@pytest.mark.parametrize(
    ("calls", "apart", "left"),
    [
        ((), answer, 60.0),
        (tuple(replace(each, plain=False) for each in CALLS), answer, 60.0),
        (CALLS, lambda *asked: InvalidRun(RunFault.EXITED, "it has ended"), 60.0),
        (CALLS, lambda calls, *asked: (None,) * len(calls), 60.0),
        (CALLS, late, 60.0),
        (CALLS, answer, 1.0),
    ],
)
def test_nothing_is_said_where_nothing_can_be_called(calls, apart, left):
    _, seen = look(submission(), calls, apart, left)
    assert seen == SeenFromOutside()


STATE = Difference(Call("_price", "('x',)", "on Basket(parts=[])"), Returned("1"), Returned("2"))
TESTED = replace(STATE, call=replace(STATE.call, origin=CallOrigin.MADE, test=FAILING))
ABOVE = Difference(Call("total", "('2.6',)"), Returned("2"), Returned("3"))
FOUND = Comparison(
    old=AgainstOld(departures=(STATE, TESTED), neighbours=(Neighbours(FAILING, (), ()),)),
    rivals=AgainstRivals((("mine", STATE), ("other", STATE)), further=(("mine", TESTED),)),
)


def test_they_come_first_and_nothing_is_dropped_for_them():
    seen = SeenFromOutside((ABOVE,), {"mine": (ABOVE,), "other": ()}).join(FOUND)
    assert seen.old == FOUND.old
    assert seen.rivals.all_of("mine") == (ABOVE, STATE, TESTED)
    assert seen.rivals.all_of("other") == (STATE,), "one that gave no answer keeps what its states have shown"
    assert SeenFromOutside().join(FOUND) == FOUND


def test_texts_of_failing_tests_alone_are_put_together():
    made = splice_calls(CALLS, {FAILING})
    assert CallInput("('1.5 9.5 8.8',)", "{}") in made
    assert not {call.input for call in CALLS} & {*made}
    assert CallInput("('3 2',)", "{}") in made
    assert CallInput("('3 9.5 8.8',)", "{}") not in made, "no piece of it is of a failing test's"
    assert CallInput("('3 9.5 8.8',)", "{}") in splice_calls(CALLS, {PASSING})
    assert splice_calls(CALLS, frozenset()) == ()
    assert splice_calls([replace(CALLS[0], input=CallInput("(x,)", "{}"))], {FAILING}) == ()
