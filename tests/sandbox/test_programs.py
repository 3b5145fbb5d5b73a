"""Programs that we start ourselves are never those of the project."""

import os

import pytest

from sandbox import programs
from sandbox.jails.bwrap import find_bwrap
from sandbox.programs import find_program, find_tool


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "p"
    (folder / "node_modules/.bin").mkdir(parents=True)
    for place in (folder / "tool", folder / "node_modules/.bin/tool", folder / "bwrap"):
        place.write_text("#!/bin/sh\n")
        place.chmod(0o755)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("path", [".", "", "node_modules/.bin", "::", "{root}", "{root}/node_modules/.bin"])
def test_nothing_of_the_project_is_found(project, path):
    assert find_program("tool", path.format(root=project), outside=str(project)) == ""


def test_other_folders_of_the_path_are(project, tmp_path):
    within = str(project / "node_modules/.bin")
    assert find_program("tool", f".:{within}") == f"{within}/tool"
    assert find_program("tool", f".:{within}", outside=str(tmp_path / "other")) == f"{within}/tool"
    (tmp_path / "link").symlink_to(project)
    assert find_program("tool", str(tmp_path / "link"), outside=str(project)) == ""


def test_walls_are_built_by_the_systems_own_tools(project, monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join([".", str(project)]))
    monkeypatch.setattr(programs, "_SYSTEM", (str(project / "node_modules/.bin"),))
    assert find_tool("tool") == str(project / "node_modules/.bin/tool")
    monkeypatch.setattr(programs, "_SYSTEM", ())
    monkeypatch.setenv("PATH", ".")
    assert find_bwrap() == "it is not installed"
