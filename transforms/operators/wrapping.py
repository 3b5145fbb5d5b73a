"""Expressions wrapped into a call, a method, an index or an operator; and unwrapped again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from transforms.operators.operator import VALUES, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.tree.code_text import operand

MOST_FORMS = 12
"""Calls of the surroundings with which a value is wrapped."""

_CONVERSIONS = "int str list len float tuple set sorted bool dict abs repr max min"
_MORE_BUILTINS = "sum round reversed iter next type frozenset any all bytes enumerate id"
_METHODS = "strip() lower() copy() items() keys() values() upper() rstrip() lstrip() split()"

_BY_KIND = MappingProxyType(
    {
        "number": ("int", "abs", "str", "round", "float", "max", "bool", "range", "repr"),
        "text": ("len", "int", "list", "str", "float", "repr", "set", "tuple", "sorted"),
        "list": ("list", "len", "tuple", "set", "sorted", "sum", "max", "min", "dict", "any", "all", "reversed", "str"),
        "table": ("list", "dict", "len", "sorted", "set", "tuple", "str", "bool"),
        "truth": ("int", "str", "bool"),
    }
)
"""Conversions that make sense of a value of this kind, likeliest first."""

_LOOSE = ("number", "truth")
"""Kinds of values that have neither elements nor many methods."""


def _wrap_conversion(site: Site) -> Iterator[Edit]:
    if not site.is_plain_value:
        return
    inside = isinstance(site.node, cst.Call) and site.print(site.node.func)
    fitting = _BY_KIND.get(site.kind, ())
    for name, weight in weigh_by_rank(n for n in (*fitting, *_CONVERSIONS.split()) if n != inside):
        yield site.put(f"{name}({site.code})", weight, f"wraps `{clip_text(site.code)}` into `{name}(...)`")


def _wrap_builtin(site: Site) -> Iterator[Edit]:
    if site.is_plain_value:
        for name, weight in weigh_by_rank(_MORE_BUILTINS.split(), 0.2 if site.kind in _LOOSE else 1.0):
            yield site.put(f"{name}({site.code})", weight, f"wraps `{clip_text(site.code)}` into `{name}(...)`")


def _wrap_known_call(site: Site) -> Iterator[Edit]:
    if not site.is_own_value:
        return
    used = [c.text for c in site.words.callables if c.distance <= 1]
    defined = [c.name for c in site.words.callees if 1 <= len(c.parameters) <= 3 and not c.name.startswith("self.__")]
    for name, weight in weigh_by_rank(n for n in [*used, *defined][:30] if n != "super"):
        yield site.put(f"{name}({site.code})", weight, f"wraps `{clip_text(site.code)}` into `{name}(...)`")


_METHODS_OF = MappingProxyType(
    {
        "text": ("strip()", "lower()", "rstrip()", "upper()", "lstrip()", "split()", "splitlines()", "encode()"),
        "table": ("items()", "values()", "copy()", "keys()"),
        "list": ("copy()", "pop()"),
    }
)


def _wrap_method(site: Site) -> Iterator[Edit]:
    if not site.is_plain_value:
        return
    known = [f"{i.text}()" for i in site.words.methods if i.distance <= 1 and not i.text.startswith("_")][:8]
    first = [*_METHODS_OF.get(site.kind, ()), *(f"{name}()" for name in site.words.methods_of(site.code)[:MOST_FORMS])]
    usual, share = _METHODS.split(), 0.05 if site.kind in _LOOSE else 1.0
    for call, weight in weigh_by_rank([*first, *known[:2], *usual[:4], *known[2:], *usual[4:]], share):
        yield site.put(f"{operand(site.code, '.')}.{call}", weight, f"calls `.{call}` on `{clip_text(site.code)}`")


_METHOD = re.compile(r"([\w.]+)\.(\w+\([^()]+\))$")
_FUNCTION = re.compile(r"([\w.]+)\([\w.]+, ([^()]+)\)$")


def _wrap_as_elsewhere(site: Site) -> Iterator[Edit]:
    """What another value of the function goes through, ``b.strip(mark)`` or ``int(b, base)``, with this one too."""
    if not site.is_plain_value:
        return
    said: dict[str, str] = {}
    x = operand(site.code, ".")
    for call in (each.text for each in site.words.calls if each.distance == 0):
        if (found := _METHOD.match(call)) and found[1].split(".")[0] not in site.words.imported:
            said.setdefault(f"{x}.{found[2]}", call)
        elif found := _FUNCTION.match(call):
            said.setdefault(f"{found[1]}({site.code}, {found[2]})", call)
    forms = [form for form, call in said.items() if form != call][:MOST_FORMS]
    for form, weight in weigh_by_rank(forms, 0.2 if site.kind in _LOOSE else 1.0):
        yield site.put(form, weight, f"does with `{clip_text(site.code)}` as in `{clip_text(said[form])}`")


def _wrap_index(site: Site) -> Iterator[Edit]:
    if not site.is_own_value or isinstance(site.node, cst.BinaryOperation) or site.code == "cls":
        return
    names = [i.text for i in site.words.names if i.text not in ("self", "cls", site.code)][:8]
    keys = [i.text for i in site.words.strings if i.distance == 0][:4]
    indices = ["0", "-1", "1:", *names[:4], ":-1", "1", *keys, *names[4:], "::-1", ":"]
    for index, weight in weigh_by_rank(indices, 0.05 if site.kind in _LOOSE else 1.0):
        yield site.put(f"{operand(site.code, '.')}[{index}]", weight, f"takes `[{index}]` of `{clip_text(site.code)}`")


def _unwrap(site: Site) -> Iterator[Edit]:
    for node, weight in _inner(site.node):
        inner = site.print(node)
        if inner not in ("super()", "super", "self", "cls"):
            yield site.put(node, weight, f"takes `{clip_text(inner)}` out of `{clip_text(site.code)}`")


def _inner(node: cst.CSTNode) -> Iterator[tuple[cst.BaseExpression, float]]:
    if isinstance(node, cst.Call):
        arguments = [a.value for a in node.args if not a.star]
        yield from ((value, 0.6 / (2 * k + 1)) for k, value in enumerate(arguments))
        if isinstance(node.func, cst.Attribute):
            yield node.func.value, 0.3
    elif isinstance(node, (cst.Subscript, cst.Attribute)):
        yield node.value, 0.5
    elif isinstance(node, (cst.UnaryOperation, cst.Await)):
        yield node.expression, 0.6
    elif isinstance(node, (cst.BinaryOperation, cst.BooleanOperation)):
        yield node.left, 0.5
        yield node.right, 0.4
    elif isinstance(node, cst.IfExp):
        yield node.body, 0.4
        yield node.orelse, 0.4
        yield node.test, 0.1
    elif isinstance(node, (cst.List, cst.Tuple, cst.Set)) and len(node.elements) == 1:
        yield node.elements[0].value, 0.5


def _wrap_in_list(site: Site) -> Iterator[Edit]:
    if site.is_plain_value:
        for text, weight in ((f"[{site.code}]", 0.5), (f"({site.code},)", 0.3), (f"{{{site.code}}}", 0.1)):
            yield site.put(text, weight, f"puts `{clip_text(site.code)}` into `{clip_text(text)}`")


_AROUND = ("()", "[]", "''", '""', "{}", "<>", "``")


def _wrap_in_brackets(site: Site) -> Iterator[Edit]:
    """A text in brackets or quotes."""
    if not site.is_own_value or site.kind != "text" or isinstance(site.node, _PLAIN_TEXTS):
        return
    for around, weight in weigh_by_rank(_AROUND):
        left, right = (f"'{c}'" if c != "'" else '"\'"' for c in around)
        text = f"{left} + {operand(site.code, '+')} + {right}"
        yield site.put(text, weight, f"puts `{around}` around `{clip_text(site.code)}`")


_PLAIN_TEXTS = (cst.SimpleString, cst.ConcatenatedString)
_JOINTS = ("''", "' '", "', '", "'\\n'")


def _join_texts(site: Site) -> Iterator[Edit]:
    """The texts of a collection as one."""
    if not site.is_own_value or site.kind not in ("list", "") or isinstance(site.node, cst.BaseNumber):
        return
    for joint, weight in weigh_by_rank(_JOINTS, 1.0 if site.kind == "list" else 0.4):
        yield site.put(f"{joint}.join({site.code})", weight, f"joins the texts of `{clip_text(site.code)}`")


OPERATORS = (
    Operator("wrap_conversion", "wrap", VALUES, _wrap_conversion).with_examples(
        Example("def f(a):\n    return f'{a} x'\n", "def f(a):\n    return f'{int(a)} x'\n"),
        Example("def f(a):\n    return a + 'x'\n", "def f(a):\n    return str(a) + 'x'\n"),
        Example("def f(rows):\n    return rows.keys()\n", "def f(rows):\n    return list(rows.keys())\n"),
        Example("def f():\n    return None\n"),
    ),
    Operator("wrap_builtin", "wrap", VALUES, _wrap_builtin).with_examples(
        Example("def f(a):\n    return a\n", "def f(a):\n    return sum(a)\n"),
        Example("def f(a):\n    return a / 3\n", "def f(a):\n    return round(a / 3)\n"),
        Example(
            "def f(scores):\n    best = scores\n    return best\n",
            "def f(scores):\n    best = any(scores)\n    return best\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
    Operator("wrap_known_call", "wrap", VALUES, _wrap_known_call).with_examples(
        Example(
            "def norm(x):\n    return x\ndef f(a):\n    return a\n",
            "def norm(x):\n    return x\ndef f(a):\n    return norm(a)\n",
        ),
        Example("def f(a, b):\n    return g(a) + b\n", "def f(a, b):\n    return g(a) + g(b)\n"),
        Example(
            "def clean(text):\n    return text\ndef f(lines):\n    return [line for line in lines]\n",
            "def clean(text):\n    return text\ndef f(lines):\n    return [clean(line) for line in lines]\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
    Operator("wrap_method", "wrap", VALUES, _wrap_method).with_examples(
        Example("def f(a):\n    return a\n", "def f(a):\n    return a.strip()\n"),
        Example(
            "def f(d):\n    for k, v in d:\n        print(k, v)\n",
            "def f(d):\n    for k, v in d.items():\n        print(k, v)\n",
        ),
        Example("def f(key, table):\n    return table[key]\n", "def f(key, table):\n    return table[key.lower()]\n"),
        Example("def f():\n    return 1\n"),
    ),
    Operator("wrap_as_elsewhere", "wrap", VALUES, _wrap_as_elsewhere).with_examples(
        Example(
            "def f(text, mark):\n    if text:\n        return text.strip(mark)\n    return text[:3]\n",
            "def f(text, mark):\n    if text:\n        return text.strip(mark)\n    return text[:3].strip(mark)\n",
        ),
        Example(
            "def f(a, b, base):\n    return int(a, base) + b\n",
            "def f(a, b, base):\n    return int(a, base) + int(b, base)\n",
        ),
        Example(
            "def f(line, rest):\n    head = line.split(',')\n    return head, rest\n",
            "def f(line, rest):\n    head = line.split(',')\n    return head, rest.split(',')\n",
        ),
        Example("def head(line, mark):\n    return line.split(mark)\ndef f(row):\n    return row\n"),
        Example("import os\ndef f(a, b):\n    return a\ndef g():\n    return os.popen('ls')\n"),
    ),
    Operator("wrap_index", "wrap", VALUES, _wrap_index).with_examples(
        Example("def f(a):\n    return a\n", "def f(a):\n    return a[0]\n"),
        Example("def f(a, k):\n    return g(a)\n", "def f(a, k):\n    return g(a)[k]\n"),
        Example("def f(pairs):\n    return max(pairs)\n", "def f(pairs):\n    return max(pairs)[1]\n"),
        Example("def f():\n    return 1\n"),
    ),
    Operator(
        "unwrap",
        "unwrap",
        (
            cst.Call,
            cst.Subscript,
            cst.Attribute,
            cst.UnaryOperation,
            cst.BinaryOperation,
            cst.BooleanOperation,
            cst.IfExp,
            cst.Await,
            cst.List,
            cst.Tuple,
            cst.Set,
        ),
        _unwrap,
    ).with_examples(
        Example("def f(a):\n    return [1, list(a)]\n", "def f(a):\n    return [1, a]\n"),
        Example("def f(a, b):\n    return (a + b) * 2\n", "def f(a, b):\n    return b * 2\n"),
        Example("def f(name):\n    return name.strip().lower()\n", "def f(name):\n    return name.strip()\n"),
        Example("def f(a):\n    return 1\n"),
    ),
    Operator("put_in_collection", "wrap", VALUES, _wrap_in_list).with_examples(
        Example("def f(a):\n    return a\n", "def f(a):\n    return [a]\n"),
        Example("def f(a, b):\n    return a + b\n", "def f(a, b):\n    return a + (b,)\n"),
        Example(
            "def f(path, more):\n    return more.extend(path)\n", "def f(path, more):\n    return more.extend([path])\n"
        ),
        Example("def f():\n    return 1\n"),
    ),
    Operator("put_in_brackets", "wrap", VALUES, _wrap_in_brackets, choosy=True).with_examples(
        Example(
            "def f(a):\n    text = str(a)\n    return text\n",
            "def f(a):\n    text = str(a)\n    return '(' + text + ')'\n",
        ),
        Example(
            "def f(words):\n    return ', '.join(words)\n", "def f(words):\n    return '[' + ', '.join(words) + ']'\n"
        ),
        Example(
            "def f(name):\n    shown = name.strip()\n    print(shown)\n",
            'def f(name):\n    shown = name.strip()\n    print("\'" + shown + "\'")\n',
        ),
        Example("def f(a):\n    return len(a)\n"),
    ),
    Operator("join_texts", "wrap", VALUES, _join_texts, choosy=True).with_examples(
        Example("def f(a):\n    return list(a)\n", "def f(a):\n    return ''.join(list(a))\n"),
        Example(
            "def f(e):\n    said = shown(e)\n    log(said)\n",
            "def f(e):\n    said = shown(e)\n    log(''.join(said))\n",
        ),
        Example("def f(rows):\n    return sorted(rows)\n", "def f(rows):\n    return ', '.join(sorted(rows))\n"),
        Example("def f(a, b):\n    return 1\n"),
    ),
)
