"""Lines about calls that ran in forks, kept until it is known that the test that made them went on as it would have."""

from __future__ import annotations

from _repair_probe.fork.forks import ask
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import identity, run_items

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import pytest

    from _repair_probe.ground.words import Fields, Send, Sender
    from _repair_probe.session.runner import ResultRecorder


class HeldLines:
    """Sends lines, and keeps those that come while it is ``holding``."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: list[Fields] = []
        self.holding = False

    def __call__(self, **fields: Any) -> None:
        if self.holding:
            self._waiting.append(fields)
        else:
            self._send(**fields)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def settle(self, keep: bool) -> None:
        """Send what waits, or forget it."""
        waiting, self._waiting = self._waiting, []
        for fields in waiting if keep else ():
            self._send(**fields)


def ends_alike(item: pytest.Item, recorder: ResultRecorder, prepare: Callable[[], object], seconds: float) -> bool:
    """Whether a test that has just ended passed or, after ``prepare``, ends in the same way where nobody listens."""
    if recorder.has_passed(item.nodeid):
        return True
    ending = [*identity(item.nodeid, recorder.result(item.nodeid))]

    def work(send: Sender) -> None:
        prepare()
        run_items([item], recorder, stop_early=False)
        send(ending=[*identity(item.nodeid, recorder.result(item.nodeid))])

    return any(line.get("ending") == ending for line in ask(work, seconds, list).lines)
