"""A patch whose number could be another one, with which less changes."""

import pytest
from fakes.behaviours import comparison, differs
from fakes.sandbox import FakeSession
from fakes.submission import submission_of

from analysis.calls import AgainstOld
from analysis.facts import FunctionId, digest
from analysis.trials import Trial
from repair.compare.comparing import open_versions
from repair.compare.other_numbers import find_narrower_number, is_narrower


def changing(call):
    return differs(call, "returns 1", "returns 2")


def versions():
    return open_versions(submission_of())


@pytest.mark.parametrize(
    ("other", "departures", "found"),
    [
        ("returns '31st'", (differs("f(31)", "returns '31th'", "returns '31st'"),), True),
        ("returns '31nd'", (differs("f(31)", "returns '31th'", "returns '31st'"),), False),
        ("returns '31st'", (differs("f(41)", "returns '41th'", "returns '41st'"),), False),
    ],
)
def test_perhaps_narrower_is_what_leaves_a_call_as_it_was(other, departures, found):
    trial = Trial(digest("x"), FunctionId("a.py", "f", 1), b"", "number:100 in place of 20")
    witness = differs("f(31)", "returns '31th'", other)
    every = (*departures, changing("f(99)"))
    seen = comparison(30, ((trial.digest, witness), ("rival", witness)), departures=every)
    asked = FakeSession(lambda trial: True, comparison(30, departures=every[-1:]))
    told = find_narrower_number(asked, versions(), seen, {trial.digest: trial}, 0, 1)
    assert told == (("100 in place of 20", witness) if found else None)


@pytest.mark.parametrize(("calls", "narrower"), [("a", True), ("ab", False), ("abc", False), ("c", False), ("", False)])
def test_narrower_is_what_changes_a_part_of_it_in_the_same_way(calls, narrower):
    def all_of(names):
        return AgainstOld(departures=tuple(changing(f"f({name})") for name in names))

    assert is_narrower(all_of(calls), all_of("ab")) is narrower
    other_way = AgainstOld(departures=(differs("f(a)", "returns 3", "returns 2"),))
    assert not is_narrower(other_way, all_of("ab"))
