"""Guards from derived constraints: what the failure says about an input becomes a check, a default or a detour.

Conditions that a constraint puts on an operation, as text: when it must not be reached, and when it may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from analysis.facts import Constraint, ConstraintKind
from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import only_index
from transforms.tree.code_text import operand
from transforms.tree.fragments import parse_expression

_K = ConstraintKind
_AVOIDED = MappingProxyType(
    {
        _K.NULLABLE: ("{x} is None", "not {x}"),
        _K.EMPTY_SEQUENCE: ("not {x}",),
        _K.ZERO_DIVISOR: ("{x} == 0", "not {x}"),
        _K.WRONG_TYPE: ("isinstance({c.expression}, {c.detail})",),
        _K.OPTIONAL_ATTRIBUTE: ("not hasattr({c.expression}, {c.detail!r})",),
    }
)
"""Conditions on the value itself, by what the failure says of it."""
_OPERATIONS = (_K.MISSING_KEY, _K.SHORT_SEQUENCE)
_NEUTRAL = ("None", "0", "''", "[]", "False", "{}", "True", "()", "1", "set()")


def avoid(c: Constraint) -> list[str]:
    """Conditions under which the operation must not be reached."""
    if not c.expression or (c.kind is _K.WRONG_TYPE and (not c.detail.isidentifier() or c.detail == "unsuitable")):
        return []
    if c.kind in _AVOIDED:
        return [form.format(c=c, x=operand(c.expression, "<")) for form in _AVOIDED[c.kind]]
    node = parse_expression(c.expression)
    index = only_index(node) if node is not None else None
    if not isinstance(node, cst.Subscript) or index is None:
        return []
    base, key = (cst.Module([]).code_for_node(part) for part in (node.value, index))
    if c.kind is _K.MISSING_KEY:
        return [f"{operand(key, '<')} not in {operand(base, '<')}"]
    return [f"not {operand(base, 'not')}", f"len({base}) <= {operand(key, '<')}"]


def allow(bad: str) -> str:
    """The opposite of such a condition."""
    for old, new in ((" is None", " is not None"), (" not in ", " in "), (" == 0", " != 0"), (" <= ", " > ")):
        if old in bad:
            return bad.replace(old, new)
    return bad[4:] if bad.startswith("not ") else f"not {operand(bad, 'not')}"


def _spoken_of(site: Site, *kinds: ConstraintKind) -> Iterator[Constraint]:
    """Constraints of these kinds that speak of this very statement."""
    return (c for c in site.near.constraints_of(*kinds) if site.is_on(c))


def _actions(site: Site, c: Constraint) -> list[str]:
    """What to do instead of the operation, likeliest first."""
    inside = ["continue"] if site.in_loop else []
    outs = ["return"] if site.words.is_generator else ["return None", *(f"return {v}" for v in _NEUTRAL[1:])]
    named = [f"return {n}" for n in site.words.variables[:4]] if not site.words.is_generator else []
    bound = isinstance(parse_expression(c.expression), (cst.Name, cst.Attribute))
    defaults = [f"{c.expression} = {v}" for v in ("[]", "''", "{}", "0", "1") if bound]
    raises = [f"raise {e.text}({c.detail!r})" for e in site.words.exceptions[:2] if e.distance <= 1]
    known = [s.text for s in site.words.statements if s.text.startswith(("return", "raise")) and s.distance == 0]
    rest = (*defaults, *named, *outs[5:], *raises, "break" if inside else "pass")
    return [*inside, *outs[:1], *known[:3], *outs[1:5], *rest]


def _guard_statement(site: Site) -> Iterator[Edit]:
    top = site.is_first
    kinds = (*_AVOIDED, *_OPERATIONS)
    for c in site.near.constraints_of(*kinds) if top else _spoken_of(site, *kinds):
        if top and not _is_of_parameters(site, c):
            continue
        for bad, share in zip(avoid(c), (1.0, 0.6), strict=False):
            for action, weight in weigh_by_rank(_actions(site, c), share):
                if action != "pass":
                    what = f"does `{action}` when `{clip_text(bad)}`"
                    yield site.lines((f"if {bad}:\n    {action}\n", site.node), weight, what)


def _is_of_parameters(site: Site, c: Constraint) -> bool:
    """Whether the expression can be asked for at the top: it begins with a parameter, ``row[0]`` in ``def f(row)``."""
    head = c.expression.split(".")[0].split("[")[0].split("(")[0]
    return head in (*site.words.parameters, "self")


def _guard_wrap(site: Site) -> Iterator[Edit]:
    plain = not isinstance(site.node, cst.BaseCompoundStatement)
    if plain and isinstance(site.small_statement, (cst.Return, type(None))):
        return
    for c in _spoken_of(site, *_AVOIDED, *_OPERATIONS):
        for bad, weight in weigh_by_rank(avoid(c)):
            test = parse_expression(allow(bad))
            if test is not None:
                new = cst.If(test=test, body=site.block())
                yield site.lines((new,), weight, f"runs the statement only when `{clip_text(allow(bad))}`")


def _guard_condition(site: Site) -> Iterator[Edit]:
    if site.field != "test" and not isinstance(site.above, cst.BooleanOperation):
        return
    for c in site.near.constraints_of(*_AVOIDED, *_OPERATIONS):
        if not c.expression or c.expression not in site.code:
            continue
        for bad, share in zip(avoid(c), (0.5, 0.3), strict=False):
            good = allow(bad)
            yield site.put(f"{good} and {operand(site.code, 'and')}", share, f"asks for `{clip_text(good)}` first")
            yield site.put(f"{bad} or {operand(site.code, 'or')}", share * 0.6, f"accepts `{clip_text(bad)}` too")


def _detour(site: Site) -> Iterator[Edit]:
    """The whole operation given up for a neutral value when its operand does not allow it."""
    for c in site.near.constraints_of(*_AVOIDED, *_OPERATIONS):
        if not c.expression or not site.is_on(c) or c.expression not in site.code or site.field == "func":
            continue
        exact = site.code == c.expression and c.kind in _OPERATIONS
        around = site.code != c.expression and c.kind in _AVOIDED
        if not (exact or around):
            continue
        for bad, share in zip(avoid(c), (0.7, 0.4), strict=False):
            for value, weight in weigh_by_rank(_NEUTRAL[:8], share):
                text = f"{operand(site.code, 'or')} if {allow(bad)} else {value}"
                yield site.put(text, weight, f"gives `{value}` when `{clip_text(bad)}`")


OPERATORS = (
    Operator(
        "guard_statement", "guard", (cst.BaseStatement,), _guard_statement, roles=STATEMENT, choosy=True
    ).with_examples(
        Example(
            "def f(a):\n    n = 1\n    return a.x\n",
            "def f(a):\n    n = 1\n    if a is None:\n        return None\n    return a.x\n",
            ((_K.NULLABLE, "a", "NoneType", 3),),
        ),
        Example(
            "def f(d, ks):\n    for k in ks:\n        print(d[k])\n",
            "def f(d, ks):\n    for k in ks:\n        if k not in d:\n            continue\n        print(d[k])\n",
            ((_K.MISSING_KEY, "d[k]", "'x'", 3),),
        ),
        Example(
            "def f(rows):\n    first = rows[0]\n    return first\n",
            "def f(rows):\n    if not rows:\n        return []\n    first = rows[0]\n    return first\n",
            ((_K.SHORT_SEQUENCE, "rows[0]", "index out of range", 2),),
        ),
        Example("def f(a):\n    return a.x\n"),
    ),
    Operator("guard_wrap", "guard", (cst.BaseStatement,), _guard_wrap, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(a):\n    a.close()\n    return 1\n",
            "def f(a):\n    if a is not None:\n        a.close()\n    return 1\n",
            ((_K.NULLABLE, "a", "NoneType", 2),),
        ),
        Example(
            "def f(x, n):\n    x.r = x.t / n\n",
            "def f(x, n):\n    if n != 0:\n        x.r = x.t / n\n",
            ((_K.ZERO_DIVISOR, "n", "0", 2),),
        ),
        Example(
            "def f(log, at):\n    log[at].close()\n    return log\n",
            "def f(log, at):\n    if at in log:\n        log[at].close()\n    return log\n",
            ((_K.MISSING_KEY, "log[at]", "'x'", 2),),
        ),
        Example("def f(a):\n    a.close()\n"),
    ),
    Operator("guard_condition", "guard", (cst.BaseExpression,), _guard_condition, choosy=True).with_examples(
        Example(
            "def f(a):\n    if a.x > 1:\n        return 2\n",
            "def f(a):\n    if a is not None and a.x > 1:\n        return 2\n",
            ((_K.NULLABLE, "a", "NoneType", 2),),
        ),
        Example(
            "def f(d, k):\n    while d[k]:\n        k += 1\n",
            "def f(d, k):\n    while k in d and d[k]:\n        k += 1\n",
            ((_K.MISSING_KEY, "d[k]", "3", 2),),
        ),
        Example(
            "def f(total, count):\n    return 1 if total / count > 2 else 0\n",
            "def f(total, count):\n    return 1 if count != 0 and total / count > 2 else 0\n",
            ((_K.ZERO_DIVISOR, "count", "0", 2),),
        ),
        Example("def f(a):\n    if a.x:\n        return 2\n"),
    ),
    Operator("detour", "guard", (cst.BaseExpression,), _detour, choosy=True).with_examples(
        Example(
            "def f(a, b):\n    return a / b\n",
            "def f(a, b):\n    return a / b if b != 0 else 0\n",
            ((_K.ZERO_DIVISOR, "b", "0", 2),),
        ),
        Example(
            "def f(a):\n    return a[0]\n",
            "def f(a):\n    return a[0] if a else None\n",
            ((_K.SHORT_SEQUENCE, "a[0]", "index out of range", 2),),
        ),
        Example(
            "def f(user):\n    return user.name\n",
            "def f(user):\n    return user.name if user is not None else None\n",
            ((_K.NULLABLE, "user", "NoneType", 2),),
        ),
        Example("def f(a):\n    return a[0]\n"),
    ),
)
