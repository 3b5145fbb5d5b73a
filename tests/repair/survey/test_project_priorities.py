"""What deserves a test, by what earlier runs left behind: no test runs for it."""

import pytest

from analysis.lines import Lines
from repair.store.line_maps import LineMaps
from repair.store.stored_run import Seals
from repair.survey import project_priorities
from repair.survey.project_priorities import find_priorities

SHOP = "def price(n):\n    if n > 10:\n        return 40\n    return 5 * n\n\n\ndef idle():\n    return price(1)\n"
FAILS, PASSES = "test_shop.py::test_fails", "test_shop.py::test_passes"
LINE_MAP = ((FAILS, (("shop.py", Lines([2, 3])),)), (PASSES, (("shop.py", Lines([2, 4])),)))


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text("def test_passes():\n    pass\n")
    return root


@pytest.fixture
def maps(project, tmp_path):
    (tmp_path / "state").mkdir()
    made = LineMaps(tmp_path / "state", Seals(b"key"), str(project))
    made.keep(LINE_MAP, {"shop.py": SHOP.encode()})
    return made


def told(known):
    return {each.function: {part.name: part.said for part in each.parts} for each in known.found}


def test_functions_come_by_what_passing_tests_leave_open(project, maps):
    known = find_priorities(str(project), maps, {FAILS})
    assert [each.function for each in known.found] == ["idle", "price"]
    parts = told(known)
    assert parts["price"]["open"] == "1 of 3 statements run by none, no mutant was tried"
    assert parts["price"]["reach"] == "public, used by 1 function"
    assert parts["idle"]["open"] == "no test vouches for it"
    assert parts["idle"]["history"] == "changes unknown"
    assert told(find_priorities(str(project), maps))["price"]["open"] == "tests run all of it, no mutant was tried"


def test_of_a_file_that_has_changed_since_it_is_not_said_which_lines_ran(project, maps):
    (project / "shop.py").write_text(f"# new\n{SHOP}")
    assert (
        told(find_priorities(str(project), maps))["price"]["open"] == "which lines ran is unknown, no mutant was tried"
    )
    before = (("shop.py", SHOP.encode()),)  # as the run saw it, whatever was applied since
    assert told(find_priorities(str(project), maps, {FAILS}, before))["price"]["open"].startswith("1 of 3 statements")


def test_why_nothing_is_known_is_said(project, maps, tmp_path, monkeypatch):
    nothing = LineMaps(tmp_path, Seals(b"other"), str(project))
    assert find_priorities(str(project), nothing).gap == "it is not known which lines the tests run"
    assert find_priorities(str(tmp_path / "gone"), maps).gap == "the project is not here any more"
    monkeypatch.setattr(project_priorities, "MOST_BYTES", 10)
    assert "too large" in find_priorities(str(project), maps).gap


def test_a_file_that_cannot_be_parsed_is_left_out(project, maps):
    (project / "broken.py").write_text("def f(:\n")
    assert set(told(find_priorities(str(project), maps))) == {"price", "idle"}
