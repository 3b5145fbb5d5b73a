"""The project's options are taken as pytest takes them, less those that would distort a run."""

from __future__ import annotations

import shlex

import pytest

from analysis.errors import TargetError
from sandbox.options import drop_covered, pytest_arguments, read_options, split_options


@pytest.mark.parametrize(
    ("given", "kept", "paths"),
    [
        ("-n 4 --dist loadfile -m 'not slow'", "-m 'not slow'", ""),
        ("-n4 -nauto --maxprocesses=3 -k expr", "-k expr", ""),
        ("--cov --cov=pkg --cov-report term-missing --cov-fail-under=90 --no-cov-on-fail", "--no-cov-on-fail", ""),
        ("--cov-report=html --cov-branch -W error", "-W error", ""),
        ("-p no:randomly -p randomly --randomly-seed=3 --random-order -p my.plugin", "-p my.plugin", ""),
        ("-p no:cacheprovider -pxdist -pno:warnings", "-pno:warnings", ""),
        ("--reruns 3 --reruns-delay=1 --maxfail=2 -x --lf --ff --sw", "", ""),
        ("-ra -rA -r fE -vv -q -xvs --tb=short --tb short --durations=10 -s --color=yes", "", ""),
        ("--junitxml=out.xml --junit-xml out.xml --html=r.html --self-contained-html", "", ""),
        ("--import-mode=importlib --strict-markers --strict-config --doctest-modules", None, ""),
        ("--import-mode importlib tests docs", "--import-mode importlib", "tests docs"),
        ("--ignore=build --ignore dist --asyncio-mode=auto", None, ""),
        ("--unknown value tests", "--unknown value", "tests"),
        ("--unknown=value tests", "--unknown=value", "tests"),
        ("--benchmark-skip --benchmark-columns=min -o xfail_strict=true", "-o xfail_strict=true", ""),
        ("--pdb --trace --debug --showlocals -l --cache-clear", "", ""),
        ("tests/test_a.py::test_x[a b]", "", None),
    ],
)
def test_options_are_kept_or_left_out(given, kept, paths):
    words = shlex.split(given) if paths is not None else [given]
    expected = shlex.split(given) if kept is None else shlex.split(kept)
    found_kept, found_paths = split_options(words)
    assert [w for w in found_kept if w != "--no-cov-on-fail"] == [w for w in expected if w != "--no-cov-on-fail"]
    assert list(found_paths) == ([given] if paths is None else shlex.split(paths))


@pytest.mark.parametrize(
    ("files", "config", "options"),
    [
        ({}, "", ()),
        ({"pytest.ini": "[pytest]\naddopts = -m a\n  -k b\n"}, "pytest.ini", ("-m", "a", "-k", "b")),
        ({"pytest.ini": ""}, "pytest.ini", ()),
        (
            {".pytest.ini": "[pytest]\naddopts = -m a\n", "tox.ini": "[pytest]\naddopts=-m b"},
            ".pytest.ini",
            ("-m", "a"),
        ),
        ({"pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-m a"\n'}, "pyproject.toml", ("-m", "a")),
        ({"pyproject.toml": '[tool.pytest.ini_options]\naddopts = ["-m", "a b"]\n'}, "pyproject.toml", ("-m", "a b")),
        ({"pyproject.toml": '[tool.pytest]\naddopts = ["-m", "a"]\n'}, "pyproject.toml", ("-m", "a")),
        (
            {"pyproject.toml": "[tool.other]\n", "setup.cfg": "[tool:pytest]\naddopts = -m c\n"},
            "setup.cfg",
            ("-m", "c"),
        ),
        ({"tox.ini": "[tox]\n", "setup.cfg": "[tool:pytest]\n"}, "setup.cfg", ()),
        (
            {"tox.ini": "[pytest]\naddopts = -W 'error::X' %(a)s\n"},
            "tox.ini",
            (
                "-W",
                "error::X",
            ),
        ),
        ({"pytest.toml": '[pytest]\naddopts = ["-m", "t"]\n', "pytest.ini": "[pytest]\n"}, "pytest.toml", ("-m", "t")),
        ({"setup.cfg": "[pytest]\naddopts = -m old\n"}, "", ()),
    ],
)
def test_the_configuration_is_found_in_pytests_order(tmp_path, files, config, options):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = read_options(tmp_path)
    assert (found.config, found.options) == (config, options)


def test_an_older_pytest_does_not_know_the_newer_files(tmp_path):
    (tmp_path / "pytest.toml").write_text('[pytest]\naddopts = ["-m", "t"]\n')
    (tmp_path / "pyproject.toml").write_text('[tool.pytest]\naddopts = ["-m", "t"]\n')
    assert read_options(tmp_path, pytest_version=(8, 4)).config == ""


def test_environment_and_user_follow_the_project(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -m a tests\n")
    found = read_options(tmp_path, environment="-k 'b c' -n 3", extra=["-x", "more"])
    assert (found.options, found.paths) == (("-m", "a", "-k", "b c"), ("tests", "more"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options\n"),
        ("pytest.ini", "addopts = -x\n"),
        ("pytest.ini", "[pytest]\naddopts = -m 'open\n"),
        ("pytest.ini", "\udcff"),
    ],
)
def test_a_broken_configuration_is_a_clear_error(tmp_path, name, text):
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(TargetError, match=name):
        read_options(tmp_path)


def test_named_tests_replace_the_configured_paths(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = tests\n")
    options = read_options(tmp_path)
    assert pytest_arguments(options, "/copy", "/cache", [])[-1] == "tests"
    arguments = pytest_arguments(options, "/copy", "/cache", ["tests/a.py::b"])
    assert arguments[-3:] == ("-c", "/copy/pytest.ini", "tests/a.py::b")
    assert "--rootdir=/copy" in arguments
    assert "addopts=" in arguments


def test_a_test_is_not_run_twice_where_its_file_is_named_too():
    assert drop_covered(["a.py", "a.py::test_a", "b.py::test_b"]) == ("a.py", "b.py::test_b")
    assert drop_covered(["a.py::test_a"]) == ("a.py::test_a",)
