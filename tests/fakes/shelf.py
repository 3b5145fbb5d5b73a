"""One warm server over the toy library, for all tests of a process that only ask questions.

Each of them has to leave the server as it was. Tests of what hurts a server, or of another start of it, open their own.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.bare import bare_target
from fakes.library import CHAPTERS, SHOP

from analysis.facts import Limits, TestId, digest
from analysis.functions import functions_of
from analysis.trials import Trial
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

SECONDS = 30.0
"""What a question to the server may take."""


class Shelf:
    """The library and the server over it, which is opened again after a test has soiled it."""

    def __init__(self, root: Path) -> None:
        for name, text in CHAPTERS.items():
            (root / name).write_text(text)
        self._sandbox = LocalSandbox(bare_target(root))
        self._server: WarmServer | None = None
        self._clean = ""

    def server(self) -> WarmServer:
        """The server as it was when it was opened."""
        if self._server is None:
            opened = self._sandbox.warm((), limits=Limits(wall_seconds=SECONDS, test_seconds=SECONDS), jobs=2)
            assert isinstance(opened, WarmServer), opened
            self._server, self._clean = opened, _state(opened)
        return self._server

    def returned(self) -> None:
        """Set back what a question may set, and fail where something else is not as it was."""
        server = self.server()
        server.bound(SECONDS)
        found = _state(server)
        if found != self._clean:
            self._server = None
            server.close()
            pytest.fail(f"the shared server is left otherwise than it was: {self._clean} is now {found}")

    def close(self) -> None:
        """End the server and remove its copy."""
        if self._server is not None:
            self._server.close()
        self._sandbox.close()


def _state(server: WarmServer) -> str:
    """Its process, the files that trials can write, its tests, and how a right and a wrong text fare."""
    (price,) = functions_of("shop.py", SHOP)
    asked = (TestId("test_plain.py::test_two"),)
    texts = [SHOP, SHOP.replace(b"3", b"4")]
    trials = [Trial(digest(text), price.function, text, "", only=asked) for text in texts]
    outcomes = {outcome.digest: outcome.state.name for outcome in server.trials(trials)}
    said = [outcomes[trial.digest] for trial in trials]
    return f"process {server.pid}, files {server.digest_leftovers()}, {len(server.tests)} tests, {said}"
