"""What each exception of the interpreter and the standard library stands for, and which handlers are new in a text."""

from __future__ import annotations

import ast
import enum
import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass

from analysis.facts import SeenError
from analysis.frames import has_type
from analysis.function_text import Unreadable, own_nodes, parse_function


class Subclass(enum.StrEnum):
    """Refines a failure class. The values are what users see."""

    SYNTAX = "syntax"
    MODULE = "module"
    IMPORT = "import"

    MISSING_RAISE = "missing_raise"
    WRONG_RAISE = "wrong_raise"
    UNEXPECTED_RAISE = "unexpected_raise"
    MESSAGE = "message"
    ASSERTION = "assertion"
    SIGNATURE = "signature"
    EXIT = "exit"

    NAME = "name"
    UNBOUND = "unbound"
    NONE = "none"
    ATTRIBUTE = "attribute"
    TYPE = "type"
    KEY = "key"
    INDEX = "index"
    EMPTY = "empty"
    UNPACK = "unpack"
    DIVISION = "division"
    OVERFLOW = "overflow"
    CONVERSION = "conversion"
    FILE = "file"
    ITERATION = "iteration"
    OTHER = "other"

    TEXT = "text"
    WRONG_VALUE = "wrong_value"
    TIMEOUT = "timeout"

    NETWORK = "network"
    MISSING_MODULE = "missing_module"
    MISSING_FILE = "missing_file"
    FIXTURE = "fixture"
    SYSTEM = "system"
    UNKNOWN = "unknown"

    TEST_CODE = "test_code"


Row = tuple[str, str, Subclass]
"""Classes of exceptions, a pattern in the message, and what that stands for."""

_UNREADABLE = (
    r"invalid literal|could not convert|isoformat|does not match format|unconverted data|is not a valid|badly formed"
    r"|does not appear to be|Exceeds the limit|domain error|not in range|out of range|malformed|Invalid |invalid "
    r"|Expecting |Extra data|padding|non-hexadecimal"
)

RUNTIME: tuple[Row, ...] = (
    ("UnboundLocalError", "", Subclass.UNBOUND),
    ("NameError", "free variable", Subclass.UNBOUND),
    ("NameError", "", Subclass.NAME),
    ("ImportError", "", Subclass.IMPORT),
    ("AttributeError", "NoneType", Subclass.NONE),
    ("AttributeError", "", Subclass.ATTRIBUTE),
    ("TypeError", r"empty (?:sequence|iterable)", Subclass.EMPTY),
    ("TypeError", "NoneType", Subclass.NONE),
    ("TypeError", "unpack non-iterable", Subclass.UNPACK),
    (
        "TypeError",
        r"^(?:can only|can't|cannot|unsupported|bad operand|unhashable|'|object |%|descriptor )",
        Subclass.TYPE,
    ),
    ("TypeError", r"argument|must be|expected|not |format|indices|takes|missing", Subclass.TYPE),
    ("KeyError", r"dictionary is empty|empty set", Subclass.EMPTY),
    ("KeyError", "", Subclass.KEY),
    ("IndexError", "empty", Subclass.EMPTY),
    ("IndexError", "", Subclass.INDEX),
    ("ZeroDivisionError", "", Subclass.DIVISION),
    ("InvalidOperation", "", Subclass.CONVERSION),
    ("ArithmeticError", "", Subclass.OVERFLOW),
    ("UnicodeError JSONDecodeError", "", Subclass.CONVERSION),
    ("ValueError", r"I/O operation on|closed file", Subclass.FILE),
    ("ValueError", "values to unpack", Subclass.UNPACK),
    ("ValueError", r"empty (?:sequence|iterable)|argument is empty|at least one data point", Subclass.EMPTY),
    ("ValueError", r"not in list|not in tuple|not in deque|substring not found|subsection not found", Subclass.KEY),
    ("ValueError", _UNREADABLE, Subclass.CONVERSION),
    ("FileNotFoundError NotADirectoryError IsADirectoryError FileExistsError", "", Subclass.FILE),
    ("StopIteration StopAsyncIteration", "", Subclass.EMPTY),
    ("RuntimeError", "raised Stop(?:Async)?Iteration", Subclass.EMPTY),
    ("RuntimeError", r"changed size|mutated during|changed during|generator didn't", Subclass.ITERATION),
)
"""The unsafe operations that exceptions speak of; not those that only code raises by itself."""

FOREIGN: tuple[Row, ...] = (
    ("ConnectionError gaierror herror SSLError URLError ProxyError ConnectError", "", Subclass.NETWORK),
    ("TimeoutError", r"timed out|Errno", Subclass.NETWORK),
    (
        "OSError",
        r"Network is unreachable|Name or service|name resolution|Connection|No route|Address already|Cannot assign",
        Subclass.NETWORK,
    ),
    ("PermissionError", "", Subclass.SYSTEM),
    (
        "OSError",
        r"No space left|Too many open files|Read-only file system|Resource temporarily|Out of memory",
        Subclass.SYSTEM,
    ),
    ("BlockingIOError ChildProcessError", "", Subclass.SYSTEM),
    ("FixtureLookupError", "", Subclass.FIXTURE),
    ("KeyboardInterrupt", "", Subclass.SYSTEM),
)
"""What of the surroundings is missing, where the exception says that it is not the code's fault."""

ENDLESS: tuple[Row, ...] = (
    ("RecursionError MemoryError DeadlineExceeded", "", Subclass.TIMEOUT),
    ("TimeoutError", "^$", Subclass.TIMEOUT),
    ("Failed", r"^Timeout\b", Subclass.TIMEOUT),
)
"""Exceptions that ended what would not have ended by itself."""


def kind_of(raised: SeenError, rows: tuple[Row, ...]) -> Subclass | None:
    """The subclass of the first row that fits the exception."""
    for names, pattern, subclass in rows:
        if has_type(raised, *names.split()) and re.search(pattern, raised.message):
            return subclass
    return None


_ABSENT = ("ImportError", "ModuleNotFoundError")
"""Whether these come depends on what is installed: no test can ask for both."""


@dataclass(frozen=True, slots=True)
class Handler:
    """One ``except`` clause: what it catches, and its lines, counted from the first of the function's text."""

    caught: str
    first: int
    last: int

    def has_run(self, executed: Set[int]) -> bool:
        """Whether an exception ever came to it."""
        return any(line in executed for line in range(self.first, self.last + 1))


def new_handlers(old: str, new: str) -> tuple[Handler, ...]:
    """Handlers of the new text that the old one does not have and that do not raise; none where one cannot be read."""
    before, after = parse_function(old), parse_function(new)
    if isinstance(before, Unreadable) or isinstance(after, Unreadable):
        return ()
    had, has = ([n for n in own_nodes(f, ()) if isinstance(n, ast.ExceptHandler)] for f in (before, after))
    known = Counter(map(ast.unparse, had))
    found = []
    for handler in has:
        text = ast.unparse(handler)
        if known[text]:
            known[text] -= 1
            continue
        caught = ast.unparse(handler.type) if handler.type else "anything"
        if not isinstance(handler.body[-1], ast.Raise) and caught not in _ABSENT:
            found.append(Handler(caught, handler.lineno, handler.end_lineno or handler.lineno))
    return tuple(found)
