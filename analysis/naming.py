"""Whether a failing test speaks of a function: in its own name, or in what its failed assertion says it called."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from analysis.facts import Diagnosis, FunctionId, TestId
from analysis.frames import telling_exception

_CALLED = re.compile(
    r"where .*? = (?:[\w.\[\]'\"<>() ]*?\.)?<?(?:bound method |function )?([A-Za-z_][\w.]*)(?: at 0x\w+>)?\("
)


@dataclass(frozen=True, slots=True)
class TestWords:
    """What failing tests say, in lower case: (file, names) of each, and the functions that assertions called."""

    tests: tuple[tuple[str, str], ...]
    called: frozenset[str]


def words_of(failing: Collection[TestId], diagnoses: Sequence[Diagnosis]) -> TestWords:
    """The words of these tests and of their assertions."""
    tests = []
    for test in failing:
        path, *names = test.lower().split("[", 1)[0].split("::")
        tests.append((_module(path), "_".join(names)))
    messages = [e.message for d in diagnoses if (e := telling_exception(d.failure)) is not None]
    called = {name.rsplit(".", 1)[-1] for message in messages for name in _CALLED.findall(message)}
    return TestWords(tuple(sorted(set(tests))), frozenset(called))


def namedness(function: FunctionId, words: TestWords) -> float:
    """How plainly the words speak of the function, 0 to 1; 0.6 and more names it."""
    *owners, own = function.qualname.split(".")
    name, module = own.strip("_").lower(), _module(function.path.lower())
    owner = owners[-1].lower() if owners else ""
    best = 0.6 if own in words.called else 0.0
    for file, said in words.tests:
        score = 0.6 * _mentions(said, name) + 0.2 * _mentions(said, owner) + 0.2 * _mentions(file, module)
        best = max(best, score)
    return best


def is_for_display(function: FunctionId) -> bool:
    """Whether pytest may run the function only to show a value: such coverage follows from the failure."""
    return "repr" in function.qualname.rsplit(".", 1)[-1]


def _module(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".py").strip("_")


def _mentions(text: str, name: str) -> bool:
    if not name:
        return False
    if re.search(rf"(?:^|_)(?:test)?{re.escape(name)}(?:_|$)", text):
        return True
    return len(name) > 3 and name.replace("_", "") in text.replace("_", "")
