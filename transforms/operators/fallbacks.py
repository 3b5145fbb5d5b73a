"""Values with another one to fall back on: ``x or y``, ``x if x is not None else y``, one form for each type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import pairs_by_rank
from transforms.tree.code_text import operand

_EMPTY = MappingProxyType({"text": ("''",), "number": ("0", "1"), "list": ("[]", "()"), "table": ("{}",)})
_VALUES = (cst.Name, cst.Attribute, cst.Subscript, cst.Call)
_TAKEN = (cst.Assign, cst.AnnAssign, cst.Return, cst.Arg, cst.DictElement, cst.FormattedStringExpression, cst.For)

_BY_TYPE = (
    ("{0}.decode() if isinstance({0}, bytes) else {0}", ("", "text")),
    ("str({0}) if not isinstance({0}, str) else {0}", ("", "text", "number")),
    ("[{0}] if isinstance({0}, str) else {0}", ("", "text", "list")),
    ("{0}[0] if isinstance({0}, (list, tuple)) else {0}", ("", "list")),
    ("{0} if isinstance({0}, (list, tuple)) else [{0}]", ("", "list")),
    ("{0}() if callable({0}) else {0}", ("",)),
    ("int({0}) if isinstance({0}, float) else {0}", ("", "number")),
)


def _is_taken(site: Site) -> bool:
    """Whether the whole value is assigned, returned, passed on, printed or walked over: ``x`` of ``return x``."""
    around = isinstance(site.above, _TAKEN) and site.field in ("value", "expression", "iter")
    return around and site.is_plain_value


def _fall_back(site: Site) -> Iterator[Edit]:
    """Another value where there is none."""
    if not _is_taken(site):
        return
    kinds = dict(site.words.kinds)
    names = [n for n in (*site.words.parameters, *site.words.variables) if n != site.code]
    like = [n for n in dict.fromkeys(names) if kinds.get(n, site.kind) == site.kind][:5]
    attributes = [a.text for a in site.words.attributes if a.distance == 0 and a.text != site.code][:3]
    empty = _EMPTY.get(site.kind, ("None", "''", "0", "[]", "{}"))
    x, y = operand(site.code, "or"), operand(site.code, "<")
    for value, weight in weigh_by_rank([*empty[:2], *like, *attributes, *empty[2:]]):
        code = clip_text(site.code, 40)
        yield site.put(f"{x} or {value}", weight * 0.5, f"takes `{value}` where `{code}` is empty")
        yield site.put(f"{x} if {y} is not None else {value}", weight * 0.3, f"takes `{value}` where `{code}` is None")
        yield site.put(f"{value} or {x}", weight * 0.2, f"takes `{code}` where `{value}` is empty")


def _only_none(site: Site) -> Iterator[Edit]:
    """``x or y`` as ``y if x is None else x``: what is empty, or nought, is a value too."""
    node = site.node_as(cst.BooleanOperation)
    if isinstance(node.operator, cst.Or) and isinstance(node.left, (cst.Name, cst.Attribute)) and _is_taken(site):
        x, y = site.print(node.left), operand(site.print(node.right), "or")
        yield site.put(f"{y} if {x} is None else {x}", 1.0, f"takes `{clip_text(y)}` only where `{x}` is None")


def _by_condition(site: Site) -> Iterator[Edit]:
    """The value only where a condition of the neighbourhood holds that speaks of one of its names."""
    if not _is_taken(site):
        return
    own = set(_NAME.findall(site.code))
    conditions = site.words.conditions[:60]
    similar = [c.text for c in conditions if own & set(_NAME.findall(c.text)) and c.text != site.code][:6]
    parts = [part for part in _receivers(site.node, site) if part not in ("self", "cls")]
    tests = [*(f"{part} is not None" for part in parts), *parts, *similar]
    values = ("None", *_EMPTY.get(site.kind, ("''", "0", "[]")), *site.words.parameters[:2])
    x = operand(site.code, "or")
    pairs = pairs_by_rank(tests, values)
    for text, weight in weigh_by_rank(f"{x} if {t} else {v}" for t, v in pairs if v != site.code):
        yield site.put(text, weight, f"gives `{clip_text(text)}` instead of `{clip_text(site.code)}`")


_NAME = re.compile(r"[A-Za-z_]\w*")


def _receivers(node: cst.CSTNode, site: Site) -> list[str]:
    """What has to be there for the value to be read: of ``a.b[c].d()`` those before ``.d``, ``[c]`` and ``.b``."""
    found = []
    while isinstance(node, (cst.Attribute, cst.Subscript, cst.Call)):
        node = node.func if isinstance(node, cst.Call) else node.value
        if isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
            found.append(site.print(node))
    return found[1:] if isinstance(site.node, cst.Call) else found


def _by_type(site: Site) -> Iterator[Edit]:
    """A value of several types brought to one of them."""
    if _is_taken(site) and not isinstance(site.node, cst.Call):
        fitting = (form for form, kinds in _BY_TYPE if site.kind in kinds)
        for text, weight in weigh_by_rank(form.format(operand(site.code, ".")) for form in fitting):
            yield site.put(text, weight, f"gives `{clip_text(text)}` instead of `{clip_text(site.code)}`")


OPERATORS = (
    Operator("fall_back", "fallback", _VALUES, _fall_back, choosy=True).with_examples(
        Example(
            "def f(port, default_port):\n    address = ('', port)\n    g(timeout=port)\n",
            "def f(port, default_port):\n    address = ('', port)\n    g(timeout=port or default_port)\n",
        ),
        Example(
            "def f(row):\n    title = row.get('title')\n    return title\n",
            "def f(row):\n    title = row.get('title') or ''\n    return title\n",
        ),
        Example(
            "def f(width, columns):\n    return draw(width)\n",
            "def f(width, columns):\n    return draw(width if width is not None else columns)\n",
        ),
        Example("def f(a):\n    return a + 1\n"),
    ),
    Operator("only_none", "fallback", (cst.BooleanOperation,), _only_none, choosy=True).with_examples(
        Example(
            "def f(count):\n    return str(count or '')\n",
            "def f(count):\n    return str('' if count is None else count)\n",
        ),
        Example(
            "def f(self, limit):\n    top = limit or self.limit\n    return top\n",
            "def f(self, limit):\n    top = self.limit if limit is None else limit\n    return top\n",
        ),
        Example(
            "def f(rows, key, missing):\n    return rows.get(key.name or missing)\n",
            "def f(rows, key, missing):\n    return rows.get(missing if key.name is None else key.name)\n",
        ),
        Example("def f(a, b):\n    if a or b:\n        return a and b\n    return g() or b\n"),
    ),
    Operator("value_if", "fallback", _VALUES, _by_condition, choosy=True).with_examples(
        Example(
            "def f(node):\n    return node.parent.name\n",
            "def f(node):\n    return node.parent.name if node.parent is not None else None\n",
        ),
        Example(
            "def f(user, log):\n    if user.active:\n        log(user)\n    return user.email\n",
            "def f(user, log):\n    if user.active:\n        log(user)\n"
            "    return user.email if user.active else None\n",
        ),
        Example(
            "def f(match):\n    word = match.group(1)\n    return word\n",
            "def f(match):\n    word = match.group(1) if match else None\n    return word\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator(
        "value_by_type", "fallback", (cst.Name, cst.Attribute, cst.Subscript), _by_type, choosy=True
    ).with_examples(
        Example(
            "def f(line):\n    text = line\n    return text\n",
            "def f(line):\n    text = line.decode() if isinstance(line, bytes) else line\n    return text\n",
        ),
        Example(
            "def f(reader):\n    newline = reader.newlines\n    return newline\n",
            "def f(reader):\n    newline = reader.newlines[0] if isinstance(reader.newlines, (list, tuple)) "
            "else reader.newlines\n    return newline\n",
        ),
        Example(
            "def f(hosts):\n    for host in hosts:\n        ping(host)\n",
            "def f(hosts):\n    for host in [hosts] if isinstance(hosts, str) else hosts:\n        ping(host)\n",
        ),
        Example("def f(a, b):\n    return a + b\n"),
    ),
)
