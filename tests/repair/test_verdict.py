"""What follows from the evidence, law by law."""

import pytest

from repair.verdict import CORE_GATES, Decision, Evidence, PatchStatus, Verdict

A, R, U = Decision.ACCEPT, Decision.REJECT, Decision.UNKNOWN


def verdict(**changed):
    """All core gates accept, but for those named; ``None`` leaves a gate out."""
    decisions = {**dict.fromkeys(CORE_GATES, A), **changed}
    return Verdict(tuple(Evidence(gate, d, "claim") for gate, d in decisions.items() if d is not None))


def test_every_core_gate_has_to_accept():
    assert verdict().status is PatchStatus.CERTIFIED


@pytest.mark.parametrize("gate", CORE_GATES)
def test_a_rejection_by_any_gate_rejects(gate):
    assert verdict(**{gate: R}).status is PatchStatus.REJECTED


@pytest.mark.parametrize("gate", CORE_GATES)
def test_unknown_never_certifies(gate):
    assert verdict(**{gate: U}).status is PatchStatus.PLAUSIBLE


@pytest.mark.parametrize("gate", [gate for gate in CORE_GATES if gate != "fixes"])
def test_a_core_gate_that_was_not_asked_never_certifies(gate):
    assert verdict(**{gate: None}).status is PatchStatus.PLAUSIBLE


def test_no_evidence_is_no_acceptance():
    assert Verdict(()).status is PatchStatus.REJECTED


def test_a_further_gate_can_only_tighten():
    assert verdict(changed_tests=U).status is PatchStatus.PLAUSIBLE
    assert verdict(changed_tests=R).status is PatchStatus.REJECTED
