"""Where values go: results taken apart, targets in another order, entries taken out that may not be there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from types import MappingProxyType

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import only_index
from transforms.tree.code_text import operand

_PARTED = MappingProxyType({"split": "partition", "rsplit": "rpartition"})


def _take_apart(site: Site) -> Iterator[Edit]:
    """``a = g()`` as ``a, _ = g()`` and ``_, a = g()``; ``a, b = g()`` with one more, or as one name."""
    small = site.small_statement
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return
    target, value = small.targets[0].target, small.value
    if not isinstance(value, (cst.Call, cst.Subscript, cst.Name, cst.Attribute, cst.Await)):
        return
    code, own = site.print(value), site.print(target)
    if isinstance(target, cst.Name):
        forms = [f"{own}, _", f"_, {own}", f"{own}, *_", f"({own},)"]
    elif isinstance(target, cst.Tuple) and len(target.elements) > 1:
        names = [site.print(e.value) for e in target.elements]
        turned = [", ".join([*names[:i], names[i + 1], names[i], *names[i + 2 :]]) for i in range(len(names) - 1)]
        forms = [*turned, f"{', '.join(names)}, _", f"_, {', '.join(names)}", f"{', '.join(names)}, *_"]
    else:
        return
    for place, form in enumerate(forms):
        yield site.lines((f"{form} = {code}",), 0.5 / (place + 1), f"assigns `{clip_text(code)}` to `{form}`")


def _part_once(site: Site) -> Iterator[Edit]:
    """``a, b = text.split(x)`` parted at one mark alone, and also without any: ``a, _, b = text.partition(x)``."""
    small = site.small_statement
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return
    target, value = small.targets[0].target, small.value
    if not (isinstance(target, cst.Tuple) and len(target.elements) == 2 and isinstance(value, cst.Call)):
        return
    if not (isinstance(value.func, cst.Attribute) and value.func.attr.value in _PARTED and len(value.args) in (1, 2)):
        return
    if any(argument.keyword or argument.star for argument in value.args):
        return
    left, right = (site.print(element).strip(", ") for element in target.elements)
    text, mark = site.print(value.func.value), site.print(value.args[0].value)
    name = value.func.attr.value
    forms = [f"{left}, _, {right} = {text}.{_PARTED[name]}({mark})"]
    if len(value.args) == 1:
        forms.append(f"{left}, {right} = {text}.{name}({mark}, 1)")
    other = "rsplit" if name == "split" else "split"
    forms += [f"{left}, _, {right} = {text}.{_PARTED[other]}({mark})", f"{left}, {right} = {text}.{other}({mark}, 1)"]
    for form, weight in weigh_by_rank(forms):
        yield site.lines((form,), weight, f"parts `{clip_text(text)}` at one {mark}")


def _swap_targets(site: Site) -> Iterator[Edit]:
    """The targets of a loop in another order: ``for v, k in pairs``."""
    node = site.node_as(cst.Tuple)
    texts = [site.print(e.value) for e in node.elements]
    if not isinstance(site.above, (cst.For, cst.CompFor)):
        return
    for index, (a, b) in enumerate(pairwise(texts)):
        new = ", ".join([*texts[:index], b, a, *texts[index + 2 :]])
        yield site.put(f"({new})" if node.lpar else new, 0.5 / len(texts), f"walks over `{new}`")


def _take_out(site: Site) -> Iterator[Edit]:
    """``del d[k]`` as ``d.pop(k, None)``; ``d.remove(x)`` as ``d.discard(x)`` and only where it is there."""
    small = site.small_statement
    if isinstance(small, cst.Del) and isinstance(small.target, cst.Subscript):
        key = only_index(small.target)
        if key is not None:
            text = f"{operand(site.print(small.target.value), '.')}.pop({site.print(key)}, None)"
            yield site.lines((text,), 0.6, f"takes out `{clip_text(site.print(small.target))}` where it is there")
    elif isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        function, args = small.value.func, small.value.args
        if isinstance(function, cst.Attribute) and function.attr.value == "remove" and len(args) == 1:
            item, held = site.print(args[0].value), site.print(function.value)
            guarded = f"if {operand(item, '<')} in {operand(held, '<')}:\n    {site.print(small).strip()}\n"
            yield site.lines((guarded,), 0.5, f"removes `{clip_text(item)}` only where it is there")


def _other_access(site: Site) -> Iterator[Edit]:
    """``d[k]`` as ``d.setdefault(k, [])`` where something is done to it; ``d.get(k)`` as ``d[k]``."""
    node, index = site.node, only_index(site.node)
    if isinstance(node, cst.Subscript) and index is not None:
        base, key = operand(site.print(node.value), "."), site.print(index)
        if isinstance(site.above, cst.Attribute) and not key.lstrip("-").isdecimal():
            for place, empty in enumerate(("[]", "{}", "set()", "0")):
                text = f"{base}.setdefault({key}, {empty})"
                yield site.put(text, 0.4 / (place + 1), f"begins `{clip_text(site.code)}` with `{empty}`")
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.args:
        base, args = operand(site.print(node.func.value), "."), [site.print(a.value) for a in node.args]
        if node.func.attr.value in ("get", "pop") and len(args) <= 2:
            yield site.put(f"{base}[{args[0]}]", 0.4, f"fails where `{clip_text(base)}` has no `{clip_text(args[0])}`")
        if node.func.attr.value == "get":
            text = f"{base}.pop({args[0]}, {args[1] if len(args) == 2 else 'None'})"
            yield site.put(text, 0.3, f"takes `{clip_text(args[0])}` out of `{clip_text(base)}`")
    elif isinstance(node, cst.Call) and site.print(node.func) == "getattr" and len(node.args) >= 2:
        name = node.args[1].value
        if isinstance(name, cst.SimpleString) and name.raw_value.isidentifier():
            text = f"{operand(site.print(node.args[0].value), '.')}.{name.raw_value}"
            yield site.put(text, 0.4, f"fails where there is no `{name.raw_value}`")


OPERATORS = (
    Operator(
        "take_apart", "assignment", (cst.SimpleStatementLine,), _take_apart, roles=STATEMENT, choosy=True
    ).with_examples(
        Example(
            "def f(path):\n    root = splitext(path)\n    return root\n",
            "def f(path):\n    root, _ = splitext(path)\n    return root\n",
        ),
        Example(
            "def f(row):\n    name, age = row.split()\n    return age\n",
            "def f(row):\n    age, name = row.split()\n    return age\n",
        ),
        Example(
            "def f(url):\n    host, port = parse(url)\n    return host\n",
            "def f(url):\n    host, port, *_ = parse(url)\n    return host\n",
        ),
        Example("def f(a):\n    x = a + 1\n    return x\n"),
    ),
    Operator("part_once", "access", (cst.SimpleStatementLine,), _part_once, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(pair):\n    name, value = pair.split('=')\n    return name, value\n",
            "def f(pair):\n    name, _, value = pair.partition('=')\n    return name, value\n",
        ),
        Example(
            "def f(line):\n    key, rest = line.strip().split(':')\n    return key, rest\n",
            "def f(line):\n    key, rest = line.strip().split(':', 1)\n    return key, rest\n",
        ),
        Example(
            "def f(self, path):\n    self.stem, self.ending = path.rsplit('.', 1)\n",
            "def f(self, path):\n    self.stem, _, self.ending = path.rpartition('.')\n",
        ),
        Example("def f(t):\n    a, b, c = t.split(',')\n    d, e = t.split()\n    g = t.split('=')\n"),
    ),
    Operator(
        "swap_loop_targets", "assignment", (cst.Tuple,), _swap_targets, roles=("target",), choosy=True
    ).with_examples(
        Example(
            "def f(d):\n    for v, k in d.items():\n        g(k, v)\n",
            "def f(d):\n    for k, v in d.items():\n        g(k, v)\n",
        ),
        Example(
            "def f(rows):\n    return {a: b for a, b in rows}\n", "def f(rows):\n    return {a: b for b, a in rows}\n"
        ),
        Example(
            "def f(xs):\n    for x, i in enumerate(xs):\n        g(i, x)\n",
            "def f(xs):\n    for i, x in enumerate(xs):\n        g(i, x)\n",
        ),
        Example("def f(a):\n    for x in a:\n        g((x, a))\n"),
    ),
    Operator("take_out", "access", (cst.SimpleStatementLine,), _take_out, roles=STATEMENT, choosy=True).with_examples(
        Example("def f(cache, k):\n    del cache[k]\n", "def f(cache, k):\n    cache.pop(k, None)\n"),
        Example(
            "def f(users, u):\n    users.remove(u)\n", "def f(users, u):\n    if u in users:\n        users.remove(u)\n"
        ),
        Example(
            "class A:\n    def f(self, key):\n        del self.index[key.lower()]\n",
            "class A:\n    def f(self, key):\n        self.index.pop(key.lower(), None)\n",
        ),
        Example("def f(a):\n    del a[1:]\n"),
    ),
    Operator("other_access", "access", (cst.Subscript, cst.Call), _other_access, choosy=True).with_examples(
        Example(
            "def f(groups, k, v):\n    groups[k].append(v)\n",
            "def f(groups, k, v):\n    groups.setdefault(k, []).append(v)\n",
        ),
        Example("def f(options):\n    return options.get('depth')\n", "def f(options):\n    return options['depth']\n"),
        Example(
            "def f(kwargs):\n    limit = kwargs.get('limit', 3)\n    return limit\n",
            "def f(kwargs):\n    limit = kwargs.pop('limit', 3)\n    return limit\n",
        ),
        Example("def f(o):\n    return getattr(o, 'size', 0)\n", "def f(o):\n    return o.size\n"),
        Example("def f(a):\n    return a[0].x\n"),
    ),
)
