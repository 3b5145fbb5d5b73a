"""Regular expressions: anchors, escapes, flags, quantifiers, classes of characters, groups."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import replaced


def _pattern(site: Site) -> Iterator[Edit]:
    """A regular expression anchored, released, made lazy or greedy; one quantifier, class, escape or group changed."""
    node = site.node_as(cst.SimpleString)
    call = site.up.up if site.up is not None and isinstance(site.up.node, cst.Arg) else None
    around = site.print(call.node.func) if call is not None and isinstance(call.node, cst.Call) else ""
    if not (around.startswith("re.") or "r" in node.prefix.lower()) or node.quote in ('"""', "'''"):
        return
    for value, weight in weigh_by_rank(v for v in _patterns(node.raw_value) if v != node.raw_value):
        prefix = node.prefix
        if "r" not in prefix.lower() and value.count("\\") != node.raw_value.count("\\"):
            if "\\" in node.raw_value:
                continue  # what a backslash means in there would have to be worked out for each
            prefix = f"r{prefix}"
        text = f"{prefix}{node.quote}{value}{node.quote}"
        yield site.put(text, weight, f"matches {clip_text(text)} instead of {clip_text(site.code)}")


def _patterns(value: str) -> Iterator[str]:
    yield from (f"^{value}", f"{value}$", f"^{value}$", value.removeprefix("^"), value.removesuffix("$"))
    for match in _TOKENS.finditer(value):
        for new in _EXCHANGES.get(match[0], _other_counts(match[0])):
            yield replaced(match, new)
        if match[0].startswith("[") and len(match[0]) > 2:
            yield from (replaced(match, new) for new in _classes(match[0]))
    if value[:1] and value[0] not in r"\^$.|?*+()[]{}" and value[1:2] not in ("?", "*", "+", "{"):
        yield f"{value[0]}?{value[1:]}"
    yield from (rf"\b{value}\b", rf"{value}\b", f"{value}?")
    if "|" in value and not value.startswith("("):
        yield f"(?:{value})"
        yield f"^(?:{value.removeprefix('^').removesuffix('$')})$"
    lines = [f"(?m){value}"] if value[:1] == "^" or value[-1:] == "$" else []
    yield from (f"(?i){value}", f"(?s){value}", *lines, rf"\s*{value}", rf"{value}\s*")


_TOKENS = re.compile(r"\\[dDwWsSbBZ.\-+*?()/|$^]|\[\^?\]?(?:\\.|[^\]\\])*\]|[+*?]\??|\(\?:|\((?!\?)|\.|\$$|\||\{\d+\}")


def _other_counts(text: str) -> tuple[str, ...]:
    """Other numbers of times for ``{n}``: at least, at most, one more, one less, any."""
    if not (text.startswith("{") and text[1:-1].isdecimal()):
        return ()
    n = int(text[1:-1])
    return f"{{{n},}}", f"{{1,{n}}}", f"{{{n + 1}}}", f"{{{max(0, n - 1)}}}", "+"


def _classes(text: str) -> Iterator[str]:
    """The same class of characters with one more, with one less, or turned round."""
    more = [c for c in ("_", r"\-", ".", r"\s", "'", "/", "+", "0-9", "a-z", "A-Z") if c not in text]
    yield from (f"{text[:-1]}{c}]" for c in more)
    head = "[^" if text.startswith("[^") else "["
    inside = text[len(head) : -1]
    parts = re.findall(r"\\.|.-.|.", inside)
    if len(parts) > 1:
        yield from (f"{head}{''.join([*parts[:i], *parts[i + 1 :]])}]" for i in range(min(len(parts), 6)))
    yield f"[{inside}]" if head == "[^" else f"[^{inside}]"


def _pattern_call(site: Site) -> Iterator[Edit]:
    """A flag for a call of the pattern library, taken away or added; a pattern made of text escaped."""
    node = site.node_as(cst.Call)
    called = site.print(node.func)
    if not called.startswith("re.") or called == "re.escape" or not node.args:
        return
    inside = site.code.rstrip()[:-1].rstrip().rstrip(",")
    flags = [f"re.{flag}" for flag in ("IGNORECASE", "DOTALL", "MULTILINE", "VERBOSE", "ASCII")]
    own = next((site.print(a.value) for a in node.args if "re." in site.print(a.value)), "")
    for flag, weight in weigh_by_rank(f for f in flags if f not in own):
        text = site.code.replace(own, f"{own} | {flag}") if own else f"{inside}, flags={flag})"
        yield site.put(text, weight * 0.7, f"matches with `{flag}`")
    first = node.args[0].value
    if isinstance(first, (cst.Name, cst.Attribute)):
        text = site.print(first)
        args = [node.args[0].with_changes(value=cst.parse_expression(f"re.escape({text})")), *node.args[1:]]
        yield site.put(node.with_changes(args=args), 0.2, f"takes `{text}` literally in the pattern")


_EXCHANGES = {
    "+": ("*", "+?", "?"),
    "*": ("+", "*?"),
    "?": ("", "*", "+"),
    "+?": ("+",),
    "*?": ("*",),
    r"\d": (r"\d+", r"\w", r"-?\d"),
    r"\w": (r"\w+", r"\d", r"\S"),
    r"\s": (r"\s+", r"\s*"),
    ".": (r"\.", r"[^\n]"),
    r"\.": (".",),
    "(": ("(?:",),
    "(?:": ("(",),
    "$": (r"\Z", r"\s*$"),
    "|": (r"\|",),
}


OPERATORS = (
    Operator("pattern", "format", (cst.SimpleString,), _pattern, choosy=True).with_examples(
        Example("def f(a):\n    return re.match(r'a+', a)\n", "def f(a):\n    return re.match(r'a+$', a)\n"),
        Example("def f(a):\n    return re.sub('a+', '', a)\n", "def f(a):\n    return re.sub('a*', '', a)\n"),
        Example(
            "def f(s):\n    return re.findall(r'v(\\d+).(\\d+)', s)\n",
            "def f(s):\n    return re.findall(r'v(\\d+)\\.(\\d+)', s)\n",
        ),
        Example(
            "def f(s):\n    return re.fullmatch(r'[a-z]+', s)\n", "def f(s):\n    return re.fullmatch(r'[a-z_]+', s)\n"
        ),
        Example("def f(s):\n    return re.match(r'-\\d+', s)\n", "def f(s):\n    return re.match(r'-?\\d+', s)\n"),
        Example(
            "def f(s):\n    return re.fullmatch(r'[0-9]{4}', s)\n",
            "def f(s):\n    return re.fullmatch(r'[0-9]{4,}', s)\n",
        ),
        Example("def f(s):\n    return re.findall(r'^#', s)\n", "def f(s):\n    return re.findall(r'(?m)^#', s)\n"),
        Example("def f(s):\n    return re.split(r'(,|;)', s)\n", "def f(s):\n    return re.split(r'(?:,|;)', s)\n"),
        Example(
            "def f(s):\n    return re.search('^yes|no$', s)\n", "def f(s):\n    return re.search('^(?:yes|no)$', s)\n"
        ),
        Example("def f(a):\n    return 'x' + a\n"),
    ),
    Operator("pattern_call", "format", (cst.Call,), _pattern_call, choosy=True).with_examples(
        Example(
            "def f(a):\n    return re.match('x+', a)\n",
            "def f(a):\n    return re.match('x+', a, flags=re.IGNORECASE)\n",
        ),
        Example(
            "def f(a):\n    return re.compile(a, re.I)\n", "def f(a):\n    return re.compile(a, re.I | re.DOTALL)\n"
        ),
        Example("def f(a, b):\n    return re.split(a, b)\n", "def f(a, b):\n    return re.split(re.escape(a), b)\n"),
        Example("def f(a):\n    return a.match('x')\n"),
    ),
)
