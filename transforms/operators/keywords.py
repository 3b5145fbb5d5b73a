"""Keyword arguments passed on: what the caller was given, what other calls pass, what the standard library takes."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import called_name, function_of, take_turns

_USUAL = MappingProxyType(
    {
        "open": ("encoding='utf-8'", "newline=''", "errors='replace'"),
        "read_text": ("encoding='utf-8'",),
        "write_text": ("encoding='utf-8'",),
        "decode": ("errors='replace'", "errors='ignore'"),
        "encode": ("errors='replace'", "errors='ignore'"),
        "dumps": ("ensure_ascii=False", "sort_keys=True", "default=str", "indent=2"),
        "dump": ("ensure_ascii=False", "sort_keys=True", "default=str", "indent=2"),
        "sorted": ("reverse=True", "key=str", "key=len"),
        "sort": ("reverse=True", "key=str", "key=len"),
        "max": ("default=0", "default=None", "key=len"),
        "min": ("default=0", "default=None", "key=len"),
        "split": ("maxsplit=1",),
        "rsplit": ("maxsplit=1",),
        "sub": ("count=1",),
        "splitlines": ("keepends=True",),
        "enumerate": ("start=1",),
        "zip": ("strict=True",),
        "mkdir": ("parents=True", "exist_ok=True"),
        "makedirs": ("exist_ok=True",),
        "rmtree": ("ignore_errors=True",),
        "unlink": ("missing_ok=True",),
        "run": ("check=True", "text=True"),
        "check_output": ("text=True",),
        "field": ("default=None", "default_factory=list", "default_factory=dict"),
        "urlencode": ("doseq=True",),
        "quote": ("safe=''",),
        "parse_qs": ("keep_blank_values=True",),
        "parse_qsl": ("keep_blank_values=True",),
        "escape": ("quote=False",),
        "gather": ("return_exceptions=True",),
        "signature": ("follow_wrapped=False",),
        "print": ("flush=True", "end=''", "sep=''"),
        "round": ("ndigits=2",),
        "isoformat": ("sep=' '", "timespec='seconds'"),
    }
)
"""Keyword arguments of the standard library that are left out most often."""


def _star(site: Site) -> Iterator[Edit]:
    """An argument spread, ``*xs`` or ``**options``, or one that is no longer."""
    node = site.node_as(cst.Call)
    for index, argument in enumerate(node.args):
        if argument.keyword is not None:
            continue
        last = index == len(node.args) - 1
        stars = [s for s in ("*", "**", "") if s != argument.star and (s != "**" or last)]
        plain = isinstance(argument.value, (cst.Name, cst.Attribute, cst.Call, cst.Subscript))
        for place, star in enumerate(stars if plain and (argument.star or last) else ()):
            new = [*node.args[:index], argument.with_changes(star=star), *node.args[index + 1 :]]
            text = f"{star}{clip_text(site.print(argument.value))}"
            yield site.put(node.with_changes(args=new), 0.3 / (place + 1), f"passes `{text}`")


def _pass_on(site: Site) -> Iterator[Edit]:
    node, words = site.node_as(cst.Call), site.words
    if any(isinstance(a.value, cst.GeneratorExp) and not a.value.lpar for a in node.args) or node.lpar:
        return
    called = called_name(site, node)
    given = {a.keyword.value for a in node.args if a.keyword} | {site.print(a.value) for a in node.args}
    usual = [(t.partition("=")[0], t) for t in _USUAL.get(called, ())]
    elsewhere = [(k, f"{k}={v}") for c, k, v in words.keywords if c == called and _is_known(site, v)]
    named = {k for k, _ in elsewhere}
    owned = {a.text.rpartition(".")[2]: a.text for a in words.attributes if a.text.count(".") == 1}
    scope = [(n, f"{n}={n}") for n in words.variables]
    first = [pair for pair in scope if pair[0] in named]
    own = [(n, f"{n}={text}") for n, text in owned.items() if n in named and text.startswith("self.")]
    flags = [(k, f"{k}={v}") for c, k, v in words.keywords if c == called for v in ("True", "False")]
    rest = take_turns(scope[:20], _all_of(node, site))
    every = [*first, *own, *elsewhere[:6], *usual, *flags[:8], *rest]
    inside = site.code.rstrip()[:-1].rstrip()
    joint = "" if inside.endswith("(") else " " if inside.endswith(",") else ", "
    for text, weight in weigh_by_rank(text for name, text in every if name not in given):
        yield site.put(f"{inside}{joint}{text})", weight, f"passes `{text}` to `{clip_text(called)}`")


def _is_known(site: Site, value: str) -> bool:
    """Whether the value of another call can be read here: ``0``, or ``log.name`` where the name ``log`` is known."""
    head = value.partition(".")[0]
    return not head.isidentifier() or site.words.means(head) or any(i.text == head for i in site.words.names)


def _all_of(node: cst.Call, site: Site) -> list[tuple[str, str]]:
    """The function's own ``*args`` and ``**kwargs``, where the call passes on neither."""
    params, found = function_of(site).params, []
    if isinstance(params.star_arg, cst.Param) and not any(a.keyword or a.star for a in node.args):
        found.append(f"*{params.star_arg.name.value}")
    if params.star_kwarg is not None and not any(a.star == "**" for a in node.args):
        found.append(f"**{params.star_kwarg.name.value}")
    return [(text.lstrip("*"), text) for text in found]


OPERATORS = (
    Operator("pass_keyword", "call", (cst.Call,), _pass_on, choosy=True).with_examples(
        Example(
            "def f(path, strict):\n    return load(path)\n",
            "def f(path, strict):\n    return load(path, strict=strict)\n",
        ),
        Example(
            "def f(path):\n    with open(path) as file:\n        return file.read()\n",
            "def f(path):\n    with open(path, encoding='utf-8') as file:\n        return file.read()\n",
        ),
        Example(
            "class Page:\n    def head(self, t):\n        return render(t, theme=self.theme)\n"
            "    def f(self, t):\n        return render(t)\n",
            "class Page:\n    def head(self, t):\n        return render(t, theme=self.theme)\n"
            "    def f(self, t):\n        return render(t, theme=self.theme)\n",
        ),
        Example(
            "def f(name, **options):\n    return connect(name)\n",
            "def f(name, **options):\n    return connect(name, **options)\n",
        ),
        Example(
            "def g(x):\n    return show(x, wrap=True)\ndef f(x):\n    return show(x)\n",
            "def g(x):\n    return show(x, wrap=True)\ndef f(x):\n    return show(x, wrap=False)\n",
        ),
        Example("def f(xs):\n    return total(x for x in xs)\n"),
    ),
    Operator("spread_argument", "call", (cst.Call,), _star, choosy=True).with_examples(
        Example("def f(rows):\n    return list(zip(rows))\n", "def f(rows):\n    return list(zip(*rows))\n"),
        Example(
            "def f(url, options):\n    return fetch(url, options)\n",
            "def f(url, options):\n    return fetch(url, **options)\n",
        ),
        Example(
            "def f(tree, *parts):\n    return walk(tree, *parts)\n",
            "def f(tree, *parts):\n    return walk(tree, parts)\n",
        ),
        Example("def f(a):\n    return g(key=a)\n"),
    ),
)
