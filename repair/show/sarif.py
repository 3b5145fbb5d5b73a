"""A result as SARIF 2.1.0: one result a patch, with the patch as a fix that an editor can apply."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any
from urllib.parse import urlsplit

from repair.records.result import Accept, CauseView, PatchView, Result, Status, exit_code
from repair.show.patch_lines import patch_text, region_of
from repair.show.screen import left_causes
from repair.show.status_words import STATUSES

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def sarif(result: Result, accept: Accept = "certified") -> dict[str, Any]:
    """The log as JSON values. A run that ended otherwise carries its sentences as tool notifications."""
    patches = [patch for patch in result.patches if patch.rank == 1]
    left = left_causes(result)
    words = {each.status for each in patches} | {each.status for each in left}
    names = {f"repair/{word}": f"repair: {word}" for word in words}
    succeeded = result.status not in (Status.USAGE, Status.ERROR, Status.INTERRUPTED, Status.MODEL_ERROR)
    said = [("note", text) for text in result.messages] + [("warning", text) for text in result.warnings]
    code = exit_code(result.status, accept)
    return make_log(
        result.versions, names, [*map(_result, patches), *map(_left, left)], said, code, succeeded=succeeded
    )


def make_log(
    versions: Mapping[str, str],
    names: Mapping[str, str],
    results: Sequence[Mapping[str, Any]],
    said: Iterable[tuple[str, str]],
    code: int,
    *,
    succeeded: bool = True,
) -> dict[str, Any]:
    """A log of one run: the ``names`` of its rules, its results, and what is ``said`` besides, by level."""
    driver = {
        "name": "repair",
        "version": versions.get("repair-engine", ""),
        "rules": [{"id": rule, "shortDescription": {"text": names[rule]}, **_help(rule)} for rule in sorted(names)],
    }
    ended = {
        "executionSuccessful": succeeded,
        "exitCode": code,
        "toolExecutionNotifications": [{"level": level, "message": {"text": text}} for level, text in said],
    }
    run = {"tool": {"driver": driver}, "invocations": [ended], "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _help(rule: str) -> dict[str, Any]:
    """What the last word of the rule's name means, and what to do about it; nothing where it is no status."""
    word = rule.rpartition("/")[2]
    texts = next((texts for status, texts in STATUSES.items() if status == word), None)
    if texts is None:
        return {}
    means, *todo = texts
    command = f"repair help {word}"
    address = address_of(word, documentation())
    return {
        **({"helpUri": address} if address else {}),
        "help": {
            "text": " ".join((means, *todo, f"({command})")),
            "markdown": "\n\n".join((means, *todo, f"`{command}` says more.")),
        },
    }


def address_of(word: str, base: str) -> str:
    """Where the status stands in the documentation at ``base``; ``""`` where that is a placeholder or no address."""
    parts = urlsplit(base)
    is_real = parts.scheme in ("http", "https") and not (parts.hostname or "example").endswith("example")
    return f"{base.rstrip('/')}/words.md#status-{word}" if is_real else ""


def documentation() -> str:
    """The address of our documentation, as the package's metadata name it; ``""`` where they do not."""
    try:
        named = metadata("repair-engine").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    return next((each.partition(",")[2].strip() for each in named if each.startswith("Documentation,")), "")


def locate(file: str, line: int, last: int = 0) -> list[dict[str, Any]]:
    """The one place of a result, from its first line to its last."""
    region = {"startLine": max(line, 1), **({"endLine": last} if last > line else {})}
    return [{"physicalLocation": {"artifactLocation": {"uri": file, "uriBaseId": "%SRCROOT%"}, "region": region}}]


def replacements(diff: str) -> Iterator[dict[str, Any]]:
    """For each hunk of a one-file unified diff the old lines' region and the text that replaces it."""
    start = length = 0
    inserted: list[str] = []
    for line in [*diff.split("\n"), "@@ -0,0 +0,0 @@"]:
        hunk = HUNK.match(line)
        if hunk:
            if start:
                region = {"startLine": start, "startColumn": 1, "endLine": start + length, "endColumn": 1}
                yield {"deletedRegion": region, "insertedContent": {"text": "".join(inserted)}}
            start, length, inserted = int(hunk[1]), int(hunk[2] or 1), []
        elif start and line[:1] in (" ", "+"):
            inserted.append(line[1:] + "\n")
        elif line.startswith("\\") and inserted:
            inserted[-1] = inserted[-1].removesuffix("\n")


def _left(cause: CauseView) -> dict[str, Any]:
    """A cause without a patch, at its first suspect."""
    headline = f"{cause.status}: {', '.join(cause.tests)}"
    return {
        "ruleId": f"repair/{cause.status}",
        "level": "error",
        "message": {"text": "\n".join([headline, *cause.messages])},
        "locations": locate(cause.file, cause.line) if cause.file else [],
    }


def _result(patch: PatchView) -> dict[str, Any]:
    headline, place = f"{patch.status} patch of {patch.function}", locate(patch.file, *region_of(patch))
    found: dict[str, Any] = {
        "ruleId": f"repair/{patch.status}",
        "level": {Status.CERTIFIED: "note", Status.PLAUSIBLE: "warning"}.get(patch.status, "error"),
        "message": {"text": "\n".join([headline, patch_text(patch)])},
        "locations": place,
        "partialFingerprints": {"primaryLocationLineHash": patch.digest},
    }
    changes = list(replacements(patch.diff))
    if changes and patch.status is not Status.REJECTED:
        change = {"artifactLocation": place[0]["physicalLocation"]["artifactLocation"], "replacements": changes}
        found["fixes"] = [{"description": {"text": headline}, "artifactChanges": [change]}]
    return found
