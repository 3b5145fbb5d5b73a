"""Where the order of a set's items shows."""

from __future__ import annotations

import pytest

from analysis.capability import new_capabilities, uses_of_set_order
from analysis.danger import DangerLevel
from analysis.function_text import Unreadable, parse_function

OLD = "def names(rows):\n    found = []\n    for row in rows:\n        found.append(row)\n    return found\n"


def uses(body: str) -> int:
    function = parse_function(f"def f(a, b, out):\n{body}")
    assert not isinstance(function, Unreadable)
    return len(list(uses_of_set_order(function)))


@pytest.mark.parametrize(
    "body",
    [
        "    for x in set(a):\n        out.append(x)\n",
        "    for x in frozenset(a.items()):\n        if x:\n            return x\n",
        "    for x in {y for y in a}:\n        yield x\n",
        "    for x in set(a) - b:\n        out += [x]\n",
        "    return [x for x in set(a)]\n",
        "    return list(set(a))\n",
        "    return ', '.join({x.name for x in a})\n",
        "    return ', '.join(x.name for x in set(a))\n",
        "    return next(iter(set(a) | set(b)))\n",
        "    return [*set(a)]\n",
        "    names = set(a)\n    for x in names:\n        out.append(x)\n",
        "    names = set(a)\n    return list(names)[0]\n",
        "    names: set[str] = set()\n    names |= b\n    return ', '.join(names)\n",
        "    names = set(a)\n    names = names - b\n    return [x for x in names]\n",
        "    names = set(a)\n    rest = names\n    return tuple(rest)\n",
        "    return list(set(a).union(b)), set(b).difference(a)\n",
        "    return list(set.union(*a))\n",
        "    return set(a).pop()\n",
        "    names = {x for x in a}\n    first = names.pop()\n    return first\n",
        "    left = set(a)\n    while left:\n        out.append(left.pop())\n",
        "    while b:\n        b = a.less(b)\n        last = set(a).pop()\n    return last\n",
        "    return list(dict.fromkeys(set(a)))\n",
        "    counts = dict.fromkeys(set(a), 0)\n    for x, y in counts.items():\n        out.append((x, y))\n",
        "    counts = {x: 0 for x in set(a)}\n    return [x for x in counts]\n",
        "    counts = dict.fromkeys(set(a))\n    return counts.popitem()\n",
        "    names = set(a)\n    rows = list(names)\n    b.sort()\n    return rows\n",
        "    names = set(a)\n    if len(names) > 3:\n        return list(names)\n",
    ],
)
def test_the_order_shows(body: str):
    assert uses(body) == 1


@pytest.mark.parametrize(
    "body",
    [
        "    for x in set(a):\n        b.add(x)\n",
        "    for x in set(a):\n        out[x] = 1\n",
        "    for x in set(a):\n        if x in b:\n            return False\n    return True\n",
        "    for x in sorted(set(a)):\n        out.append(x)\n",
        "    return sorted(x for x in set(a))\n",
        "    return sorted(list(set(a)))\n",
        "    return len(set(a)), sum(x for x in set(a)), {x for x in set(a)}\n",
        "    return b in [x for x in set(a)]\n",
        "    for x in a:\n        out.append(x)\n",
        "    return list(dict.fromkeys(a))\n",
        "    return list(a - b)\n",
        "    names = set(a)\n    return [x for x in b if x in names]\n",
        "    names = set(a)\n    return sorted(names), len(names), sum(names), max(names)\n",
        "    names = set(a)\n    for x in names:\n        out.add(x)\n    return b in names\n",
        "    names = set(a)\n    names = sorted(names)\n    return list(names)\n",
        "    names = set(a)\n    for names in b:\n        out.extend(names)\n",
        "    names = set(a) if b else []\n    return list(names)\n",
        "    names = set()\n    return [names for names in list(a)]\n",
        "    names = set(a)\n    if len(names) == 1:\n        return names.pop()\n",
        "    names = set(a)\n    if len(names) > 1:\n        raise ValueError\n    return list(names)[0]\n",
        "    left = set(a)\n    while left:\n        x = left.pop()\n        left |= b[x]\n        out.add(x)\n",
        "    return a.pop(), a.copy().pop(), b.pop(0)\n",
        "    seen = dict.fromkeys(set(a))\n    return [x for x in b if x in seen], seen\n",
        "    return list(dict.fromkeys(x for x in a))\n",
        "    counts = dict.fromkeys(set(a), 0)\n    return sorted(counts.items()), sum(counts.values())\n",
        "    rows = list(set(a))\n    rows.sort()\n    return rows\n",
        "    rows = []\n    for x in set(a):\n        rows.append(x)\n    return sorted(rows)\n",
        "    rows = []\n    for x in set(a):\n        rows += [x]\n    rows.sort()\n    return rows\n",
        "    return isinstance(b, tuple(set(a))), sorted(list(filter(None, set(a))))\n",
        "    def inner(names):\n        return list(names)\n    names = set(a)\n    return inner\n",
    ],
)
def test_the_order_does_not_show(body: str):
    assert uses(body) == 0


def test_only_what_the_patch_brings_in_is_for_a_person_to_see():
    new = OLD.replace("in rows", "in set(rows)")
    (found,) = new_capabilities(OLD, new, OLD, frozenset())
    assert (found.id, found.severity, found.line) == ("order", DangerLevel.REVIEW, 3)
    assert "in an order that differs from process to process" in found.claim
    assert not new_capabilities(new, new.replace("append(row)", "append(row.name)"), new, frozenset())
