"""Where an editor is told to write a test: never outside of the project, whatever a record or a link says."""

from __future__ import annotations

from pathlib import Path

import pytest

from repair.commands.editor_server import place_of_test


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/test_it.py").write_text("")
    return tmp_path / "project"


def test_the_file_that_holds_the_test_takes_the_next_one(root: Path) -> None:
    (root / "checks").mkdir()
    (root / "checks/test_it.py").write_text("")
    assert place_of_test(root, "checks/test_it.py") == root / "checks/test_it.py"
    assert place_of_test(root, "gone/test_it.py") == root / "test_it.py"
    (root / "tests").mkdir()
    assert place_of_test(root, "gone/test_it.py") == root / "tests/test_it.py"


@pytest.mark.parametrize("named", ["../outside/test_it.py", "", "/etc/passwd", ".git/test_it.py"])
def test_a_record_cannot_name_a_file_elsewhere(root: Path, named: str) -> None:
    (root / ".git").mkdir()
    (root / ".git/test_it.py").write_text("")
    place = place_of_test(root, named)
    assert place is None or place.parent == root


def test_a_link_to_elsewhere_is_not_followed(root: Path) -> None:
    (root / "tests").symlink_to(root.parent / "outside")
    assert place_of_test(root, "tests/test_it.py") == root / "test_it.py"
    (root / "test_it.py").symlink_to(root.parent / "outside/new.py")
    assert place_of_test(root, "tests/test_it.py") is None, "not even where nothing is there yet"


def test_a_link_within_the_project_is(root: Path) -> None:
    (root / "checks").mkdir()
    (root / "tests").symlink_to("checks")
    assert place_of_test(root, "test_it.py") == root / "tests/test_it.py"
