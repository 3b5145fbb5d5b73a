"""What follows from the evidence, law by law."""

import pytest

from repair.records.verdict import CORE_GATES, EXTRA_GATES, Decision, Evidence, PatchStatus, Verdict

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


@pytest.mark.parametrize("gate", EXTRA_GATES)
def test_an_extra_gate_lowers_a_verdict_with_a_witness_and_where_it_is_required(gate):
    unseen, doubt = Evidence(gate, U, "could not look"), Evidence(gate, U, "too much", witness="f(1)")
    core, strict = verdict().evidence, (*CORE_GATES, gate)
    assert Verdict((*core, unseen)).status is PatchStatus.CERTIFIED
    assert Verdict((*core, doubt)).status is PatchStatus.PLAUSIBLE
    assert Verdict((*core, Evidence(gate, R, "no"))).status is PatchStatus.REJECTED
    assert Verdict((*core, Evidence(gate, A, "yes")), strict).status is PatchStatus.CERTIFIED
    assert Verdict((*core, unseen), strict).status is PatchStatus.PLAUSIBLE
    assert Verdict(core, strict).status is PatchStatus.PLAUSIBLE


def test_what_was_not_asked_is_named_whether_it_was_required_or_not():
    assert verdict().not_asked == EXTRA_GATES
    assert Verdict(verdict(**{EXTRA_GATES[0]: A}, mutation=None).evidence).not_asked == ("mutation", *EXTRA_GATES[1:])
