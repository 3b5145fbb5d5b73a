"""What calls of the suite were seen to be given and to come to."""

from types import SimpleNamespace

from fakes.stating import scanned

from analysis.behaviour import Raised
from analysis.calls import PlainAnswer
from analysis.facts import InvalidRun, Limits, PointKind, RecordedValue, Recording, RunFault, Sighting, TestId
from repair.survey.specified.seen import look_at_calls

SHOP = 'def total(prices) -> str:\n    """Add up."""\n    return sum(prices)\n'


class Seeing:
    """A sandbox in which tests gave these values, and saw these results."""

    def __init__(self, entries, returns, raises=""):
        self._seen = ((PointKind.ENTRY, "prices", entries), (PointKind.RETURN, "", returns))
        self._raises = raises
        self.repeated = []

    def record_points(self, tests, points, files=(), *, limits=None):
        kinds = {point.kind: point for point in points}
        found = [
            Sighting(
                kinds[kind], TestId(test), (RecordedValue(name, f"builtins.{type(value).__name__}", repr(value), True),)
            )
            for kind, name, rows in self._seen
            for test, value in rows
        ]
        return Recording(tuple(found))

    def call_apart(self, function, calls, files=(), *, limits=None, like_tests=False):
        self.repeated += calls
        return tuple(PlainAnswer("", Raised(self._raises)) for _ in calls)


def looked(tmp_path, sandbox, source=SHOP):
    found = scanned(tmp_path, {"shop.py": source})
    return look_at_calls(sandbox, found.functions, found.facts, (("shop.py", source.encode()),), Limits())


def test_kinds_of_arguments_and_results(tmp_path):
    found = looked(tmp_path, Seeing([("t.py::a", [1]), ("t.py::b", (1, 2))], [("t.py::a", 1), ("t.py::b", 3)]))
    assert [(fact.part, fact.value, fact.quote) for fact in found.facts] == [
        ("prices", "list | tuple", "2 different calls in 2 tests"),
        ("", "gives int", "2 different calls in 2 tests"),
    ]
    (strange,) = found.strange
    assert (strange.kind, strange.test, strange.fact.value) == ("int", "t.py::a", "str")


def test_what_is_allowed_is_not_strange(tmp_path):
    found = looked(tmp_path, Seeing([("t.py::a", [1])], [("t.py::a", True)]), SHOP.replace("str", "float"))
    assert found.strange == ()


def test_calls_without_a_return_are_repeated(tmp_path):
    sandbox = Seeing([("t.py::a", ["x"]), ("t.py::b", [1])], [("t.py::b", 1)], "TypeError")
    assert "raises TypeError" in [fact.value for fact in looked(tmp_path, sandbox).facts]
    assert [each.kwargs for each in sandbox.repeated] == ["{'prices': ['x']}"]


def test_what_reaches_far_is_not_repeated(tmp_path):
    sandbox = Seeing([("t.py::a", ["x"])], [], "TypeError")
    looked(tmp_path, sandbox, "def total(prices):\n    return open(prices)\n")
    assert sandbox.repeated == []


def test_a_lost_run_says_why(tmp_path):
    lost = SimpleNamespace(record_points=lambda *_, **__: InvalidRun(RunFault.EXITED, "it ended"))
    assert looked(tmp_path, lost).problem == "it ended"
