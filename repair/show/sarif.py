"""A result as SARIF 2.1.0: one result a patch, with the patch as a fix that an editor can apply."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from repair.records.result import Accept, PatchView, Result, Status, exit_code

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def sarif(result: Result, accept: Accept = "certified") -> dict[str, Any]:
    """The log as JSON values. A run that ended otherwise carries its sentences as tool notifications."""
    patches = [patch for patch in result.patches if patch.rank == 1]
    ended = {
        "executionSuccessful": result.status
        not in (Status.USAGE, Status.ERROR, Status.INTERRUPTED, Status.MODEL_ERROR),
        "exitCode": exit_code(result.status, accept),
        "toolExecutionNotifications": [_notification(text, "note") for text in result.messages]
        + [_notification(text, "warning") for text in result.warnings],
    }
    rules = sorted({_rule(patch) for patch in patches})
    driver = {
        "name": "repair",
        "version": result.versions.get("repair-engine", ""),
        "rules": [{"id": rule, "shortDescription": {"text": rule.replace("/", ": ")}} for rule in rules],
    }
    run = {"tool": {"driver": driver}, "invocations": [ended], "results": [_result(patch) for patch in patches]}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def replacements(diff: str) -> Iterator[dict[str, Any]]:
    """For each hunk of a one-file unified diff the old lines' region and the text that replaces it."""
    start = length = 0
    inserted: list[str] = []
    for line in [*diff.split("\n"), "@@ -0,0 +0,0 @@"]:
        hunk = HUNK.match(line)
        if hunk:
            if start:
                yield _replacement(start, length, "".join(inserted))
            start, length, inserted = int(hunk[1]), int(hunk[2] or 1), []
        elif start and line[:1] in (" ", "+"):
            inserted.append(line[1:] + "\n")
        elif line.startswith("\\") and inserted:
            inserted[-1] = inserted[-1].removesuffix("\n")


def _replacement(start: int, length: int, text: str) -> dict[str, Any]:
    region = {"startLine": start, "startColumn": 1, "endLine": start + length, "endColumn": 1}
    return {"deletedRegion": region, "insertedContent": {"text": text}}


def _result(patch: PatchView) -> dict[str, Any]:
    level = {Status.CERTIFIED: "note", Status.PLAUSIBLE: "warning"}.get(patch.status, "error")
    where = {"uri": patch.file, "uriBaseId": "%SRCROOT%"}
    found: dict[str, Any] = {
        "ruleId": _rule(patch),
        "level": level,
        "message": {"text": "\n".join([_headline(patch), *(f"{e.gate}: {e.claim}" for e in patch.evidence)])},
        "locations": [
            {"physicalLocation": {"artifactLocation": where, "region": {"startLine": max(patch.line, 1)}}},
        ],
        "partialFingerprints": {"primaryLocationLineHash": patch.digest},
    }
    changes = list(replacements(patch.diff))
    if changes and patch.status is not Status.REJECTED:
        change = {"artifactLocation": where, "replacements": changes}
        found["fixes"] = [{"description": {"text": _headline(patch)}, "artifactChanges": [change]}]
    return found


def _rule(patch: PatchView) -> str:
    return f"repair/{patch.status}"


def _headline(patch: PatchView) -> str:
    return f"{patch.status} patch of {patch.function}"


def _notification(text: str, level: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}
