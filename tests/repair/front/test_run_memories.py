"""What a run tells of its memory: each function in an event, and a warning once in the same words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.facts import Diagnosis, Failure, FailureClass, FunctionId, Outcome, Phase, SeenError, Suspect, TestId
from repair.front.run_memories import open_memory, project_ledger
from repair.memory.ledger import LedgerEntry
from repair.memory.signature import signature_of
from repair.records.config import Options
from repair.records.events import Event
from repair.records.task import PatchPlan
from repair.store.store import RunStore

ERROR = SeenError("AssertionError", ("AssertionError",), "assert 4 == 5", ())
FAILURE = Failure(TestId("test_a.py::test_a"), Phase.CALL, Outcome.FAILED, (ERROR,), "assert 4 == 5")
DIAGNOSIS = Diagnosis(FAILURE, FailureClass.LOGIC, "wrong_value", ())
NAMES = ("total", "count", "least")
SOURCES = (("shop.py", b"".join(b"def %s(a):\n    return a\n\n\n" % name.encode() for name in NAMES)),)
PLANS = [
    PatchPlan(Suspect(FunctionId("shop.py", n, 1 + 4 * at), 1.0, ()), (DIAGNOSIS,), (), "")
    for at, n in enumerate(NAMES)
]


def heard(store: RunStore) -> list[dict[str, Any]]:
    events: list[Event] = []
    memory = open_memory(Options(root=str(store.root)), store, events.append, is_asked=True)
    for plan in PLANS:
        memory.strategy(plan, SOURCES)
    return [each.to_json() for each in events]


def test_a_warning_is_said_once_in_the_same_words(tmp_path: Path) -> None:
    store = RunStore(tmp_path, b"k" * 32, tmp_path)
    like = signature_of(DIAGNOSIS, SOURCES, PLANS[0].function)
    seldom = LedgerEntry("", 1, 20_000, like, "search", "", "unrepaired")
    project_ledger(store).add(replace(seldom, run=f"run-{n}") for n in range(60))
    told = heard(store)
    assert [each["function"] for each in told if each["type"] == "memory"] == list(NAMES)
    warnings = [each["message"] for each in told if each["type"] == "warning"]
    assert warnings == ["total: likely to fail: 0 of 60 like it were mended"]
    assert heard(store) == told  # another run says it again
