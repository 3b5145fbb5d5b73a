"""The certificate: digests of the bytes before and after, the tests, their outcomes before, every gate's evidence.

Who proves it again takes the same bytes and the same tests, and asks every gate anew.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.diagnosis import is_test_path
from analysis.errors import ConflictError, UsageError
from analysis.facts import Files, TestId
from repair.records.change import Change
from repair.records.config import Options
from repair.records.first_difference import differences, first_difference, length_in_common
from repair.records.json_records import to_plain
from repair.records.outcome import Cause, Judged, RunOutcome
from repair.records.result import Result, Status
from repair.records.secret_names import choose_arguments, is_secret
from repair.store.atomic import sha256

SCHEMA = "repair.certificate/1"

MOST_DIFFERENCES = 5
"""Of what a replay finds otherwise than it is written so much is told."""


def certificate(judged: Sequence[Judged], change: Change, result: Result, target: Mapping[str, Any]) -> dict[str, Any]:
    """What is needed to prove the verdict again, beside the bytes that the run keeps, as JSON values.

    - ``judged`` are all functions of one change.
    - ``result`` has the word for the whole of it. It says behind which walls the tests ran, and what these leave open.
    - ``target`` says with which interpreter and options they ran.
    """
    baseline, functions = judged[0].submission.baseline, [_judgement(each) for each in judged]
    first = functions[0]
    return {
        "schema": SCHEMA,
        "status": result.status.value,
        "digest": first["digest"],
        "function": {"file": first["file"], "qualname": first["qualname"]},
        "diff": judged[0].submission.candidate.diff,
        "files": file_digests(change),
        "tests": {
            "fail_to_pass": sorted({t for j in judged for t in j.submission.baseline.failing}),
            "pass_to_pass": list(baseline.passing),
            "flaky": list(baseline.flaky),
            "vouching": sorted({t for j in judged for t in j.submission.vouching}),
        },
        "outcomes": {r.test: r.outcome.value for r in baseline.outcomes},
        "evidence": first["evidence"],
        "risk": first["risk"],
        "required": first["required"],
        "not_asked": first["not_asked"],
        "functions": functions,
        "exemptions": [line for j in judged for line in j.submission.candidate.imports],
        "versions": dict(result.versions),
        "seed": result.seed,
        "isolation": result.isolation,
        "isolation_opens": list(result.isolation_opens),
        "target": dict(target),
    }


def describe_standing(cause: Cause, ending: RunOutcome) -> dict[str, Any]:
    """Of one of several causes: which patches its own stands on, and the files of the program that has these.

    ``layer`` names all files that patches of the run change, as they were under this one. ``states`` are digests of all
    bytes that these files have with some of the patches, or with none.
    """
    changes = [
        *(stack.change for stack in ending.stacks),
        *(e.ending.files() for e in ending.causes if e.ending.judged),
    ]
    bare = dict(pair for change in reversed(changes) for pair in change.before)
    under = {**bare, **dict(cause.base)}
    states = {sha256(content) for change in changes for _, content in (*change.before, *change.after)}
    patches = {each.number: each.ending for each in ending.causes}
    return {
        "cause": cause.number,
        "stands_on": [
            {
                "cause": number,
                "digest": patches[number].judged[0].submission.candidate.digest,
                "status": patches[number].status.value,
            }
            for number in cause.stands_on
        ],
        "layer": [{"path": path, "digest": sha256(content)} for path, content in sorted(under.items())],
        "states": sorted(states),
    }


def layer_of(
    certificate: Mapping[str, Any],
    read: Callable[[str], bytes | None],
    content: Callable[[str], bytes],
    *,
    is_foreign: bool,
) -> Files:
    """The files of the program that the certificate's patch was judged on, where it stands on others.

    ``read`` gives a file of the project, ``content`` the bytes of a digest. Raises ``UsageError`` for a foreign record
    that brings such files, and for files that are no sources of the program. Raises ``ConflictError`` where a file of
    the project has none of the states that the run knew.
    """
    try:
        entries = [(str(entry["path"]), str(entry["digest"])) for entry in certificate.get("layer", ())]
        states = {str(state) for state in certificate.get("states", ())}
    except (KeyError, TypeError, AttributeError) as problem:
        raise _damage_error(problem) from problem
    if entries and is_foreign:
        raise UsageError(
            "A foreign record brings a program of its own to judge its patch on",
            remedy="`repair check` judges its diff on yours; `repair show RUN --output-format diff` prints it.",
        )
    for path, digest in entries:
        if is_test_path(path) or not path.endswith(".py") or read(path) is None:
            raise UsageError(
                f"The certificate judges its patch on {path}, which is no source file of the program",
                remedy="`repair check` judges a diff.",
            )
        found = read(path)
        if _digest(found) not in (digest, *states):
            raise _moved_on(path, found, content, (digest,))
    return tuple((path, content(digest)) for path, digest in entries)


def numbers_of(certificate: Mapping[str, Any]) -> tuple[int, tuple[int, ...]]:
    """The number of the certificate's cause, and of those that it stands on; 1 where there is only one."""
    try:
        under = tuple(int(entry["cause"]) for entry in certificate.get("stands_on", ()))
        return int(certificate.get("cause", 1)), under
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise _damage_error(problem) from problem


def _judgement(judged: Judged) -> dict[str, Any]:
    """One function, the word on it, and what the gates said."""
    candidate, verdict = judged.submission.candidate, judged.verdict
    return {
        "file": candidate.function.path,
        "qualname": candidate.function.qualname,
        "status": verdict.status.value,
        "digest": candidate.digest,
        "evidence": [
            {
                "gate": evidence.gate,
                "decision": evidence.decision.value,
                "claim": evidence.claim,
                "measurements": dict(evidence.measurements),
                "witness": evidence.witness,
                "not_checked": list(evidence.not_checked),
                "others_say": list(evidence.others_say),
            }
            for evidence in verdict.evidence
        ],
        "risk": to_plain(verdict.risk) if verdict.risk is not None else None,
        "required": list(verdict.required),
        "not_asked": list(verdict.not_asked),
    }


def file_digests(change: Change) -> list[dict[str, str]]:
    """Each file of the change with the SHA-256 of its bytes before and after, empty where there is none."""
    before, after = dict(change.before), dict(change.after)
    return [
        {"path": path, "before": _digest(before.get(path)), "after": _digest(after.get(path))}
        for path in sorted({*before, *after})
    ]


def _digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content)


VERDICTS = (Status.CERTIFIED, Status.PLAUSIBLE, Status.REJECTED)
"""The words of a certificate, best first."""


def certified_change(
    certificate: Mapping[str, Any],
    read: Callable[[str], bytes | None],
    content: Callable[[str], bytes],
    *,
    is_foreign: bool,
) -> Change:
    """The change that a certificate speaks of; the project may hold it already.

    ``read`` gives a file of the project, ``content`` the bytes of a digest. Raises ``ConflictError`` when a file of the
    project is neither as it was before nor as it is after. A record of ours knows other states too: those with patches
    of other causes. Raises ``UsageError`` for a certificate that cannot be read.
    """
    if not isinstance(certificate, Mapping) or certificate.get("schema") != SCHEMA:
        raise UsageError("The run holds no certificate of this version", remedy=f"Expected {SCHEMA}.")
    try:
        entries = [(str(entry["path"]), str(entry["before"]), str(entry["after"])) for entry in certificate["files"]]
        states = {str(state) for state in certificate.get("states", ())} if not is_foreign else set()
    except (KeyError, TypeError) as problem:
        raise _damage_error(problem) from problem
    before: list[tuple[str, bytes]] = []
    after: list[tuple[str, bytes]] = []
    for path, old, new in entries:
        found = read(path)
        if _digest(found) not in (old, new, *states):
            raise _moved_on(path, found, content, (old, new))
        before += [(path, content(old))] if old else []
        after += [(path, content(new))] if new else []
    return Change(tuple(sorted(before)), tuple(sorted(after)))


def tests_of(certificate: Mapping[str, Any]) -> tuple[TestId, ...]:
    """The tests that the certificate's patch mends."""
    try:
        return tuple(TestId(str(test)) for test in certificate["tests"]["fail_to_pass"])
    except (KeyError, TypeError) as problem:
        raise _damage_error(problem) from problem


def restore_options(certificate: Mapping[str, Any], options: Options, *, is_foreign: bool) -> Options:
    """The options with the interpreter, selection and gates of the recorded run where none are given.

    A foreign record chooses no program, no image and no variable: the user names them.
    """
    try:
        target = certificate.get("target", {})
        machine = {} if is_foreign else target
        python = str(machine.get("python", ""))
        image = options.isolation_image or str(machine.get("isolation_image", ""))
        passed = options.pass_env or tuple(map(str, machine.get("pass_env", ())))
        for name in filter(is_secret, () if options.pass_env else passed):
            raise UsageError(
                f"The record asks for {name}, which sounds like a secret", remedy="Set REPAIR_PASS_ENV yourself."
            )
        recorded = python if not options.python and (image or os.path.exists(python)) else ""
        return replace(
            options,
            python=options.python or recorded,
            from_file=(*options.from_file, *(["python"] if recorded else [])),
            isolation_image=image,
            tests=options.tests or tuple(map(str, target.get("tests", ()))),
            pytest_args=choose_arguments(options.pytest_args, tuple(map(str, target.get("pytest_args", ())))),
            pass_env=passed,
            answers=tuple(map(str, target.get("answers", ()))),
            gates="strict" if "strict" in (options.gates, target.get("gates")) else "standard",
        )
    except (AttributeError, TypeError) as problem:
        raise _damage_error(problem) from problem


def seed_of(certificate: Mapping[str, Any]) -> int:
    """The seed that the certificate was made with."""
    try:
        return int(certificate["seed"])
    except (KeyError, TypeError, ValueError) as problem:
        raise _damage_error(problem) from problem


def compare_verdicts(certificate: Mapping[str, Any], status: Status) -> tuple[Status, str]:
    """The word after a replay, and one sentence: whether it came out as it is written.

    A replay proves what is written and never more: what it cannot ask again (other patches that passed
    as well) stays a doubt.
    """
    word = str(certificate.get("status"))
    written = next((verdict for verdict in VERDICTS if verdict.value == word), None)
    if written is None:
        raise _damage_error(ValueError(word))
    if status is written:
        return status, f"replayed: every gate was asked again and the patch is {word} as before"
    if status in VERDICTS and VERDICTS.index(status) < VERDICTS.index(written):
        return written, f"replayed: no gate that was asked again objects, and the patch stays {word} as it is written"
    return status, f"replayed: the certificate says {word}, now it is {status.value}"


def tell_differences(certificate: Mapping[str, Any], judged: Sequence[Judged]) -> tuple[str, ...]:
    """What the gates say otherwise than it is written, with the place in the certificate; the first few of it.

    Texts are compared byte for byte.
    """
    try:
        then = [_by_gate(function) for function in certificate["functions"]]
    except (KeyError, TypeError, AttributeError) as problem:
        raise _damage_error(problem) from problem
    now = [_by_gate(_judgement(each)) for each in judged]
    found = list(differences({"functions": then}, {"functions": now}))
    left = len(found) - MOST_DIFFERENCES
    return (*(f"not as written: {each}" for each in found[:MOST_DIFFERENCES]), *([f"{left} more"] if left > 0 else []))


def _by_gate(function: Mapping[str, Any]) -> dict[str, Any]:
    """What is written of one function as JSON values, its evidence by the names of gates."""
    plain = json.loads(json.dumps(dict(function)))
    return {**plain, "evidence": {evidence["gate"]: evidence for evidence in plain["evidence"]}}


def _moved_on(path: str, found: bytes | None, content: Callable[[str], bytes], digests: Sequence[str]) -> ConflictError:
    """``found`` is what stands in the file now; it is compared with that known text which it is most like."""
    known: list[bytes] = []
    for digest in filter(None, digests):
        with contextlib.suppress(UsageError):  # the record no longer holds it
            known.append(content(digest))
    where = ", which is gone" if found is None else ""
    if found is not None and known:
        nearest = max(known, key=lambda text: length_in_common(text, found))
        where = f", which differs {first_difference(nearest, found)}"
    return ConflictError(
        f"{path} is no longer what the certificate speaks of{where}", remedy="Check out the state that the run saw."
    )


def _damage_error(problem: Exception) -> UsageError:
    return UsageError(f"The certificate cannot be read: {problem!r}", remedy="Delete the run's directory.")
