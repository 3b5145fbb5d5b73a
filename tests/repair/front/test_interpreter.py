"""What a project names or brings along as its interpreter: refused, or asked behind walls; never run before them."""

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from analysis.errors import RepairError, TargetError, UsageError
from repair import cli
from repair.front.doctor import State, examine
from repair.front.interpreter import choose_python
from repair.front.opening import has_walls, jail_of, target_of
from repair.records.config import Options, load_options
from sandbox.interpreter import describe

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
SITE = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"


def git(root, *words):
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *own, "-C", str(root), *words], check=True, capture_output=True, stdin=subprocess.DEVNULL)


def committed(root):
    git(root, "init", "-q")
    git(root, "add", "--force", ".")
    git(root, "commit", "-q", "-m", "one")


@pytest.fixture
def canary(tmp_path):
    return tmp_path / "canary"


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    return folder


def environment(folder, canary):
    """A real environment that runs code of its author's whenever its Python starts; pytest comes from ours."""
    venv.create(folder, symlinks=True, with_pip=False)
    text = f"try: open({str(canary)!r}, 'w').close()\nexcept OSError: pass"
    (folder / SITE / "evil.pth").write_text(f"import os; exec({text!r})\n")
    (folder / SITE / "ours.pth").write_text(f"{Path(pytest.__file__).parent.parent}\n")
    return folder


def program(path, canary):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\n: > {canary}\nexec {sys.executable} "$@"\n')
    path.chmod(0o755)


def names(root, python):
    (root / "pyproject.toml").write_text(f"[tool.repair]\npython = {json.dumps(python)}\n")


def opened(root, env=None, **given):
    """As every command that runs tests begins. Nothing is run but what that runs."""
    return target_of(load_options(root, given, env or {}), env or {})[0]


def walls():
    return has_walls(jail_of(Options("/")))


needs_walls = pytest.mark.skipif(not walls(), reason="no walls here")


def refused_here(root, canary, match, kind, **given):
    """No command runs it, and ``doctor`` says why."""
    for isolation in ("auto", "none"):
        with pytest.raises(kind, match=match) as caught:
            opened(root, isolation=isolation, **given)
        assert "--python" in caught.value.remedy
        options = load_options(root, {"isolation": isolation, **given}, {})
        check = next(c for c in examine(options, {}) if c.name == "target")
        assert (check.state, check.remedy) == (State.MISSING, caught.value.remedy)
        assert check.detail.startswith(caught.value.found)
    assert not canary.exists()


def test_an_environment_that_git_tracks_is_refused(root, canary):
    environment(root / ".venv", canary)
    committed(root)
    refused_here(root, canary, r"git tracks \.venv/", TargetError)
    describe(str(root / ".venv/bin/python"))
    assert canary.exists(), "asked as it once was, it runs"


def test_one_tracked_file_is_enough(root, canary):
    environment(root / "venv", canary)
    git(root, "init", "-q")
    git(root, "add", f"venv/{SITE}/evil.pth")
    refused_here(root, canary, rf"git tracks venv/{SITE}/evil\.pth", TargetError)


def test_a_tracked_link_to_an_environment_is_refused(root, canary, tmp_path):
    environment(tmp_path / "elsewhere", canary)
    (root / ".venv").symlink_to(tmp_path / "elsewhere")
    committed(root)
    refused_here(root, canary, r"git tracks \.venv", TargetError)


def test_a_link_to_a_tracked_environment_is_refused(root, canary):
    environment(root / "envs/dev", canary)
    committed(root)
    (root / ".venv").symlink_to("envs/dev")
    refused_here(root, canary, r"git tracks envs/dev/", TargetError)


def test_a_tracked_program_behind_an_environments_link_is_refused(root, canary):
    program(root / "tools/evil.sh", canary)
    committed(root)
    environment(root / ".venv", canary)
    (root / ".venv/bin/python").unlink()
    (root / ".venv/bin/python").symlink_to("../../tools/evil.sh")
    refused_here(root, canary, r"git tracks tools/evil\.sh", TargetError)


def test_an_environment_as_a_submodule_is_refused(root, canary, tmp_path):
    environment(tmp_path / "shipped", canary)
    committed(tmp_path / "shipped")
    git(root, "init", "-q")
    git(root, "submodule", "--quiet", "add", str(tmp_path / "shipped"), ".venv")
    refused_here(root, canary, r"git tracks \.venv", TargetError)


def test_an_environment_of_the_repository_above_is_refused(root, canary):
    environment(root / "envs/dev", canary)
    (root / "pkg").mkdir()
    names(root / "pkg", "../envs/dev/bin/python")
    committed(root)
    refused_here(root / "pkg", canary, r"git tracks envs/dev/", TargetError)


def test_the_active_environment_is_no_exception(root, canary):
    environment(root / "env", canary)
    committed(root)
    env = {"VIRTUAL_ENV": str(root / "env")}
    with pytest.raises(TargetError, match="git tracks env/"):
        target_of(load_options(root, {}, env), env)
    assert not canary.exists()


@pytest.mark.parametrize("python", ["./evil.sh", "evil/bin/python", "./link", "{root}/evil.sh"])
def test_a_program_of_the_project_is_refused_as_its_files_choice(root, canary, python, monkeypatch, tmp_path):
    for name in ("evil.sh", "evil/bin/python"):
        program(root / name, canary)
    (tmp_path / "shell").symlink_to(root / "evil.sh")
    (root / "link").symlink_to(tmp_path / "shell")
    names(root, python.format(root=root))
    refused_here(root, canary, "names a program of the project", UsageError)
    describe(str(root / "evil.sh"))
    assert canary.exists()


def test_a_path_of_the_file_starts_at_the_root(root, canary, monkeypatch, tmp_path):
    environment(root / "env", canary)
    names(root, "env/bin/python")
    monkeypatch.chdir(tmp_path)
    chosen = choose_python(load_options(root, {}, {}), {}, walled=True)
    assert (chosen.python, chosen.foreign) == (str(root / "env/bin/python"), True)


@pytest.mark.parametrize("name", ["evil", "./node_modules/.bin/evil"])
def test_a_program_on_a_path_into_the_project_is_refused_too(root, canary, name, monkeypatch):
    monkeypatch.chdir(root)
    program(root / "node_modules/.bin/evil", canary)
    names(root, name)
    inside = {"PATH": os.pathsep.join(["node_modules/.bin", str(root / "node_modules/.bin")])}
    with pytest.raises(UsageError, match="names a program of the project"):
        opened(root, inside)
    with pytest.raises(TargetError, match="no such interpreter"):
        opened(root, {"PATH": "node_modules/.bin:."}, python="evil")
    assert not canary.exists()


@needs_walls
@pytest.mark.parametrize("how", ["found", "file", "command line", "environment"])
def test_an_environment_of_ones_own_is_asked_behind_the_walls(root, canary, how):
    committed(root)
    environment(root / ".venv", canary)
    python = str(root / ".venv/bin/python")
    if how == "file":
        names(root, ".venv/bin/python")
    given = {"python": python} if how == "command line" else {}
    said = opened(root, {"REPAIR_PYTHON": python} if how == "environment" else {}, **given)
    assert said.interpreter.python == python
    assert said.interpreter.pytest == pytest.__version__
    assert not canary.exists()
    opened(root, isolation="none")
    assert canary.exists(), "where there are no walls, it runs as the tests do"


@needs_walls
@pytest.mark.parametrize("env", [False, True])
def test_what_the_user_names_is_taken_and_asked_behind_the_walls(root, canary, env):
    environment(root / ".venv", canary)
    committed(root)
    python = str(root / ".venv/bin/python")
    said = opened(root, {"REPAIR_PYTHON": python}) if env else opened(root, python=python)
    assert said.interpreter.python == python
    assert not canary.exists()


def test_without_walls_what_the_file_names_elsewhere_is_refused(root, canary, tmp_path):
    program(tmp_path / "evil.sh", canary)
    names(root, str(tmp_path / "evil.sh"))
    with pytest.raises(TargetError, match="that the project names is not run without isolation"):
        opened(root, isolation="none")
    assert not canary.exists()
    names(root, sys.executable)  # what would be taken anyhow needs no word of the user's
    assert opened(root, isolation="none").interpreter.python == sys.executable


@needs_walls
def test_what_the_file_names_elsewhere_is_asked_behind_the_walls(root, canary, tmp_path):
    venv.create(tmp_path / "env", symlinks=True, with_pip=False)
    environment(tmp_path / "env", canary)
    names(root, str(tmp_path / "env/bin/python"))
    assert opened(root).interpreter.pytest == pytest.__version__
    assert not canary.exists()
    opened(root, python=str(tmp_path / "env/bin/python"))
    assert canary.exists(), "the user's own is asked as it is"


def test_where_git_cannot_say_and_there_are_no_walls_it_is_refused(root, canary):
    environment(root / ".venv", canary)
    committed(root)
    (root / ".git/index").write_bytes(b"no index")
    with pytest.raises(TargetError, match="git does not say"):
        opened(root, isolation="none")
    assert not canary.exists()
    if walls():
        assert opened(root).interpreter.pytest
    assert not canary.exists()


def broken(root, kind):
    place = root / "python"
    match kind:
        case "folder":
            place.mkdir()
        case "dangling":
            place.symlink_to(root / "nowhere")
        case "loop":
            place.symlink_to(place)
        case "pipe":
            os.mkfifo(place, 0o755)
        case "unreadable":
            program(place, root / "never")
            place.chmod(0)
        case "empty":
            place.write_text("")
            place.chmod(0o755)
    return (
        "\0" if kind == "nul" else "a\0/b" if kind == "nul in a path" else "x/" * 5000 if kind == "long" else "./python"
    )


KINDS = ["folder", "dangling", "loop", "pipe", "unreadable", "empty", "nul", "nul in a path", "long"]


@pytest.mark.parametrize("how", ["file", "command line"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_interpreter_ends_with_a_sentence(root, kind, how, monkeypatch, capsys):
    monkeypatch.chdir(root)
    python = broken(root, kind)
    if how == "file":
        names(root, python)
    elif "\0" in python:
        pytest.skip("no command line holds that")
    words = ["--python", python] if how == "command line" else []
    assert cli.main(["doctor", *words], env={}) == 3
    said = capsys.readouterr()
    assert "The main job cannot run here." in said.out
    assert "\0" not in said.out
    assert cli.main(["explain", *words], env={}) in (2, 3)
    assert "defect" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["folder", "dangling", "loop", "pipe", "unreadable"])
def test_a_broken_environment_is_none(root, kind):
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/pyvenv.cfg").write_text("home = /usr/bin\n")
    broken(root / ".venv/bin", kind)
    assert choose_python(Options(str(root)), {}, walled=True).python == sys.executable


def test_the_commands_say_what_to_do(root, canary, monkeypatch, capsys):
    environment(root / ".venv", canary)
    committed(root)
    monkeypatch.chdir(root)
    assert cli.main(["doctor", "--json"], env={}) == 3
    (check,) = [c for c in json.loads(capsys.readouterr().out)["checks"] if c["name"] == "target"]
    assert check["remedy"].startswith(f"If you trust it, name it yourself: --python {root}/.venv/bin/python")
    (root / "test_a.py").write_text("def test_a(): assert False\n")
    for command in (["fix"], ["explain"], ["tests"], ["check", "--since", "HEAD"]):
        assert cli.main(command, env={}) == 3
        assert "The project brings its own environment: git tracks .venv" in capsys.readouterr().err
    assert not canary.exists()


def test_names_of_a_strangers_files_say_nothing_to_the_terminal(root, canary, monkeypatch, capsys):
    environment(root / ".venv", canary)
    (root / ".venv/\x1b]0;title\x07").touch()
    git(root, "init", "-q")
    git(root, "add", "--force", ".venv/\x1b]0;title\x07")
    assert cli.main(["doctor", "--root", str(root)], env={}) == 3
    said = capsys.readouterr().out
    assert "git tracks .venv/\\x1b]0;title\\x07" in said
    assert "\x1b" not in said


def test_where_the_isolation_asked_for_does_not_hold_nothing_is_asked(root, canary, monkeypatch):
    environment(root / ".venv", canary)

    def refused(options):
        raise TargetError("The isolation asked for does not hold")

    monkeypatch.setattr("repair.front.doctor.jail_of", refused)
    found = {c.name: c for c in examine(Options(str(root)), {})}
    assert (found["target"].state, found["isolation"].state) == (State.MISSING, State.MISSING)
    assert not canary.exists()


def test_refusals_are_errors_of_the_family():
    assert issubclass(TargetError, RepairError)
