"""Functions of the project that run while the tests are imported and collected.

What such a function gave is kept in constants, tables, decorated functions and parameters: putting a new
text into it afterwards does not change them. Generators and coroutines made meanwhile hold the old code too.
"""

from __future__ import annotations

import gc
import sys
import types

from _repair_probe.ground.paths import is_within
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.trace.called import CallCounter

if TYPE_CHECKING:
    from types import CodeType

    from _repair_probe.ground.words import Called, Monitoring

_SUSPENDED: dict[type, str] = {
    types.GeneratorType: "gi_code",
    types.CoroutineType: "cr_code",
    types.AsyncGeneratorType: "ag_code",
}


class Early:
    """Watches calls from its making until ``stop``."""

    def __init__(self, root: str) -> None:
        self._root = root
        # by identity: comparing codes is dear, and equal ones may stand in two files
        self._codes: dict[int, CodeType] = {}
        if hasattr(sys, "monitoring"):
            self._monitor()
        else:
            self._calls = CallCounter()
            self._calls.start()

    def _monitor(self) -> None:
        monitoring: Monitoring = sys.monitoring  # type: ignore[attr-defined]  # since Python 3.12
        codes = self._codes
        self._tool = next(tool for tool in (4, 3, 5) if monitoring.get_tool(tool) is None)
        monitoring.use_tool_id(self._tool, "repair probe")

        def started(code: CodeType, _offset: int) -> object:
            codes[id(code)] = code
            return monitoring.DISABLE

        monitoring.register_callback(self._tool, monitoring.events.PY_START, started)
        monitoring.set_events(self._tool, monitoring.events.PY_START)

    def stop(self) -> frozenset[Called]:
        """Stop watching. The functions that ran, as (file, name, first line)."""
        if hasattr(sys, "monitoring"):
            sys.monitoring.set_events(self._tool, 0)
            sys.monitoring.free_tool_id(self._tool)
        else:
            self._codes.update((id(code), code) for code, _ in self._calls.stop())
        for thing in gc.get_objects():
            attribute = _SUSPENDED.get(type(thing))
            if attribute is not None:
                code = getattr(thing, attribute)
                self._codes[id(code)] = code
        codes, self._codes = self._codes, {}
        return frozenset(
            (code.co_filename, code.co_name, code.co_firstlineno)
            for code in codes.values()
            if is_within(code.co_filename, self._root)
        )
