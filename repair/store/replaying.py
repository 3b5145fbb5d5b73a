"""Proving a certificate again: the same bytes, the same tests, every gate asked anew."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.errors import ConflictError, UsageError
from analysis.facts import TestId
from repair.records.change import Change
from repair.records.config import Options, is_secret
from repair.records.result import Status
from repair.store.certificate import SCHEMA

VERDICTS = (Status.CERTIFIED, Status.PLAUSIBLE, Status.REJECTED)
"""The words of a certificate, best first."""


def certified_change(
    certificate: Mapping[str, Any], read: Callable[[str], bytes | None], content: Callable[[str], bytes]
) -> Change:
    """The change that a certificate speaks of; the project may hold it already.

    ``read`` gives a file of the project, ``content`` the bytes of a digest. Raises ``ConflictError`` when a file of the
    project is neither as it was before nor as it is after. Raises ``UsageError`` for a certificate that cannot be read.
    """
    before: list[tuple[str, bytes]] = []
    after: list[tuple[str, bytes]] = []
    for path, old, new in _entries(certificate):
        now = read(path)
        if (hashlib.sha256(now).hexdigest() if now is not None else "") not in (old, new):
            raise ConflictError(
                f"{path} is no longer what the certificate speaks of", remedy="Check out the state that the run saw."
            )
        before += [(path, content(old))] if old else []
        after += [(path, content(new))] if new else []
    return Change(tuple(sorted(before)), tuple(sorted(after)))


def _entries(certificate: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    if not isinstance(certificate, Mapping) or certificate.get("schema") != SCHEMA:
        raise UsageError("The run holds no certificate of this version", remedy=f"Expected {SCHEMA}.")
    try:
        return [(str(entry["path"]), str(entry["before"]), str(entry["after"])) for entry in certificate["files"]]
    except (KeyError, TypeError) as problem:
        raise _damage_error(problem) from problem


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
        recorded = python if not options.python and (image or _exists(python)) else ""
        return replace(
            options,
            python=options.python or recorded,
            from_file=(*options.from_file, *(["python"] if recorded else [])),
            isolation_image=image,
            tests=options.tests or tuple(map(str, target.get("tests", ()))),
            pytest_args=options.pytest_args or tuple(map(str, target.get("pytest_args", ()))),
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


def _exists(path: str) -> bool:
    return "\0" not in path and Path(path).exists()


def _damage_error(problem: Exception) -> UsageError:
    return UsageError(f"The certificate cannot be read: {problem!r}", remedy="Delete the run's directory.")
