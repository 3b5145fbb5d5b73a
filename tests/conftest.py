"""What all tests share: signals as a terminal would give them, and no deadline for a made-up example."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

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
