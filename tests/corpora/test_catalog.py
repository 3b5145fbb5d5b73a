"""Names of corpora: a loader, a path, options; every wrong one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UsageError
from corpora.catalog import CorpusName, open_corpus, parse_name


def test_options_stand_behind_a_question_mark():
    expected = CorpusName("bugsinpy", Path("a/b"), (("projects", "x,y"), ("bugs", "1-5")))
    assert parse_name("bugsinpy:a/b?projects=x,y&bugs=1-5") == expected


def test_a_question_mark_in_a_path_that_is_there_belongs_to_it(tmp_path: Path):
    (tmp_path / "why?now=1").mkdir()
    assert parse_name(f"flat:{tmp_path}/why?now=1") == CorpusName("flat", tmp_path / "why?now=1")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("flat", "names no corpus"),
        ("flat:x?bugs", "'bugs' is no option"),
        ("flat:x?=3", "'' is no option"),
        ("flat:x?bugs=3", r"flat knows no option 'bugs' \(flat:x\?bugs=3\)\. Known are: none"),
        ("quixbug:x", r"Did you mean quixbugs:x\?"),
    ],
)
def test_a_wrong_name_is_told(name: str, said: str):
    with pytest.raises(UsageError, match=said):
        open_corpus(name)
