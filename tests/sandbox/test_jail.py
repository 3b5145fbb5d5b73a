"""A jail is believed only when it was seen to hold; a named one that does not is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import TargetError
from analysis.facts import Limits, Outcome
from sandbox.host_capabilities import Means, find_means
from sandbox.jail import KINDS, Kind, choose
from sandbox.jail_protocol import NO_JAIL, Jail, no_jail
from sandbox.jails.bwrap import bwrap as bwrap_by
from sandbox.jails.bwrap import find_bwrap
from sandbox.jails.landlock import landlock
from sandbox.preflight import preflight
from sandbox.process import Command


@pytest.fixture(scope="module")
def bwrap():
    jail = find_bwrap()
    if isinstance(jail, str):
        pytest.skip(f"bubblewrap: {jail}")
    doubt = preflight(jail)
    if doubt:
        pytest.skip(f"bubblewrap does not hold here: {doubt}")
    return jail


def test_no_jail_changes_nothing_and_does_not_pass():
    plain = Command(("a", "b"), "/", ())
    assert NO_JAIL.wrap(plain, writable="/", readable=(), descriptors=(), limits=Limits()) == plain


def test_an_open_jail_is_found_out(bwrap, tmp_path):
    loose = tmp_path / "bwrap"
    # It runs the command in the folder as it is, past the words that copy the folder.
    loose.write_text('#!/bin/sh\nwhile [ "$1" != "sh" ]; do shift; done; shift 3; cd "$1"; shift; exec "$@"\n')
    loose.chmod(0o755)
    assert "read a private file" in preflight(bwrap_by(str(loose), find_means()))
    dead = tmp_path / "dead"
    dead.write_text("#!/bin/sh\nexit 1\n")
    dead.chmod(0o755)
    assert preflight(bwrap_by(str(dead), find_means())) == "it does not start"


ABSENT = (Kind("bwrap", "bubblewrap", lambda: "it is not installed", automatic=True),)


def test_auto_takes_what_holds_and_says_why_not(bwrap):
    assert choose("auto").kind == "bwrap"
    assert choose("bwrap").kind == "bwrap"
    assert choose("auto", ABSENT).kind == "none"
    assert "not installed" in choose("auto", ABSENT).detail


def test_auto_never_takes_what_is_only_for_its_name(bwrap):
    by_name = (replace(KINDS[0], automatic=False),)
    assert choose("auto", by_name).kind == "none"
    assert choose("bwrap", by_name).kind == "bwrap"


def test_a_named_jail_that_fails_is_refused():
    with pytest.raises(TargetError, match="does not hold") as caught:
        choose("bwrap", ABSENT)
    assert "--isolation none" in caught.value.remedy
    with pytest.raises(TargetError, match="no isolation 'chroot'"):
        choose("chroot")
    assert choose("none").kind == "none"


CODE = """
    import os, pathlib, socket
    import pytest

    def test_own_files_and_temporary_folder(tmp_path):
        pathlib.Path("made").write_text("x")
        (tmp_path / "made").write_text("x")

    def test_a_local_server_works():
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname()).close()

    def test_outside_is_not_there():
        assert not os.path.exists({original!r})
        assert not os.path.exists({home!r})
        for place in ("/", "/etc", "/usr", "/dev"):
            with pytest.raises(OSError):
                open(place + "/written", "w")
        assert len([n for n in os.listdir("/proc") if n.isdigit()]) < 8

    def test_segfault_is_told():
        if {crash}:
            os.kill(os.getpid(), 11)
    """


@pytest.mark.parametrize("crash", [False, True])
def test_runs_happen_inside(project, open_sandbox, bwrap, tmp_path, crash):
    secret = tmp_path / "home"
    secret.mkdir()
    original = tmp_path / "demo"
    code = CODE.format(original=str(original), home=str(secret), crash=crash)
    sandbox = open_sandbox(project({"test_it.py": code}), jail=bwrap)
    run = sandbox.run([])
    if crash:
        assert "SIGSEGV" in run.detail
    else:
        assert {r.outcome for r in run.results} == {Outcome.PASSED}, run
        assert run.isolation == "bwrap"
        assert sandbox.find_importable(["pytest"]) == ("pytest",)
    assert not Path(original / "made").exists()


def test_other_interpreters_run_inside(project, open_sandbox, bwrap, other_python):
    run = open_sandbox(project({"test_it.py": "def test_a(): pass\n"}), jail=bwrap, python=other_python).run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED], run


def test_an_environment_within_the_project_is_shown(project, open_sandbox, bwrap, add_environment):
    """The original is hidden, but not the environment that lies in it."""
    root = project({"test_it.py": "import sys\ndef test_a():\n    assert '.venv' in sys.prefix\n"})
    add_environment(root, {})
    run = open_sandbox(root, python="", jail=bwrap).run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED], run


@pytest.mark.parametrize("jail", [no_jail(), bwrap_by("/usr/bin/bwrap", Means()), landlock(6, Means())])
def test_a_jail_goes_to_other_processes(jail: Jail) -> None:
    again = pickle.loads(pickle.dumps(jail))
    command, limits = Command(("true",), "/tmp", ()), Limits()
    both = [
        each.wrap(command, writable="/tmp/w", readable=(), descriptors=(3, 4), limits=limits) for each in (jail, again)
    ]
    assert both[0] == both[1]
    assert replace(again, wrap=jail.wrap) == jail
