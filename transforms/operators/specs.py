"""Specifications of formats in plain texts: of ``format``, and of times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, weigh_by_rank
from transforms.operators.parts import called_name, replaced, requoted

_SPECS = (".1f", ".2f", ".0f", ",", "d", "02d", ".3f", "g", "s", "x", "b", ">8", "<8", ".1%")
_TIMES = ("strftime", "strptime")
_CODES = MappingProxyType(
    {
        "m": "Mb",
        "M": "m",
        "y": "Y",
        "Y": "y",
        "d": "jm",
        "H": "I",
        "I": "H",
        "h": "H",
        "b": "Bm",
        "B": "b",
        "a": "A",
        "A": "a",
        "s": "S",
        "S": "f",
        "D": "d",
    }
)
"""Letters of a time that are taken for one another."""


def _call_of(site: Site, place: int) -> str:
    """The last name of what is called with this text as its argument at that place."""
    call = site.up.above if site.up is not None else None
    return called_name(site, call) if isinstance(call, cst.Call) and site.above in call.args[place:] else ""


def _format_spec(site: Site) -> Iterator[Edit]:
    """Another specification for ``format(value, …)``: other numbers in it, another side, another kind."""
    node = site.node_as(cst.SimpleString)
    if _call_of(site, 1) != "format":
        return
    own = node.raw_value
    near = [replaced(found, str(int(found[0]) + by)) for found in re.finditer(r"\d+", own) for by in (1, -1)]
    turned = [replaced(found, side) for found in re.finditer("[<>^]", own) for side in "<>^"]
    for spec, weight in weigh_by_rank(s for s in (*near, *turned, *_SPECS) if s != own and "-" not in s):
        yield site.put(requoted(node, spec), weight, f"formats with `{spec}` instead of `{own}`")


def _time_format(site: Site) -> Iterator[Edit]:
    """Another letter in the format of a time: months for minutes, the long year for the short one."""
    node = site.node_as(cst.SimpleString)
    if _call_of(site, 0) not in _TIMES:
        return
    own = node.raw_value
    codes = re.finditer(r"%([A-Za-z])", own)
    for text, weight in weigh_by_rank(replaced(code, new, 1) for code in codes for new in _CODES.get(code[1], "")):
        yield site.put(requoted(node, text), weight, f"reads the time as `{text}`")


OPERATORS = (
    Operator("format_spec", "format", (cst.SimpleString,), _format_spec, choosy=True).with_examples(
        Example("def f(share):\n    return format(share, '.1f')\n", "def f(share):\n    return format(share, '.2f')\n"),
        Example("def f(name):\n    return format(name, '<10')\n", "def f(name):\n    return format(name, '>10')\n"),
        Example("def f(size):\n    return format(size, 'd')\n", "def f(size):\n    return format(size, ',')\n"),
        Example("def f(size):\n    return render('d', size)\n"),
    ),
    Operator("time_format", "format", (cst.SimpleString,), _time_format, choosy=True).with_examples(
        Example(
            "def f(day):\n    return day.strftime('%Y-%M-%d')\n", "def f(day):\n    return day.strftime('%Y-%m-%d')\n"
        ),
        Example(
            "def f(text):\n    return datetime.strptime(text, '%d.%m.%y')\n",
            "def f(text):\n    return datetime.strptime(text, '%d.%m.%Y')\n",
        ),
        Example("def f(at):\n    return at.strftime('%I:%M')\n", "def f(at):\n    return at.strftime('%H:%M')\n"),
        Example("def f(rate):\n    return '%d %%' % rate\n"),
    ),
)
