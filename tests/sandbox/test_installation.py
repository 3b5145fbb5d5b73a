"""What a jail shows of an interpreter that a stranger may have put there. Each trick works where the guard is gone."""

from __future__ import annotations

import json
import os
import sys
import venv
from pathlib import Path

import pytest

from analysis.facts import Limits, Outcome
from sandbox.installation import environment_folder, hidden_from, installation, packages
from sandbox.interpreter import describe, lies_within
from sandbox.jail import KINDS, check_jail
from sandbox.jail_protocol import NO_JAIL
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target

SITE = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
SECRET = "the secret of the user"


@pytest.fixture(scope="module", params=[kind.name for kind in KINDS if kind.automatic])
def jail(request):
    found = check_jail(next(kind for kind in KINDS if kind.name == request.param))
    if isinstance(found, str):
        pytest.skip(found)
    return found


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with a key in it, and the environment that names it."""
    folder = tmp_path / "home"
    (folder / ".ssh/x/bin").mkdir(parents=True)
    (folder / ".ssh/key.py").write_text(SECRET)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def root(tmp_path, home):
    """A project, in no repository, with an environment of its own."""
    folder = home / "code" / "p"
    venv.create(folder / ".venv", symlinks=True, with_pip=False)
    return folder


def python_of(root: Path) -> str:
    return str(root / ".venv/bin/python")


def say(root: Path, **answer) -> None:
    """An interpreter that says what its author wants."""
    whole = {"version": [3, 11, 2], "pytest": "8.0.0", "coverage": "", "prefixes": [], "path": [], "mapped": []}
    program = root / ".venv/bin/python"
    program.unlink()
    program.write_text(f"#!/bin/sh\necho '{json.dumps({**whole, **answer})}'\n")
    program.chmod(0o755)


def prefix_at(folder: Path) -> Path:
    """An installation of Python, as far as reading tells."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/python3").symlink_to(os.path.realpath(sys.executable))
    (folder / "lib/python3.11").mkdir(parents=True)
    (folder / "lib/python3.11/os.py").write_text("")
    return folder


def set_home(root: Path, home: str) -> None:
    (root / ".venv/pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")


EVIL = """
import os, sys
for act in (lambda: open({canary!r}, "w").close(), lambda: sys.path.append("/" + open({key!r}).read())):
    try:
        act()
    except OSError:
        pass
"""


def test_a_shipped_environment_is_asked_behind_the_walls(root, home, tmp_path, jail):
    canary, key = tmp_path / "canary", home / ".ssh/key.py"
    text = EVIL.format(canary=str(canary), key=str(key))
    (root / ".venv" / SITE / "evil.pth").write_text(f"import sys; exec({text!r})\n")
    said = describe(python_of(root), jail, hidden_from(str(root)))
    assert said.version == sys.version_info[:3]
    assert not canary.exists()
    assert "secret" not in str(said)
    open_target_without_pytest(root, jail)
    assert not canary.exists()
    unguarded = describe(python_of(root))
    assert canary.exists(), "without walls it runs with the user's rights"
    assert any("secret" in folder for folder in unguarded.path)


def open_target_without_pytest(root, jail):
    with pytest.raises(Exception, match="has no pytest"):
        open_target(str(root), environ={}, jail=jail)


@pytest.mark.parametrize("named", ["{home}", "{home}/bin", "/bin/..", "{home}/.ssh/x/bin", "{home}/code/bin", "/etc/x"])
def test_a_configuration_cannot_show_the_home(root, home, named):
    set_home(root, named.format(home=home))
    (root / ".venv/bin/python").unlink()
    (root / ".venv/bin/python").symlink_to("/usr/bin/env")
    assert installation(python_of(root), hidden_from(str(root))) == (str(root / ".venv"), "/usr")


@pytest.mark.parametrize("to", ["{home}/.ssh/x/bin/python", "{home}/bin/python", "{home}/.ssh/key.py", "/python"])
def test_a_link_cannot_show_the_home(root, home, to):
    (root / ".venv/bin/python").unlink()
    (root / ".venv/bin/python").symlink_to(to.format(home=home))
    set_home(root, "/usr/bin")
    assert set(installation(python_of(root), hidden_from(str(root)))) == {str(root / ".venv"), "/usr"}


def test_what_looks_like_a_python_is_shown_also_in_a_dotted_folder(root, home):
    """The control: this is where version managers put them."""
    prefix = prefix_at(home / ".pyenv/versions/3.11.7")
    short = home / ".pyenv/versions/3.11"
    short.symlink_to(prefix)
    set_home(root, str(short / "bin"))
    assert {str(prefix), str(short)} <= set(installation(python_of(root), hidden_from(str(root))))


def test_the_home_is_never_shown_whatever_it_looks_like(root, home):
    prefix_at(home / "copy")
    (home / "copy/lib").rename(home / "lib")
    set_home(root, str(home / "bin"))
    assert not any(p == str(home) for p in installation(python_of(root), hidden_from(str(root))))


def test_of_a_prefix_that_holds_private_things_only_parts_are_shown(root, home):
    prefix = prefix_at(home / ".local")
    (prefix / "state/repair").mkdir(parents=True)
    (prefix / "include").symlink_to(home / ".ssh")
    set_home(root, str(prefix / "bin"))
    shown = installation(python_of(root), hidden_from(str(root), [str(prefix / "state/repair")]))
    assert {f"{prefix}/bin", f"{prefix}/lib"} <= set(shown)
    assert not {str(prefix), f"{prefix}/include"} & set(shown)
    assert str(prefix) in installation(python_of(root), hidden_from(str(root)))


def test_a_project_that_is_an_environment_shows_its_parts(tmp_path, home):
    venv.create(tmp_path / "env", symlinks=True, with_pip=False)
    shown = installation(str(tmp_path / "env/bin/python"), hidden_from(str(tmp_path / "env")))
    assert str(tmp_path / "env") not in shown
    assert {f"{tmp_path}/env/bin", f"{tmp_path}/env/lib", f"{tmp_path}/env/pyvenv.cfg"} <= set(shown)


def test_a_pipe_as_configuration_is_not_waited_for(root):
    (root / ".venv/pyvenv.cfg").unlink()
    os.mkfifo(root / ".venv/pyvenv.cfg")
    installation(python_of(root), hidden_from(str(root)))
    assert environment_folder(python_of(root)) == ""


def test_an_interpreter_cannot_say_what_is_shown(root, home, tmp_path, jail):
    other = home / "notes"
    other.mkdir()
    (other / "diary.txt").write_text(SECRET)
    folders = [str(home), str(home / ".ssh"), str(home.parent), "/", str(root.parent), str(other), "/etc", "relative"]
    say(root, prefixes=[*folders[:-1]], path=folders[:-1], mapped=folders[:-1], named=folders[:-1])
    hidden = hidden_from(str(root))
    said = describe(python_of(root), jail, hidden)
    assert said.packages == ()
    assert set(said.withheld) == set(folders[:-1])
    assert not any(lies_within(secret, p) for p in said.readable for secret in (str(home / ".ssh/key.py"), str(other)))
    unguarded = describe(python_of(root))  # the control: an interpreter of the user's own is believed
    assert {str(home), str(home / ".ssh")} <= {*unguarded.readable} & {*unguarded.packages}


@pytest.mark.parametrize(
    "answer",
    [
        {"version": ["3", "11", "2"]},
        {"version": [True, 9, 9]},
        {"version": [3]},
        {"pytest": "\x1b]0;title\x07"},
        {"pytest": None},
        {"path": "/usr"},
        {"path": ["/a\0b"]},
        {"path": ["relative"]},
        {"prefixes": [1]},
        {"mapped": {"a": "/b"}},
        {"path": ["/usr"] * 1001},
    ],
)
def test_an_answer_of_another_kind_is_none(root, answer):
    say(root, **answer)
    with pytest.raises(Exception, match="does not describe itself as Python would"):
        describe(python_of(root), NO_JAIL, hidden_from(str(root)))


def test_of_folders_elsewhere_modules_and_packages_are_shown(root, home):
    library = home / "code/lib"
    for name in (".git/config", ".env", "keys.json", "pkg/__init__.py", "space/inner/m.py", "one.py", "docs/a.txt"):
        (library / name).parent.mkdir(parents=True, exist_ok=True)
        (library / name).write_text("")
    (library / "linked").symlink_to(home / ".ssh")
    (library / "key.py").symlink_to(home / ".ssh/key.py")
    hidden = hidden_from(str(root))
    assert packages(str(library), (), hidden) == tuple(f"{library}/{name}" for name in ("one.py", "pkg", "space"))
    assert packages(str(home / ".ssh"), (), hidden) is None
    assert packages(str(home), (), hidden) is None
    (root / "link").symlink_to(home / ".ssh")
    assert packages(str(root / "link"), (), hidden) is None


def test_packages_of_another_environment_are_shown(root, home):
    other = home / ".envs/other"
    venv.create(other, symlinks=True, with_pip=False)
    assert packages(str(other / SITE), (), hidden_from(str(root))) == (str(other / SITE),)
    (home / ".ssh/site-packages").mkdir()
    (home / ".ssh/site-packages/key.py").write_text(SECRET)
    assert packages(str(home / ".ssh/site-packages"), (), hidden_from(str(root))) is None


TESTS = """
    import os, pathlib
    import lib, finder
    HOME = {home!r}

    def test_the_library_is_the_one_elsewhere():
        assert lib.f() == 1 and finder.f() == 2

    def test_private_file():
        assert pathlib.Path(HOME, "code/lib/.env").read_text()

    def test_private_key():
        assert pathlib.Path(HOME, ".ssh/key.py").read_text()
"""


def test_editable_installs_elsewhere_work_and_open_nothing_else(root, home, write, jail):
    """As installers write them: a folder in a ``.pth``, and a finder that maps names to folders."""
    if jail.kind == "landlock-only":
        pytest.skip("what is shown of a folder cannot be listed there")
    write(home / "code/lib", {"lib/__init__.py": "def f(): return 1\n", ".env": SECRET})
    write(home / "code/other", {"finder.py": "def f(): return 2\n", ".env": SECRET})
    finder = f"""
        import sys
        from importlib.machinery import PathFinder
        MAPPING = {{"finder": {str(home / "code/other/finder")!r}}}
        class Finder:
            @staticmethod
            def find_spec(name, path=None, target=None):
                if name in MAPPING:
                    return PathFinder.find_spec(name, [{str(home / "code/other")!r}])
        def install():
            sys.meta_path.append(Finder)
        """
    site = {
        "ours.pth": f"{Path(pytest.__file__).parent.parent}\n",
        "lib.pth": f"{home}/code/lib\n",
        "own.pth": f"{root}/src\n",
        "key.pth": f"{home}/.ssh\n",
        "__editable___other_finder.py": finder,
        "__editable__.other.pth": "import __editable___other_finder; __editable___other_finder.install()\n",
    }
    write(root / ".venv" / SITE, site)
    write(root, {"test_it.py": TESTS.format(home=str(home)), "src/own.py": ""})
    target = open_target(str(root), environ={}, jail=jail)
    assert target.interpreter.withheld == (str(home / ".ssh"),)
    assert target.path_entries == (str(root / "src"),)
    with LocalSandbox(target, jail=jail, limits=Limits(wall_seconds=60.0)) as sandbox:
        run = sandbox.run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED, Outcome.FAILED, Outcome.FAILED], run


def test_what_the_user_names_outside_the_project_is_believed(root, home, write, jail, tmp_path):
    """The control of the test above: such folders would be shown whole."""
    if jail.kind == "landlock-only":
        pytest.skip("the same with other walls is enough")
    venv.create(tmp_path / "own", symlinks=True, with_pip=False)
    write(home / "code/lib", {"lib/__init__.py": "def f(): return 1\n", ".env": SECRET})
    write(home / ".ssh", {"finder.py": "def f(): return 2\n"})
    site = {"ours.pth": f"{Path(pytest.__file__).parent.parent}\n", "lib.pth": f"{home}/code/lib\n{home}/.ssh\n"}
    write(tmp_path / "own" / SITE, site)
    write(root, {"test_it.py": TESTS.format(home=str(home))})
    target = open_target(str(root), python=str(tmp_path / "own/bin/python"), environ={}, jail=jail)
    with LocalSandbox(target, jail=jail, limits=Limits(wall_seconds=60.0)) as sandbox:
        run = sandbox.run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED, Outcome.PASSED, Outcome.PASSED], run


def test_where_an_interpreter_lies(root, home, tmp_path):
    assert lies_within(python_of(root), str(root))
    assert not lies_within(sys.executable, str(root))
    (tmp_path / "link").symlink_to(root)
    assert lies_within(str(tmp_path / "link/.venv/bin/python"), str(root))
    venv.create(tmp_path / "far", symlinks=True, with_pip=False)
    (root / "near").symlink_to(tmp_path / "far")
    assert lies_within(str(root / "near/bin/python"), str(root))
    (tmp_path / "python").symlink_to(root / ".venv/bin/python")
    (root / ".venv/bin/python").unlink()
    (root / ".venv/bin/python").write_text("")
    assert lies_within(str(tmp_path / "python"), str(root))
