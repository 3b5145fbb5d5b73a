"""Messages about an operation: the kind of constraint, the expression they speak of, and the claim.

The wordings are those of CPython 3.8 to 3.14. The first row that fits decides; claims may use every group
of the pattern, and ``{it}`` for the expression.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis import operands
from analysis.facts import ConstraintKind
from analysis.operands import Finder


@dataclass(frozen=True, slots=True)
class OperationRule:
    """A message about an operation. ``detail`` and ``claim`` are templates over the pattern's groups."""

    types: tuple[str, ...]
    pattern: re.Pattern[str]
    kind: ConstraintKind
    finder: Finder
    detail: str
    claim: str


def _operation(concerned: tuple[str, ConstraintKind, Finder, str], pattern: str, claim: str) -> OperationRule:
    types, kind, finder, detail = concerned
    return OperationRule(tuple(types.split()), re.compile(pattern, re.S), kind, finder, detail, claim)


_K = ConstraintKind
OPERATIONS: tuple[OperationRule, ...] = (
    _operation(
        ("UnboundLocalError NameError", _K.UNBOUND_NAME, operands.named_variable, "{name}"),
        r"(?:local|free) variable '(?P<name>\w+)' (?:referenced before assignment|where it is not associated)",
        "`{name}` is read on a path that never binds it: an initialization is missing",
    ),
    _operation(
        ("NameError", _K.UNKNOWN_NAME, operands.named_variable, "{name}"),
        r"name '(?P<name>\w+)' is not defined",
        "no scope within reach binds `{name}`: the name is misspelt, or an import or definition is missing",
    ),
    _operation(
        ("ImportError", _K.UNKNOWN_NAME, operands.no_operand, "{name}"),
        r"cannot import name '?(?P<name>\w+)'?(?: from (?:partially initialized module )?'(?P<key>[\w.]+)')?",
        "the imported module does not offer `{name}`",
    ),
    _operation(
        ("ImportError", _K.UNKNOWN_NAME, operands.no_operand, "{name}"),
        r"No module named '?(?P<name>[\w.]+)'?",
        "no module `{name}` can be imported",
    ),
    _operation(
        ("AttributeError", _K.OPTIONAL_ATTRIBUTE, operands.attribute_base, "{name}"),
        r"^(?:(?:type )?object |(?:partially initialized )?module )?'(?P<type>[\w.]+)'(?: object)? has no attribute"
        r" '(?P<name>\w+)'",
        "{it} may lack the attribute `{name}`",
    ),
    _operation(
        ("AttributeError", _K.WRONG_TYPE, operands.managed_context, "{name}"),
        r"^(?P<name>__a?enter__|__a?exit__)$",
        "{it} is no context manager",
    ),
    _operation(
        ("KeyError IndexError", _K.EMPTY_SEQUENCE, operands.receiver, "empty"),
        r"(?:from an? |from |is )empty|dictionary is empty|empty set",
        "{it} may be empty: a guard is missing",
    ),
    _operation(
        ("KeyError", _K.MISSING_KEY, operands.keyed_access, "{key}"),
        r"^(?P<key>.*)$",
        "the key {key} may be missing at {it}: a guard or a default is missing",
    ),
    _operation(
        ("ValueError", _K.MISSING_KEY, operands.call, "{key}"),
        r"(?P<key>.*?)(?: is|: x)? not in (?:list|tuple|deque|range|array)|sub(?:string|section) not found",
        "what {it} looks for may be absent",
    ),
    _operation(
        ("IndexError", _K.SHORT_SEQUENCE, operands.subscript_access, "index out of range"),
        r"index (?P<key>-?\d+ )?.*out of (?:range|bounds)|out of range",
        "the sequence may be too short for {it}: a bound is off or a guard is missing",
    ),
    _operation(
        ("ValueError", _K.SHORT_SEQUENCE, operands.iterated_value, "{key}"),
        r"(?P<key>(?:not enough|too many) values to unpack \(expected .*?\))",
        "{it} does not always have the number of items that is unpacked",
    ),
    _operation(
        ("ValueError TypeError", _K.EMPTY_SEQUENCE, operands.sequence_argument, "empty"),
        r"(?P<name>\w+)\(\) (?:arg is an|of|iterable argument is|arg is) empty ?(?:sequence|iterable)?",
        "{it} may be empty: a guard or a default is missing",
    ),
    _operation(
        ("ValueError", _K.EMPTY_SEQUENCE, operands.argument, "empty"),
        r"requires at least one data point|empty (?:sequence|iterable|range)|zero-size array",
        "{it} may be empty: a guard or a default is missing",
    ),
    _operation(
        ("StopIteration StopAsyncIteration", _K.EMPTY_SEQUENCE, operands.advanced_iterator, "exhausted"),
        "",
        "{it} may be exhausted: a default is missing",
    ),
    _operation(
        ("RuntimeError", _K.EMPTY_SEQUENCE, operands.advanced_iterator, "generator"),
        r"raised Stop(?:Async)?Iteration|generator didn't (?:yield|stop)",
        "the generator ends where a value is needed, or gives one where none is",
    ),
    _operation(
        ("ZeroDivisionError", _K.ZERO_DIVISOR, operands.power_base, "0"),
        r"raised to a negative power|zero to a negative power",
        "{it} may be zero under a negative exponent: a guard is missing",
    ),
    _operation(
        ("ZeroDivisionError", _K.ZERO_DIVISOR, operands.divisor, "0"),
        "",
        "{it} may be zero: a guard before the division is missing",
    ),
    _operation(
        ("TypeError", _K.WRONG_CALL, operands.call, "{name}"),
        r"(?P<name>[\w.<>]+)\(\) (?:missing \d+ required [\w-]+(?: [\w-]+)? arguments?: (?P<key>.*)"
        r"|got an unexpected keyword argument (?P<extra>'\w+')"
        r"|got multiple values for (?:keyword )?argument (?P<twice>'\w+')"
        r"|got some positional-only|takes |expected (?:at least|at most|exactly)? ?\d+ argument)",
        "the arguments of {it} do not suit the signature of {name}()",
    ),
    _operation(
        ("TypeError", _K.WRONG_CALL, operands.call, "{name}"),
        r"(?P<key>'\w+') is an invalid keyword argument for (?P<name>\w+)|(?P<other>[\w.]+) expected \d+ arguments?",
        "the arguments of {it} do not suit what it calls",
    ),
    _operation(
        ("TypeError", _K.WRONG_TYPE, operands.formatted_value, "format"),
        r"not (?:enough|all) arguments .*format",
        "the values given to {it} do not suit its format",
    ),
    _operation(
        ("ValueError", _K.CLOSED_FILE, operands.receiver, "closed"),
        r"I/O operation on (?:closed|uninitialized)|closed file|(?:read|write) of closed",
        "{it} may be closed already when it is used",
    ),
    _operation(
        (
            "FileNotFoundError NotADirectoryError IsADirectoryError FileExistsError",
            _K.MISSING_FILE,
            operands.call,
            "{key}",
        ),
        r"(?:'(?P<key>[^']*)')?$",
        "the file that {it} asks for may be missing or of another kind",
    ),
    _operation(
        ("UnicodeError JSONDecodeError InvalidOperation", _K.FAILED_CONVERSION, operands.call, ""),
        "",
        "{it} may be given what cannot be read: a check or a handler is missing",
    ),
    _operation(
        ("ValueError", _K.FAILED_CONVERSION, operands.call, "{key}"),
        r"(?:invalid literal for (?P<name>\w+)\(\)[^:]*|could not convert .* to (?P<to>\w+)): (?P<key>.*)",
        "{it} may be given what cannot be converted, such as {key}: a check or a handler is missing",
    ),
    _operation(
        ("RecursionError", _K.NO_TERMINATION, operands.call, "recursion"),
        "",
        "the recursion at {it} reaches no end: a base case is missing or the argument does not shrink",
    ),
)
"""Messages about one operation: exceptions and what they speak of, the wording, and the claim."""
