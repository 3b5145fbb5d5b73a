"""Thirty bugs whose true function is second to tenth: a model that knows it reaches it with one request more.

The bugs are our own; the functions in front of the true one are the bug's others and those of real modules. Nothing is
run: a text passes where it is the reference's. All else is the loop, the talk and the reader as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from fakes.diagnosed import diagnosis_of
from fakes.engines import search_parts
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import baseline_of

from analysis.facts import Files, FunctionId, Outcome, Suspect, TestId
from analysis.functions import FunctionSpan, functions_of
from corpora.bug import Bug
from corpora.loaders.flat import FlatCorpus, files_below
from repair.hunt.search_loop import SearchLoop
from repair.model.asking import ModelClient
from repair.model.backend import ModelRequest
from repair.model.meter import Meter, ModelLimits
from repair.model.proposer import ModelProposer
from repair.model.reply import ModelReply
from repair.records.plan import Localized
from repair.records.task import Budget

OWN = Path(__file__).parents[2] / "corpora" / "own"
LIBRARY = ("textwrap", "shlex", "fractions", "csv", "difflib")
"""Modules of the standard library whose functions stand in front."""

COUNT = 30
FAILING = TestId("test_it.py::test_it")

SAID = (
    "{path}:{name}",
    "`{path}:{name}`",
    "{name}",
    "{path}:{name}()",
    "./{path}:{name}",
)
"""How models write the name of a function."""


@dataclass(frozen=True)
class Case:
    """One bug: its true function with the reference's text, and how many suspects stand in front of it."""

    name: str
    files: Files
    truth: FunctionSpan
    mended: bytes
    place: int

    @property
    def shown(self) -> str:
        return self.truth.function.qualname


def changed_function(old: Files, new: Files) -> tuple[FunctionSpan, bytes] | None:
    """The one function that the reference changes, with its new text; nothing where it changes more than one."""
    before, found = dict(old), []
    for path, text in new:
        known = {s.function.qualname: s for s in functions_of(path, before.get(path, b""))}
        for span in functions_of(path, text):
            own, body = known.get(span.function.qualname), text[span.start : span.end]
            if own is not None and before[path][own.start : own.end] != body:
                found.append((own, body))
    return found[0] if len(found) == 1 else None


def cases() -> Iterator[Case]:
    """The bugs that have one changed function, its place going from second to tenth and round again."""
    number, corpus = 0, FlatCorpus(OWN)
    for bug in corpus.bugs():
        if not isinstance(bug, Bug):
            continue
        files = tuple(each for each in files_below(OWN / bug.id / "tree") if each[0].endswith(".py"))
        changed = changed_function(files, corpus.oracle(bug).reference)
        if changed is not None:
            yield Case(bug.id, files, *changed, place=number % 9 + 1)
            number += 1


def localized_of(case: Case) -> tuple[Localized, Files]:
    """Suspects in whose order the true function has its place; the others are real ones."""
    library = Path(re.__file__).parents[1]
    texts = {f"lib/{name}.py": (library / f"{name}.py").read_bytes() for name in LIBRARY}
    files = tuple(sorted({**dict(case.files), **texts}.items()))
    index = {path: functions_of(path, text) for path, text in files if path.endswith(".py")}
    others = [s.function for path in texts for s in index[path]][::7]
    own = [s.function for s in index[case.truth.function.path] if s.function != case.truth.function]
    order = [*own, *others][: case.place]
    order = [*order, case.truth.function, *others[case.place :][:20]]
    suspects = tuple(Suspect(f, 1.0 / n, ("ran",)) for n, f in enumerate(dict.fromkeys(order), 1))
    return Localized((diagnosis_of(FAILING),), suspects, (), index), files


class Knowing:
    """A model that knows the bug: it names the true function wherever it is shown another one."""

    def __init__(self, case: Case, form: str) -> None:
        self._case, self._form = case, form
        self.shown: list[str] = []

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply:
        first = next(message.text for message in request.messages if message.role == "user")
        found = re.search(r"(?:Mend|Write) `([^`]+)` in ([^,\s]+)", first)
        assert found, first[:200]
        truth: FunctionId = self._case.truth.function
        self.shown.append(found[1])
        if (found[1], found[2]) != (truth.qualname, truth.path):
            named = self._form.format(path=truth.path, name=truth.qualname)
            return ModelReply(
                f"WHY: it only passes the value on.\nELSEWHERE: {named} because it makes the value.\nEND."
            )
        text = self._case.mended.decode()
        return ModelReply(f"WHY: the reference.\n```python rewrite\n{text}```\nEND.")


def reach(case: Case, form: str) -> tuple[bool, list[str]]:
    """Whether the search ends with the reference, and the functions that were shown on the way."""
    localized, files = localized_of(case)
    model = Knowing(case, form)
    proposer = ModelProposer(ModelClient(model, Meter(ModelLimits()), lambda _: None), lambda texts: True)
    wanted = b"".join(case.mended.split())
    session = FakeSession(lambda trial: b"".join(trial.text.split()) == wanted, failed=FAILING)
    sandbox = FakeSandbox(
        lambda tests, files, shuffle: run_of(dict.fromkeys(tests, Outcome.PASSED)), files, lambda tests, files: session
    )
    parts = search_parts(sandbox, proposer)
    baseline = baseline_of({FAILING: Outcome.FAILED})
    with closing(parts.open_pool(baseline, files)) as pool:
        result = SearchLoop(parts, baseline, localized, files, Budget(), pool).run()
    return bool(result.survivors), model.shown


def test_the_right_function_is_reached_with_one_request_more_in_nine_cases_of_ten():
    reached = {}
    for number, case in enumerate(islice(cases(), COUNT)):
        found, shown = reach(case, SAID[number % len(SAID)])
        reached[case.name] = (found, len(shown), shown)
    assert len(reached) == COUNT
    soon = [name for name, (found, requests, _) in reached.items() if found and requests <= 2]
    missed = {name: each for name, each in reached.items() if name not in soon}
    assert len(soon) >= 0.9 * COUNT, missed
    assert all(found for found, _, _ in reached.values()), missed
