"""What all tests share: signals as a terminal would give them, marks by rule, and no deadline for a made-up example."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator
from types import SimpleNamespace

import pytest
from hypothesis import settings
from marks import PROBE, mark

from repair.records.events import Event, problems_of
from repair.store.stored_run import RunRecord

settings.register_profile("busy", deadline=None)
settings.load_profile("busy")  # a machine that is busy makes no example wrong


@pytest.fixture(autouse=True, scope="session")
def heard_signals() -> None:
    """Under nohup, or in the background of a shell, signals are ignored, and by whatever is started as well."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def state_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test records anything in the user's own state directory."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True, scope="session")
def checked_events() -> Generator[None, None, None]:
    """Whatever event is written down in a test of ours is one that we know, with the fields that we say it has."""
    append = RunRecord.append

    def checked(self: RunRecord, happened: Event) -> None:
        assert not problems_of(happened), problems_of(happened)
        append(self, happened)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunRecord, "append", checked)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks come from rules, before ``-m`` chooses by them."""
    for item in items:
        mark(item)


_started: list[str] = []
"""Command lines of this test that run the tests of a project."""


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event == "subprocess.Popen" and PROBE in str(arguments[1]):
        _started.append(str(arguments[1]))


sys.addaudithook(_hear)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Nothing is started as yet."""
    _started.clear()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """A test that has run the tests of a project is slow, or the rule does not know how it did."""
    yield
    if _started and not any(item.iter_markers("slow")) and not any(item.iter_markers("lab")):
        pytest.fail(f"it opens a sandbox behind a door that tests/marks.py does not list: {_started[0]:.400}")


# A worker of pytest-xdist chooses the tests, and the process that writes the closing line does not hear of those left
# out. A run that leaves tests out has to say so.


LEFT_OUT = SimpleNamespace()


class LeftOut:
    """Carries the number of deselected tests from a worker to the closing line."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._count = 0

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """In a worker."""
        self._count += len(items)

    def pytest_sessionfinish(self) -> None:
        """In a worker."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["left_out"] = self._count

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """In the process that writes; all workers leave out the same."""
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        count = getattr(node, "workeroutput", {}).get("left_out", 0)
        if reporter is not None and count:
            reporter.stats["deselected"] = [LEFT_OUT] * count


def pytest_configure(config: pytest.Config) -> None:
    """Registers the count of what is left out."""
    config.pluginmanager.register(LeftOut(config))
