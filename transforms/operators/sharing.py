"""What names or turns share by accident: repeated rows, late bindings, results of calls that change in place."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

import transforms.tree.matching as m
from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.tree.code_text import operand

_CHANGEABLE = (cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp, cst.Call)

_CLOSE = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def _make_fresh(site: Site) -> Iterator[Edit]:
    """``[row] * n`` as ``[row for _ in range(n)]``: each element is one of its own."""
    node = site.node_as(cst.BinaryOperation)
    if not isinstance(node.operator, cst.Multiply):
        return
    for held, count in ((node.left, node.right), (node.right, node.left)):
        if isinstance(held, cst.List) and len(held.elements) == 1:
            value = held.elements[0].value
            if isinstance(value, _CHANGEABLE) or m.matches(value, m.BinaryOperation(operator=m.Multiply())):
                text = f"[{site.print(value)} for _ in range({site.print(count)})]"
                yield site.put(text, 0.8, f"makes each `{clip_text(site.print(value))}` anew")


def _bind_now(site: Site) -> Iterator[Edit]:
    """``lambda: g(x)`` as ``lambda x=x: g(x)`` for variables of the loop around it; a function within it likewise."""
    node = site.node
    assert isinstance(node, (cst.Lambda, cst.FunctionDef)), "listed for functions that stand in a function"
    params = node.params
    if params.star_kwarg is not None or params.kwonly_params or isinstance(params.star_arg, cst.Param):
        return
    own = {param.name.value for param in params.params}
    if isinstance(node, cst.FunctionDef):
        own |= {found.value for t in m.findall(node.body, m.AssignTarget()) for found in _names_in(t)}
    read = {found.value for found in _names_in(node.body)} - own
    late = [name for name in _loop_names(site) if name in read]
    for names, weight in [*([(late, 0.8)] if len(late) > 1 else []), *(([name], 0.6) for name in late)]:
        given = [*(site.print(param).rstrip(", ") for param in params.params), *(f"{name}={name}" for name in names)]
        said = f"binds {', '.join(f'`{name}`' for name in names)} as it is now"
        if isinstance(node, cst.Lambda):
            yield site.put(f"lambda {', '.join(given)}: {site.print(node.body)}", weight, said)
        else:
            bound = [cst.Param(cst.Name(name), equal=_CLOSE, default=cst.Name(name)) for name in names]
            more = params.with_changes(params=[*params.params, *bound])
            yield site.lines((node.with_changes(params=more),), weight, said)


def _names_in(node: cst.CSTNode) -> Iterator[cst.Name]:
    return (found for found in m.findall(node, m.Name()) if isinstance(found, cst.Name))


def _loop_names(site: Site) -> list[str]:
    """Variables of the loops and comprehensions around a place."""
    targets: list[cst.CSTNode] = []
    for around in site.ancestors():
        if isinstance(around.node, cst.For):
            targets.append(around.node.target)
        elif isinstance(around.node, (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)):
            targets.append(around.node.for_in.target)
    return list(dict.fromkeys(name.value for target in targets for name in _names_in(target)))


def _new_for_in_place(site: Site) -> Iterator[Edit]:
    """The value of a call that changes its object and gives nothing, as a new object; and the other way round."""
    node = site.node_as(cst.Call)
    args = ", ".join(site.print(a).rstrip(", ") for a in node.args)
    if isinstance(site.above, cst.Expr):
        if isinstance(node.func, cst.Name) and node.func.value == "sorted" and node.args:
            rest = ", ".join(site.print(a).rstrip(", ") for a in node.args[1:])
            base = operand(site.print(node.args[0].value), ".")
            yield site.put(f"{base}.sort({rest})", 0.8, f"sorts `{clip_text(base)}` itself")
        return
    if not isinstance(node.func, cst.Attribute):
        return
    base, name = site.print(node.func.value), node.func.attr.value
    plus, spread = operand(base, "+"), operand(base, ".")
    forms = {
        "sort": f"sorted({base}{', ' + args if args else ''})",
        "reverse": f"{spread}[::-1]",
        "append": f"{plus} + [{args}]",
        "extend": f"{plus} + list({args})",
        "update": f"{{**{base}, **{args}}}",
        "add": f"{spread}.union([{args}])",
    }
    if name in forms and (args or name in ("sort", "reverse")):
        yield site.put(forms[name], 0.8, f"takes what `{clip_text(site.code)}` would leave as a new object")


def _copy_inside(site: Site) -> Iterator[Edit]:
    """A copy whose elements are still shared, with copies of these: ``xs[:]`` as ``[x[:] for x in xs]``."""
    copied = _copied_expression(site)
    if copied is None:
        return
    held, shapes = copied
    each = [form.format(held) for shape in shapes for form in _INSIDE[shape]]
    deep = ["copy.deepcopy"] * ("copy" in site.words.imported) + ["deepcopy"] * ("deepcopy" in site.words.imported)
    for text, weight in weigh_by_rank([*each[:1], *(f"{name}({held})" for name in deep), *each[1:]], 2.0):
        yield site.put(text, weight, f"copies the elements of `{clip_text(held)}`, too")


_LISTS = ("[each[:] for each in {0}]", "[each.copy() for each in {0}]", "[list(each) for each in {0}]")
_DICTS = (
    "{{key: value[:] for key, value in {0}.items()}}",
    "{{key: value.copy() for key, value in {0}.items()}}",
    "{{key: list(value) for key, value in {0}.items()}}",
)
_INSIDE = MappingProxyType({"list": _LISTS, "dict": _DICTS})


def _copied_expression(site: Site) -> tuple[str, tuple[str, ...]] | None:
    """What the expression copies, and the shapes that this may have; ``None`` where it copies nothing."""
    match site.node:
        case cst.Subscript(value=held, slice=[cst.SubscriptElement(slice=cst.Slice(None, None, step=None))]):
            return site.print(held), ("list",)
        case cst.Dict(elements=[cst.StarredDictElement(value=held)]):
            return operand(site.print(held), "."), ("dict",)
        case cst.Call(func=cst.Name(value="list" | "dict" as kind), args=[cst.Arg(value=held, keyword=None, star="")]):
            return operand(site.print(held), "."), (kind,)
        case cst.Call(func=cst.Attribute(value=held, attr=cst.Name(value="copy")), args=[]):
            return operand(site.print(held), "."), ("dict", "list")
        case cst.Call(args=[cst.Arg(value=held, keyword=None, star="")]) as call:
            if site.print(call.func) in ("copy.copy", "copy"):
                return operand(site.print(held), "."), ("list", "dict")
    return None


OPERATORS = (
    Operator("copy_inside", "copy", (cst.Subscript, cst.Dict, cst.Call), _copy_inside, choosy=True).with_examples(
        Example(
            "def f(grid):\n    new = grid[:]\n    return new\n",
            "def f(grid):\n    new = [each[:] for each in grid]\n    return new\n",
        ),
        Example(
            "class A:\n    def f(self, other):\n        other.found = {**self.found}\n",
            "class A:\n    def f(self, other):\n"
            "        other.found = {key: value[:] for key, value in self.found.items()}\n",
        ),
        Example(
            "import copy\ndef f(tree):\n    return copy.copy(tree)\n",
            "import copy\ndef f(tree):\n    return copy.deepcopy(tree)\n",
        ),
        Example("def f(grid, n):\n    return grid[1:], list(), {**grid, 'n': n}, list(grid, n), copy.copy(*grid)\n"),
    ),
    Operator("fresh_elements", "copy", (cst.BinaryOperation,), _make_fresh, choosy=True).with_examples(
        Example(
            "def f(width, height):\n    return [[0] * width] * height\n",
            "def f(width, height):\n    return [[0] * width for _ in range(height)]\n",
        ),
        Example(
            "def f(keys):\n    slots = [{}] * len(keys)\n    return slots\n",
            "def f(keys):\n    slots = [{} for _ in range(len(keys))]\n    return slots\n",
        ),
        Example(
            "def f(count):\n    return list(4 * [Worker(count)])\n",
            "def f(count):\n    return list([Worker(count) for _ in range(4)])\n",
        ),
        Example("def f(n):\n    return [0] * n\n"),
    ),
    Operator(
        "bind_now", "copy", (cst.Lambda, cst.FunctionDef), _bind_now, roles=("value", "statement"), choosy=True
    ).with_examples(
        Example(
            "def f(names):\n    return [lambda: greet(name) for name in names]\n",
            "def f(names):\n    return [lambda name=name: greet(name) for name in names]\n",
        ),
        Example(
            "def f(buttons, log):\n    for n, button in enumerate(buttons):\n"
            "        button.on_click(lambda event: log(n, event))\n",
            "def f(buttons, log):\n    for n, button in enumerate(buttons):\n"
            "        button.on_click(lambda event, n=n: log(n, event))\n",
        ),
        Example(
            "def f(steps):\n    return {step: (lambda x: x * step) for step in steps}\n",
            "def f(steps):\n    return {step: (lambda x, step=step: x * step) for step in steps}\n",
        ),
        Example(
            "def f(pad, keys):\n    for place, key in enumerate(keys):\n        def press(times):\n"
            "            pad.press(place, key, times)\n        pad.bind(key, press)\n",
            "def f(pad, keys):\n    for place, key in enumerate(keys):\n"
            "        def press(times, place=place, key=key):\n"
            "            pad.press(place, key, times)\n        pad.bind(key, press)\n",
        ),
        Example("def f(xs, k):\n    for x in xs:\n        sort(x, key=lambda y: y[k])\n"),
        Example("def f(xs):\n    for x in xs:\n        def g(*x):\n            x = 1\n            return x\n"),
    ),
    Operator("new_for_in_place", "copy", (cst.Call,), _new_for_in_place, choosy=True).with_examples(
        Example("def f(rows):\n    return rows.sort()\n", "def f(rows):\n    return sorted(rows)\n"),
        Example(
            "def f(path, step):\n    return walk(path.append(step))\n",
            "def f(path, step):\n    return walk(path + [step])\n",
        ),
        Example(
            "def f(rows):\n    sorted(rows, key=len)\n    return rows\n",
            "def f(rows):\n    rows.sort(key=len)\n    return rows\n",
        ),
        Example(
            "def f(base, more):\n    merged = base.update(more)\n    return merged\n",
            "def f(base, more):\n    merged = {**base, **more}\n    return merged\n",
        ),
        Example("def f(rows):\n    rows.sort()\n    return rows\n"),
    ),
)
