"""Line maps that are kept between runs: of tests whose files are unchanged, sealed, and decided by nobody else."""

from __future__ import annotations

import pytest

from analysis.facts import TestId
from analysis.lines import Lines
from repair.store import line_maps
from repair.store.coverage_data import write_line_map
from repair.store.line_maps import DATA, LIST, LineMaps
from repair.store.stored_run import Seals

DIGESTS = {"a.py": "1", "b.py": "2", "t.py": "3"}
A = (TestId("t.py::test_a"), (("a.py", Lines([2, 3])), ("t.py", Lines([5]))))
B = (TestId("t.py::test_b"), (("b.py", Lines([7])),))


@pytest.fixture
def maps(tmp_path):
    return LineMaps(tmp_path, Seals(b"k" * 32), "/project")


def test_what_is_kept_is_loaded(maps):
    assert maps.load(DIGESTS) == ()
    maps.keep((A, B), DIGESTS)
    assert maps.load(DIGESTS) == (A, B)


def test_a_test_with_a_changed_file_loses_its_lines_and_no_other(maps):
    maps.keep((A, B), DIGESTS)
    assert maps.load({**DIGESTS, "a.py": "new"}) == (B,)
    assert maps.load({"b.py": "2"}) == (B,)


def test_a_run_of_some_tests_leaves_the_lines_of_the_others(maps):
    maps.keep((A, B), DIGESTS)
    newer = (A[0], (("a.py", Lines([9])),))
    maps.keep((newer,), {**DIGESTS, "t.py": "new"})
    assert maps.load({**DIGESTS, "t.py": "new"}) == (newer, B)


def test_a_kept_test_whose_file_changed_is_not_given_the_new_digest(maps):
    maps.keep((A, B), DIGESTS)
    maps.keep((A,), {**DIGESTS, "b.py": "new"})
    assert maps.load({**DIGESTS, "b.py": "new"}) == (A,)


@pytest.mark.parametrize("file", [DATA, LIST])
def test_what_was_changed_or_torn_is_not_loaded(maps, file):
    maps.keep((A, B), DIGESTS)
    path = maps.folder / file
    path.write_bytes(path.read_bytes()[:-30] + b" " * 30)
    assert maps.load(DIGESTS) == ()
    maps.keep((B,), DIGESTS)
    assert maps.load(DIGESTS) == (B,)


def test_data_of_somebody_else_is_not_loaded(maps):
    maps.keep((A, B), DIGESTS)
    write_line_map(maps.folder / DATA, "/project", (B,))
    assert maps.load(DIGESTS) == ()
    other = LineMaps(maps.folder, Seals(b"o" * 32), "/project")
    maps.keep((A,), DIGESTS)
    assert other.load(DIGESTS) == ()


def test_a_map_that_is_too_large_is_not_kept(maps, monkeypatch):
    maps.keep((A,), DIGESTS)
    monkeypatch.setattr(line_maps, "MOST_MAP_BYTES", 1)
    maps.keep((A, B), DIGESTS)
    assert maps.load(DIGESTS) == (A,)
