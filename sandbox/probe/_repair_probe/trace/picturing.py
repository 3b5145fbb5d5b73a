"""What runs only because a check has failed: pictures of its values, and all that follows the failure.

A ``__repr__`` that is called for the message of a failed assertion is run by failing tests alone. It would look like
the fault. pytest's rewritten assertion calls helpers in its failing branch only. From the first of them to the last a
tracer is held, and while ``unittest`` makes text of values. It is held for good as soon as an exception has left the
test: reports and tearing down say nothing about its cause.
"""

from __future__ import annotations

import threading
import types
import unittest.case

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import pytest

    from _repair_probe.ground.words import Ranges

    Function = Callable[..., Any]


class Tracer:
    """What all tracers have: ``start`` before a test is set up, ``begin`` and ``end`` around its own call."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> dict[str, Ranges] | None:
        """End, and the lines, if any are recorded."""
        return None

    def arcs(self) -> dict[str, list[int]] | None:
        """Which lines ran one after the other, where that is recorded."""
        return None

    def begin(self, item: pytest.Item) -> None:
        """Nothing new, for most."""

    def end(self) -> None:
        """Nothing either."""

    def hold(self) -> None:
        """What runs from now on, in this thread, is not recorded."""

    def resume(self) -> None:
        """It is again."""


class NoTracer(Tracer):
    """Records nothing."""


_OPENING = ("_saferepr", "_should_repr_global_name", "_format_boolop", "_call_reprcompare", "_format_assertmsg")
_CLOSING = "_format_explanation"
"""Helpers of a rewritten assertion. The message that the test gives is evaluated between them."""


class Picturing:
    """Holds a tracer while a failure is pictured, and after it. Only the thread of the test is held."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._thread = 0
        self._held = self._over = False

    def install(self) -> None:
        """Put a word in front of the functions of pytest and ``unittest`` that picture failed checks."""
        try:
            from _pytest.assertion import rewrite
        except ImportError:
            pass
        else:
            for name in _OPENING:
                _replace(rewrite, name, self._opening)
            _replace(rewrite, _CLOSING, self._closing)
        case: Any = unittest.case
        for name in ("safe_repr", "_common_shorten_repr"):
            _replace(case, name, self._around)
        pprint = getattr(case, "pprint", None)
        if pprint is not None:
            case.pprint = types.SimpleNamespace(pformat=self._around(pprint.pformat))

    def start(self) -> None:
        """A test begins."""
        self._thread = threading.get_ident()
        self._held = self._over = False

    def hold(self) -> None:
        """What runs from now on does not count."""
        if not self._held and threading.get_ident() == self._thread:
            self._held = True
            self._tracer.hold()

    def resume(self) -> None:
        """It counts again, unless the test is over."""
        if self._held and not self._over and threading.get_ident() == self._thread:
            self._held = False
            self._tracer.resume()

    def end(self) -> None:
        """An exception has left a phase of the test: nothing more of it counts."""
        self.hold()
        self._over = True

    def _opening(self, original: Function) -> Function:
        def begin(*arguments: Any, **named: Any) -> Any:
            self.hold()
            return original(*arguments, **named)

        return begin

    def _closing(self, original: Function) -> Function:
        def finish(*arguments: Any, **named: Any) -> Any:
            try:
                return original(*arguments, **named)
            finally:
                self.resume()

        return finish

    def _around(self, original: Function) -> Function:
        return self._opening(self._closing(original))


def _replace(module: Any, name: str, wrap: Callable[[Function], Function]) -> None:
    original = getattr(module, name, None)
    if original is not None:
        setattr(module, name, wrap(original))
