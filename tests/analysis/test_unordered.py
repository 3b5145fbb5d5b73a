"""Where the order of a set's items shows."""

from __future__ import annotations

import pytest

from analysis.capability import Severity, new_capabilities
from analysis.function_text import Unreadable, parse_function
from analysis.unordered import unordered

OLD = "def names(rows):\n    found = []\n    for row in rows:\n        found.append(row)\n    return found\n"


def uses(body: str) -> int:
    function = parse_function(f"def f(a, b, out):\n{body}")
    assert not isinstance(function, Unreadable)
    return len(list(unordered(function)))


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
    ],
)
def test_the_order_does_not_show(body: str):
    assert uses(body) == 0


def test_only_what_the_patch_brings_in_is_for_a_person_to_see():
    new = OLD.replace("in rows", "in set(rows)")
    (found,) = new_capabilities(OLD, new, OLD, frozenset())
    assert (found.id, found.severity, found.line) == ("order", Severity.REVIEW, 3)
    assert "in an order that differs from process to process" in found.claim
    assert not new_capabilities(new, new.replace("append(row)", "append(row.name)"), new, frozenset())
