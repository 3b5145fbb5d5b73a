"""What a run hands over in the end."""

from types import SimpleNamespace

import pytest

import repair.workshop as workshop_module
from analysis.facts import Limits
from repair.config import Options
from repair.outcome import Ending
from repair.patched_server import PatchedServer
from repair.result import Status
from repair.trial_memory import TrialMemory
from repair.verdict import CORE_GATES, EXTRA_GATES
from repair.workshop import Workshop


def test_a_damaged_memory_is_told_with_the_result(tmp_path):
    path, saved, heard = tmp_path / "trials.sqlite", [], []
    path.write_bytes(b"no database" * 1000)
    memory = TrialMemory(path)
    assert memory.page(b"w") == {}
    workshop = Workshop(
        options=Options(str(tmp_path)),
        target=SimpleNamespace(interpreter=SimpleNamespace(version=(3, 11, 7), pytest="8.3.5")),
        sandbox=SimpleNamespace(
            snapshot=SimpleNamespace(stale=lambda: ()), jail=SimpleNamespace(kind="bwrap", opens=())
        ),
        record=SimpleNamespace(id="r", save_result=saved.append),
        listen=heard.append,
        started=0.0,
        warnings=("isolation is limited",),
        proposers=(),
        key=b"k" * 32,
        memory=memory,
    )
    result = workshop.finish(Ending(Status.UNREPAIRED))
    assert saved == [result]
    assert result.warnings[0] == "isolation is limited"
    assert "starts anew" in result.warnings[1]
    assert [event.type for event in heard] == ["warning", "finished"]


def gates_of(tmp_path, gates):
    sandbox = SimpleNamespace(snapshot=SimpleNamespace(read=lambda names: {}))
    workshop = Workshop(
        options=Options(str(tmp_path), gates=gates),
        target=SimpleNamespace(root=str(tmp_path), interpreter=SimpleNamespace(version=(3, 11, 7))),
        sandbox=sandbox,
        record=None,
        listen=lambda event: None,
        started=0.0,
        warnings=(),
        proposers=(),
        key=b"k" * 32,
    )
    return [gate.name for gate in workshop.gates(sandbox, PatchedServer(sandbox, Limits()))], workshop.required


@pytest.mark.parametrize("ruff", ["", "/bin/ruff"])
def test_strict_asks_and_requires_every_gate_there_is(tmp_path, monkeypatch, ruff):
    monkeypatch.setattr(workshop_module, "find_ruff", lambda root, path: ruff)
    names, required = gates_of(tmp_path, "strict")
    assert set(names) == set(required) == {*CORE_GATES, *EXTRA_GATES}
    names, required = gates_of(tmp_path, "standard")
    assert required == CORE_GATES
    assert set(names) == {*CORE_GATES, "cost", *(["static"] if ruff else [])}
    assert [name for name in names if name in CORE_GATES] == list(CORE_GATES)
