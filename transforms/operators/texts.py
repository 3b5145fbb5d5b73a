"""Texts: what kind of literal they are, which of several they begin with, how others of the module spell the like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import only_comparison, replaced, requoted, without_parentheses
from transforms.tree.code_text import operand

_FIELD = re.compile(r"\{([A-Za-z_][\w.]*)(?:\[[^\]{}]*\])?(?:![rsa])?(?::[^{}]*)?\}")


def _prefix(site: Site) -> Iterator[Edit]:
    """A forgotten ``f`` where the fields name what is known here; a forgotten ``r``; bytes against text."""
    node = site.node_as(cst.SimpleString)
    prefix, value = node.prefix.lower(), node.raw_value
    quoted = f"{node.quote}{value}{node.quote}"
    template = isinstance(site.above, cst.Attribute)
    known = {i.text for i in site.words.names}
    fields = [m[1].split(".")[0] for m in _FIELD.finditer(value)]
    if fields and "b" not in prefix and not template and all(f in known or f in site.words.defined for f in fields):
        yield site.put(f"f{prefix.replace('u', '')}{quoted}", 1.5, "fills in the fields of the text")
    if prefix == "" and re.search(r"\\[bdswBDSW]", value):
        yield site.put(f"r{quoted}", 0.5, f"takes the backslashes of {clip_text(site.code)} as they are")
    if prefix in ("", "b") and value.isascii():
        new, what = ("", "as text") if prefix else ("b", "as bytes")
        yield site.put(f"{new}{quoted}", 0.15, f"takes {clip_text(site.code)} {what}")


def _spelt_elsewhere(site: Site) -> Iterator[Edit]:
    """A text of the rest of the module: those that look much like this one, then others of its shape near by."""
    node = site.node_as(cst.SimpleString)
    if node.prefix or not node.raw_value or len(node.raw_value) > 24 or "\\" in node.raw_value:
        return
    known = [t[1:-1] for t in site.words.spelled if t[0] == t[-1] == "'"]
    alike = get_close_matches(node.raw_value, known, 6, 0.55)
    near = [text for text in known if _shape(text) == _shape(node.raw_value)][:8]
    for value, weight in weigh_by_rank(v for v in (*alike, *near) if v != node.raw_value and node.quote not in v):
        yield site.put(f"{node.quote}{value}{node.quote}", weight, f"uses {value!r} instead of {clip_text(site.code)}")


def _shape(text: str) -> tuple[bool, bool, bool]:
    """Whether it is a word, has words, or is only signs."""
    return text.isidentifier(), " " in text.strip(), not any(c.isalnum() for c in text)


def _shorten(site: Site) -> Iterator[Edit]:
    """A text without its punctuation, or without what stands before or behind the first of it."""
    node = site.node_as(cst.SimpleString)
    if "b" in node.prefix.lower() or node.quote in ('"""', "'''") or not 1 < len(node.raw_value) <= 60:
        return
    value = node.raw_value
    forms = [value.rstrip(".:,;!?/-_ "), value.lstrip(".:,;!?/-_ "), value[:-2], value[2:]]
    for mark in re.finditer(r"[.:,;/\-_ ]+", value):
        forms += [value[: mark.end()], value[mark.start() :], value[: mark.start()], value[mark.end() :]]
        forms += [replaced(mark, other) for other in ("", " ", "_", "-", ".") if other != mark[0]]
    for form, weight in weigh_by_rank(f for f in forms[:40] if f != value and not f.endswith("\\")):
        text = requoted(node, form)
        yield site.put(text, weight, f"uses {clip_text(text)} instead of {clip_text(site.code)}")


def _one_of(site: Site) -> Iterator[Edit]:
    """``s.startswith('a')`` as ``s.startswith(('a', 'b'))``; ``'a' in s`` as ``'a' in s or 'b' in s``."""
    node, texts = site.node, [i.text for i in site.words.strings if 2 < len(i.text) < 20][:12]
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value not in ("startswith", "endswith") or len(node.args) != 1:
            return
        held = without_parentheses(site.print(node.args[0].value))
        signs = ("'.'", "'#'", "'-'", "'_'", "'/'", "' '")
        for other, weight in weigh_by_rank(t for t in (*texts, *signs) if t not in held):
            yield site.put(f"{site.print(node.func)}(({held}, {other}))", weight, f"accepts {other} as well")
    elif isinstance(node, cst.Comparison) and (target := only_comparison(node)):
        operator, where = target.operator, site.print(target.comparator)
        if isinstance(operator, (cst.In, cst.NotIn)) and isinstance(node.left, cst.SimpleString):
            word, joint = ("in", "or") if isinstance(operator, cst.In) else ("not in", "and")
            for other, weight in weigh_by_rank(t for t in texts if t != site.print(node.left)):
                text = f"{site.code} {joint} {other} {word} {operand(where, '<')}"
                yield site.put(text, weight, f"asks for {other} as well")


OPERATORS = (
    Operator("text_prefix", "format", (cst.SimpleString,), _prefix, choosy=True).with_examples(
        Example(
            "def f(name):\n    raise KeyError('no {name!r} here')\n",
            "def f(name):\n    raise KeyError(f'no {name!r} here')\n",
        ),
        Example("def f(s):\n    return re.split('\\\\d+', s)\n", "def f(s):\n    return re.split(b'\\\\d+', s)\n"),
        Example("def f(s):\n    return find('\\bend', s)\n", "def f(s):\n    return find(r'\\bend', s)\n"),
        Example("def f(s):\n    return s.partition(b'=')\n", "def f(s):\n    return s.partition('=')\n"),
        Example("def f(s):\n    return f'{s}'\n"),
    ),
    Operator("text_elsewhere", "literal", (cst.SimpleString,), _spelt_elsewhere, choosy=True).with_examples(
        Example(
            "NAMES = {'content-type': 1}\ndef f(h):\n    return h['content_type']\n",
            "NAMES = {'content-type': 1}\ndef f(h):\n    return h['content-type']\n",
        ),
        Example(
            "def g(d):\n    return d['colour']\ndef f(d):\n    d['color'] = 1\n",
            "def g(d):\n    return d['colour']\ndef f(d):\n    d['colour'] = 1\n",
        ),
        Example(
            "class A:\n    KIND = 'branches'\n    def f(self):\n        return 'branch'\n",
            "class A:\n    KIND = 'branches'\n    def f(self):\n        return 'branches'\n",
        ),
        Example(
            "def g(row):\n    return row['title']\ndef f(row):\n    return row['name']\n",
            "def g(row):\n    return row['title']\ndef f(row):\n    return row['title']\n",
        ),
        Example("def f(d):\n    return d['alone']\n"),
    ),
    Operator("shorten_text", "literal", (cst.SimpleString,), _shorten, choosy=True).with_examples(
        Example(
            "def f(uri):\n    return uri.startswith('file://')\n", "def f(uri):\n    return uri.startswith('file:')\n"
        ),
        Example("def f(a):\n    return a + 'px;'\n", "def f(a):\n    return a + 'px'\n"),
        Example("def f(d):\n    return d['max_size']\n", "def f(d):\n    return d['max-size']\n"),
        Example("def f(a):\n    return a + 'x'\n"),
    ),
    Operator("one_of_texts", "condition", (cst.Call, cst.Comparison), _one_of, choosy=True).with_examples(
        Example(
            "def f(host):\n    return host.startswith('*')\n", "def f(host):\n    return host.startswith(('*', '.'))\n"
        ),
        Example(
            "KINDS = 1\ndef f(p):\n    g('.yml')\n    return p.endswith(('.json', '.yaml'))\n",
            "KINDS = 1\ndef f(p):\n    g('.yml')\n    return p.endswith(('.json', '.yaml', '.yml'))\n",
        ),
        Example(
            "def f(out):\n    log('fatal')\n    return 'error' in out\n",
            "def f(out):\n    log('fatal')\n    return 'error' in out or 'fatal' in out\n",
        ),
        Example("def f(a, b):\n    return a in b\n"),
    ),
)
