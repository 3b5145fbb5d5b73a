"""``pytest --repair``: after a session its failing tests are handed to the engine.

This file imports the standard library alone, and nothing of the engine. That is a process of its own, with an
interpreter of its own: the command ``repair-engine``, looked for on the path, then beside this interpreter. So the file
also works as a copy in a project whose environment does not have the engine. Where ``--repair`` is not given, in a
worker of pytest-xdist, and in a session that the engine itself runs, nothing is done. The exit status of the session
stays what it is.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

ENGINE = "repair-engine"

LISTENER = "repair-failing-tests"

SUGGEST, APPLY = "suggest", "apply"

MOST_TESTS = 200
"""Failing tests that are handed on; a command line has an end."""

REMEDY = f"Install it (`pipx install .` in a clone of repair), and see that {ENGINE} is on the path."


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option ``--repair``, with ``suggest`` for its value where none is given."""
    with contextlib.suppress(ValueError):  # a copy of this file beside the installed engine has added it
        parser.getgroup("repair").addoption(
            "--repair",
            nargs="?",
            const=SUGGEST,
            type=_way,
            metavar="suggest|apply",
            help="After the session, look for a fix of what failed: show it, or write a certified one (apply)",
        )


def _way(text: str) -> str:
    """What follows the option; a path that stands right behind it is taken for its value, which is told."""
    if text not in (SUGGEST, APPLY):
        said = (
            f"{text!r} is taken for its value: write --repair=suggest or --repair=apply, or --repair behind the paths"
        )
        raise argparse.ArgumentTypeError(said)
    return text


def pytest_configure(config: pytest.Config) -> None:
    """Listen to the session, where that is asked for, and where this is the process that answers for it."""
    is_worker = hasattr(config, "workerinput")
    is_run_by_engine = "_repair_probe" in sys.modules
    is_there = config.pluginmanager.has_plugin(LISTENER)
    if config.getoption("repair") and not (is_worker or is_run_by_engine or is_there):
        config.pluginmanager.register(FailingTests(config), LISTENER)


class FailingTests:
    """Collects what fails in a session, and hands it to the engine at the very end."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tests: dict[str, None] = {}
        self._is_broken_off = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has failed, perhaps in its setup."""
        if report.failed and report.when != "teardown":
            self._tests[report.nodeid] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file of tests that cannot be collected fails as a whole."""
        if report.failed and report.nodeid:
            self._tests[report.nodeid] = None

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Somebody wants an end; pytest itself also breaks off, where files cannot be collected."""
        self._is_broken_off = excinfo.typename != "Interrupted"

    def pytest_unconfigure(self) -> None:
        """After all that pytest has to say."""
        if self._tests and not self._is_broken_off:
            said = _ask_engine(self._config, list(self._tests))
            reporter = self._config.pluginmanager.get_plugin("terminalreporter")
            _write(reporter, said)


def _ask_engine(config: pytest.Config, tests: list[str]) -> str:
    """What the engine says of the failing tests, or why it says nothing. Its progress goes to stderr."""
    engine = shutil.which(ENGINE) or shutil.which(ENGINE, path=str(Path(sys.executable).parent))
    if engine is None:
        return f"repair: there is no {ENGINE}. {REMEDY}"
    root = str(config.rootpath)
    command = [engine, "fix", "--root", root, "--python", sys.executable]
    command += ["--apply"] if config.getoption("repair") == APPLY else []
    command += ["--", *tests[:MOST_TESTS]]  # a name may begin like an option
    left = len(tests) - MOST_TESTS
    more = f"repair: {left} more tests failed; `repair fix --lf` takes them all\n" if left > 0 else ""
    try:
        done = subprocess.run(
            command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
        )  # its status is the engine's own matter
    except KeyboardInterrupt:
        return f"{more}repair: interrupted"
    except OSError as problem:
        return f"repair: {engine} cannot be started: {problem}"
    return f"{more}{done.stdout.rstrip()}"


def _write(reporter: Any, said: str) -> None:
    """Say it where pytest speaks; without its reporter on stdout."""
    if reporter is None:
        sys.stdout.write(f"{said}\n")
        return
    reporter.write_sep("=", "repair")
    for line in said.splitlines():
        reporter.write_line(line)
