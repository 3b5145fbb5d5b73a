"""The changes are as they were frozen, and fit the published sources that they were made from."""

import ast
import sys

import pytest

from analysis.errors import TargetError
from corpora.lab.agent_claims import false_claims, value_of
from corpora.lab.agent_diffs import (
    FROZEN,
    KINDS,
    LIBRARIES,
    AgentDiff,
    agent_diffs,
    apply_diff,
    digest_of,
    git,
    lay_session,
)
from corpora.source_package import IndexUnreachableError, case_cache

ALL = {library.name: agent_diffs(library.name) for library in LIBRARIES}


def test_each_library_has_changes_of_each_kind():
    counts = {kind: sum(diff.kind == kind for diffs in ALL.values() for diff in diffs) for kind in KINDS}
    assert counts == dict.fromkeys(KINDS, 40)
    assert all(len([d for d in diffs if d.kind == kind]) >= 13 for diffs in ALL.values() for kind in KINDS)


def test_they_are_as_they_were_frozen():
    kept = dict(line.split() for line in FROZEN.read_text().splitlines())
    assert kept == {library.name: digest_of(library.name) for library in LIBRARIES}


def test_another_text_is_another_digest(tmp_path):
    place = tmp_path / "lib" / "right"
    place.mkdir(parents=True)
    (place / "a.toml").write_text('asked = "1"\n')
    before = digest_of("lib", tmp_path)
    (place / "a.toml").write_text('asked = "2"\n')
    assert digest_of("lib", tmp_path) != before
    (place / "a.toml").write_text('asked = "1"\n')
    assert digest_of("lib", tmp_path) == before


def test_wrong_ones_alone_say_what_is_wanted():
    for diffs in ALL.values():
        for diff in diffs:
            assert bool(diff.input) == bool(diff.wanted) == (diff.kind == "wrong"), diff
            ast.parse(diff.input)


def test_a_folder_without_changes_is_refused(tmp_path):
    with pytest.raises(TargetError, match="No change is there"):
        agent_diffs("lib", tmp_path)


@pytest.mark.parametrize("text", ['asked = "x"\n', 'asked = "x"\nstart = ""\nchange = ""\nkind = "right"\n'])
def test_a_file_that_is_no_change_is_refused(tmp_path, text):
    (tmp_path / "lib" / "right").mkdir(parents=True)
    (tmp_path / "lib" / "right" / "a.toml").write_text(text)
    with pytest.raises(TargetError, match="no change of"):
        agent_diffs("lib", tmp_path)


def test_a_diff_that_does_not_fit_is_refused(tmp_path):
    git(tmp_path, "init", "--quiet")
    (tmp_path / "a.py").write_text("one\n")
    with pytest.raises(TargetError, match="git apply failed"):
        apply_diff(tmp_path, "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-two\n+three\n")
    apply_diff(tmp_path, "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+three\n")
    assert (tmp_path / "a.py").read_text() == "three\n"


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("a = 2\na * 3", "6"),
        ("int('x')", "raises ValueError"),
        ("b = {}\ndel b['x']", "raises KeyError"),
        ("'é'", "'é'"),
    ],
)
def test_the_value_of_statements_is_that_of_the_last(tmp_path, asked, given):
    assert value_of(tmp_path, sys.executable, asked) == given


@pytest.mark.real
@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_every_change_fits_its_source(library, tmp_path):
    try:
        for diff in ALL[library.name]:
            root = tmp_path / diff.kind / diff.name
            lay_session(library, diff, root, case_cache())
            apply_diff(root, diff.change)
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))


@pytest.mark.real
def test_a_false_claim_is_found(tmp_path):
    library = LIBRARIES[-1]
    try:
        wrong = next(diff for diff in ALL[library.name] if diff.kind == "wrong")
        said = AgentDiff(library.name, "harmless", "x", wrong.asked, wrong.start, "", wrong.input, wrong.wanted)
        found = list(false_claims(library, said, tmp_path / "x", case_cache()))
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    assert any("the suite fails with it" in claim for claim in found)
    assert any("no other has" in claim for claim in found)
