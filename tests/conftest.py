"""What all tests share: signals as a terminal would give them."""

from __future__ import annotations

import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def heard_signals() -> None:
    """Under nohup, or in the background of a shell, signals are ignored, and by whatever is started as well."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
