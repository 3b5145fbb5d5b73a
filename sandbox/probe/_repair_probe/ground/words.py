"""Names of types that several rooms speak of. Nothing here exists while a program runs: ``typing`` is dear to import.

``TYPE_CHECKING`` is the word that type checkers look for; only they read what stands below it.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
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

    class Send(Protocol):
        """Sends one line of a fork."""

        def __call__(self, **fields: Any) -> None: ...

    Work = Callable[[Send], None]
    """What a fork does."""
