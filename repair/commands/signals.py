"""Signals of which somebody else is told, and those that wait while files of the project change."""

from __future__ import annotations

import contextlib
import os
import select
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


@contextlib.contextmanager
def end_with_reader(descriptor: int = 1) -> Iterator[None]:
    """Meanwhile, where the program that reads our output goes away, whatever ended it, we end as by a SIGTERM.

    A run that nobody waits for any more would take the machine from others. Nothing is done where no handler of ours
    hears the signal, as in a host that runs us in a thread.
    """
    heard = signal.getsignal(signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread() or not callable(heard):
        yield
        return
    over, leave = os.pipe()
    watching = select.poll()
    watching.register(descriptor, 0)  # asks for nothing, and is told of errors and ends all the same
    watching.register(over, select.POLLIN)

    def watch() -> None:
        if any(found == descriptor for found, _ in watching.poll()):
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=watch, daemon=True, name="reader")
    thread.start()
    try:
        yield
    finally:
        os.close(leave)
        thread.join()
        os.close(over)


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
        with contextlib.suppress(OSError):  # it has ended meanwhile
            words = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
            waiting += map(int, words)
        if parent != os.getpid():
            with contextlib.suppress(OSError):  # it has ended meanwhile
                os.kill(parent, number)
