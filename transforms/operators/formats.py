"""Formatted text: fields and format specifications of f-strings, ``%`` formats, templates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import replaced

_SPECS = (".1f", ".2f", "d", ",", ".0f", "02d", "g", ".3f", "s", "03d", ">10", "<10", "x", "%", ".1%")
_VERBS = ("%s", "%d", "%r", "%i", "%.1f", "%.2f", "%02d", "%f", "%g", "%x")


def _field_format(site: Site) -> Iterator[Edit]:
    """A conversion or a format specification added, changed or dropped."""
    node = site.node_as(cst.FormattedStringExpression)
    shown = clip_text(site.print(node.expression))
    for conversion, weight in weigh_by_rank(c for c in ("r", "s", "") if c != (node.conversion or "")):
        what = f"shows `{shown}` with `!{conversion}`" if conversion else f"shows `{shown}` without conversion"
        yield site.put(node.with_changes(conversion=conversion or None), weight * 0.4, what)
    own = "".join(site.print(p) for p in node.format_spec or ())
    if own:
        yield site.put(node.with_changes(format_spec=None), 0.2, f"shows `{shown}` without format")
    for spec, weight in weigh_by_rank([*_near_specs(own), *(s for s in _SPECS if s != own)]):
        parts = [cst.FormattedStringText(spec)]
        yield site.put(node.with_changes(format_spec=parts), weight * 0.5, f"shows `{shown}` with the format `{spec}`")


def _near_specs(own: str) -> Iterator[str]:
    """The same specification with another number in it."""
    for match in re.finditer(r"[<>^]", own):
        yield from (replaced(match, side) for side in "<>^" if side != match[0])
    for match in re.finditer(r"\d+", own):
        yield from (replaced(match, str(n)) for n in (int(match[0]) + 1, int(match[0]) - 1) if n >= 0)


def _text_of_field(site: Site) -> Iterator[Edit]:
    """The text between the fields: spaces, case, an ``s`` more or less."""
    node = site.node_as(cst.FormattedStringText)
    if site.field != "parts":
        return
    value = node.value
    forms = [f" {value}", f"{value} ", value.strip(), value.lower(), value.upper(), value.lstrip(), value.rstrip()]
    forms += ["", value[:-1], value[1:], value.rstrip("s") if value.endswith("s") else f"{value}s", value.capitalize()]
    for text, weight in weigh_by_rank(t for t in forms if t != value):
        yield site.put(node.with_changes(value=text), weight, f"prints {text!r} instead of {value!r}")


def _fields(site: Site) -> Iterator[Edit]:
    """A field dropped or added, text put beside one, two neighbouring fields swapped."""
    node = site.node_as(cst.FormattedString)
    parts = list(node.parts)
    fields = [i for i, p in enumerate(parts) if isinstance(p, cst.FormattedStringExpression)]
    for i in fields:
        yield site.put(node.with_changes(parts=[*parts[:i], *parts[i + 1 :]]), 0.2, f"drops `{site.print(parts[i])}`")
    beside = [parts[max(0, i - 1) : i + 1] for i in range(len(parts) + 1)]
    edges = [i for i, near in enumerate(beside) if not any(isinstance(p, cst.FormattedStringText) for p in near)]
    for between, weight in weigh_by_rank((" ", ", ", ": ", ":", "-", "/", ".", "_", "\\n"), 0.7):
        for i in edges:
            new = [*parts[:i], cst.FormattedStringText(between), *parts[i:]]
            yield site.put(node.with_changes(parts=new), weight, f"prints {between!r} beside a field")
    shown = {site.print(parts[i]) for i in fields}
    left = (n for n in site.words.variables[:6] if f"{{{n}}}" not in shown and n not in ("self", "cls"))
    for name, weight in weigh_by_rank(left, 0.2):
        for i in dict.fromkeys((len(parts), 0)):
            new = [*parts[:i], cst.FormattedStringExpression(cst.Name(name)), *parts[i:]]
            yield site.put(node.with_changes(parts=new), weight, f"prints `{name}`, too")
    for i, j in pairwise(fields):
        new = list(parts)
        new[i], new[j] = parts[j], parts[i]
        what = f"swaps `{site.print(parts[i])}` and `{site.print(parts[j])}`"
        yield site.put(node.with_changes(parts=new), 0.3, what)


def _percent(site: Site) -> Iterator[Edit]:
    """Another conversion in a ``%`` format."""
    for match in re.finditer(r"%[-+ #0]*\d*(?:\.\d+)?[sdrifgx]", site.code):
        near = [match[0][:1] + s + match[0][-1] for s in _near_specs(match[0][1:-1])]
        for verb, weight in weigh_by_rank(v for v in (*_VERBS, *near) if v != match[0]):
            yield site.put(replaced(match, verb), weight, f"formats with `{verb}` instead of `{match[0]}`")


def _braces(site: Site) -> Iterator[Edit]:
    """Another conversion or format in a template for ``str.format``."""
    if not isinstance(site.above, cst.Attribute) or not site.print(site.above).endswith(".format"):
        return
    for match in re.finditer(r"\{(\w*)(![rsa])?(:[^{}]*)?\}", site.code):
        forms = [f"{{{match[1]}{tail}}}" for tail in ("!r", "", ":.1f", ":.2f", ":d", ":,", ":02d", "!s")]
        near = [f"{{{match[1]}:{spec}}}" for spec in _near_specs((match[3] or ":")[1:])]
        for form, weight in weigh_by_rank(f for f in (*near, *forms) if f != match[0]):
            yield site.put(replaced(match, form), weight, f"formats with `{form}` instead of `{match[0]}`")


OPERATORS = (
    Operator("field_format", "format", (cst.FormattedStringExpression,), _field_format, roles=("part",)).with_examples(
        Example("def f(a):\n    return f'{a}'\n", "def f(a):\n    return f'{a!r}'\n"),
        Example("def f(a):\n    return f'{a:.1f}'\n", "def f(a):\n    return f'{a:.2f}'\n"),
        Example("def f(hour):\n    return f'{hour}:00'\n", "def f(hour):\n    return f'{hour:02d}:00'\n"),
        Example("def f(a):\n    return 'x'\n"),
    ),
    Operator("field_text", "format", (cst.FormattedStringText,), _text_of_field, roles=("part",)).with_examples(
        Example("def f(a):\n    return f'{a}kB'\n", "def f(a):\n    return f'{a} kB'\n"),
        Example("def f(a):\n    return f'{a} day'\n", "def f(a):\n    return f'{a} days'\n"),
        Example(
            "def f(first, last):\n    return f'{last},{first}'\n",
            "def f(first, last):\n    return f'{last}, {first}'\n",
        ),
        Example("def f(a):\n    return f'{a}'\n"),
    ),
    Operator("fields", "format", (cst.FormattedString,), _fields).with_examples(
        Example("def f(a, b):\n    return f'{a}:{b}'\n", "def f(a, b):\n    return f'{b}:{a}'\n"),
        Example("def f(a, b):\n    return f'{a}{b}'\n", "def f(a, b):\n    return f'{a}'\n"),
        Example("def f(a, b):\n    return f'{a}{b}'\n", "def f(a, b):\n    return f'{a} {b}'\n"),
        Example("def f(host, port):\n    return f'{host}:'\n", "def f(host, port):\n    return f'{host}:{port}'\n"),
        Example("def f():\n    return f'x'\n"),
    ),
    Operator("percent_format", "format", (cst.SimpleString,), _percent, choosy=True).with_examples(
        Example("def f(a):\n    return '%s' % a\n", "def f(a):\n    return '%d' % a\n"),
        Example("def f(a):\n    return '%.1f m' % a\n", "def f(a):\n    return '%.2f m' % a\n"),
        Example("def f(name):\n    return 'no file %s' % name\n", "def f(name):\n    return 'no file %r' % name\n"),
        Example("def f(a):\n    return 'x' + a\n"),
    ),
    Operator("brace_format", "format", (cst.SimpleString,), _braces, choosy=True).with_examples(
        Example("def f(a):\n    return '<{}>'.format(a)\n", "def f(a):\n    return '<{!r}>'.format(a)\n"),
        Example("def f(a):\n    return '{0:.1f}'.format(a)\n", "def f(a):\n    return '{0:.2f}'.format(a)\n"),
        Example(
            "def f(hour):\n    return '{}:00'.format(hour)\n", "def f(hour):\n    return '{:02d}:00'.format(hour)\n"
        ),
        Example("def f(a):\n    return '{}'.join(a)\n"),
    ),
)
