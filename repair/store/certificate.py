"""The certificate: the bytes before and after, the tests and their outcomes, and every gate's evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from repair.records.change import Change
from repair.records.outcome import Judged
from repair.records.verdict import Evidence

SCHEMA = "repair.certificate/1"


def certificate(
    judged: Sequence[Judged],
    status: str,
    change: Change,
    versions: Mapping[str, str],
    seed: int,
    isolation: str,
    target: Mapping[str, Any],
    isolation_opens: Sequence[str] = (),
) -> dict[str, Any]:
    """Everything that is needed to prove the verdict again, as JSON values.

    - ``judged`` are all functions of one change, and ``status`` is the word for the whole of it.
    - ``target`` says with which interpreter and options the tests ran.
    - ``isolation`` says behind which walls they ran, ``isolation_opens`` what those walls leave open.
    """
    first = judged[0].submission
    baseline = first.baseline
    return {
        "schema": SCHEMA,
        "status": status,
        "digest": first.candidate.digest,
        "function": _function(judged[0]),
        "diff": first.candidate.diff,
        "files": file_digests(change),
        "tests": {
            "fail_to_pass": sorted({t for j in judged for t in j.submission.baseline.failing}),
            "pass_to_pass": list(baseline.passing),
            "flaky": list(baseline.flaky),
            "vouching": sorted({t for j in judged for t in j.submission.vouching}),
        },
        "outcomes": {r.test: r.outcome.value for r in baseline.outcomes},
        "evidence": [_evidence(e) for e in judged[0].verdict.evidence],
        "required": list(judged[0].verdict.required),
        "not_asked": list(judged[0].verdict.not_asked),
        "functions": [
            {
                **_function(each),
                "status": each.verdict.status.value,
                "digest": each.submission.candidate.digest,
                "evidence": [_evidence(e) for e in each.verdict.evidence],
                "required": list(each.verdict.required),
                "not_asked": list(each.verdict.not_asked),
            }
            for each in judged
        ],
        "exemptions": [line for j in judged for line in j.submission.candidate.imports],
        "versions": dict(versions),
        "seed": seed,
        "isolation": isolation,
        "isolation_opens": list(isolation_opens),
        "target": dict(target),
    }


def _function(judged: Judged) -> dict[str, str]:
    function = judged.submission.candidate.function
    return {"file": function.path, "qualname": function.qualname}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "gate": evidence.gate,
        "decision": evidence.decision.value,
        "claim": evidence.claim,
        "measurements": dict(evidence.measurements),
        "witness": evidence.witness,
        "not_checked": list(evidence.not_checked),
    }


def file_digests(change: Change) -> list[dict[str, str]]:
    """Each file of the change with the SHA-256 of its bytes before and after, empty where there is none."""
    before, after = dict(change.before), dict(change.after)
    return [
        {"path": path, "before": _sha256(before.get(path)), "after": _sha256(after.get(path))}
        for path in sorted({*before, *after})
    ]


def _sha256(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()
