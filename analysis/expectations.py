"""What a test expected to be raised, read from messages and from the block around its failing line."""

from __future__ import annotations

import ast
import re

from analysis.facts import Frame, SeenError
from analysis.frame_source import Sources, enclosing_statements
from analysis.frames import has_type
from analysis.function_text import last_name

_NOT_RAISED = (
    re.compile(r"DID NOT RAISE (?:any of )?(?P<names>.+)", re.S),
    re.compile(r"DID NOT WARN\. No warnings of type (?P<names>\([^)]*\))"),
    re.compile(r"^(?P<names>[\w., ()]+?) not (?:raised|triggered)(?: by .*)?(?: : .*)?$"),
    re.compile(r"^Expected (?P<names>\w+) to be raised"),
)
_MISMATCH = re.compile(
    r"Regex pattern .*did not match|^(?P<q>['\"]).*(?P=q) does not match (?P<r>['\"]).*(?P=r)"
    r"|^Pattern '.*' not found in",
    re.S,
)
_CLASS = re.compile(r"<class '(?:[\w.<>]+\.)?(\w+)'>|([A-Za-z_][\w.]*)")
_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "warns", "assertWarns"})


def missing_raise(raised: SeenError) -> tuple[str, ...]:
    """Names of the exceptions that a test waited for in vain; none where the failure is another one."""
    if not has_type(raised, "Failed", "AssertionError", "OutcomeException"):
        return ()
    for pattern in _NOT_RAISED:
        found = pattern.search(raised.message)
        if found:
            classes = _CLASS.findall(found["names"].splitlines()[0])
            names = (quoted or plain.rsplit(".", 1)[-1] for quoted, plain in classes)
            return tuple(dict.fromkeys(name for name in names if name))
    return ()


def is_message_mismatch(raised: SeenError) -> bool:
    """Whether the expected exception came with a message that the test's pattern does not match."""
    return has_type(raised, "AssertionError", "Failed") and _MISMATCH.search(raised.message) is not None


def expected_at(frame: Frame, sources: Sources) -> tuple[str, ...]:
    """Names of the exceptions that the code around the frame's line waits for; none where it waits for none."""
    for statement in reversed(enclosing_statements(frame, sources)):
        found: list[ast.expr] = []
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            found = [item.context_expr for item in statement.items]
        elif isinstance(statement, ast.Expr):
            found = [statement.value]
        calls = [c for c in found if isinstance(c, ast.Call) and last_name(c.func) in _EXPECTING]
        if calls:
            return tuple(dict.fromkeys(name for call in calls for name in _expected_by(call)))
    return ()


def _expected_by(call: ast.Call) -> list[str]:
    named = [k.value for k in call.keywords if k.arg == "expected_exception"]
    for node in (*call.args[:1], *named):
        kinds = node.elts if isinstance(node, ast.Tuple) else [node]
        return [name for name in map(last_name, kinds) if name]
    return []
