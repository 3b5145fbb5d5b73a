"""The house by its import graph: how many rooms and arrows, what has a single importer, what is named twice.

Which room may import which is kept by the import contracts; here is counted what they do not count.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROBE = "_repair_probe"
SOURCES = {
    "analysis": "analysis",
    "transforms": "transforms",
    "sandbox": "sandbox",
    "repair": "repair",
    "corpora": "corpora",
    PROBE: f"sandbox/probe/{PROBE}",
}
NOT_OURS_TO_COUNT = ("corpora/lab/", "corpora/own/")
"""The laboratory is in no wheel; the corpus is material."""

SHELVES = (
    "transforms.operators.",
    "analysis.quality.",
    "analysis.specified.",
    "repair.checks.",
    "repair.gates.",
    "repair.proposers.",
    "repair.model.",
    "repair.commands.",
    "repair.survey.growing.",
    "repair.survey.making.",
    "repair.survey.specified.",
    "repair.agents.",
    "repair.model.facts.",
    "repair.show.report.",
    "corpora.commands.",
    "corpora.loaders.",
    "corpora.tuning.",
    "sandbox.jails.",
)
"""Rooms of which a catalog lists each file, or whose files are stations on one road: one importer is what they should
have."""

MOST_ROOMS, MOST_ARROWS, MOST_ROOMS_OF_THE_PROBE = 21, 78, 10
MOST_WITH_ONE_IMPORTER = 0.20
MOST_CLASS_NAMES_TWICE = 4


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    tree: ast.Module

    @property
    def imports(self) -> Iterator[str]:
        """The dotted names that it imports: modules, and names of modules."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)


@cache
def modules() -> dict[str, Module]:
    """Every module of the product, by its dotted name."""
    found = {}
    for package, folder in SOURCES.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            relative = path.relative_to(ROOT)
            if relative.as_posix().startswith(NOT_OURS_TO_COUNT):
                continue
            if package == "sandbox" and "probe" in relative.parts:
                continue
            parts = (package, *path.relative_to(ROOT / folder).with_suffix("").parts)
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = Module(name, path, ast.parse(path.read_bytes()))
    return found


@cache
def importers() -> dict[str, set[str]]:
    """For each module those that import it."""
    found: dict[str, set[str]] = {name: set() for name in modules()}
    for module in modules().values():
        for name in {*module.imports} & found.keys():
            if name != module.name:
                found[name].add(module.name)
    return found


def room_of(name: str) -> str:
    """The folder or door below the package that a module belongs to."""
    return name.split(".")[1] if "." in name else name


def arrows_of(package: str) -> set[tuple[str, str]]:
    """Which rooms of a package import from which."""
    found = set()
    for name, users in importers().items():
        for user in users:
            if name.startswith(f"{package}.") and user.startswith(f"{package}."):
                found.add((room_of(user), room_of(name)))
    return {(user, used) for user, used in found if user != used}


def rooms_of(package: str) -> set[str]:
    return {room_of(name) for name in modules() if name.startswith(f"{package}.")}


def test_repair_has_few_rooms_and_arrows() -> None:
    assert len(rooms_of("repair")) <= MOST_ROOMS, sorted(rooms_of("repair"))
    assert len(arrows_of("repair")) <= MOST_ARROWS, sorted(arrows_of("repair"))


def test_the_probe_has_few_rooms() -> None:
    assert len(rooms_of(PROBE)) <= MOST_ROOMS_OF_THE_PROBE, sorted(rooms_of(PROBE))


@pytest.mark.parametrize("package", ["repair", "transforms", PROBE])
def test_no_two_rooms_import_each_other(package: str) -> None:
    arrows = arrows_of(package)
    assert not {(user, used) for user, used in arrows if (used, user) in arrows}


def test_no_module_imports_itself_by_way_of_others() -> None:
    waiting = {name: {used for used in importers() if name in importers()[used]} for name in modules()}
    while free := [name for name, used in waiting.items() if not used & waiting.keys()]:
        for name in free:
            del waiting[name]
    assert not waiting


def test_few_modules_have_a_single_importer() -> None:
    counted = [
        name for name, module in modules().items() if module.path.name != "__init__.py" and not name.startswith(SHELVES)
    ]
    single = sorted(name for name in counted if len(importers()[name]) == 1)
    assert len(single) < MOST_WITH_ONE_IMPORTER * len(counted), single


def test_public_classes_have_names_of_their_own() -> None:
    places = defaultdict(set)
    for name, module in modules().items():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(name)
    twice = {name: sorted(where) for name, where in places.items() if len(where) > 1}
    assert len(twice) <= MOST_CLASS_NAMES_TWICE, twice


def test_no_file_name_stands_twice_in_a_package() -> None:
    places = defaultdict(list)
    for name, module in modules().items():
        if module.path.name != "__init__.py":
            places[name.split(".")[0], module.path.name].append(name)
    assert not {names for names in map(tuple, places.values()) if len(names) > 1}
