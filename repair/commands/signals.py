"""Signals of which somebody else is told, and those that wait while files of the project change."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals by which somebody ends a command."""


@contextlib.contextmanager
def handle_signals(numbers: Iterable[signal.Signals], handler: Callable[[int, Any], None]) -> Iterator[None]:
    """These signals go to the handler meanwhile; in another thread than the main one nothing is changed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(number, signal.signal(number, handler)) for number in numbers]
    try:
        yield
    finally:
        for number, earlier in before:
            signal.signal(number, earlier)


def hold_signals() -> contextlib.AbstractContextManager[None]:
    """Files of the project change, which takes milliseconds: what is begun ends and is told, whatever signal comes.

    So that "no project file was changed" is true wherever it is said. A child, as git with its hooks, gets the signal:
    it ends, and the files are put back.
    """
    # No SIG_IGN: a program that we start, such as git, would ignore the signal as well.
    heard = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    return handle_signals(heard, _hand_on)


def _hand_on(number: int, _frame: object) -> None:
    """Send the signal to all children, theirs included: a hook may be what takes long."""
    waiting = [os.getpid()]
    while waiting:
        parent = waiting.pop()
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
            waiting += map(int, words)
        if parent != os.getpid():
            with contextlib.suppress(OSError):
                os.kill(parent, number)
