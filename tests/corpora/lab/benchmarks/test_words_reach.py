"""What words reach: which words a fix has, which fixes count, and that it is real edits that are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.published import TWICE, put

from corpora.bug import Bug, Corpus
from corpora.catalog import open_corpus
from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.words_reach import (
    MOST_WORDS,
    Reached,
    Sought,
    given_words,
    leaves,
    missing_leaves,
    reach,
    sought,
    words_figures,
)

BEFORE = b"def swap(text):\n    return text.lower()\n"
AFTER = b"def swap(text):\n    return text.swapcase() + '!' * len(text)\n"


def corpus_of(folder: Path, before: str, after: str) -> tuple[Corpus, Bug]:
    row = {**TWICE, "buggy_solution": f"    {before}\n", "canonical_solution": f"    {after}\n"}
    put(folder, {"humanevalpack.jsonl": json.dumps(row) + "\n"})
    corpus = open_corpus(f"humaneval:{folder}")
    (bug,) = [each for each in corpus.bugs() if isinstance(each, Bug)]
    return corpus, bug


def fix_of(folder: Path, before: str, after: str) -> Sought:
    found = sought(*corpus_of(folder, before, after))
    assert found is not None
    return found


def test_leaves_are_names_attributes_of_names_and_constants() -> None:
    assert set(leaves(AFTER)) == {"text", "text.swapcase", "'!'", "len"}
    assert set(missing_leaves(BEFORE, AFTER)) == {"text.swapcase", "'!'", "len"}


@pytest.mark.parametrize("before", ["return n * 3", "return n - 2"])
def test_one_edit_of_ours_is_no_such_fix(tmp_path: Path, before: str) -> None:
    assert sought(*corpus_of(tmp_path, before, "return n * 2")) is None


@pytest.mark.parametrize(
    ("after", "pieces"),
    [
        ("return math.floor(n / 7) * 9", ("math.floor(n / 7) * 9", "math", "math.floor")),
        ("return n if n < 31 else math.pow(n, 17)", ("n if n < 31 else math.pow(n, 17)", "math", "math.pow")),
    ],
)
def test_words_are_what_is_put_in_and_then_what_the_function_lacks(tmp_path: Path, after: str, pieces: object) -> None:
    found = fix_of(tmp_path, "return 0", after)
    assert found.pieces[:1] == pieces[:1]  # type: ignore[index]
    assert set(found.pieces[1:]) <= set(found.missing)
    words = given_words(found, found.pieces, 0)
    assert len(words) == MOST_WORDS
    assert set(found.pieces) <= set(words)
    assert words != given_words(found, found.pieces, 1)


def test_a_fix_is_reached_by_the_expression_and_not_by_its_leaves(tmp_path: Path) -> None:
    corpus, bug = corpus_of(tmp_path, "return 0", "return math.floor(n / 7) * 9")
    (found,) = reach(corpus, [bug], 5, 0)
    assert found.by_pieces is not None
    assert found.by_leaves is None
    assert "reached after" in found.line
    assert "not reached by" in found.line
    figures = figures_of(words_figures([found, Reached(found.fix, None, None)]))
    assert (figures["words_reach"], figures["words_reach_by_leaves"], figures["words_reach_without"]) == (0.5, 0.0, 0.0)


def test_without_time_for_a_fix_none_is_looked_at(tmp_path: Path) -> None:
    corpus, bug = corpus_of(tmp_path, "return 0", "return math.floor(n / 7) * 9")
    assert list(reach(corpus, [bug], 0, 0)) == []
