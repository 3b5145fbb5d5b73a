"""The right interpreter is found and described; whatever is missing is said with its remedy."""

from __future__ import annotations

import os
import sys
import venv
from pathlib import Path

import pytest

from analysis.errors import TargetError
from sandbox.interpreter import describe, find_python
from sandbox.run_folder import RunFolder, python_path
from sandbox.target import open_target, version_tuple


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Path:
    """A project with an environment of its own, without pytest."""
    root = tmp_path_factory.mktemp("bare") / "p"
    venv.create(root / ".venv", symlinks=True, with_pip=False)
    return root


def test_the_projects_own_environment_comes_first(bare, tmp_path):
    own = str(bare / ".venv/bin/python")
    assert find_python(str(bare), "", {"VIRTUAL_ENV": str(tmp_path)}) == own  # the link itself, not where it leads
    assert find_python(str(tmp_path), "", {"VIRTUAL_ENV": str(bare / ".venv")}) == own
    assert find_python(str(tmp_path), "", {}) == sys.executable
    assert find_python(str(bare), sys.executable, {}) == sys.executable
    found = find_python(str(bare), "sh", {"PATH": "/nowhere:/bin"})
    assert found == "/bin/sh"


def test_a_target_without_pytest_is_told_how_to_get_it(bare):
    with pytest.raises(TargetError, match="has no pytest") as caught:
        open_target(str(bare), environ={})
    assert f"{bare}/.venv/bin/python -m pip install pytest" in caught.value.remedy
    assert caught.value.status == "environment"


@pytest.mark.parametrize("python", ["/nowhere/python", "no-such-python", "/"])
def test_a_missing_interpreter_is_named(tmp_path, python):
    with pytest.raises(TargetError, match="no such interpreter"):
        open_target(str(tmp_path), python=python, environ={"PATH": os.defpath})


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 3\n", "#!/bin/sh\necho hello\n", "#!/no/such/shell\n", ""])
def test_an_interpreter_that_does_not_run_is_named(tmp_path, script):
    fake = tmp_path / "python"
    fake.write_text(script)
    fake.chmod(0o755)
    with pytest.raises(TargetError, match="does not run"):
        describe(str(fake))


def test_an_old_interpreter_is_refused(tmp_path):
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\necho \'{"version": [3, 6, 15], "pytest": "6", "coverage": ""}\'\n')
    fake.chmod(0o755)
    with pytest.raises(TargetError, match=r"3\.6\.15 is older than 3\.8"):
        describe(str(fake))


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(TargetError, match="no such project directory"):
        open_target(str(tmp_path / "nothing"), environ={})


def test_our_own_interpreter_is_described():
    said = describe(sys.executable)
    assert said.version == sys.version_info[:3]
    assert version_tuple(said.pytest) >= (8,)
    assert sys.prefix in said.readable


def test_other_interpreters_are_described(other_python):
    assert describe(other_python).version[:2] in ((3, 8), (3, 13))


@pytest.mark.parametrize(
    ("text", "numbers"), [("9.2.0", (9, 2, 0)), ("8.4.0rc1", (8, 4, 0)), ("7.0.dev1+g", (7, 0)), ("", ())]
)
def test_versions_are_compared_by_number(text, numbers):
    assert version_tuple(text) == numbers


def test_source_layout_and_python_path_are_mapped_into_the_copy(project):
    root = project({"src/pkg/__init__.py": "", "lib/x.py": ""})
    environ = {"PYTHONPATH": os.pathsep.join([str(root), str(root / "lib"), "/usr/share"])}
    target = open_target(str(root), environ=environ, python=sys.executable)
    place = RunFolder("/run", str(root))  # a copy has the same layout
    moved = python_path(target, place)
    assert moved == (f"{root}/src", str(root), f"{root}/lib", "/usr/share")


@pytest.mark.parametrize("files", [{"src/__init__.py": ""}, {"src/data.txt": ""}, {"src": ""}, {"other.py": ""}])
def test_a_folder_called_src_that_holds_no_code_stays_off_the_path(project, files):
    root = project(files)
    target = open_target(str(root), environ={}, python=sys.executable)
    assert python_path(target, RunFolder("/run", str(root))) == ()


def test_our_settings_never_pass_and_secrets_only_by_name(tmp_path):
    environ = {"A": "1", "B": "2", "REPAIR_MODEL": "m", "OPENAI_API_KEY": "k"}
    target = open_target(str(tmp_path), environ=environ, python=sys.executable, pass_env=["A", "REPAIR_MODEL", "C"])
    assert target.passed == (("A", "1"),)


@pytest.mark.parametrize(
    ("folders", "found"),
    [
        ({"pytest-8.4.0.dist-info": ["METADATA"], "pytest_cov-1.0.dist-info": ["METADATA"]}, {"8.4.0"}),
        ({"pytest-8.4.0.dist-info": []}, {""}),  # some tool has damaged it
        ({"pytest-8.4.0.dist-info": ["METADATA"], "pytest-9.0.0.dist-info": ["METADATA"]}, {"8.4.0", "9.0.0"}),
        ({"pytest.egg-info": ["PKG-INFO"]}, {"1.2"}),
        ({"pytest_cov-1.0.dist-info": ["METADATA"]}, {""}),
    ],
)
def test_the_version_of_pytest_is_that_of_its_metadata(tmp_path, folders, found):
    venv.create(tmp_path / "env", symlinks=True, with_pip=False)
    (packages,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    for folder, names in folders.items():
        (packages / folder).mkdir()
        for name in names:
            _, _, version = folder.removesuffix(".dist-info").partition("pytest-")
            said = f"Metadata-Version: 2.1\nName: pytest\nVersion: {version or '1.2'}\n"
            (packages / folder / name).write_text(said)
    assert describe(str(tmp_path / "env/bin/python")).pytest in found
