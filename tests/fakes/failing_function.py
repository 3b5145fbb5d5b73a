"""One failing function as proposers see it."""

from __future__ import annotations

from textwrap import dedent

from analysis.facts import (
    Constraint,
    ConstraintKind,
    Diagnosis,
    Failure,
    FailureClass,
    Frame,
    Outcome,
    Phase,
    SeenError,
    Suspect,
    TestId,
)
from analysis.functions import find_function, functions_of
from repair.records.ports import Context
from repair.records.task import Attempt, PatchPlan
from transforms.tree.proposal import EditKind
from transforms.tree.scope import EditScope, open_scope

MODULE = dedent('''\
    """Greets."""
    import os
    from string import capwords

    def other(name):
        return name.lower()

    class Greeter:
        def greet(self, name, times=1):
            text = "hello " + name.lower()
            if times > 1:
                text = text * times
            return text
    ''').encode()

TESTS = dedent("""\
    from greet import Greeter

    class TestGreeter:
        def setup_method(self):
            self.greeter = Greeter()

        def test_unrelated(self):
            assert self.greeter.greet("A") == "hello a"

        def test_nobody(self):
            assert self.greeter.greet(None) == "hello "
    """)

TEST = TestId("tests/test_greet.py::TestGreeter::test_nobody")
PATH = "greet.py"
MESSAGE = "'NoneType' object has no attribute 'lower'"


def scope_of(qualname: str = "Greeter.greet", source: bytes = MODULE) -> EditScope:
    """The function opened for editing."""
    span = find_function(functions_of(PATH, source), qualname)
    assert span is not None
    scope = open_scope(source, span)
    assert isinstance(scope, EditScope)
    return scope


def plan_of(scope: EditScope, message: str = MESSAGE) -> PatchPlan:
    """The plan for a function that fails on ``None``."""
    frames = (
        Frame("tests/test_greet.py", True, 11, None, None, None, "TestGreeter.test_nobody", "test_nobody", 10),
        Frame(PATH, True, 10, None, None, None, "Greeter.greet", "greet", 9),
    )
    raised = SeenError("AttributeError", ("AttributeError", "Exception"), message, frames)
    failure = Failure(TEST, Phase.CALL, Outcome.FAILED, (raised,), message)
    claim = "the input name may be None"
    constraint = Constraint(ConstraintKind.NULLABLE, "name", "lower", PATH, 10, claim)
    diagnosis = Diagnosis(failure, FailureClass.RUNTIME_SAFETY, "none", (constraint,))
    suspect = Suspect(scope.function, 1.0, ("raised here",), ((10, 1.0), (13, 0.2)))
    return PatchPlan(suspect, (diagnosis,), tuple(EditKind), "runtime_safety/none: guards")


def context_of(
    scope: EditScope,
    *,
    attempts: tuple[Attempt, ...] = (),
    description: str = "",
    tests: str = TESTS,
    seconds: float = 60,
) -> Context:
    """All that a proposer sees."""
    return Context(
        scope, scope.source, (("tests/test_greet.py", tests),), description, 0, lambda: attempts, lambda: seconds
    )
