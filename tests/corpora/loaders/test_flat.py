"""Flat corpora: written by hand, answers kept apart, wrong settings said."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import TargetError, UsageError
from corpora.bug import Bug, Environment, Fault, Provenance, SetAside
from corpora.catalog import open_corpus
from corpora.loaders.flat import FlatCorpus

BUGGY = "def half(n):\n    return n // 3\n"
FIXED = "def half(n):\n    return n // 2\n"
TEST = "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n"


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


WHOLE = """
failing = ["tests/a.py::t"]
function = "half.py:half"
description = "halves"
held_out_tests = ["more.py::test_more"]

[environment]
python = "3.9"
requirements = ["six==1.17.0"]

[provenance]
project = "halves"
date = "2024-02-03"
"""


@pytest.fixture
def corpus(tmp_path: Path) -> FlatCorpus:
    put(tmp_path / "small", {"half.py": BUGGY, "test_half.py": TEST, "reference/half.py": FIXED})
    whole = {
        "bug.toml": WHOLE,
        "tree/half.py": BUGGY,
        "tree/reference/kept.py": "# a package of that name is part of the tree\n",
        "alternatives/1/half.py": "def half(n):\n    return n >> 1\n",
        "held_out/more.py": TEST,
    }
    put(tmp_path / "whole", whole)
    return FlatCorpus(tmp_path)


def test_a_folder_without_settings_is_a_bug(corpus: FlatCorpus, tmp_path: Path):
    small, _ = corpus.bugs()
    assert small == Bug("small", (), Provenance(tmp_path.name, "handwritten"))


def test_settings_are_read(corpus: FlatCorpus):
    _, whole = corpus.bugs()
    assert isinstance(whole, Bug)
    assert whole.failing == ("tests/a.py::t",)
    assert whole.fault == Fault("half.py", "half")
    assert whole.environment == Environment(python="3.9", requirements=("six==1.17.0",))
    assert (whole.provenance.project, whole.provenance.date) == ("halves", "2024-02-03")


def test_no_answer_is_written_into_a_tree(corpus: FlatCorpus, tmp_path: Path):
    small, whole = (bug for bug in corpus.bugs() if isinstance(bug, Bug))
    for bug in (small, whole):
        corpus.write_tree(bug, tmp_path / "out" / bug.id)
    out = tmp_path / "out"
    written = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert written == ["small/half.py", "small/test_half.py", "whole/half.py", "whole/reference/kept.py"]


def test_the_answer_comes_by_its_own_road(corpus: FlatCorpus):
    small, whole = (bug for bug in corpus.bugs() if isinstance(bug, Bug))
    assert corpus.oracle(small).reference == (("half.py", FIXED.encode()),)
    assert corpus.oracle(whole).alternatives == ((("half.py", b"def half(n):\n    return n >> 1\n"),),)
    assert corpus.oracle(whole).held_out == (("more.py", TEST.encode()),)
    assert corpus.oracle(whole).held_out_tests == ("more.py::test_more",)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("failing = 'test_half'", "failing is not a list"),
        ("faling = []", "Unknown key 'faling'"),
        ("function = 'half'", "names no function"),
        ("failing = [", "Not valid TOML"),
        ("[environment]\nrequirements = 'six'", "is not a list"),
    ],
)
def test_wrong_settings_set_one_bug_aside(tmp_path: Path, settings: str, said: str):
    put(tmp_path / "bad", {"bug.toml": settings, "half.py": BUGGY})
    put(tmp_path / "good", {"half.py": BUGGY})
    bad, good = FlatCorpus(tmp_path).bugs()
    assert isinstance(bad, SetAside)
    assert said in bad.reason
    assert isinstance(good, Bug)


def test_a_folder_without_bugs_is_refused(tmp_path: Path):
    with pytest.raises(TargetError, match="No bug is there"):
        open_corpus(f"flat:{tmp_path}")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("flat", "names no corpus"),
        ("flatt:x", r"Did you mean flat:x\?"),
        ("flat:/nowhere/at/all", "There is no such corpus"),
    ],
)
def test_a_wrong_name_is_told(name: str, said: str):
    with pytest.raises((UsageError, TargetError), match=said):
        open_corpus(name)


def test_a_tree_lies_over_what_all_share(tmp_path: Path):
    put(tmp_path, {"corpus.toml": 'base = "__base"\n', "__base/half.py": FIXED, "__base/test_half.py": TEST})
    put(tmp_path / "one", {"bug.toml": "", "tree/half.py": BUGGY})
    put(tmp_path / "two", {"half.py": BUGGY, "reference/half.py": FIXED})
    corpus = FlatCorpus(tmp_path)
    for bug in corpus.bugs():
        assert isinstance(bug, Bug)
        corpus.write_tree(bug, tmp_path / "out" / bug.id)
        written = tmp_path / "out" / bug.id
        assert sorted(path.name for path in written.rglob("*")) == ["half.py", "test_half.py"]
        assert (written / "half.py").read_text() == BUGGY
        assert (tmp_path / "__base" / "half.py").read_text() == FIXED


@pytest.mark.parametrize("name", ["__gone", "one", "../__base", "/etc"])
def test_what_all_share_is_a_folder_of_the_corpus(tmp_path: Path, name: str):
    put(tmp_path, {"corpus.toml": f'base = "{name}"\n', "one/half.py": BUGGY})
    with pytest.raises(TargetError, match="is no folder under all trees"):
        FlatCorpus(tmp_path)
