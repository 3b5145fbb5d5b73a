"""Historical bugs of real libraries, made from source packages: mended with search alone, and their own fixes judged.

What the engine says is checked with plain pytest on a patched copy. Without the package index the tests are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fakes.broken_calls import OBSTACLE, Breaker
from fakes.pages import Page

from corpora.environment import environment
from corpora.lab.cases import CASES, Case
from corpora.lab.release_pair import BugTree, make_bug_tree, write_fix
from corpora.source_package import IndexUnreachableError, case_cache

pytestmark = pytest.mark.real

SECONDS = 120
LARGEST_PAGE = 200_000
"""Bytes of the page of a usual run."""

SHARED = 2.0
"""A machine that others use too is given so many times as long; the time on a quiet one is for the benchmarks."""


@dataclass(frozen=True)
class Prepared:
    """One case on disk: its tree, its interpreter, and the directory of its held-out fix."""

    case: Case
    tree: BugTree
    python: str
    fix: Path


@pytest.fixture(scope="module")
def prepare(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], Prepared]:
    """Makes the tree of a case once."""
    made: dict[str, Prepared] = {}

    def prepared(case: Case) -> Prepared:
        if case.name not in made:
            try:
                tree = make_bug_tree(case.pair, tmp_path_factory.mktemp(case.name) / "tree", case_cache())
                python = environment(case.requirements, case_cache())
            except IndexUnreachableError as problem:
                pytest.skip(str(problem))
            answer = tmp_path_factory.mktemp("held-out")
            made[case.name] = Prepared(case, tree, python, write_fix(tree, answer))
        return made[case.name]

    return prepared


def copied(prepared: Prepared, directory: Path) -> Path:
    """A copy of the tree that a test may use up."""
    return Path(shutil.copytree(prepared.tree.root, directory / "tree"))


def failures(prepared: Prepared, root: Path, report: Path) -> set[str]:
    """What does not pass when the whole suite is run with plain pytest."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST_"))}
    sources = root / "src"
    env = {**clean, "PYTHONPATH": str(sources if sources.is_dir() else root), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [prepared.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    subprocess.run(command, cwd=root, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
    found = ElementTree.parse(report).getroot().iter("testcase")
    return {f"{t.get('classname')}::{t.get('name')}" for t in found if {"failure", "error"} & {c.tag for c in t}}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_the_case_fails_before_and_passes_after(case, prepare, tmp_path):
    prepared = prepare(case)
    root = copied(prepared, tmp_path)
    before = failures(prepared, root, tmp_path / "before.xml")
    subprocess.run(["git", "apply", str(prepared.fix)], cwd=root, check=True)
    after = failures(prepared, root, tmp_path / "after.xml")
    assert after < before
    assert {name.rsplit("::", 1)[-1] for name in before - after} == {t.split("::")[-1] for t in case.tests}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_search_alone_finds_a_patch_that_passes_the_suite(case, prepare, repair, tmp_path):
    prepared = prepare(case)
    root = copied(prepared, tmp_path)
    answer = repair(
        *("fix", *case.tests, "--root", str(root), "--python", prepared.python, "--json"),
        *("--proposer", "search", "--max-seconds", str(SECONDS - 10), "--state-dir", str(tmp_path / "state")),
    )
    result = answer.result
    assert result["status"] in ("certified", "plausible"), answer.messages
    assert answer.status == (0 if result["status"] == "certified" else 1)
    assert answer.seconds < SECONDS * SHARED
    said = repair("report", result["run"], "--root", str(root), "--state-dir", str(tmp_path / "state"))
    written = Path(said.output.strip()).read_text("utf-8")
    page = Page(written)
    assert len(written.encode()) < LARGEST_PAGE
    said, shown = (each["next_action"].partition("repair apply")[0] for each in (result, page.result))
    assert said == shown, "what is printed says where the project is"
    assert page.result == {**result, "next_action": page.result["next_action"]}
    for part in ("Source of ", "What was made, round by round", "Where a test is worth most", "used by "):
        assert part in page.text
    patch = result["patches"][0]
    (tmp_path / "found.diff").write_text(patch["diff"])
    subprocess.run(["git", "apply", str(tmp_path / "found.diff")], cwd=root, check=True)
    fixed = tmp_path / "fixed"
    shutil.copytree(prepared.tree.root, fixed)
    subprocess.run(["git", "apply", str(prepared.fix)], cwd=fixed, check=True)
    assert failures(prepared, root, tmp_path / "ours.xml") <= failures(prepared, fixed, tmp_path / "theirs.xml")


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_the_upstream_fix_is_neither_refused_nor_rejected(case, prepare, repair, tmp_path):
    prepared = prepare(case)
    root = copied(prepared, tmp_path)
    answer = repair(
        *("check", str(prepared.fix), *case.tests, "--root", str(root), "--python", prepared.python, "--json"),
        *("--max-seconds", str(SECONDS), "--state-dir", str(tmp_path / "state")),
    )
    result = answer.result
    assert result["status"] in ("certified", "plausible"), answer.messages
    refused = [e for p in result["patches"] for e in p["evidence"] if e["decision"] == "reject"]
    assert refused == []


@pytest.mark.skipif(bool(OBSTACLE), reason=OBSTACLE)
@pytest.mark.parametrize("case", CASES[:1], ids=lambda c: c.name)
def test_a_found_patch_is_written_wholly_or_not_at_all_wherever_apply_is_killed(case, prepare, repair, tmp_path):
    prepared = prepare(case)
    root, folder = copied(prepared, tmp_path / "all"), tmp_path / "all"
    places = ("--root", str(root), "--state-dir", str(folder / "state"))
    found = repair("fix", *case.tests, *places, "--python", prepared.python, "--json", "--max-seconds", str(SECONDS))
    (name,) = {file["path"] for patch in found.result["patches"] if patch["rank"] == 1 for file in patch["files"]}
    old, listed = (root / name).read_bytes(), sorted(os.listdir((root / name).parent))
    shutil.copytree(folder, tmp_path / "kept", symlinks=True)
    with Breaker(dict(os.environ)) as breaker:
        assert breaker.run(root, "apply", *places).status == 0
        new, at = (root / name).read_bytes(), 0
        while True:
            shutil.rmtree(folder)
            shutil.copytree(tmp_path / "kept", folder, symlinks=True)
            at += 1
            done = breaker.run(root, "apply", *places, at=at, way="kill", below=(folder,))
            if done.status != -9:
                break
            rows = breaker.run(root, "runs", "--json", *places)
            assert (root / name).read_bytes() == (new if json.loads(rows.out)["runs"][0]["applied"] else old), done
            assert (root / name).read_bytes() in (old, new)
            assert sorted(os.listdir((root / name).parent)) == listed
            assert breaker.run(root, "undo" if (root / name).read_bytes() == new else "apply", *places).status == 0
    assert old != new
    assert (done.status, (root / name).read_bytes()) == (0, new)
    assert at > 40
