"""Calls: arguments swapped, dropped, added, named; another function or method called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import likeness

_KEYWORDS = ("key", "default", "flags", "maxsplit", "count", "sep", "start", "strict", "encoding", "errors", "timeout")
"""Parameters of the standard library that are often meant when an argument stands in the wrong place."""

_MOST_CALLED = 8
"""Functions that may take the place of what is called by no name."""

_MOST_LIKENED = 240

_SIBLINGS = (
    ("min", "max", "sum", "sorted"),
    ("any", "all"),
    ("lower", "upper", "casefold", "capitalize", "title"),
    ("strip", "lstrip", "rstrip"),
    ("split", "rsplit", "splitlines", "partition"),
    ("find", "rfind", "index", "rindex"),
    ("startswith", "endswith"),
    ("append", "extend", "add", "insert"),
    ("pop", "popitem", "popleft", "remove", "discard"),
    ("keys", "values", "items"),
    ("get", "pop", "setdefault"),
    ("update", "setdefault"),
    ("floor", "ceil", "trunc", "round"),
    ("int", "float", "str", "round"),
    ("list", "tuple", "set", "sorted", "dict"),
    ("match", "search", "fullmatch", "findall", "finditer"),
    ("isdigit", "isdecimal", "isnumeric", "isalnum", "isalpha"),
    ("ljust", "rjust", "center", "zfill"),
    ("union", "intersection", "difference", "symmetric_difference"),
    ("range", "enumerate", "len", "zip"),
    ("read", "readline", "readlines"),
    ("encode", "decode"),
    ("isinstance", "issubclass"),
    ("getattr", "hasattr"),
    ("str", "repr"),
    ("copy", "deepcopy"),
)


def _swap_arguments(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.Call)
    args = list(node.args)
    plain = [i for i, a in enumerate(args) if a.keyword is None and not a.star]
    pairs = sorted(combinations(plain, 2), key=lambda p: p[1] - p[0])
    for (i, j), weight in ((p, 0.6 / (k + 1)) for k, p in enumerate(pairs[:6])):
        new = list(args)
        new[i], new[j] = args[i].with_changes(value=args[j].value), args[j].with_changes(value=args[i].value)
        what = f"swaps `{clip_text(site.print(args[i].value), 30)}` and `{clip_text(site.print(args[j].value), 30)}`"
        yield site.put(node.with_changes(args=new), weight, f"{what} in `{clip_text(site.code)}`")


def _drop_argument(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.Call)
    args = node.args
    for i in reversed(range(len(args))):
        rest = [*args[:i], *args[i + 1 :]]
        if rest and i == len(args) - 1:
            rest[-1] = rest[-1].with_changes(comma=args[-1].comma, whitespace_after_arg=args[-1].whitespace_after_arg)
        gone = clip_text(site.print(args[i].with_changes(comma=cst.MaybeSentinel.DEFAULT)), 40)
        yield site.put(node.with_changes(args=rest), 0.6 / len(args), f"drops the argument `{gone}`")


def _add_argument(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.Call)
    called = site.print(node.func)
    present = {a.keyword.value for a in node.args if a.keyword} | {site.print(a.value) for a in node.args}
    wanted = _parameters(site, called)
    positional = sum(1 for a in node.args if a.keyword is None)
    known = (*site.words.variables, *(a.text for a in site.words.attributes if a.distance == 0))
    values = [value for value in known if value not in present]
    named = [p for p in wanted[positional:] if p not in present]
    texts = [f"{p}={p}" for p in named if p in values]
    texts += [f"{p}={v}" for p in named for v in ("True", "False", "None", *values[:4])]
    texts += ["key=len", "reverse=True"] if called.rsplit(".", 1)[-1] in ("sorted", "sort", "min", "max") else []
    texts += [*values[:6], *(n.text for n in site.words.numbers[:3]), "1", "0", "None", "True", "''", "' '"]
    texts += [s.text for s in site.words.strings[:4]]
    for text, weight in weigh_by_rank(texts):
        yield site.put(_with(node, text, last=True), weight, f"passes `{text}` to `{clip_text(called)}`")
        if node.args and not re.match(r"[A-Za-z_]\w*=(?!=)", text):
            what = f"passes `{text}` first to `{clip_text(called)}`"
            yield site.put(_with(node, text, last=False), weight * 0.5, what)


def _parameters(site: Site, called: str) -> list[str]:
    """Parameters of what is called: the function or own method of that name, else any method of that name."""
    every = site.words.callees
    exact = [p for c in every if c.name == called for p in c.parameters]
    method = f".{called.rpartition('.')[2]}"
    return exact or [p for c in every if "." in called and c.name == method for p in c.parameters]


def _name_last_argument(site: Site, node: cst.Call, index: int, names: list[str]) -> Iterator[Edit]:
    """The last positional argument passed by keyword."""
    following = node.args[index + 1 :]
    if node.args[index].star or (following and following[0].keyword is None):
        return
    for name, weight in weigh_by_rank([*names, *(_KEYWORDS if index else ())], 0.5):
        tight = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
        new = [*node.args[:index], node.args[index].with_changes(keyword=cst.Name(name), equal=tight), *following]
        what = f"passes `{site.print(node.args[index].value)}` as `{name}`"
        yield site.put(node.with_changes(args=new), weight, what)


def _with(node: cst.Call, text: str, *, last: bool) -> cst.Call:
    match = re.match(r"([A-Za-z_]\w*)=(?!=)", text)
    expression = cst.parse_expression(text[match.end() :] if match else text)
    keyword = cst.Name(match[1]) if match else None
    tight = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
    new = cst.Arg(expression, keyword=keyword, equal=tight) if keyword else cst.Arg(expression)
    args = list(node.args)
    stop = next((i for i, a in enumerate(args) if a.star or (a.keyword and not keyword)), len(args)) if last else 0
    before = [a if isinstance(a.comma, cst.Comma) else a.with_changes(comma=_comma()) for a in args[:stop]]
    after = args[stop:]
    return node.with_changes(args=[*before, new.with_changes(comma=_comma()) if after else new, *after])


def _comma() -> cst.Comma:
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _replace_argument_keyword(site: Site) -> Iterator[Edit]:
    """Another keyword for an argument: parameters of the callee, or keywords used in calls of the same family."""
    node = site.node_as(cst.Call)
    called = site.print(node.func)
    known = _parameters(site, called)
    used = {argument.keyword.value for argument in node.args if argument.keyword is not None}
    last = max((index for index, argument in enumerate(node.args) if argument.keyword is None), default=-1)
    for index, argument in enumerate(node.args):
        if argument.keyword is None:
            later = [name for name in known[index + 1 : index + 4] if index == last and name not in used]
            yield from _name_last_argument(site, node, index, [*known[index : index + 1], *later])
            continue
        own = argument.keyword.value
        for name, weight in weigh_by_rank(p for p in known if p not in used):
            new = [*node.args[:index], argument.with_changes(keyword=cst.Name(name)), *node.args[index + 1 :]]
            yield site.put(node.with_changes(args=new), weight, f"passes `{own}` as `{name}`")


def _other_function(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.Call)
    known = [c.text for c in site.words.callables]
    if isinstance(node.func, cst.Attribute):
        own = node.func.attr.value
        methods = [*site.words.methods_of(site.print(node.func.value)), *(m.text for m in site.words.methods)]
        defined = [c.name.removeprefix("self.") for c in site.words.callees if c.name.startswith("self.")]
        names = [*_siblings(own), *_by_likeness(own, [*methods, *defined])]
        for name, weight in weigh_by_rank(n for n in names if n != own):
            method = node.func.with_changes(attr=cst.Name(name))
            yield site.put(node.with_changes(func=method), weight, f"calls `.{name}` instead of `.{own}`")
        names = [own] if own in (*site.words.variables, *known) else []
    elif isinstance(node.func, cst.Name):
        own = node.func.value
        if own == "super":
            return
        like = [n for n in sorted(site.words.defined) if own in n and n not in known]
        names = [n for n in dict.fromkeys((*_siblings(own), *_by_likeness(own, [*known, *like]))) if n != own]
    else:
        own, names = clip_text(site.print(node.func)), known[:_MOST_CALLED]
    for name, weight in weigh_by_rank(names):
        function = cst.parse_expression(name)
        yield site.put(node.with_changes(func=function), weight, f"calls `{name}` instead of `{own}`")


def _siblings(name: str) -> list[str]:
    return [other for family in _SIBLINGS if name in family for other in family if other != name]


def _by_likeness(own: str, names: list[str]) -> list[str]:
    scored = {name: likeness(own, name.removeprefix("self.")) for name in names[:_MOST_LIKENED]}
    return sorted(scored, key=lambda n: (-scored[n], n))[:20]


def _drop_call(site: Site) -> Iterator[Edit]:
    """A chained method call left out: ``x.a().b()`` to ``x.b()``; a call turned into a mere reference."""
    node = site.node_as(cst.Call)
    yield site.put(node.func, 0.2, f"names `{clip_text(site.print(node.func))}` instead of calling it")


def _in_other_order(site: Site) -> Iterator[Edit]:
    """Two calls round one value in the other order: ``f(x).m(a)`` and ``f(x.m(a))``, ``f(g(x))``, ``x.m(a).n(b)``."""
    outer = site.node_as(cst.Call)
    match outer.func, outer.args:
        case cst.Attribute(value=cst.Call(func=cst.Name(), args=[cst.Arg(keyword=None, star="") as own]) as inner), _:
            method = outer.with_changes(func=outer.func.with_changes(value=own.value))
            new = inner.with_changes(args=[own.with_changes(value=method)])
        case cst.Attribute(value=cst.Call(func=cst.Attribute() as first) as inner), _:
            moved = outer.with_changes(func=outer.func.with_changes(value=first.value))
            new = inner.with_changes(func=first.with_changes(value=moved))
        case cst.Name(), [
            cst.Arg(keyword=None, star="", value=cst.Call(func=cst.Attribute() as method) as inner) as own
        ]:
            within = outer.with_changes(args=[own.with_changes(value=method.value)])
            new = inner.with_changes(func=method.with_changes(value=within))
        case cst.Name(), [
            cst.Arg(
                keyword=None,
                star="",
                value=cst.Call(func=cst.Name(), args=[cst.Arg(keyword=None, star="") as innermost]) as inner,
            ) as own
        ]:
            within = outer.with_changes(args=[innermost.with_changes(comma=own.comma)])
            new = inner.with_changes(args=[own.with_changes(value=within)])
        case _:
            return
    if not new.deep_equals(outer):
        yield site.put(new, 0.8, f"calls in the other order: `{clip_text(site.print(new))}`")


def _add_call(site: Site) -> Iterator[Edit]:
    """A name or attribute called: ``x.items`` to ``x.items()``."""
    if site.field == "func" or site.code in ("self", "cls", "True", "False", "None"):
        return
    known = any(c.text == site.code for c in site.words.callables) or isinstance(site.node, cst.Attribute)
    yield site.put(f"{site.code}()", 0.5 if known else 0.1, f"calls `{clip_text(site.code)}`")


OPERATORS = (
    Operator("in_other_order", "call", (cst.Call,), _in_other_order, choosy=True).with_examples(
        Example(
            "def f(part):\n    return unquote(part).replace('+', ' ')\n",
            "def f(part):\n    return unquote(part.replace('+', ' '))\n",
        ),
        Example("def f(a, n):\n    return str(a.quantize(n))\n", "def f(a, n):\n    return str(a).quantize(n)\n"),
        Example("def f(rows):\n    return list(set(rows))\n", "def f(rows):\n    return set(list(rows))\n"),
        Example(
            "def f(text):\n    return text.strip().split(',', 1)\n",
            "def f(text):\n    return text.split(',', 1).strip()\n",
        ),
        Example("def f(text):\n    return text.strip()\n"),
    ),
    Operator("swap_arguments", "call", (cst.Call,), _swap_arguments, choosy=True).with_examples(
        Example("def f(a, b):\n    return g(a, b)\n", "def f(a, b):\n    return g(b, a)\n"),
        Example("def f(a, b):\n    return g(a, b, c=1)\n", "def f(a, b):\n    return g(b, a, c=1)\n"),
        Example(
            "def f(text, mark):\n    return isinstance(str, text)\n",
            "def f(text, mark):\n    return isinstance(text, str)\n",
        ),
        Example("def f(a):\n    return g()\n"),
    ),
    Operator("drop_argument", "call", (cst.Call,), _drop_argument).with_examples(
        Example("def f(a, b):\n    return g(a, b)\n", "def f(a, b):\n    return g(a)\n"),
        Example("def f(a, b):\n    return g(a, key=b)\n", "def f(a, b):\n    return g(key=b)\n"),
        Example("def f(rows):\n    return sorted(rows, reverse=True)\n", "def f(rows):\n    return sorted(rows)\n"),
        Example("def f(a):\n    return g()\n"),
    ),
    Operator("add_argument", "call", (cst.Call,), _add_argument).with_examples(
        Example("def f(a, b):\n    return g(a)\n", "def f(a, b):\n    return g(a, b)\n"),
        Example(
            "def g(x, deep=True):\n    return x\ndef f(a, deep):\n    return g(a)\n",
            "def g(x, deep=True):\n    return x\ndef f(a, deep):\n    return g(a, deep=deep)\n",
        ),
        Example(
            "def f(url, timeout):\n    page = fetch(url)\n    return page\n",
            "def f(url, timeout):\n    page = fetch(url, timeout)\n    return page\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("argument_keyword", "call", (cst.Call,), _replace_argument_keyword, choosy=True).with_examples(
        Example(
            "def g(lo, hi):\n    return hi\ndef f(a):\n    return g(lo=a)\n",
            "def g(lo, hi):\n    return hi\ndef f(a):\n    return g(hi=a)\n",
        ),
        Example(
            "def g(lo, hi):\n    return hi\ndef f(a):\n    return g(1, low=a)\n",
            "def g(lo, hi):\n    return hi\ndef f(a):\n    return g(1, hi=a)\n",
        ),
        Example(
            "def draw(x, y):\n    return x\ndef f(w, h):\n    return draw(x=w, x2=h)\n",
            "def draw(x, y):\n    return x\ndef f(w, h):\n    return draw(x=w, y=h)\n",
        ),
        Example("def f(a):\n    return g()\n"),
    ),
    Operator("other_function", "call", (cst.Call,), _other_function).with_examples(
        Example("def f(a):\n    return min(a)\n", "def f(a):\n    return max(a)\n"),
        Example("def f(a):\n    return a.lstrip()\n", "def f(a):\n    return a.strip()\n"),
        Example(
            "def size_x():\n    return 1\ndef size_y():\n    return 2\ndef f(a):\n    return size_x()\n",
            "def size_x():\n    return 1\ndef size_y():\n    return 2\ndef f(a):\n    return size_y()\n",
        ),
        Example(
            "short_repr = Short().repr\ndef f(a):\n    return repr(a)\n",
            "short_repr = Short().repr\ndef f(a):\n    return short_repr(a)\n",
        ),
        Example(
            "def f(self, make, row):\n    return self.make(row)\n", "def f(self, make, row):\n    return make(row)\n"
        ),
        Example(
            "def show(a):\n    return a\ndef f(views, a):\n    return views[a](a)\n",
            "def show(a):\n    return a\ndef f(views, a):\n    return show(a)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("drop_call", "call", (cst.Call,), _drop_call).with_examples(
        Example("def f(a):\n    return a.size()\n", "def f(a):\n    return a.size\n"),
        Example("def f(a, b):\n    return map(b(), a)\n", "def f(a, b):\n    return map(b, a)\n"),
        Example(
            "def f(jobs, done):\n    return list(filter(done(), jobs))\n",
            "def f(jobs, done):\n    return list(filter(done, jobs))\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("add_call", "call", (cst.Name, cst.Attribute), _add_call).with_examples(
        Example("def f(a):\n    return a.size\n", "def f(a):\n    return a.size()\n"),
        Example("def f(a, b):\n    return a + b\n", "def f(a, b):\n    return a + b()\n"),
        Example(
            "def f(clock, rows):\n    for row in rows:\n        row.at = clock.now\n",
            "def f(clock, rows):\n    for row in rows:\n        row.at = clock.now()\n",
        ),
        Example("def f():\n    return 1\n"),
    ),
)
