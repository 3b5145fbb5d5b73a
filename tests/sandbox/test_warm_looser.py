"""Looser forms of a candidate, and digits that a fix hangs on, on a warm server."""

from collections.abc import Iterator

import pytest
from fakes.bare import bare_target

from analysis.calls import Comparison
from analysis.facts import Limits, TestId, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from repair.departures import picks_digits
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

TOTAL = """\
def total(items):
    found = list(items)
    if found and hasattr(items, "__len__"):
        return sum(found)
    return 0
"""
CENTS = """\
def cents(text):
    whole, _, part = text.partition(".")
    if part in ("5", "9", "3"):
        part += "0"
    return int(whole) * 100 + int(part or 0)
"""
KEPT = """\
class Kept:
    def __init__(self, counts):
        self.counts = dict(counts)

    def take(self, name, count):
        left = self.counts[name] - count
        self.counts[name] = left
        if not left and name < "o":
            del self.counts[name]
        return sorted(self.counts)
"""
READ = """\
def read(path):
    limit = 1 if str(path).endswith(".ini") else -1
    with open(path) as file:
        return [line.strip().split("=", limit)[:2] for line in file]
"""
LIB = "\n\n".join((TOTAL, CENTS, KEPT, READ))
TESTS = """\
import pytest
from lib import Kept, cents, read, total

def test_total(): assert total([1, 2]) == 3
@pytest.mark.parametrize("text, number", [("5.5", 550), ("0.9", 90), ("120.3", 12030)])
def test_cents(text, number): assert cents(text) == number
@pytest.mark.parametrize("text, number", [("12.50", 1250), ("3", 300), ("0.05", 5)])
def test_other(text, number): assert cents(text) == number
def test_take():
    here = Kept({"nail": 3, "screw": 20})
    assert here.take("screw", 5) == ["nail", "screw"]
    assert here.take("nail", 3) == ["screw"]
def test_read(tmp_path):
    path = tmp_path / "app.ini"
    path.write_text("a=b=c\\n")
    assert read(path) == [["a", "b=c"]]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmServer]:
    root = tmp_path_factory.mktemp("looser")
    (root / "lib.py").write_text(LIB)
    (root / "test_lib.py").write_text(TESTS)
    with LocalSandbox(bare_target(root)) as sandbox:
        session = sandbox.warm((), limits=Limits(wall_seconds=30, test_seconds=30))
        assert isinstance(session, WarmServer), session
        yield session
        session.close()


def trial(name: str, old: str = "", new: str = "") -> Trial:
    span = find_function(functions_of("lib.py", LIB.encode()), name)
    assert span is not None
    text = LIB.encode()[span.start : span.end].decode()
    assert old in text
    changed = text.replace(old, new) if old else text
    return Trial(digest(name, changed), span.function, changed.encode(), "test")


def lines_of(name: str, line: int) -> tuple[int, ...]:
    return (trial(name).function.first_line + line,)


def loosened(server: WarmServer, name: str, line: int, old: tuple[str, str], form: tuple[str, str]) -> Comparison:
    return server.compare(trial(name), [trial(name, *form)], (), trial(name, *old), lines_of(name, line), looser=True)


@pytest.mark.parametrize(
    ("name", "line", "old", "form", "call"),
    [
        (
            "total", 2, ("return sum(found)", "return 0"), (' and hasattr(items, "__len__")', ""),
            "total(Stream(_items=[1, 2]))",
        ),
        ("Kept.take", 3, ('if not left and name < "o"', "if False"), (' and name < "o"', ""), "take('"),
        ("read", 1, (' if str(path).endswith(".ini") else -1', " * -1"), (' if str(path).endswith(".ini") else -1', ""),
         "app.txt"),
    ],
)  # fmt: skip
def test_a_form_that_mends_more_is_told_by_a_call_unlike_the_tests(server, name, line, old, form, call) -> None:
    (found,) = loosened(server, name, line, old, form).witnesses
    assert call in found[1].call
    assert found[1].mine != found[1].other


@pytest.mark.parametrize(
    "form",
    [
        ('"__len__"', "'__len__'"),
        ('if found and hasattr(items, "__len__"):', "if found and (hasattr(items, '__len__') or items[0]):"),
    ],
)
def test_a_form_that_mends_nothing_more_is_not(server: WarmServer, form: tuple[str, str]) -> None:
    found = loosened(server, "total", 2, ("return sum(found)", "return 0"), form)
    assert not found.witnesses
    assert found.inputs > 1


def test_digits_that_a_fix_hangs_on_are_told(server: WarmServer) -> None:
    old = trial("cents", 'part += "0"', "pass")
    failing = [TestId(f"test_lib.py::test_cents[{text}]") for text in ("5.5-550", "0.9-90", "120.3-12030")]
    lines = lines_of("cents", 2)
    picking = server.compare(trial("cents"), [old], (), old, lines)
    spared = picks_digits(picking, failing, ("5", "9", "3"))
    assert spared is not None
    assert spared.call.startswith("cents(")
    whole = server.compare(trial("cents", 'in ("5", "9", "3")', "and len(part) < 2"), [old], (), old, lines)
    assert whole.digits
    assert picks_digits(whole, failing, (2,)) is None
