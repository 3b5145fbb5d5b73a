"""SWE-bench's lines over a local clone: trees without the answer, wrong lines and missing clones told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import published

from analysis.errors import TargetError
from corpora.bug import Bug, Environment, Fault, Provenance, SetAside
from corpora.catalog import open_corpus
from corpora.loaders.swebench import SweBench


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return published.swebench(tmp_path / "published")


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def with_first(file: Path, **changed: object) -> Bug | SetAside:
    """The first instance with other values."""
    first, second = rows_of(file)
    file.write_text(f"{json.dumps({**first, **changed})}\n{json.dumps(second)}\n")
    found, other = SweBench(file, {}).bugs()
    assert isinstance(other, Bug)
    return found


def test_only_a_newline_ends_an_instance(file: Path):
    first, second = rows_of(file)
    first["problem_statement"] = "one\u2028two\x85three"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (first, second)))
    found, _ = SweBench(file, {}).bugs()
    assert isinstance(found, Bug), found
    assert found.description == first["problem_statement"]


def test_an_instance_is_a_bug(file: Path):
    first, second = SweBench(file, {}).bugs()
    base = rows_of(file)[0]["base_commit"]
    assert first == Bug(
        id="some__lib-1",
        failing=("tests/test_half.py::test_half",),
        passing=("tests/test_half.py::test_none",),
        provenance=Provenance(
            "some/lib", "published", version=base, date="2024-05-06", source="https://github.com/some/lib"
        ),
        fault=Fault("lib/half.py", "half"),
        environment=Environment(tests=("tests/test_half.py",)),
        description="half(4) gives 1",
        group="some/lib",
    )
    assert isinstance(second, Bug)
    assert second.failing == ("tests/test_half.py::test_half",)
    assert second.passing is None
    assert second.provenance.date == "2020-09-13"


def test_a_tree_has_the_new_tests_the_old_program_and_no_history(file: Path, tmp_path: Path):
    corpus = SweBench(file, {})
    first = next(bug for bug in corpus.bugs() if isinstance(bug, Bug))
    corpus.write_tree(first, tmp_path / "tree")
    files = {path.relative_to(tmp_path / "tree").as_posix() for path in (tmp_path / "tree").rglob("*")}
    assert files == {".gitattributes", "lib", "lib/half.py", "tests", "tests/test_half.py"}
    assert (tmp_path / "tree/lib/half.py").read_text() == published.LIBRARY["lib/half.py"]
    assert "def test_half" in (tmp_path / "tree/tests/test_half.py").read_text()
    assert corpus.oracle(first).reference == (("lib/half.py", b"def half(n):\n    return n // 2\n"),)


def test_trees_inside_another_repository_are_patched_too(file: Path, tmp_path: Path):
    (tmp_path / ".git").mkdir()
    published.put(tmp_path / ".git", {"HEAD": "ref: refs/heads/main\n", "objects/x": "", "refs/x": ""})
    corpus = SweBench(file, {})
    first = next(bug for bug in corpus.bugs() if isinstance(bug, Bug))
    corpus.write_tree(first, tmp_path / "tree")
    assert "def test_half" in (tmp_path / "tree/tests/test_half.py").read_text()


def test_new_moved_and_deleted_files_of_a_patch_are_known(file: Path):
    patch = published.PATCH + (
        "diff --git a/lib/new.py b/lib/new.py\nnew file mode 100644\n"
        "--- /dev/null\n+++ b/lib/new.py\n@@ -0,0 +1 @@\n+x = 1\n"
        "diff --git a/tests/test_half.py b/tests/test_less.py\nsimilarity index 100%\n"
        "rename from tests/test_half.py\nrename to tests/test_less.py\n"
        "diff --git a/.gitattributes b/.gitattributes\ndeleted file mode 100644\n--- a/.gitattributes\n+++ /dev/null\n"
        "@@ -1 +0,0 @@\n-tests export-ignore\n"
    )
    found = with_first(file, patch=patch)
    assert isinstance(found, Bug)
    paths = [path for path, _ in SweBench(file, {}).oracle(found).reference]
    assert paths == ["lib/half.py", "lib/new.py", "tests/test_less.py"]


def test_clones_may_lie_elsewhere(file: Path, tmp_path: Path):
    (file.parent / "clones").rename(tmp_path / "mine")
    lost, _ = open_corpus(f"swebench:{file}").bugs()
    assert isinstance(lost, SetAside)
    assert "git clone https://github.com/some/lib" in lost.reason
    found, _ = open_corpus(f"swebench:{file}?clones={tmp_path}/mine").bugs()
    assert isinstance(found, Bug)


def test_an_environment_may_stand_in_the_line(file: Path):
    found = with_first(file, python="3.9", requirements=["six==1.17.0"])
    assert isinstance(found, Bug)
    assert found.environment == Environment("3.9", ("six==1.17.0",), tests=("tests/test_half.py",))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"base_commit": "0" * 40}, "The clone has no commit 000"),
        ({"base_commit": "--all"}, "is no repository and commit"),
        ({"repo": "../published/some"}, "is no repository and commit"),
        ({"repo": "other/lib"}, "There is no clone of https://github.com/other/lib"),
        ({"test_patch": "nothing of the kind"}, "A patch is no unified diff"),
        ({"patch": published.PATCH.replace("n // 3", "n // 4")}, "A patch does not apply"),
        ({"FAIL_TO_PASS": "[1"}, "FAIL_TO_PASS is no list"),
        ({"FAIL_TO_PASS": [1]}, "FAIL_TO_PASS is no list of texts"),
        ({"FAIL_TO_PASS": []}, "FAIL_TO_PASS names no test"),
        ({"FAIL_TO_PASS": ["test_half (tests.HalfTest)"]}, "is no test of pytest"),
        ({"FAIL_TO_PASS": ["test_other"]}, "'test_other' is no test of pytest"),
    ],
)
def test_an_instance_that_cannot_be_used_is_set_aside(file: Path, changed: dict[str, object], said: str):
    found = with_first(file, **changed)
    assert isinstance(found, SetAside)
    assert found.id == "some__lib-1"
    assert said in found.reason
    assert found.reason.startswith("Line 1: ")


def test_a_folder_is_refused(file: Path):
    with pytest.raises(TargetError, match="it is no file"):
        open_corpus(f"swebench:{file.parent}")
