"""Methods of others: what a command is told and may leave, and predictions of several shapes."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.bench import SEARCH, job

from analysis.errors import TargetError, UsageError
from corpora.bench.external import LARGEST, left_patch, predictions, tree_patch
from corpora.bug import Fault
from repair.records.result import Status

MEND = "from pathlib import Path; Path('half.py').write_text('def half(n):\\n    return n // 2\\n')"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "half.py").write_text("def half(n):\n    return n // 3\n")
    return root


def run(code: str, tree: Path, *words: str, **fields):
    configuration = replace(SEARCH, command=(sys.executable, "-c", code, *words), **fields)
    return left_patch(job("half", configuration), tree, tree.parent, {"PATH": "/usr/bin", "MINE": "kept"})


def test_a_changed_tree_is_a_patch_and_the_tree_itself_is_not_touched(tree: Path):
    left = run(MEND, tree)
    assert left.patch.splitlines()[-2:] == [b"-    return n // 3", b"+    return n // 2"]
    assert (left.result, left.warnings) == (None, ())
    assert "// 3" in (tree / "half.py").read_text()


def test_a_patch_file_counts_more_than_the_tree(tree: Path):
    left = run(f"import sys; {MEND}; open(sys.argv[1], 'w').write('a patch')", tree, "{patch}")
    assert left.patch == b"a patch"


def test_a_command_is_told_of_tree_and_tests_and_not_of_the_answer(tree: Path):
    code = (
        "import json, os, sys; open(sys.argv[1], 'w').write(json.dumps([sys.argv[2:], dict(os.environ), os.getcwd()]))"
    )
    words = ("{patch}", "{tree}", "{tests}", "{function}", "{seed}/{seconds}", "{other} {}")
    said = run(code, tree, *words).patch
    (copy, tests, function, numbers, other), env, cwd = json.loads(said)
    assert cwd == copy == env["BENCH_TREE"]
    assert copy != str(tree)
    assert Path(tests).read_text() == "test_half.py::test_half\n"
    assert (function, numbers, other) == ("", "1/120", "{other} {}")
    assert env["MINE"] == "kept"
    assert "flat:" not in said.decode()


def test_only_who_is_told_the_fault_is_told_it(tree: Path):
    code = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    for told, expected in (("given", b"half.py:half"), ("found", b"")):
        configuration = replace(SEARCH, command=(sys.executable, "-c", code, "{patch}", "{function}"), fault=told)
        asked = job("half", configuration)
        asked = replace(asked, bug=replace(asked.bug, fault=Fault("half.py", "half")))
        scratch = tree.parent / told
        scratch.mkdir()
        assert left_patch(asked, tree, scratch, {}).patch == expected


def test_who_leaves_nothing_has_mended_nothing(tree: Path):
    left = run("import sys; sys.exit('no idea')", tree)
    assert left.result is not None
    assert left.result.status is Status.UNREPAIRED
    assert left.result.messages == ("the method left no patch", "the method ended with status 1: no idea")


def test_a_patch_of_one_who_failed_counts_with_a_warning(tree: Path):
    left = run(f"{MEND}; raise SystemExit(3)", tree)
    assert left.patch
    assert left.warnings == ("the method ended with status 3: ",)


def test_whose_time_is_up_has_mended_nothing(tree: Path):
    left = run(f"{MEND}; import time; time.sleep(60)", tree, max_seconds=0.5)
    assert left.result is not None
    assert left.result.messages == ("the method's command: it was ended after 0.5 s",)


def test_a_command_that_cannot_be_started_is_no_fault_of_the_method(tree: Path):
    with pytest.raises(TargetError, match="cannot be started: No such file"):
        left_patch(job("half", replace(SEARCH, command=("/no/such",))), tree, tree.parent, {})


def test_a_tree_is_compared_without_what_runs_leave_behind(tmp_path: Path):
    before, after = tmp_path / "a", tmp_path / "b"
    for root in (before, after):
        (root / "__pycache__").mkdir(parents=True)
        (root / "gone.py").write_text("1\n")
        (root / "data.txt").write_text("old\n")
    (after / "gone.py").unlink()
    (after / "data.txt").write_text("new\n")
    (after / "new.py").write_text("2\n")
    (after / "notes.log").write_text("not a source\n")
    (after / "large.py").write_text("#" * (LARGEST + 1))
    (after / "__pycache__" / "x.py").write_text("3\n")
    (after / "link.py").symlink_to("new.py")
    patch = tree_patch(before, after).decode()
    assert [line for line in patch.splitlines() if line.startswith("+++")] == [
        "+++ b/data.txt",
        "+++ /dev/null",
        "+++ b/new.py",
    ]


ONE, TWO = (
    {"instance_id": "x", "model_patch": "p"},
    {"instance_id": "y", "model_patch": None, "model_name_or_path": "m"},
)


@pytest.mark.parametrize(
    "text",
    [
        f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}\n",
        json.dumps([ONE, TWO]),
        json.dumps({"x": {"model_patch": "p"}, "y": {"model_patch": None}}),
    ],
)
def test_predictions_are_read_in_all_their_shapes(text: str, tmp_path: Path):
    path = tmp_path / "p.jsonl"
    path.write_text(text)
    assert predictions(path) == {"x": ("p",), "y": ("",)}


def test_only_a_newline_ends_a_prediction(tmp_path: Path):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"instance_id": "x", "model_patch": "a\u2028b\x85c"}, ensure_ascii=False) + "\r\n")
    assert predictions(path) == {"x": ("a\u2028b\x85c",)}


def test_several_predictions_are_samples(tmp_path: Path):
    path = tmp_path / "p.jsonl"
    path.write_text(
        "".join(json.dumps({"instance_id": "half", "model_patch": text}) + "\n" for text in ("p", "q", " "))
    )
    asked = job("half", replace(SEARCH, predictions=str(path)))
    left = [left_patch(replace(asked, cell=replace(asked.cell, seed=n)), tmp_path, tmp_path, {}) for n in range(4)]
    assert [found.patch for found in left] == [b"p", b"q", b"", b""]
    assert [found.result and found.result.status for found in left[2:]] == [Status.UNREPAIRED] * 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"instance_id": "x"', "not valid JSON"),
        ('{"instance_id": "x"}', "Prediction 1 has no instance_id and model_patch"),
        ('{"instance_id": "x", "model_patch": "p"}\n3\n', "Prediction 2 has no"),
    ],
)
def test_wrong_predictions_are_said(text: str, said: str, tmp_path: Path):
    path = tmp_path / "p.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        predictions(path)


def test_predictions_that_are_not_there_are_said():
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        predictions(Path("/no/such"))
