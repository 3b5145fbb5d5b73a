"""Names of types that several rooms speak of. Nothing here exists while a program runs: ``typing`` is dear to import.

``TYPE_CHECKING`` is the word that type checkers look for; only they read what stands below it.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, Protocol

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

    Trace = Callable[[Any, str, Any], Any]
    """A function for ``sys.settrace``."""

    class Send(Protocol):
        """Sends one line of a fork."""

        def __call__(self, **fields: Any) -> None: ...

    Work = Callable[[Send], None]
    """What a fork does."""
