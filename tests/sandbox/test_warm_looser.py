"""Looser forms of a candidate, and digits that a fix hangs on, on a warm server."""

import pytest
from fakes.library import LOOSER

from analysis.calls import Comparison
from analysis.facts import TestId, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from repair.checks import some_digits_alone
from repair.checks.check import Behaved
from sandbox.warm import WarmServer


def trial(name: str, old: str = "", new: str = "") -> Trial:
    span = find_function(functions_of("looser.py", LOOSER.encode()), name)
    assert span is not None
    text = LOOSER.encode()[span.start : span.end].decode()
    assert old in text
    changed = text.replace(old, new) if old else text
    return Trial(digest(name, changed), span.function, changed.encode(), "test")


def lines_of(name: str, line: int) -> tuple[int, ...]:
    return (trial(name).function.first_line + line,)


def loosened(server: WarmServer, name: str, line: int, old: tuple[str, str], form: tuple[str, str]) -> Comparison:
    return server.questions.compare(
        trial(name),
        [trial(name, *form)],
        (),
        trial(name, *old),
        lines_of(name, line),
        looser=True,
        against_old=False,
    )


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
    ((_, found),) = loosened(server, name, line, old, form).rivals.differences
    assert call in found.call.source
    assert found.mine != found.other


@pytest.mark.parametrize(
    "form",
    [
        ('"__len__"', "'__len__'"),
        ('if found and hasattr(items, "__len__"):', "if found and (hasattr(items, '__len__') or items[0]):"),
    ],
)
def test_a_form_that_mends_nothing_more_is_not(server: WarmServer, form: tuple[str, str]) -> None:
    found = loosened(server, "total", 2, ("return sum(found)", "return 0"), form)
    assert not found.rivals.differences
    assert found.tried.inputs > 1


def test_digits_that_a_fix_hangs_on_are_told(server: WarmServer) -> None:
    old = trial("cents", 'part += "0"', "pass")
    failing = [TestId(f"test_looser.py::test_cents[{text}]") for text in ("5.5-550", "0.9-90", "120.3-12030")]
    lines = lines_of("cents", 2)
    picking = server.questions.compare(trial("cents"), [], (), old, lines)
    spared = some_digits_alone.find(Behaved(picking.old, failing=failing, brought_in=("5", "9", "3")))
    assert spared is not None
    assert spared.call.source.startswith("cents(")
    whole = server.questions.compare(trial("cents", 'in ("5", "9", "3")', "and len(part) < 2"), [], (), old, lines)
    assert whole.old.digits
    assert some_digits_alone.find(Behaved(whole.old, failing=failing, brought_in=(2,))) is None
