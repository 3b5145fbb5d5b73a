"""Gates and proposers of third parties: they are found by name, and can only ask for more."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from fakes.sandbox import FakeSandbox, run_of

from analysis.errors import UsageError
from analysis.facts import FunctionId, Limits
from repair.front import parts
from repair.front.parts import outside_gates, outside_proposer, required_gates
from repair.gates.outside_gate import OutsideGate
from repair.proposers.outside_proposer import OutsideProposer
from repair.records import config
from repair.records.config import load_options
from repair.records.events import Event
from repair.records.task import Pause
from repair.records.verdict import CORE_GATES, Decision, Doubt, Evidence, PatchStatus, Verdict
from transforms.tree.proposal import Origin, Proposal


class SaysYes:
    def __init__(self, sandbox: Any, limits: Limits) -> None:
        self.made_of = (sandbox, limits)

    def judge(self, submission: object) -> Evidence:
        doubts = (Doubt("no_such_feature", "x"),)
        return Evidence("fixes", Decision.ACCEPT, "y" * 999, (("lines", 3),), doubts=doubts)


class NotMade:
    def __init__(self, *_: Any) -> None:
        raise LookupError("no licence")


class Proposes:
    def propose(self, plan: object, context: object) -> Iterator[object]:
        function = FunctionId("a.py", "f", 1)
        yield Proposal(function, (), Origin("search", "mine"))
        yield "no proposal"
        yield Pause(3)
        raise RuntimeError("out of ideas")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        "repair.gates": [("house", "SaysYes"), ("fixes", "SaysYes"), ("gone", "NoSuchThing"), ("broken", "NotMade")],
        "repair.checks": [("house", "SaysYes")],
        "repair.proposers": [("house", "Proposes"), ("search", "Proposes"), ("broken", "NotMade")],
    }
    made = {
        group: [SimpleNamespace(name=name, load=lambda value=value: _load(value)) for name, value in found]
        for group, found in points.items()
    }
    for module in (parts, config):
        monkeypatch.setattr(module, "entry_points", lambda group: made[group])


def _load(name: str) -> Any:
    return {"SaysYes": SaysYes, "Proposes": Proposes, "NotMade": NotMade}[name]


SANDBOX = FakeSandbox(lambda *_: run_of({}))


def test_a_gate_is_made_of_the_sandbox_and_speaks_under_its_own_name() -> None:
    (gate,) = outside_gates(["house", "house"], SANDBOX, Limits())
    assert isinstance(gate, OutsideGate)
    assert gate.gate.made_of == (SANDBOX, Limits())
    said = gate.judge(None)  # type: ignore[arg-type]
    assert (said.gate, said.decision, len(said.claim), said.doubts) == ("house", Decision.ACCEPT, 400, ())


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("other", "Installed are: broken, gone, house"),
        ("fixes", "No gate 'fixes' of a third party"),
        ("gone", "cannot be load"),
    ],
)
def test_a_name_that_nobody_has_or_that_is_ours_is_refused(name: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        outside_gates([name], SANDBOX, Limits())
    with pytest.raises(UsageError, match="No proposer 'search'"):
        outside_proposer("search", lambda happened: None)


class Fails:
    def judge(self, submission: object) -> Evidence:
        raise ZeroDivisionError("ha")


class SaysNothing:
    def judge(self, submission: object) -> object:
        return True


class Leaves:
    def judge(self, submission: object) -> Evidence:
        raise SystemExit(3)


class Misuses:
    def judge(self, submission: object) -> Evidence:
        raise UsageError("what is ours")


class MeasuresNonsense:
    def judge(self, submission: object) -> Evidence:
        return Evidence("house", Decision.ACCEPT, "yes", (("lines", object()),))  # type: ignore[arg-type]


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError


class FailsMutely:
    def judge(self, submission: object) -> Evidence:
        raise Mute


@pytest.mark.parametrize(
    ("gate", "claim"),
    [
        (Fails(), "the gate house of a third party failed: ZeroDivisionError: ha"),
        (SaysNothing(), "the gate house of a third party gave no evidence but bool"),
        (Leaves(), "SystemExit: 3"),
        (Misuses(), "UsageError: what is ours"),
        (MeasuresNonsense(), "it measured str: object"),
        (FailsMutely(), "failed: Mute"),
    ],
)
def test_a_gate_that_fails_or_says_nothing_is_no_yes(gate: Any, claim: str) -> None:
    said = OutsideGate("house", gate).judge(None)
    assert (said.decision, claim in said.claim) == (Decision.UNKNOWN, True)


def test_what_cannot_be_made_costs_the_certificate_or_its_edits_and_not_the_run() -> None:
    (gate,) = outside_gates(["broken"], SANDBOX, Limits())
    said = gate.judge(None)  # type: ignore[arg-type]
    assert said.decision is Decision.UNKNOWN
    assert said.claim == "the gate broken of a third party cannot be made: LookupError: no licence"
    heard: list[Event] = []
    proposer = outside_proposer("broken", heard.append)
    assert [*proposer.propose(None, None)] == []  # type: ignore[arg-type]
    assert [dict(each.fields)["message"] for each in heard] == [
        "the proposer broken cannot be made: LookupError: no licence"
    ]


@pytest.mark.parametrize(
    ("decision", "word"),
    [
        (Decision.ACCEPT, PatchStatus.CERTIFIED),
        (Decision.UNKNOWN, PatchStatus.PLAUSIBLE),
        (Decision.REJECT, PatchStatus.REJECTED),
        (None, PatchStatus.PLAUSIBLE),
    ],
)
def test_without_its_yes_nothing_is_certified(decision: Decision | None, word: PatchStatus) -> None:
    ours = tuple(Evidence(name, Decision.ACCEPT, "") for name in CORE_GATES)
    theirs = (Evidence("house", decision, ""),) if decision is not None else ()
    required = required_gates(strict=False, extra=["house"])
    assert Verdict((*ours, *theirs), required).status is word


def test_edits_carry_the_name_of_the_entry_point_and_a_failure_ends_them() -> None:
    heard: list[Event] = []
    proposer = outside_proposer("house", heard.append)
    assert isinstance(proposer, OutsideProposer)
    first, second = proposer.propose(None, None)  # type: ignore[arg-type]
    assert isinstance(first, Proposal)
    assert (first.origin.proposer, first.origin.operator, first.origin.is_searched) == ("house", "mine", False)
    assert second == Pause(3)
    assert [dict(each.fields)["message"] for each in heard] == ["the proposer house failed: RuntimeError: out of ideas"]


def test_settings_that_name_nobody_are_refused_before_anything_runs(tmp_path: Any) -> None:
    options = load_options(tmp_path, {"proposers": ("search", "house"), "extra_gates": ("house",)}, {})
    assert (options.proposers, options.extra_gates) == (("search", "house"), ("house",))
    assert load_options(tmp_path, {"extra_checks": ("house",)}, {}).extra_checks == ("house",)
    for given in ({"proposers": ("magic",)}, {"extra_gates": ("fixes",)}, {"extra_checks": ("magic",)}):
        with pytest.raises(UsageError, match="Installed are: "):
            load_options(tmp_path, given, {})
    (tmp_path / "repair.toml").write_text("proposers = ['search', 'house']\n")
    with pytest.raises(UsageError, match="A project's file cannot turn on the proposer 'house'"):
        load_options(tmp_path, {}, {})
