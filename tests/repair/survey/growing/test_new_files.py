"""New files: marked, never over another one, never outside of the project."""

from __future__ import annotations

import errno
import os

import pytest

from analysis.errors import UsageError
from repair.survey.growing.new_files import MARK, folder_below, free_path, marked, write_new


def test_the_first_line_has_a_digest_of_the_rest():
    first, _, rest = marked("def test_a():\n    pass\n").partition("\n")
    assert first.startswith(MARK)
    assert first != marked(rest.replace("pass", "return")).partition("\n")[0]


def test_a_path_that_no_file_has():
    assert free_path("tests", "shop.cart", ()) == "tests/test_grown_shop_cart.py"
    taken = {"tests/test_grown_shop.py", "tests/test_grown_shop_2.py"}
    assert free_path("tests", "shop", taken) == "tests/test_grown_shop_3.py"
    assert free_path(".", "", (), failing=True) == "test_findings_module.py"


def test_a_file_is_written_whole_and_once(tmp_path):
    write_new(str(tmp_path), "tests/grown/test_a.py", "x = 1\n")
    place = tmp_path / "tests/grown/test_a.py"
    assert place.read_text() == "x = 1\n"
    with pytest.raises(UsageError, match="lies there already"):
        write_new(str(tmp_path), "tests/grown/test_a.py", "x = 2\n")
    assert place.read_text() == "x = 1\n"
    assert os.listdir(place.parent) == ["test_a.py"]


def test_a_dangling_link_is_not_followed(tmp_path):
    (tmp_path / "test_a.py").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="lies there already"):
        write_new(str(tmp_path), "test_a.py", "x = 1\n")
    assert not (tmp_path / "elsewhere").exists()


def test_only_folders_of_the_project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "file").touch()
    (root / "out").symlink_to(tmp_path)
    assert folder_below(str(root), "tests/new", root) == "tests/new"
    assert folder_below(str(root), ".", root) == "."
    for named, said in (
        ("..", "outside"),
        ("/tmp", "outside"),
        ("out", "outside"),
        ("file", "no folder"),
        ("file/new", "no folder"),
    ):
        with pytest.raises(UsageError, match=said):
            folder_below(str(root), named, root)


def test_a_folder_that_becomes_a_link_is_not_followed(tmp_path):
    root = tmp_path / "project"
    (tmp_path / "elsewhere").mkdir()
    root.mkdir()
    (root / "tests").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="became a link"):
        write_new(str(root), "tests/test_a.py", "x = 1\n")
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_file_system_without_second_names_takes_it_all_the_same(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.ENOTSUP, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    write_new(str(tmp_path), "test_a.py", "x = 1\n")
    assert (tmp_path / "test_a.py").read_text() == "x = 1\n"
    with pytest.raises(UsageError, match="lies there already"):
        write_new(str(tmp_path), "test_a.py", "x = 2\n")
    assert os.listdir(tmp_path) == ["test_a.py"]
