"""Requirements and their tests in the forms of two tools for requirements: Doorstop's items and Sphinx-Needs' JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.errors import TargetError, UsageError
from repair.records.specified import RequirementView, TraceLink, TraceReport

NEEDS_FIRST = '{"creator": {"program": "repair"'
"""How a needs.json of ours begins: only such a one is replaced."""

_VERSION = "1.0"
_ITEM = re.compile(r"^(?P<prefix>[A-Z][A-Z0-9-]*?)-(?P<number>\d+)$")


def needs_json(report: TraceReport) -> str:
    """A ``needs.json`` that ``needimport`` reads: requirements, and tests that link to them.

    The status of a test says whether all that it is linked by is ``proved``.
    """
    ids = _need_ids([each.id for each in report.requirements])
    needs = {ids[each.id]: _requirement_need(each, ids[each.id]) for each in report.requirements}
    tests: dict[str, list[TraceLink]] = {}
    for link in report.links:
        tests.setdefault(link.test, []).append(link)
    for number, (test, links) in enumerate(sorted(tests.items()), 1):
        name = _free_id(f"TEST_{number:04d}", needs)
        proved = all(link.state.value == "proved" for link in links)
        needs[name] = {
            "id": name,
            "type": "test",
            "title": test,
            "content": "\n".join(f"{link.function}: {link.killed} mutants killed" for link in links if link.function),
            "status": "proved" if proved else "claimed",
            "links": sorted({ids.get(link.requirement, _need_id(link.requirement)) for link in links}),
            "tags": [],
        }
    values = {
        "creator": {"program": "repair"},
        "project": Path(report.root).name,
        "current_version": _VERSION,
        "versions": {_VERSION: {"needs_amount": len(needs), "needs": needs}},
    }
    return json.dumps(values) + "\n"


def _need_id(name: str) -> str:
    """An id as Sphinx-Needs takes it by default: capitals, digits and underscores."""
    return re.sub(r"\W", "_", name).upper()


def _need_ids(names: Sequence[str]) -> dict[str, str]:
    """An id of its own for each name: ``REQ-7.1`` and ``REQ-7_1`` become ``REQ_7_1`` and ``REQ_7_1_2``."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        found[name] = _free_id(_need_id(name), found.values())
    return found


def _free_id(wanted: str, taken: Collection[str]) -> str:
    return next(each for each in (wanted, *(f"{wanted}_{n}" for n in range(2, 10_000))) if each not in taken)


def _requirement_need(each: RequirementView, own: str) -> dict[str, Any]:
    return {
        "id": own,
        "type": "req",
        "title": each.id,
        "content": each.quote,
        "status": "open",
        "links": [],
        "tags": [],
    }


def doorstop_items(report: TraceReport) -> Mapping[str, str]:
    """Doorstop's documents by path: a folder for each prefix, with its settings and an item for each requirement.

    Tests are references of an item. Ids with a point in them, which Doorstop has none of, are left out.
    """
    files: dict[str, str] = {}
    for each in report.requirements:
        match = _ITEM.match(each.id)
        if match is None:
            continue
        prefix = match["prefix"]
        settings = {"settings": {"digits": 1, "prefix": prefix, "sep": "-"}}
        files[f"{prefix}/.doorstop.yml"] = json.dumps(settings, indent=1) + "\n"
        files[f"{prefix}/{each.id}.yml"] = json.dumps(_item(each, report, int(match["number"])), indent=1) + "\n"
    return files


def _item(each: RequirementView, report: TraceReport, number: int) -> dict[str, Any]:
    """An item; JSON is YAML, so that no text of a stranger can be anything but a text."""
    links = report.links_of(each.id)
    references = [
        {"path": path, "type": "file", "keyword": test.rpartition("::")[2]}
        for test in dict.fromkeys(link.test for link in links)
        for path in (test.partition("::")[0],)
    ]
    proved = sorted({link.test for link in links if link.state.value == "proved"})
    return {
        "active": True,
        "derived": False,
        "header": "",
        "level": f"1.{number}",
        "links": [],
        "normative": True,
        "references": references,
        "reviewed": None,
        "text": each.quote,
        "source": f"{each.file}:{each.line}",
        "proved-by": proved,
    }


def write_items(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files into a new folder. Raises ``UsageError`` where one lies there already."""
    if folder.exists() or folder.is_symlink():
        raise UsageError(
            "The folder for Doorstop's items is there already",
            where=str(folder),
            remedy="Name a new one with --doorstop, or move that one away.",
        )
    try:
        for name, text in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise TargetError(
            f"Doorstop's items cannot be written: {problem.strerror}",
            where=str(folder),
            remedy="Name another folder with --doorstop.",
        ) from problem
