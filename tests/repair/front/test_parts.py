"""Which gates a run asks, and which it requires."""

from types import SimpleNamespace

import pytest
from fakes.sandbox import FakeSandbox, run_of

from analysis.errors import UsageError
from analysis.facts import Limits
from repair.compare.patched_server import PatchedServer
from repair.front.parts import make_gates, project_rules, required_gates
from repair.records.verdict import CORE_GATES, EXTRA_GATES


def names_of(root, *, strict):
    target = SimpleNamespace(root=str(root), interpreter=SimpleNamespace(version=(3, 11, 7)))
    snapshot, sandbox = SimpleNamespace(read=lambda names: {}), FakeSandbox(lambda *_: run_of({}))
    server = PatchedServer(sandbox, Limits())
    return [gate.name for gate in make_gates(sandbox, server, Limits(), 0, target, snapshot, {}, strict=strict)]


@pytest.mark.parametrize("ruff", ["", "/bin/ruff"])
def test_strict_asks_and_requires_every_gate_there_is(tmp_path, monkeypatch, ruff):
    monkeypatch.setattr("repair.front.parts.find_ruff", lambda root, path: ruff)
    every = {*CORE_GATES, *EXTRA_GATES}
    assert set(names_of(tmp_path, strict=True)) == set(required_gates(strict=True)) == every
    names = names_of(tmp_path, strict=False)
    assert required_gates(strict=False) == CORE_GATES
    assert set(names) == {*CORE_GATES, "cost", *(["static"] if ruff else [])}
    assert [name for name in names if name in CORE_GATES] == list(CORE_GATES)


def test_rules_of_the_project_make_a_gate_of_their_own():
    text = b'[[rules]]\nname = "a"\nsentence = "A."\nforbid = "f($X)"\n'
    snapshot = SimpleNamespace(read=lambda names: dict.fromkeys(names, text))
    assert [rule.name for rule in project_rules(snapshot)] == ["a"]
    assert project_rules(SimpleNamespace(read=lambda names: {})) == ()
    broken = SimpleNamespace(read=lambda names: dict.fromkeys(names, b"x"))
    with pytest.raises(UsageError, match="cannot be read: it is no TOML"):
        project_rules(broken)
