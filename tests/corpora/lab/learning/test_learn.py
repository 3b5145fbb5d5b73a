"""Histories counted: only fixes of a few lines of one function weigh in, and the counts are what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.history import FIRST, MENDED, STEPS, make_history

from analysis.errors import TargetError
from corpora.lab.learning.changes import says_fix
from corpora.lab.learning.checking import check_counts
from corpora.lab.learning.learn import Learning, learn, write_counts
from repair.front.run_inputs import read_counts
from transforms.enumerate.order import FixCounts

GROWN = MENDED + "\n\ndef thrice(n):\n    return n * 3\n"


def counts_of(root: Path, how: Learning = Learning(), **more: Path) -> FixCounts:  # noqa: B008 # it is frozen
    return learn([root], how, lambda line: None, **more)[0]


def test_a_fix_is_counted_by_operator_context_rank_and_family(tmp_path: Path):
    counts = counts_of(make_history(tmp_path / "lib"))
    assert counts.operators["number"] > 0
    assert sum(counts.operators.values()) == pytest.approx(1.0)
    assert set(counts.places["number"]) == {"operand"}
    assert counts.expected["number"] == pytest.approx(counts.places["number"])
    assert sum(counts.families.values()) == pytest.approx(1.0)
    assert sum(counts.ranks["number"].values()) == pytest.approx(counts.operators["number"])
    (source,) = counts.sources
    assert (source.name, source.small, source.fixes, source.produced) == ("example.org/lib", 1, 1, 1)
    assert counts.others == {}


def test_changes_that_speak_of_no_fix_are_counted_apart(tmp_path: Path):
    steps = (STEPS[0], ("Halve otherwise", {"lib.py": MENDED}))
    root = make_history(tmp_path / "lib", steps)
    assert counts_of(root).sources[0].small == 0
    counts = counts_of(root, Learning(others=True))
    assert counts.operators == {}
    assert counts.others["number"] > 0
    assert (counts.sources[0].small, counts.sources[0].fixes) == (1, 0)


@pytest.mark.parametrize(
    "files",
    [
        {"lib.py": MENDED.replace("n * 2", "n + n")},
        {"lib.py": GROWN},
        {"lib.py": FIRST["lib.py"].replace("def half(n):", "def half(n):\n    # by three")},
        {"lib.py": MENDED, "other.py": "x = 1\n"},
        {"lib.py": "print 'old'\n"},
        {"lib.py": FIRST["lib.py"] + "\nEXTRA = 1\n"},
        {"test_lib.py": "from lib import half\n"},
    ],
    ids=["two functions", "one more", "a comment", "a new file", "an old dialect", "no function", "a test"],
)
def test_what_is_no_small_fix_of_one_function(tmp_path: Path, files: dict[str, str]):
    assert counts_of(make_history(tmp_path / "lib", (STEPS[0], ("Fix it", files)))).sources[0].small == 0


def test_words_that_a_fix_brings_are_traced_to_where_they_stood(tmp_path: Path):
    old = "LIMIT = 3\n\n\ndef short(text):\n    return text[:2]\n"
    steps = (("first", {"lib.py": old}), ("Fix short", {"lib.py": old.replace(":2", ":LIMIT")}))
    counts = counts_of(make_history(tmp_path / "lib", steps))
    assert counts.ingredients == {"constants": {"module once": 1.0}}
    assert counts.likely == {"constants": {"module once": pytest.approx(1.0)}}


def test_what_was_counted_before_is_added_to_and_written_after_each_history(tmp_path: Path):
    root, out = make_history(tmp_path / "lib"), tmp_path / "counts.json"
    once = counts_of(root, out=out)
    assert read_counts(out).sources == once.sources
    twice, _ = learn([root], Learning(), lambda line: None, out, read_counts(out))
    assert sum(twice.operators.values()) == pytest.approx(2.0, abs=0.01)
    assert len(json.loads(out.read_text())["sources"]) == 2


def test_so_many_fixes_of_each_history_are_enough(tmp_path: Path):
    steps = (*STEPS[:2], ("Fix it back", {"lib.py": FIRST["lib.py"]}))
    root = make_history(tmp_path / "lib", steps)
    assert [counts_of(root, Learning(fixes=most)).sources[0].fixes for most in (1, None)] == [1, 2]


def test_what_was_seen_is_kept_and_not_looked_at_again(tmp_path: Path):
    root, keep = make_history(tmp_path / "lib"), tmp_path / "kept"
    once = counts_of(root, Learning(keep=keep))
    (kept,) = keep.iterdir()
    lines = kept.read_text().splitlines()
    told = json.loads(lines[-1])
    told["ways"] = []
    kept.write_text("\n".join((*lines[:-1], json.dumps(told), '{"commit": "torn')))
    again = counts_of(root, Learning(keep=keep))
    assert once.operators != {} == again.operators
    kept.write_text("\n".join(("operators of yesterday", *lines[1:])))
    assert counts_of(root, Learning(keep=keep)) == once


def test_a_folder_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TargetError, match="cannot be kept"):
        counts_of(make_history(tmp_path / "lib"), Learning(keep=tmp_path / "file" / "kept"))


def test_the_failure_that_tests_tell_is_counted(tmp_path: Path):
    counts = counts_of(make_history(tmp_path / "lib"))
    assert set(counts.classes) == {"logic"}
    assert set(counts.subclasses) == {"wrong_value"}
    assert counts.classes["logic"] == counts.families


def test_the_check_tells_likelihoods_strengths_and_places(tmp_path: Path):
    both = [make_history(tmp_path / name / "lib") for name in ("one", "other")]
    _, each = learn(both, Learning(), lambda line: None)
    lines = list(
        check_counts({str(n): found for n, found in enumerate((*each.values(), *each.values()))}, 1, FixCounts())
    )
    assert sum("learned: " in line for line in lines) == 2
    assert any("; learned is likelier in 2 of 2 histories" in line for line in lines)
    assert any(line.startswith("  operators 20: ") for line in lines)
    assert "hand: 2 fixes, median place" in lines[-2]


def test_counts_that_cannot_be_written(tmp_path: Path):
    with pytest.raises(TargetError, match="cannot be written"):
        write_counts(tmp_path / "no" / "such" / "counts.json", FixCounts())


def test_messages():
    assert says_fix("Fix off-by-one in the reader (#12)")
    assert says_fix("KeyError when no row is left")
    assert not says_fix("Fix typo in docstring")
    assert not says_fix("Add a prefix option")
