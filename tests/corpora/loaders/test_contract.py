"""What every loader owes: fixed order, unique names, no answer in a tree, and clear words for another layout."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from fakes import history, published

from analysis.errors import TargetError
from analysis.functions import find_function, functions_of
from corpora.bug import Bug, Corpus, Oracle
from corpora.catalog import LOADERS, open_corpus

MADE: Mapping[str, Callable[[Path], Path]] = {
    "flat": published.flat,
    "quixbugs": published.quixbugs,
    "humaneval": published.humaneval,
    "refactory": published.refactory,
    "swebench": published.swebench,
    "bugsinpy": published.bugsinpy,
    "mined": history.mined,
}
"""A small corpus of each form, written below the folder; the path that names it."""

REAL = {
    "quixbugs": "QuixBugs",
    "humaneval": "humaneval",
    "refactory": "refactory",
    "bugsinpy": "BugsInPy?projects=thefuck&bugs=1-10",
}
"""Where a corpus lies below the folder that ``REPAIR_TEST_CORPORA`` names."""


def test_every_loader_is_held_to_this():
    assert [loader.word for loader in LOADERS] == list(MADE)


@pytest.fixture(params=sorted(MADE))
def name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"{request.param}:{MADE[request.param](tmp_path / 'published')}"


@pytest.fixture
def corpus(name: str) -> Corpus:
    return open_corpus(name)


def usable(corpus: Corpus) -> list[Bug]:
    return [bug for bug in corpus.bugs() if isinstance(bug, Bug)]


def test_order_is_fixed_and_names_are_unique(name: str):
    first, second = list(open_corpus(name).bugs()), list(open_corpus(name).bugs())
    assert first == second
    names = [found.id for found in first]
    assert len(names) >= 2
    assert len(set(names)) == len(names)
    assert all(id == Path(id).name for id in names)


def test_the_corpus_says_how_it_was_named(name: str):
    assert open_corpus(name).name == name


def test_provenance_is_told(corpus: Corpus):
    for bug in usable(corpus):
        assert bug.provenance.project
        assert bug.provenance.kind in ("published", "handwritten", "mined")


def test_no_answer_is_in_a_tree(corpus: Corpus, tmp_path: Path):
    for bug in usable(corpus):
        assert answers_in_tree(corpus, bug, tmp_path / "trees" / bug.id) == []


def test_an_answer_in_a_tree_would_be_seen(corpus: Corpus, tmp_path: Path):
    bug = next(bug for bug in usable(corpus) if corpus.oracle(bug).reference)
    (_, text), *_ = corpus.oracle(bug).reference
    root = tmp_path / "tree"
    corpus.write_tree(bug, root)
    (root / "notes.txt").write_bytes(b"solved:\n" + text)
    assert seen(root, corpus.oracle(bug), bug) == ["notes.txt"]


def test_the_fault_is_in_the_tree_and_the_answer_changes_it(corpus: Corpus, tmp_path: Path):
    told = [bug for bug in usable(corpus) if bug.fault]
    assert told
    for bug in told:
        corpus.write_tree(bug, tmp_path / bug.id)
        assert bug.fault is not None
        before = (tmp_path / bug.id / bug.fault.path).read_bytes()
        assert find_function(functions_of(bug.fault.path, before), bug.fault.qualname)
        assert before != dict(corpus.oracle(bug).reference)[bug.fault.path]


def test_a_tree_is_not_written_over_another(corpus: Corpus, tmp_path: Path):
    (tmp_path / "there").mkdir()
    with pytest.raises(FileExistsError):
        corpus.write_tree(usable(corpus)[0], tmp_path / "there")


def test_oracles_hold_what_the_tree_does_not(corpus: Corpus, tmp_path: Path):
    known = [corpus.oracle(bug) for bug in usable(corpus)]
    assert any(oracle.reference for oracle in known)


@pytest.mark.parametrize("loader", LOADERS, ids=lambda loader: loader.word)
def test_another_layout_is_refused_with_what_was_expected(loader, tmp_path: Path):
    (tmp_path / "readme.txt").write_text("nothing of that kind")
    with pytest.raises(TargetError) as refused:
        list(open_corpus(f"{loader.word}:{tmp_path}").bugs())
    if loader.word != "flat":
        assert loader.layout.expects in str(refused.value)
        assert loader.layout.fetch in str(refused.value)


@pytest.mark.parametrize("loader", LOADERS, ids=lambda loader: loader.word)
def test_a_missing_corpus_is_told_with_the_command_that_gets_it(loader):
    with pytest.raises(TargetError, match="There is no such corpus") as refused:
        open_corpus(f"{loader.word}:/nowhere/at/all")
    assert loader.layout.fetch in str(refused.value)


@pytest.mark.parametrize("word", sorted(REAL))
def test_the_real_corpus_keeps_its_answers(word: str, tmp_path: Path):
    folder = os.environ.get("REPAIR_TEST_CORPORA")
    if not folder or not Path(folder, REAL[word].partition("?")[0]).exists():
        pytest.skip(f"no {REAL[word]} below the folder that REPAIR_TEST_CORPORA names")
    corpus = open_corpus(f"{word}:{folder}/{REAL[word]}")
    bugs = usable(corpus)
    assert bugs
    for bug in bugs[:: max(1, len(bugs) // 20)]:
        assert answers_in_tree(corpus, bug, tmp_path / bug.id) == []


def answers_in_tree(corpus: Corpus, bug: Bug, root: Path) -> list[str]:
    corpus.write_tree(bug, root)
    return seen(root, corpus.oracle(bug), bug)


def seen(root: Path, oracle: Oracle, bug: Bug) -> list[str]:
    """Files below the root that hold a fixed text of the function at fault, or a whole fixed file."""
    texts = []
    for files in (oracle.reference, *oracle.alternatives):
        for path, content in files:
            own = bug.fault and bug.fault.path == path and bug.fault.qualname
            span = find_function(functions_of(path, content), own) if own else None
            texts.append((content[span.start : span.end] if span else content).strip())
    # Whole lines: a faulty `return n - 1` begins with a mended `return n`.
    patterns = [re.compile(rb"^[ \t]*" + re.escape(text) + rb"[ \t\r]*$", re.MULTILINE) for text in texts]
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return [str(path.relative_to(root)) for path in files if any(p.search(path.read_bytes()) for p in patterns)]
