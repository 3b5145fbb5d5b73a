"""Each shape in which a function can be held: a wrong text of it, put in warm, says what a cold run says.

Or it is refused with the reason; then the next tier answers. Every shape has a test of its own that fails cold.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.bare import bare_target
from fakes.defined import DEFINED
from fakes.held import HELD, Shape

from analysis.facts import Limits, Outcome, TestRun, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialOutcome, TrialState
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIMITS = Limits(wall_seconds=20, test_seconds=20)


SHAPES = {**HELD, **DEFINED}

IMPORTS = """\
import abc, asyncio, contextlib, copy, dataclasses, enum, functools, inspect, operator, os, pickle, signal, threading
import types, typing, weakref
"""
TESTS = (
    IMPORTS
    + """
import lib

async def gathered(stream): return [each async for each in stream]
"""
)


def written(shapes: dict[str, Shape]) -> tuple[str, str]:
    """The module of all shapes, and its tests."""
    lib = IMPORTS + "\n".join(textwrap.dedent(shape.lib).strip("\n") + "\n" for shape in shapes.values())
    tests = "\n".join(f"def test_{name}(): assert {shape.test}" for name, shape in shapes.items())
    return lib, TESTS + tests + "\n"


LIB, TEST_FILE = written(SHAPES)
SOURCE = LIB.encode()


def trial_of(name: str) -> Trial:
    """The shape's wrong text."""
    shape = SHAPES[name]
    qualname, _, number = shape.function.partition("#")
    start = SOURCE.index(textwrap.dedent(shape.lib).strip("\n").encode())
    spans = [s for s in functions_of("lib.py", SOURCE) if s.function.qualname == qualname and s.start >= start]
    span = spans[int(number or 1) - 1]
    text = SOURCE[span.start : span.end]
    wrong = text.replace(*(part.encode() for part in shape.change))
    assert wrong != text
    return Trial(digest(name), span.function, wrong, "test")


TRIALS = {name: trial_of(name) for name in SHAPES}


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSandbox]:
    root: Path = tmp_path_factory.mktemp("shapes")
    (root / "lib.py").write_text(LIB)
    (root / "test_lib.py").write_text(TEST_FILE)
    with LocalSandbox(bare_target(root)) as box:
        yield box


@pytest.fixture(scope="module")
def server(sandbox: LocalSandbox) -> Iterator[WarmServer]:
    opened = sandbox.warm((), limits=LIMITS, jobs=2)
    assert isinstance(opened, WarmServer), opened
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def warm(server: WarmServer) -> dict[str, TrialOutcome]:
    """Outcomes, as a search has them: a function goes to the next tier where the canary says so."""
    found = {outcome.digest: outcome for outcome in server.trials(TRIALS.values())}
    for name in [name for name, shape in SHAPES.items() if shape.refused == "do not notice"]:
        said = server.hindrance(TRIALS[name].function)
        found[TRIALS[name].digest] = TrialOutcome(TRIALS[name].digest, TrialState.INVALID, None, said)
    return {name: found[trial.digest] for name, trial in TRIALS.items()}


@pytest.fixture(scope="module")
def cold(sandbox: LocalSandbox) -> TestRun:
    """One run with all wrong texts in the file at once: the shapes have nothing to do with each other."""
    spans = {s.function: s for s in functions_of("lib.py", SOURCE)}
    content = SOURCE
    for trial in sorted(TRIALS.values(), key=lambda trial: -spans[trial.function].start):
        span = spans[trial.function]
        content = content[: span.start] + trial.text + content[span.end :]
    run = sandbox.run((), (("lib.py", content),))
    assert isinstance(run, TestRun), run
    return run


def test_all_pass_as_they_are(server: WarmServer) -> None:
    span = find_function(functions_of("lib.py", SOURCE), "aliased")
    assert span is not None
    (outcome,) = server.trials([Trial(digest("as it is"), span.function, SOURCE[span.start : span.end], "test")])
    assert outcome.state is TrialState.PASSED, outcome


@pytest.mark.parametrize("name", SHAPES)
def test_a_wrong_text_fails_warm_as_cold_or_is_refused(warm: dict[str, TrialOutcome], cold: TestRun, name: str) -> None:
    assert {r.test: r.outcome for r in cold.results}[f"test_lib.py::test_{name}"] is Outcome.FAILED
    outcome, refused = warm[name], SHAPES[name].refused
    if refused:
        assert outcome.state is TrialState.INVALID, outcome
        assert refused in outcome.detail
    else:
        assert (outcome.state, outcome.failed) == (TrialState.FAILED, f"test_lib.py::test_{name}"), outcome
