"""Line maps from earlier runs and from a project's own data: by the texts as they are, sealed, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from coverage import CoverageData

from analysis.facts import TestId
from analysis.lines import Lines
from repair.store import line_maps
from repair.store.coverage_data import write_line_map
from repair.store.line_maps import DATA, LIST, LineMaps, find_project_data, known_lines, read_project_data
from repair.store.stored_run import Seals

TEXTS = {"a.py": b"a\n" * 9, "b.py": b"b\n" * 9, "tests/test_t.py": b"t\n" * 9}
A = (TestId("tests/test_t.py::test_a"), (("a.py", Lines([2, 3])), ("tests/test_t.py", Lines([5]))))
B = (TestId("tests/test_t.py::test_b"), (("b.py", Lines([7])),))
ANYWHERE = Lines(range(1, 4))
NEW = {**TEXTS, "a.py": b"new\n" * 2}


@pytest.fixture
def maps(tmp_path):
    return LineMaps(tmp_path, Seals(b"k" * 32), "/project")


def test_what_is_kept_is_loaded(maps):
    assert maps.load(TEXTS) == ()
    maps.keep((A, B), TEXTS)
    assert maps.load(TEXTS) == (A, B)


def test_in_a_file_with_another_text_a_test_may_run_any_line(maps):
    maps.keep((A, B), TEXTS)
    assert maps.load(NEW) == ((A[0], (("a.py", ANYWHERE), A[1][1])), B)
    assert maps.load({"b.py": TEXTS["b.py"]}) == (B,)


def test_a_run_of_some_tests_leaves_what_is_known_of_the_others(maps):
    maps.keep((A, B), TEXTS)
    newer = (B[0], (("b.py", Lines([9])),))
    maps.keep((newer,), NEW)
    assert maps.load(NEW) == ((A[0], (("a.py", ANYWHERE), A[1][1])), newer)


@pytest.mark.parametrize("file", [DATA, LIST])
def test_what_was_changed_or_torn_is_not_loaded(maps, file):
    maps.keep((A, B), TEXTS)
    path = maps.folder / file
    path.write_bytes(path.read_bytes()[:-30] + b" " * 30)
    assert maps.load(TEXTS) == ()
    maps.keep((B,), TEXTS)
    assert maps.load(TEXTS) == (B,)


def test_data_of_somebody_else_is_not_loaded(maps):
    maps.keep((A, B), TEXTS)
    write_line_map(maps.folder / DATA, "/project", (B,))
    assert maps.load(TEXTS) == ()
    other = LineMaps(maps.folder, Seals(b"o" * 32), "/project")
    maps.keep((A,), TEXTS)
    assert other.load(TEXTS) == ()


def test_what_was_kept_comes_before_the_projects_own_data(maps, project):
    a = str(project / "a.py")
    record(project, {A[0]: {a: [9]}, "tests/test_t.py::test_c": {a: [4]}})
    here = LineMaps(maps.folder / "state", maps.seals, str(project))
    here.folder.mkdir()
    here.keep((A,), TEXTS)
    assert known_lines(here, tuple(TEXTS.items())) == (A, ("tests/test_t.py::test_c", (("a.py", Lines([4])),)))


@pytest.mark.parametrize("bound", ["MOST_MAP_BYTES", "MOST_SETS"])
def test_a_map_that_is_too_large_is_not_kept(maps, monkeypatch, bound):
    maps.keep((A,), TEXTS)
    monkeypatch.setattr(line_maps, bound, 1)
    maps.keep((A, B), TEXTS)
    assert maps.load(TEXTS) == (A,)


@pytest.fixture
def project(tmp_path):
    """A project with data of its own, which is newer than its files."""
    for path, text in TEXTS.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(text)
        os.utime(tmp_path / path, (1_000, 1_000))
    return tmp_path


def record(project, contexts, when=2_000, file=".coverage"):
    data = CoverageData(basename=str(project / file))
    for context, lines in contexts.items():
        data.set_context(context)
        data.add_lines(lines)
    data.write()
    data.close()
    os.utime(project / file, (when, when))


def test_phases_of_a_test_are_one_and_paths_are_those_of_the_project(project):
    a = str(project / "a.py")
    test = "tests/test_t.py::test_a[x]"
    record(project, {f"{test}|setup": {a: [2]}, f"{test}|run": {"b.py": [3], a: [4], "/other/c.py": [1]}, "": {a: [9]}})
    assert read_project_data(str(project), TEXTS) == ((test, (("a.py", Lines([2, 4])), ("b.py", Lines([3])))),)


@pytest.mark.parametrize("context", ["tests.test_t.TestA.test_a", "test_t.TestA.test_a"])
def test_contexts_of_test_functions_are_node_ids(project, context):
    record(project, {context: {str(project / "a.py"): [2]}, "elsewhere.test_b": {str(project / "a.py"): [3]}})
    assert read_project_data(str(project), TEXTS) == (("tests/test_t.py::TestA::test_a", (("a.py", Lines([2])),)),)


def test_a_file_that_is_newer_than_the_data_is_known_as_a_whole(project):
    record(project, {"tests/test_t.py::test_a": {str(project / "a.py"): [2], str(project / "b.py"): [3]}})
    os.utime(project / "a.py", (3_000, 3_000))
    found = read_project_data(str(project), TEXTS)
    assert found == (("tests/test_t.py::test_a", (("a.py", Lines(range(1, 11))), ("b.py", Lines([3])))),)


SETTINGS = {
    ".coveragerc": "[run]\ndata_file = {0}\n",
    "setup.cfg": "[coverage:run]\ndata_file = {0}\n",
    "tox.ini": "[coverage:run]\ndata_file = {0}\n",
    "pyproject.toml": '[tool.coverage.run]\ndata_file = "{0}"\n',
}


@pytest.mark.parametrize("name", SETTINGS)
def test_data_lie_where_the_settings_say(project, name):
    (project / "build").mkdir()
    (project / name).write_text(SETTINGS[name].format("build/lines"))
    record(project, {"tests/test_t.py::test_a": {str(project / "a.py"): [2]}}, file="build/lines")
    assert read_project_data(str(project), TEXTS) == (("tests/test_t.py::test_a", (("a.py", Lines([2])),)),)


def test_the_first_file_with_settings_says_all(project):
    (project / "setup.cfg").write_text(SETTINGS["setup.cfg"].format("lines"))
    assert find_project_data(project) == project / "lines"
    (project / ".coveragerc").write_text("[run]\nbranch = True\n")
    assert find_project_data(project) == project / ".coverage"


@pytest.mark.parametrize("named", ["../lines", "/etc/passwd", "$HOME/lines", "out/lines", "a\\u0000b"])
def test_a_name_that_leads_out_of_the_project_is_not_heeded(project, named):
    (project / "out").symlink_to(project.parent)
    (project / "pyproject.toml").write_text(SETTINGS["pyproject.toml"].format(named))
    assert find_project_data(project) == project / ".coverage"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".coveragerc", b"data_file = [["),
        (".coveragerc", b"\xff\xfe"),
        ("pyproject.toml", b"[tool.coverage.run]\ndata_file = 3\n"),
        ("pyproject.toml", b"tool = ["),
        ("pyproject.toml", b"tool = " + b"1" * 5_000),
        ("pyproject.toml", b"tool = 3"),
    ],
)
def test_settings_that_cannot_be_read_name_no_data(project, name, text):
    (project / name).write_bytes(text)
    assert find_project_data(project) == project / ".coverage"


def test_data_without_contexts_or_that_is_none_says_nothing(project):
    assert read_project_data(str(project), TEXTS) == ()
    record(project, {"": {str(project / "a.py"): [2]}})
    assert read_project_data(str(project), TEXTS) == ()
    (project / ".coverage").rename(project / "data")
    (project / ".coverage").symlink_to(project / "data")
    assert read_project_data(str(project), TEXTS) == ()
    (project / ".coverage").unlink()
    (project / ".coverage").write_bytes(b"SQLite format 3\0" + b"x" * 5_000)
    assert read_project_data(str(project), TEXTS) == ()


def test_data_that_coverage_itself_recorded_is_read(tmp_path):
    """A real run, with branches, under contexts of test functions."""
    files = {
        "shop/__init__.py": "",
        "shop/cart.py": "def total(xs):\n    if xs:\n        return sum(xs)\n    return 0\n",
        "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_some():\n    assert total([1]) == 1\n\n\n"
        "class TestNone:\n    def test_none(self):\n        assert total([]) == 0\n",
        ".coveragerc": "[run]\ndynamic_context = test_function\nbranch = true\nsource = shop\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
        os.utime(tmp_path / path, (1_000, 1_000))
    command = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
    ]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COVERAGE_"))}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    texts = {path: text.encode() for path, text in files.items() if path.endswith(".py")}
    assert read_project_data(str(tmp_path), texts) == (
        ("tests/test_cart.py::TestNone::test_none", (("shop/cart.py", Lines([2, 4])),)),
        ("tests/test_cart.py::test_some", (("shop/cart.py", Lines([2, 3])),)),
    )
