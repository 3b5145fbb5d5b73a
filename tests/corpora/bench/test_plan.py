"""Plans: which cells there are, in which shard, with which seeds; and what is set aside."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.bench import SEARCH, ListedCorpus, bug

from analysis.errors import TargetError, UsageError
from corpora.bench.plan import Listed, Shard, engine_seed, full_corpus_name, make_plan, open_corpora
from corpora.bug import Environment, SetAside

TEN = ListedCorpus("flat:ten", tuple(bug(f"b{n}") for n in range(10)))
OTHER = replace(SEARCH, name="other")


def test_every_bug_meets_every_configuration_with_every_seed():
    plan = make_plan([TEN], (SEARCH, OTHER), (0, 1), pattern="b[12]", replies="/replies", python="python3")
    cells = [(job.cell.bug, job.cell.seed, job.cell.configuration) for job in plan.jobs]
    assert cells == [(b, s, c) for b in ("b1", "b2") for s in (0, 1) for c in ("search", "other")]
    assert {job.python for job in plan.jobs} == {"python3"}
    assert {job.place for job in plan.jobs} == {f"flat:{os.path.abspath('ten')}"}


def test_shards_are_disjoint_and_together_everything():
    parts = [make_plan([TEN], (SEARCH,), (0,), shard=Shard(n, 3)).bugs for n in (1, 2, 3)]
    every = make_plan([TEN], (SEARCH,), (0,)).bugs
    assert sorted((bug for part in parts for bug in part), key=every.index) == list(every)
    assert [len(part) for part in parts] == [4, 3, 3]
    assert Shard(2, 3).suffix == "-2of3"
    assert Shard().suffix == ""


def test_a_bug_without_its_interpreter_is_set_aside_with_the_reason():
    old = bug("old", environment=Environment(python="3.0"))
    plan = make_plan([ListedCorpus("flat:x", (old, SetAside("odd", "no tests"), bug("new")))], (SEARCH,), (0,))
    assert [(found.corpus, found.bug, found.reason) for found in plan.set_aside] == [
        ("flat:x", "old", "no Python 3.0 is here"),
        ("flat:x", "odd", "no tests"),
    ]
    assert plan.bugs == (Listed("flat:x", "new"),)


def test_seeds_come_from_run_and_bug_alone():
    assert engine_seed("b", 0, SEARCH) == engine_seed("b", 0, OTHER) == 624071792
    assert len({engine_seed(b, s, SEARCH) for b in ("a", "b") for s in (0, 1)}) == 4
    assert engine_seed("b", 1, replace(SEARCH, seed=4)) == engine_seed("b", 5, SEARCH)


def test_a_pattern_that_means_nothing_is_said():
    with pytest.raises(UsageError, match="No bug has such an id"):
        make_plan([TEN], (SEARCH,), (0,), pattern="x*")


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/2/3", "-1/2", ""])
def test_a_wrong_shard_is_said(text: str):
    with pytest.raises(UsageError, match="is no shard"):
        Shard.from_text(text)


def test_a_right_shard_is_read():
    assert Shard.from_text("2/4") == Shard(2, 4)


def test_a_missing_corpus_is_left_out_and_the_rest_goes_on(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").write_text("")
    found, lost = open_corpora([f"flat:{tmp_path}", "flat:/no/such"])
    assert [corpus.name for corpus in found] == [f"flat:{tmp_path}"]
    assert lost[0].startswith("flat:/no/such is left out: There is no such corpus")


def test_one_place_counts_once_however_it_is_spelled(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / name / "bug").mkdir(parents=True)
        (tmp_path / name / "bug" / "x.py").write_text("")
    found, lost = open_corpora([f"flat:{tmp_path}/{path}" for path in ("a", "b", "b/../a", "a/")])
    assert ([corpus.name for corpus in found], lost) == ([f"flat:{tmp_path}/a", f"flat:{tmp_path}/b"], [])


def test_where_no_corpus_is_left_that_is_an_error():
    with pytest.raises(TargetError, match="There is no such corpus"):
        open_corpora(["flat:/no/such", "flat:/none"])


def test_places_are_absolute():
    assert full_corpus_name("flat:x") == f"flat:{os.path.abspath('x')}"
    assert full_corpus_name("a:x/../y?b=../c") == f"a:{os.path.abspath('y')}?b=../c"
