"""Names of types that several rooms speak of. Nothing here exists while a program runs: ``typing`` is dear to import.

``TYPE_CHECKING`` is the word that type checkers look for; only they read what stands below it.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable
    from functools import _lru_cache_wrapper
    from types import CodeType, FrameType, FunctionType
    from typing import Any, Protocol

    from _typeshed import TraceFunction

    Trace = TraceFunction
    """A function for ``sys.settrace``."""

    Value = Any
    """A value of the target's program: it may be anything, and lie about it."""

    Fields = dict[str, Any]
    """An object of JSON: a request of the engine, or what is told to it."""

    Copies = tuple[Any, dict[str, Value], dict[str, Value]]
    """Copies of a call: the list of its positional arguments, the others by name, and its free variables."""

    Where = tuple[int, Any]
    """A place in copies of a call: their number there, and the index or the name."""

    Result = tuple[str, str, str, int]
    """What became of a test: outcome, phase, kind of exception and message, line in the test's file."""

    Identity = tuple[str, str, str, str, int]
    """What makes two failures the same: the test, outcome, phase, kind of exception, and the test's line."""

    Called = tuple[str, str, int]
    """A function by its file, its name and its first line."""

    class Observing(Protocol):
        """Says where the program is when its time is up."""

        def hang(self, frame: FrameType | None) -> None: ...

    Ranges = list[list[int]]
    """Pairs of a first and a last line."""

    class Monitoring(Protocol):
        """``sys.monitoring``, which there is since Python 3.12."""

        DISABLE: object
        events: Any

        def get_tool(self, tool_id: int, /) -> str | None: ...
        def use_tool_id(self, tool_id: int, name: str, /) -> None: ...
        def free_tool_id(self, tool_id: int, /) -> None: ...
        def register_callback(self, tool_id: int, event: int, func: Callable[..., object] | None, /) -> object: ...
        def set_events(self, tool_id: int, event_set: int, /) -> None: ...
        def set_local_events(self, tool_id: int, code: CodeType, event_set: int, /) -> None: ...
        def restart_events(self) -> None: ...

    Level = tuple[tuple[str, ...], int]
    """A code in a function's: the names that lead to it, and its number among those of these names."""

    Levels = dict[Level, CodeType]
    """A function's code and those in it."""

    Defaults = tuple[CodeType, int, list[str]]
    """What makes a function's defaults: code, how many are positional, the names of the others."""

    Function = ast.FunctionDef | ast.AsyncFunctionDef
    Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

    Change = Callable[[Function], None]
    """Edits a function's tree before it is compiled."""

    class Swapped(Protocol):
        """A function whose live objects get other codes."""

        live: dict[Level, list[FunctionType]]
        caches: list[_lru_cache_wrapper[Value]]

        def own_key(self) -> Level: ...
        def own_functions(self) -> list[FunctionType]: ...

    Leave = Callable[[], object]
    """What a child does first: it lets go of its parent's things."""

    class AtWork(Protocol):
        """A child at work."""

        deadline: float

    class Send(Protocol):
        """Sends one line of a fork."""

        def __call__(self, **fields: Any) -> None: ...

    class Sender(Send, Protocol):
        """A fork's own: it can say that this was all."""

        def end(self) -> None: ...

    Work = Callable[[Sender], None]
    """What a fork does."""

    Telling = Callable[[Send], None]
    """The same, where it leaves the end to others."""
