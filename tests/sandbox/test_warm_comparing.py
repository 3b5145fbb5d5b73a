"""Calls recorded on a warm server, and inputs on which programs differ."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from fakes.bare import bare_target
from fakes.library import CALLS

from analysis.behaviour import CallResult, Difference
from analysis.calls import CallInput, RecordedCall, UnchangedNeighbours
from analysis.facts import FunctionId, Limits, TestId, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from repair.records.witness_text import describe_behaviour, describe_both
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer
from sandbox.warm_comparison import Ask, Differences


@pytest.fixture
def server(server: WarmServer) -> WarmServer:
    """What does not end is given five seconds."""
    server.bound(5.0)
    return server


def opened(name: str) -> tuple[FunctionId, str]:
    source = CALLS.encode()
    span = find_function(functions_of("calls.py", source), name)
    assert span is not None
    return span.function, source[span.start : span.end].decode()


def trial(name: str, old: str = "", new: str = "") -> Trial:
    function, text = opened(name)
    assert old in text
    changed = text.replace(old, new) if old else text
    return Trial(digest(name, changed), function, changed.encode(), "test")


@dataclass(frozen=True)
class Shown:
    """A difference, or what one program does, as text."""

    call: str
    mine: str
    other: str = ""
    reached: bool = True
    accident: bool = False
    tested: bool = False
    made: bool = False


def shown(found: Difference | CallResult) -> Shown:
    source = found.call.source
    if isinstance(found, CallResult):
        return Shown(source, describe_behaviour(found.mine))
    mine, other = describe_both(found)
    return Shown(source, mine, other, found.reached, found.is_accident, found.call.is_tested, found.call.is_made)


class Asked:
    """The answer to one comparison. The old function counts as a rival where it is named among them."""

    def __init__(
        self,
        server: WarmServer,
        mine: Trial,
        rivals: Sequence[Trial],
        inputs: Sequence[CallInput],
        old: Trial,
        lines: Sequence[int],
    ) -> None:
        against_old = any(rival.text == old.text for rival in rivals)
        rest = [rival for rival in rivals if rival.text != old.text]
        self.found = server.questions.compare(mine, rest, inputs, old, lines, against_old=against_old)
        tried, seen, others = self.found.tried, self.found.old, self.found.rivals
        self.inputs, self.reaching, self.failures = tried.inputs, tried.reaching, tried.failures
        first = ((old.digest, shown(seen.first)),) if seen.first else ()
        self.witnesses = (*first, *((rival, shown(each)) for rival, each in others.differences))
        self.unanswered = (*((old.digest,) if not seen.is_known else ()), *others.unknown)
        self.departures = tuple(map(shown, seen.departures))


Compare = Callable[..., Asked]


@pytest.fixture
def compare(server: WarmServer) -> Compare:
    def run(
        name: str,
        *changes: tuple[str, str],
        inputs: tuple[str, ...] = (),
        lines: tuple[int, ...] = (),
        old: Trial | None = None,
    ) -> Asked:
        mine = trial(name)
        rivals = [trial(name, *change) for change in changes]
        calls = tuple(CallInput(args, "{}") for args in inputs)
        return Asked(server, mine, rivals, calls, old or rivals[0], lines)

    return run


def first(comparison: Asked) -> Shown:
    assert len(comparison.witnesses) == 1, comparison.found
    return comparison.witnesses[0][1]


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("clamp", [("(5,)", "{}", True), ("(50, 0, 20)", "{}", True)]),
        ("Account.add", [("(1,)", "{}", True), ("(2, 3)", "{'note': 'n', 'k': None}", True)]),
        ("Account.opened", [("('a',)", "{}", True)]),
        ("countdown", [("(2,)", "{}", True)]),
        ("later", [("(3,)", "{}", True)]),
        ("scaler.scale", [("(4,)", "{}", True)]),
        ("typed", [("({'a': [1.5, None]},)", "{}", True), ("(nan,)", "{}", False)]),
    ],
)
def test_record(server: WarmServer, name: str, calls: list[tuple[str, str, bool]]) -> None:
    found = server.questions.record(opened(name)[0], 10).seen
    assert [(c.input.args, c.input.kwargs, c.plain) for c in found] == calls
    assert all(isinstance(c, RecordedCall) and c.test.startswith("test_calls.py::") for c in found)


def test_a_call_that_does_not_fit_the_old_signature_reaches_the_change(server: WarmServer) -> None:
    """It runs no line of the old function: what it reaches is the signature."""
    old, mine = trial("clamp"), trial("clamp", "high=10", "high=10, shift=0")
    given = [CallInput("(5,)", "{'shift': 1}"), CallInput("(7,)", "{'shift': 2}"), CallInput("(8,)", "{}")]
    found = server.questions.compare(mine, [], given, old, (5,))
    assert [each.call.arguments for each in found.old.departures] == ["(5, shift=1)", "(7, shift=2)"]
    assert all(each.reached for each in found.old.departures)


def test_calls_are_recorded_with_a_text_as_they_would_be_where_that_stands_in_the_file(server: WarmServer) -> None:
    """The calls that a function makes of itself are those of the text: this one ends sooner."""
    function = opened("fact")[0]
    own, other = (
        {call.input.args for call in server.questions.record(function, 20, text).seen}
        for text in (b"", trial("fact", "n < 2", "n < 3").text)
    )
    assert own - other == {"(1,)"}
    assert other < own


def test_a_call_that_two_tests_make_is_kept_once_and_told_of_both(server: WarmServer) -> None:
    calls = server.questions.record(opened("limit")[0], 10)
    given = CallInput("(45,)", "{}")
    assert [call.input for call in calls.seen] == [given]
    assert [(test.partition("::")[2], each) for test, each in calls.plain] == [
        ("test_limit", given),
        ("test_limit_again", given),
    ]


def test_record_is_bounded(server: WarmServer) -> None:
    calls = server.questions.record(opened("fact")[0], 3)
    assert (len(calls.seen), calls.whole) == (3, False)


@pytest.mark.parametrize(
    ("name", "change", "call", "mine", "other"),
    [
        ("clamp", ("min(x, high)", "x"), "clamp(11)", "returns 10", "returns 11"),
        ("clamp", ("high=10", "high=4"), "clamp(5)", "returns 5", "returns 4"),
        ("countdown", ("n > 0", "n > 1"), "countdown(2)", "items [2, 1]", "items [2]"),
        ("countdown", ("n -= 1", "raise ValueError(n)"), "countdown(2)", "items [2, 1]",
         "items [2], then raises ValueError('2')"),
        ("countdown", ("n -= 1", "n += 1"), "countdown(2)", "items [2, 1]", None),
        ("later", ("return x", "return -x"), "later(3)", "awaited returns 3", None),
        ("push", ("items.append(value)", "items = [*items, value]"), "push([1], 2)", None, None),
        ("scaler.scale", ("x * k", "x + k"), "scaler.scale(4)", "returns 8", "returns 6"),
        ("Account.add", ("self.total += amount + sum(more)", "self.total += amount"), None, None, None),
        ("Account.opened", ("cls(owner)", "cls(owner, 1)"), "opened('a')", None, None),
        ("fact", ("n < 2", "n < 3"), "fact(5)", "returns 120", "returns 60"),
        ("typed", ("return x", "raise KeyError(1)"), None, None, "raises KeyError('1')"),
        ("clamp", ("min(x, high)", "[].pop()"), "clamp(5)", "returns 5", None),
        ("clamp", ("return min(x, high)", "while True: pass"), "clamp(5)", "returns 5", "does not end within 1 s"),
        ("clamp", ("return min(x, high)", "import os; os._exit(0)"), "clamp(5)", "returns 5", None),
        ("clamp", ("return min(x, high)", "raise SystemExit(3)"), "clamp(5)", None, "raises SystemExit('3')"),
    ],
)  # fmt: skip
def test_witness(
    compare: Compare, name: str, change: tuple[str, str], call: str | None, mine: str | None, other: str | None
) -> None:
    found = first(compare(name, change))
    assert call in (None, found.call)
    assert (mine or "").replace("awaited returns", "returns awaited") in found.mine
    assert (other or "") in found.other
    assert found.mine != found.other


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("clamp", ("x < low", "x <= low - 1")),
        ("countdown", ("n -= 1", "n = n - 1")),
        ("Account.add", ("amount + sum(more)", "sum(more) + amount")),
        ("fact", ("n < 2", "n <= 1")),
        ("typed", ("return x", "return (x)")),
    ],
)
def test_equal_programs_have_no_witness(compare: Compare, name: str, change: tuple[str, str]) -> None:
    found = compare(name, change)
    assert (found.witnesses, found.inputs > 0) == ((), True), found


def test_what_is_written_into_a_file_counts_and_is_undone(compare: Compare) -> None:
    witness = first(compare("noted", ('";"', '"," * len(line)')))
    assert (witness.mine, witness.other) == tuple(
        f"returns 'x', leaves args ([PosixPath('<tmp>/test_noted0/log'), 'x'], {{}}), files ['x{end}']" for end in ";,"
    )
    told = compare("noted", ('";"', '("," if line == "yy" else ";")'))
    assert "files ['x;yy;']" in first(told).mine, "each program finds the file as the test left it"


def test_given_inputs_are_tried(compare: Compare) -> None:
    change = ("n < 2", "n < 2 and n != -77")
    found = first(compare("fact", change, inputs=("(3,)", "(-77,)")))
    assert (found.call, found.mine, found.other) == ("fact(-77)", "returns 1", "returns -77")


def test_given_inputs_use_the_first_instance_seen(compare: Compare) -> None:
    found = first(
        compare("Account.add", ("if note", "if amount == 7: self.total = 0\n        if note"), inputs=("(7,)",))
    )
    assert found.call.startswith("add(7) on Account(")
    assert (found.mine, found.other) == ("returns 7", "returns 0")


def test_one_rival_that_ends_the_process_does_not_hide_the_others(compare: Compare) -> None:
    body = "return min(x, high)"
    changes = [(body, "import os; os._exit(0)"), (body, "return 3"), (body, "return min(high, x)"), (body, "return 4")]
    found = compare("clamp", *changes, old=trial("clamp"))
    assert [w.other for _, w in found.witnesses][1:] == ["returns 3", "returns 4"]
    assert "ends otherwise" in found.witnesses[0][1].other


def test_reached_prefers_an_input_on_which_the_old_function_did_not_reach_the_change(compare: Compare) -> None:
    line = opened("clamp")[0].first_line + 3
    change = ("return low", "return high")
    assert first(compare("clamp", change, inputs=("(-1,)",), lines=(line,))).reached
    change = ("return min(x, high)", "return x")
    both = compare("clamp", change, inputs=("(-1,)",), lines=(line,))
    assert not first(both).reached


def test_what_takes_long_while_its_lines_are_watched_is_given_time_or_left_out(compare: Compare) -> None:
    line = opened("watched")[0].first_line + 4
    change = ("return x", "return -x if 1.1 < x < 1.3 or x > 50 else x")
    assert first(compare("watched", change, inputs=("(1.2,)",), lines=(line,))).reached
    found = compare("watched", change, inputs=("(99,)",), lines=(line,))
    assert (found.witnesses, found.departures) == ((), ())
    assert found.failures == ("an input was left out: the call takes too long while its lines are watched",)


def test_changing_things_are_named(compare: Compare) -> None:
    changing = compare("once", ("next(state)", "next(state) + 5"))
    assert (changing.witnesses, changing.inputs) == ((), 0)
    assert "two runs of the patch differ" in changing.failures[0]


@pytest.mark.parametrize(
    ("mine", "other", "told"),
    [
        ("int('-')", "int('')", False),
        ("int('-')", "{}['a']", True),
        ("[][1]", "[].pop()", False),
        ("int('-')", "raise ValueError('no number')", True),
        ("raise ValueError('a')", "raise ValueError('b')", True),
        ("__import__('json').loads('')", "__import__('json').loads('[')", False),
    ],
)
def test_messages_count_where_the_program_wrote_them(server: WarmServer, mine: str, other: str, told: bool) -> None:
    first, second = (trial("clamp", "return low", each) for each in (mine, other))
    found = Asked(server, first, [second], (CallInput("(-1,)", "{}"),), second, ())
    assert bool(found.witnesses) is told


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ("return True", "return 1"),
        ("return 1.0", "return 1"),
        ("return [1]", "return [True]"),
        ("return (1,)", "return [1]"),
        ("return __import__('enum').IntEnum('E', 'A').A", "return 1"),
        ("return b'a'", "return bytearray(b'a')"),
        ("raise ValueError('a')", "raise UnicodeError('a')"),
        ("raise LookupError('a')", "raise KeyError('a')"),
        ("raise ValueError('a')", "return ValueError('a')"),
    ],
)
def test_types_count_exactly(server: WarmServer, mine: str, other: str) -> None:
    first, second = (trial("clamp", "return low", each) for each in (mine, other))
    found = Asked(server, first, [second], (CallInput("(-1,)", "{}"),), second, ())
    assert found.witnesses
    again = Asked(server, first, [first], (CallInput("(-1,)", "{}"),), first, ())
    assert not again.witnesses


def test_rivals_that_are_told_apart_at_once_do_not_lessen_what_was_tried(server: WarmServer) -> None:
    old, mine = trial("clamp", "return low", "return low + 0"), trial("clamp")
    inputs = tuple(CallInput(f"({n},)", "{}") for n in range(-30, 0))
    line = opened("clamp")[0].first_line + 3
    alone = Asked(server, mine, [old], inputs, old, (line,))
    many = [trial("clamp", "return min(x, high)", f"return {n}") for n in range(100, 112)]
    crowded = Asked(server, mine, [old, *many], inputs, old, (line,))
    assert len(crowded.witnesses) == 12
    assert (crowded.inputs, crowded.reaching) == (alone.inputs, alone.reaching)
    assert crowded.reaching >= 30


@pytest.mark.parametrize(
    ("name", "change", "is_known"),
    [
        ("clamp", ("x < low", "x <= low - 1"), True),
        ("clamp", ("return min(x, high)", "import os; os._exit(0)"), True),
        ("clamp", ("return min(x, high)", "while True: pass"), True),
        ("clamp", ("high=10", "high=1 / 0"), False),
        ("typed", ("return x", "import random; return random.random()"), False),
        ("typed", ("return x", "globals()['drift'] = 1; return x"), True),
    ],
)
def test_a_rival_that_never_answers_is_told(
    compare: Compare, name: str, change: tuple[str, str], is_known: bool
) -> None:
    found = compare(name, change, ("", ""), ("return", "return "), old=trial(name))
    assert found.inputs > 0
    assert found.unanswered == (() if is_known else (trial(name, *change).digest,))


def test_where_comparing_ends_early_nothing_is_known_of_the_others() -> None:
    mine, *rivals = (trial("clamp", "return min(x, high)", f"return {n}") for n in range(3))
    state = Differences(Ask(mine, mine, (), (), 1.0, 3, against_old=False), [*rivals, mine])
    tried = [{"kind": "trying", "rival": rival} for rival in (0, -1)]
    state.take((0, 1), "lost", "killed", tried)
    found = state.comparison()
    assert (found.rivals.unknown, found.rivals.differences) == ({rivals[1].digest}, ())
    assert "comparing ended early: killed" in found.tried.failures


def test_another_exception_where_the_change_was_not_reached_is_told_as_such(server: WarmServer) -> None:
    old = trial("clamp", "return low", "raise ValueError('low')")
    mine = trial("clamp", "return low\n    return min", "raise TypeError('low')\n    return 0 + min")
    line = opened("clamp")[0].first_line + 4
    found = Asked(server, mine, [old], (CallInput("(-1,)", "{}"),), old, (line,))
    assert [witness.reached for _, witness in found.witnesses] == [False]
    assert "raises TypeError('low')" in found.witnesses[0][1].mine


def test_all_departures_of_the_old_function_are_kept_and_accidents_of_the_first_are_told(server: WarmServer) -> None:
    mine, old = trial("fact", "n < 2", "n < 2 and {1: n}[n]"), trial("fact", "return 1", "return 2")
    inputs = tuple(CallInput(f"({n},)", "{}") for n in (0, 1, 3))
    found = Asked(server, mine, [old], inputs, old, ())
    told = {departure.call: departure.accident for departure in found.departures}
    assert [told[f"fact({n})"] for n in (0, 1, 3)] == [True, False, False]
    assert not Asked(server, old, [mine], inputs, trial("fact"), ()).departures


def test_a_call_that_the_old_function_answers_and_the_patch_does_not_is_told(server: WarmServer) -> None:
    old = trial("clamp")
    endless = trial("clamp", "return low", "return [0 for _ in iter(int, 1)] if x == -7 else low")
    inputs = (CallInput("(-3,)", "{}"), CallInput("(-7,)", "{}"))
    told = {each.call: (each.mine, each.other) for each in Asked(server, endless, [old], inputs, old, ()).departures}
    assert told == {"clamp(-7)": ("does not end within 1 s", "returns 0")}


SLOW = "sum(range(3_000_000)) * 0"
"""Some thirty milliseconds of work: far more than a second look at a known hang gets, and far less than a call may."""


def test_a_slow_answer_of_a_program_that_hung_on_another_call_is_waited_for(server: WarmServer) -> None:
    """The first call does not end; what the same program answers slowly to others is the patch's own answer."""
    mine = trial("clamp", "return low", f"return low + {SLOW}")
    old = trial("clamp", "return low", f"return low + {SLOW} if x != -7 else [0 for _ in iter(int, 1)]")
    inputs = tuple(CallInput(f"({n},)", "{}") for n in (-7, -3, -2))
    found = Asked(server, mine, [old], inputs, old, ())
    assert [(each.call, each.mine, each.other) for each in found.departures] == [
        ("clamp(-7)", "returns 0", "does not end within 1 s")
    ]


def test_a_call_is_told_as_hanging_only_where_it_had_the_whole_time(server: WarmServer) -> None:
    """Ten calls do not end. Each that is told had a second; the others are left out, which is said."""
    old = trial("clamp", "return low", "return [0 for _ in iter(int, 1)]")
    inputs = tuple(CallInput(f"({n},)", "{}") for n in range(-10, 0))
    found = Asked(server, trial("clamp"), [old], inputs, old, ())
    assert {each.other for each in found.departures} == {"does not end within 1 s"}
    assert 2 <= len(found.departures) < 10
    said = ("a call was left out: it takes long, and others did not end", "time was up before all calls were compared")
    assert any(each.startswith(said) for each in found.failures), found.failures


def test_neighbours_of_recorded_calls_reach_what_literals_do_not(compare: Compare) -> None:
    name, line = "Account.add", opened("Account.add")[0].first_line + 2
    found = compare(name, ("note is not SENTINEL", "note is not SENTINEL or self.total - amount == -1"), lines=(line,))
    assert found.reaching > 5
    assert "total=" in first(found).call


def test_calls_that_reach_the_change_are_found_among_many_that_do_not(compare: Compare) -> None:
    line = opened("rare")[0].first_line + 2
    found = compare("rare", ("return len(text)", "return len(text) - 1"), lines=(line,))
    assert first(found).call == "rare('+abc')"
    kept = compare("rare", ("return len(text)", "return (len(text))"), lines=(line,))
    assert kept.reaching >= 2


def test_a_generator_that_ends_is_played_for_every_program(compare: Compare) -> None:
    found = compare("total", ("row == 5", "row == 2"))
    assert {departure.call for departure in found.departures if departure.made} == {first(found).call}
    assert "returns 3" in (first(found).mine, first(found).other)
    assert found.inputs > 3
    assert not found.failures, "one without an end, and one that fails, are given to forks"


def test_a_generator_that_is_talked_to_stays_one_and_is_given_to_forks(compare: Compare) -> None:
    found = first(compare("echoed", ("send(3)", "send(4)")))
    assert (found.mine, found.other) == ("returns 3", "returns 4")


def test_an_option_that_no_test_passes_is_tried_and_calls_of_it_are_seen(compare: Compare) -> None:
    found = first(compare("told", ("tell(value)", "tell(-value)"), lines=(1,)))
    assert found.call == "told(5, tell=Recorder(echoes=False, calls=[]))"
    assert "calls=['(5,)']" in found.mine
    assert "calls=['(-5,)']" in found.other


def test_neighbours_of_a_call_that_changes_are_counted_by_their_test(compare: Compare) -> None:
    line = opened("told")[0].first_line + 1
    found = compare("told", ("value == 77", "value < 0"), lines=(line,))
    (near,) = found.found.old.neighbours
    assert near.test == "test_calls.py::test_told"
    assert [result.call.source for result in near.followed] == ["told(-77)"]
    assert [result.call.source for result in near.spared] == ["told(78)", "told(76)", "told(155)"]
    assert not all(departure.tested for departure in found.departures)
    special = compare("told", ("value == 77", "value == 0.5"), lines=(line,))
    assert [(len(near.spared), len(near.followed)) for near in special.found.old.neighbours] == [(4, 0)]
    assert special.departures
    assert all(departure.tested for departure in special.departures)


def test_neighbours_of_a_call_that_does_not_change_are_counted(compare: Compare) -> None:
    line = opened("told")[0].first_line + 1
    found = compare("told", ("value == 77", "value > 60"), lines=(line,))
    assert not found.found.old.neighbours
    test = TestId("test_calls.py::test_told")
    changing, steady = found.found.old.surroundings
    assert (changing.test, changing.tried, changing.moved) == (test, 4, 3)
    assert changing.call in {departure.call.given for departure in found.found.old.departures}
    assert steady == UnchangedNeighbours(test, 4, 0)
    assert not any(departure.made for departure in found.departures)


def test_answers_to_plain_arguments_are_told_for_both_versions(compare: Compare) -> None:
    found = compare("told", ("value == 77", "value == 5"), inputs=("(9,)",))
    told = {
        answer.input.args: (describe_behaviour(answer.mine.behaviour), describe_behaviour(answer.old.behaviour))
        for answer in found.found.old.answers
    }
    assert told["(77,)"] == ("returns -1", "returns 77")
    assert told["(9,)"] == ("returns 9", "returns 9")
    same = {answer.input.args: answer.mine.digest == answer.old.digest for answer in found.found.old.answers}
    assert (same["(77,)"], same["(9,)"]) == (False, True)
    assert not compare("Account.add", ("amount + sum(more)", "amount")).found.old.answers
    assert not compare("scaler.scale", ("x * k", "x + k")).found.old.answers


def test_a_number_that_is_refused_alone_is_told_with_one_beside_it(compare: Compare) -> None:
    found = compare("port", ("int(text) == 0", "int(text) > 65535"))
    assert [(test, result.call.source) for test, result in found.found.old.alone] == [
        ("test_calls.py::test_port", "port('-1')")
    ]
    server_side = compare("port", ("int(text) == 0", "int(text) == 0"))
    assert not server_side.found.old.alone


@pytest.mark.parametrize(
    ("change", "tests"),
    [
        (("return len", "return -len"), ["test_calls.py::test_kept_itself"]),
        (("self._seen.append(x)", "self._seen.append(x); self.last = x"), ["test_calls.py::test_kept_itself"]),
        (("self._seen.append(x)", "self._seen.append(str(x))"), []),
    ],
)
def test_tests_notice_what_is_visible_in_calls_that_they_make_themselves(
    compare: Compare, change: tuple[str, str], tests: list[str]
) -> None:
    found = compare("Kept.see", change)
    assert found.departures
    assert [test for test, _ in found.found.old.recorded] == tests


def test_values_next_to_a_constant_of_the_old_function_are_no_neighbours(server: WarmServer) -> None:
    old = trial("limit", "x > 44", "x > 45")
    changed = Asked(server, trial("limit"), [old], (), old, ())
    assert changed.departures
    assert not changed.found.old.neighbours


@pytest.mark.parametrize(
    ("old", "mine", "unsteady"),
    [
        ("return x", "import random; return x + random.random()", True),
        ("import random; return random.random()", "import random; return x + random.random()", False),
        ("raise ValueError", "import random; return x + random.random()", False),
        ("return x", "numbered.n = getattr(numbered, 'n', 0) + 1; return x + (numbered.n > 60)", True),
        ("return x", "import _pytest.config; return x", False),
    ],
)
def test_two_answers_to_one_call_are_told_where_the_old_function_has_one(
    server: WarmServer, old: str, mine: str, unsteady: bool
) -> None:
    before, after = (trial("numbered", "return x", each) for each in (old, mine))
    inputs = tuple(CallInput(f"({n},)", "{}") for n in range(20))
    found = Asked(server, after, [before], inputs, before, ())
    assert bool(found.found.old.unsteady) is unsteady


def test_iterators_within_a_result_are_run_to_their_end(compare: Compare) -> None:
    found = first(compare("split", ("itertools.chain(head, items[1:])", "itertools.chain(items[1:], head)")))
    assert (found.mine, found.other) == ("returns ([1], items [1, 2])", "returns ([1], items [2, 1])")
    assert not compare("split", ("itertools.chain(head, items[1:])", "iter(items)")).witnesses


def test_a_file_of_a_test_has_the_same_path_in_every_text(compare: Compare) -> None:
    found = first(compare("stored", ("file.read()", "file.read() * 2")))
    assert found.call == "stored('<tmp>/test_stored0/a.txt')"
    assert found.mine == "returns ('<tmp>/test_stored0/a.txt', 'x')"


def test_no_rivals(compare: Compare) -> None:
    found = compare("clamp", ("", ""))
    assert found.witnesses == ()


def test_values_with_wide_reach(tmp_path: Path) -> None:
    files = {
        "lib.py": """\
            import enum
            class E(enum.Enum):
                A = 1
            class S:
                __slots__ = ("x",)
            def f(x):
                return x
            """,
        "test_a.py": """\
            import datetime, decimal, collections
            from lib import *
            def test_a():
                s = S(); s.x = s
                for x in (E.A, s, datetime.date(2020, 1, 2), decimal.Decimal("1.0"), collections.OrderedDict(a=1),
                          {1, 2}, frozenset(), range(3), b"x", 1j, len, S, object(), collections.deque([1]), f):
                    f(x)
            """,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(textwrap.dedent(text))
    with LocalSandbox(bare_target(tmp_path)) as sandbox:
        session = sandbox.warm((), limits=Limits(wall_seconds=5, test_seconds=5))
        assert isinstance(session, WarmServer), session
        function = FunctionId("lib.py", "f", 6)
        mine = Trial(digest("m"), function, b"def f(x):\n    return x\n", "")
        same = Trial(digest("s"), function, b"def f(x):\n    y = x\n    return y\n", "")
        found = Asked(session, mine, [same], (), same, ())
        session.close()
    assert (found.witnesses, found.failures, found.inputs >= 15) == ((), (), True)


def test_of_a_test_that_is_asked_about_more_calls_are_compared_than_of_others(server: WarmServer) -> None:
    """Where many tests call a function, few calls of each are compared, and the one that fails may be the last."""
    old, mine = trial("fact"), trial("fact", "n < 2", "n <= 1")
    function = opened("fact")[0]
    server.questions.record(function, 10)
    server.questions._callers[function] = 40
    (test,) = {call.test for call in server.questions.record(function, 10).seen}
    server.questions._callers[function] = 40
    few, more = (server.questions.compare(mine, [], (), old, (), asked=asked).tried.inputs for asked in ((), (test,)))
    assert more > 2 * few, "five calls and their neighbours, where it were two"
