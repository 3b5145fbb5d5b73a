"""Conditions: negated, strengthened, weakened, exchanged for ones that occur elsewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

import libcst as cst

from transforms.ingredients.within_reach import Ingredients
from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import is_negation, only_comparison, sign_of
from transforms.tree.code_text import operand


def _negate_condition(site: Site) -> Iterator[Edit]:
    if site.field != "test" and not isinstance(site.above, cst.BooleanOperation):
        return
    node = site.node
    if isinstance(node, cst.UnaryOperation) and is_negation(node):
        yield site.put(node.expression, 0.6, f"drops the `not` of `{clip_text(site.code)}`")
    else:
        yield site.put(f"not {operand(site.code, 'not')}", 0.6, f"negates the condition `{clip_text(site.code)}`")


def _boolean_operator(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.BooleanOperation)
    new = cst.Or() if isinstance(node.operator, cst.And) else cst.And()
    word = "or" if isinstance(new, cst.Or) else "and"
    yield site.put(node.with_changes(operator=new), 0.7, f"joins with `{word}` in `{clip_text(site.code)}`")


def _drop_conjunct(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.BooleanOperation)
    for kept, gone in ((node.left, node.right), (node.right, node.left)):
        yield site.put(kept, 0.5, f"drops `{clip_text(site.print(gone))}` from the condition")


def _candidates(site: Site) -> Iterator[str]:
    """Parameters that nothing reads, conditions of the neighbourhood, then simple ones over names of the function."""
    own = site.code
    words = site.words
    yield from (form for name in words.unread[:2] for form in (name, f"not {name}"))
    yield from _companions(own, [c.text for c in words.conditions])[:4]
    read = set(_NAME.findall(own))
    elsewhere = (c.text for c in words.conditions if c.text != own and c.text not in ("True", "False"))
    known = sorted(elsewhere, key=lambda text: not read & set(_NAME.findall(text)))
    yield from _exchange_variable(own, words.variables)
    names = words.variables[:6]
    flags = [a.text for a in words.attributes if a.distance == 0][:4]
    yield from known[:10]
    yield from _predicates(own, words)
    yield from _similar_attributes(own, words.similar_names)
    yield from (form for n in (*names[:4], *flags) for form in (n, f"not {n}", f"{n} is not None", f"{n} is None"))
    yield from (f"not {operand(k, 'not')}" for k in known[:6] if not k.startswith("not "))
    yield from (f"{n} {op} {v}" for n in names[:4] for v in ("0", "1") for op in (">", "==", "<", "!="))
    different = [(a, b) for a in names[:5] for b in names[:5] if a != b]
    yield from (f"{a} {op} {b}" for a, b in different for op in ("<", "==", "!=", "in", "<="))
    yield from (f"{a} {op} len({b})" for a, b in different for op in ("<", ">", ">="))
    yield from _class_checks(words)
    yield from known[10:]
    further = [*words.variables[4:12], *(a.text for a in words.attributes if a.distance == 1)][:12]
    yield from (form for n in further for form in (n, f"not {n}", f"{n} is not None", f"{n} is None"))


def _predicates(own: str, words: Ingredients) -> Iterator[str]:
    """What the module asks of one value, by functions that are named so, asked of what the condition speaks of."""
    spoken = [name for name in dict.fromkeys(_NAME.findall(own)) if name in words.variables][:3]
    asking = [c.name for c in words.callees if len(c.parameters) == 1 and _ASKING.match(c.name)][:6]
    calls = [f"{function}({name})" for function in asking for name in spoken if f"{function}({name})" not in own]
    yield from (form for call in calls for form in (call, f"not {call}"))


_ASKING = re.compile(r"(self\.|cls\.)?_*(are|can|contains|does|has|is|needs|should|supports|was)_")


def _companions(own: str, conditions: Sequence[str]) -> list[str]:
    """What is asked elsewhere together with a condition like this one: ``h == 12`` beside ``am == "PM"``."""
    found: dict[str, None] = {}
    for text in conditions:
        parts = _split_condition(text)
        others = [part for part in parts if _frame(part) != _frame(own)]
        if len(others) < len(parts):
            found |= dict.fromkeys(others)
    return list(found)


def _split_condition(condition: str) -> list[str]:
    """What ``and`` or ``or`` joins in the text of a condition; nothing where it joins nothing."""
    try:
        tree = ast.parse(condition, mode="eval").body
    except (SyntaxError, ValueError):
        return []
    values = tree.values if isinstance(tree, ast.BoolOp) else []
    return [ast.get_source_segment(condition, value) or "" for value in values]


def _frame(condition: str) -> str:
    """The condition without its literals, so that ``a == 1`` and ``a == 2`` are alike."""
    return _LITERAL.sub("0", condition)


_LITERAL = re.compile(r"""(?<![\w.])\d[\w.]*|'[^']*'|"[^"]*\"""")


def _similar_attributes(own: str, names: tuple[str, ...]) -> Iterator[str]:
    """Truth of attributes that are named like the one asked for, of the same object: ``p.is_b`` for ``p.is_a``."""
    for held in list(dict.fromkeys(_HELD.findall(own)))[:2]:
        base, _, name = held.rpartition(".")
        yield from (form for other in names[:8] if other != name for form in (f"{base}.{other}", f"not {base}.{other}"))


_HELD = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w(.])")


def _class_checks(words: Ingredients) -> Iterator[str]:
    """Classes that the module asks for, asked of variables."""
    classes = list(dict.fromkeys([*(c.text for c in words.classes[:4]), "str", "list", "bytes"]))[:5]
    for name in words.variables[:4]:
        yield from (form for c in classes for form in (f"isinstance({name}, {c})", f"not isinstance({name}, {c})"))


def _exchange_variable(own: str, variables: tuple[str, ...]) -> list[str]:
    """The condition itself with one of its variables exchanged for another: what holds for one may for the other."""
    if len(own) > 60:
        return []
    used = [v for v in variables if re.search(rf"(?<![.\w]){re.escape(v)}\b", own)]
    others = [v for v in variables[:8] if v not in used]
    return [re.sub(rf"(?<![.\w]){re.escape(v)}\b", other, own) for v in used[:2] for other in others[:3]]


_NAME = re.compile(r"[A-Za-z_]\w*")


def _decides(site: Site) -> bool:
    """Whether it is a whole condition, or a truth value returned or filtered by: ``a < b`` of ``return a < b``."""
    truth = isinstance(site.node, (cst.Comparison, cst.BooleanOperation)) or is_negation(site.node)
    return site.field == "test" or (truth and isinstance(site.above, (cst.Return, cst.Lambda)))


def _add_conjunct(site: Site) -> Iterator[Edit]:
    if not _decides(site):
        return
    for other, weight in weigh_by_rank(_candidates(site)):
        what = f"to the condition `{clip_text(site.code)}`"
        own, further = operand(site.code, "and"), operand(other, "and")
        either = f"{operand(site.code, 'or')} or {operand(other, 'or')}"
        yield site.put(f"{own} and {further}", weight * 0.55, f"adds `and {other}` {what}")
        yield site.put(either, weight * 0.45, f"adds `or {other}` {what}")
        yield site.put(f"{further} and {own}", weight * 0.2, f"asks for `{other}` first {what}")


def _replace_condition(site: Site) -> Iterator[Edit]:
    if site.field == "test":
        for other, weight in weigh_by_rank(_candidates(site)):
            yield site.put(other, weight, f"asks for `{clip_text(other)}` instead of `{clip_text(site.code)}`")


def _truth_to_identity(site: Site) -> Iterator[Edit]:
    """``if x`` against ``if x is not None`` and back; ``not x`` against ``x is None``."""
    node = site.node
    joined = isinstance(site.above, (cst.BooleanOperation, cst.UnaryOperation))
    whole = (joined or site.field == "test") and site.code not in ("True", "False")
    code = clip_text(site.code)
    if isinstance(node, cst.UnaryOperation) and is_negation(node):
        inner = operand(site.print(node.expression), "<")
        for text, weight in ((f"{inner} is None", 0.6), (f"{inner} is False", 0.1)):
            yield site.put(text, weight, f"asks for `{text}` instead of truth")
    elif isinstance(node, cst.Comparison) and (target := only_comparison(node)):
        if site.print(target.comparator) == "None":
            absent = sign_of(site, target) in ("is", "==")
            truth = f"not {operand(site.print(node.left), 'not')}" if absent else node.left
            yield site.put(truth, 0.5, f"asks for truth instead of `{code}`")
    elif whole and isinstance(node, (cst.Name, cst.Attribute, cst.Subscript, cst.Call)):
        yield site.put(f"{site.code} is not None", 0.6, f"asks for `{code} is not None` instead of truth")
        yield site.put(f"len({site.code}) > 0", 0.1, f"asks for the length of `{code}`")


def _filter(site: Site) -> Iterator[Edit]:
    """A comprehension's filter added or dropped."""
    node = site.node_as(cst.CompFor)
    for index in range(len(node.ifs)):
        rest = [*node.ifs[:index], *node.ifs[index + 1 :]]
        yield site.put(node.with_changes(ifs=rest), 0.3, "drops a filter of the comprehension")
    if not node.ifs and isinstance(node.target, cst.Name):
        name = node.target.value
        known = [c.text for c in site.words.conditions if name in c.text][:4]
        others = [f"{name} {op} {o}" for o in site.words.variables[:4] if o != name for op in ("!=", "in", "not in")]
        for text, weight in weigh_by_rank([name, f"{name} is not None", *known, *others]):
            new = cst.CompIf(test=cst.parse_expression(text), whitespace_before=cst.SimpleWhitespace(" "))
            yield site.put(node.with_changes(ifs=[new]), weight, f"keeps only elements with `{clip_text(text)}`")


_TEST = (cst.BaseExpression,)

OPERATORS = (
    Operator("negate_condition", "condition", _TEST, _negate_condition, mutates=True, choosy=True).with_examples(
        Example("def f(a):\n    if a:\n        return 1\n", "def f(a):\n    if not a:\n        return 1\n"),
        Example("def f(a):\n    return 1 if not a else 2\n", "def f(a):\n    return 1 if a else 2\n"),
        Example(
            "def f(rows):\n    return [row for row in rows if row.hidden]\n",
            "def f(rows):\n    return [row for row in rows if not row.hidden]\n",
        ),
        Example("def f(a):\n    return a + 1\n"),
    ),
    Operator("boolean_operator", "condition", (cst.BooleanOperation,), _boolean_operator).with_examples(
        Example("def f(a, b):\n    return a and b\n", "def f(a, b):\n    return a or b\n"),
        Example(
            "def f(a, b):\n    if a or b:\n        return 1\n", "def f(a, b):\n    if a and b:\n        return 1\n"
        ),
        Example(
            "def f(rows, key):\n    while rows and rows[0] != key:\n        rows.pop(0)\n",
            "def f(rows, key):\n    while rows or rows[0] != key:\n        rows.pop(0)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("drop_conjunct", "condition", (cst.BooleanOperation,), _drop_conjunct).with_examples(
        Example("def f(a, b):\n    if a and b:\n        return 1\n", "def f(a, b):\n    if a:\n        return 1\n"),
        Example("def f(a, b):\n    return a or b\n", "def f(a, b):\n    return b\n"),
        Example(
            "def f(text, mark):\n    return text.startswith(mark) and text.isalpha() and mark\n",
            "def f(text, mark):\n    return text.startswith(mark) and mark\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("add_conjunct", "condition", _TEST, _add_conjunct, choosy=True).with_examples(
        Example(
            "def f(a, b):\n    if b:\n        a = 1\n    while a > 1:\n        a -= 1\n",
            "def f(a, b):\n    if b:\n        a = 1\n    while a > 1 and b:\n        a -= 1\n",
        ),
        Example("def f(a, b):\n    return 1 if a else 2\n", "def f(a, b):\n    return 1 if a or b is None else 2\n"),
        Example(
            "def f(view):\n    if not view.open:\n        return 1\n    return view.old\n",
            "def f(view):\n    if not view.open and not view.old:\n        return 1\n    return view.old\n",
        ),
        Example(
            "def is_open(x):\n    return x\ndef f(door):\n    if door.old:\n        return 1\n    return 2\n",
            "def is_open(x):\n    return x\ndef f(door):\n"
            "    if door.old and not is_open(door):\n        return 1\n    return 2\n",
        ),
        Example(
            "def f(key, value):\n    if value == '':\n        return key\n",
            "def f(key, value):\n    if value == '' and isinstance(key, str):\n        return key\n",
        ),
        Example(
            "def f(half, h):\n    if half == 'am':\n        h -= 12\n    elif half == 'pm' and h < 12:\n"
            "        h += 12\n    return h\n",
            "def f(half, h):\n    if half == 'am' and h < 12:\n        h -= 12\n    elif half == 'pm' and h < 12:\n"
            "        h += 12\n    return h\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("replace_condition", "condition", _TEST, _replace_condition, choosy=True).with_examples(
        Example(
            "def f(a, b):\n    if a > b:\n        return 1\n    if a:\n        return 2\n",
            "def f(a, b):\n    if a > b:\n        return 1\n    if a == b:\n        return 2\n",
        ),
        Example("def f(a, b):\n    return 1 if a else 2\n", "def f(a, b):\n    return 1 if b else 2\n"),
        Example(
            "def f(stack, depth):\n    while depth:\n        stack.pop()\n    return depth\n",
            "def f(stack, depth):\n    while stack:\n        stack.pop()\n    return depth\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("truth_to_identity", "condition", _TEST, _truth_to_identity, choosy=True).with_examples(
        Example("def f(a):\n    if a:\n        return 1\n", "def f(a):\n    if a is not None:\n        return 1\n"),
        Example("def f(a):\n    if not a:\n        return 1\n", "def f(a):\n    if a is None:\n        return 1\n"),
        Example(
            "def f(timeout, usual):\n    return timeout if timeout else usual\n",
            "def f(timeout, usual):\n    return timeout if timeout is not None else usual\n",
        ),
        Example("def f(a):\n    return a + 1\n"),
    ),
    Operator("comprehension_filter", "condition", (cst.CompFor,), _filter, roles=("part",)).with_examples(
        Example("def f(a):\n    return [x for x in a]\n", "def f(a):\n    return [x for x in a if x]\n"),
        Example("def f(a):\n    return [x for x in a if x]\n", "def f(a):\n    return [x for x in a]\n"),
        Example(
            "def f(lines):\n    return {line.strip() for line in lines}\n",
            "def f(lines):\n    return {line.strip() for line in lines if line}\n",
        ),
        Example("def f(a):\n    return [a]\n"),
    ),
)
