"""What a failure may have said before a fix: without running it, every constraint that the new text could answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import libcst as cst

from analysis.facts import Constraint, ConstraintKind
from corpora.lab.learning.squashed import squash
from transforms.operators.operator import Site

_K = ConstraintKind
_ANY = (_K.NULLABLE, _K.EMPTY_SEQUENCE, _K.OPTIONAL_ATTRIBUTE)
MOST = 16


def suppose_constraints(sites: Iterable[Site], new: str, added: str) -> tuple[Constraint, ...]:
    """Constraints on expressions of these places that stand in ``added``, the squashed text that is new.

    ``new`` is the function's whole new text, in which exceptions are looked for.
    """
    found = dict.fromkeys(_value_constraints(sites, added))
    raised = dict.fromkeys(re.findall(r"\braise\s+([\w.]+)", new))
    told = [Constraint(_K.MISSING_RAISE, "", name, "", 0, "") for name in raised if squash(f"raise {name}") in added]
    return (*list(found)[:MOST], *told)


def _value_constraints(sites: Iterable[Site], added: str) -> Iterator[Constraint]:
    for site in sites:
        if site.role != "value" or not isinstance(site.node, (cst.Name, cst.Attribute, cst.Subscript, cst.Call)):
            continue
        node, code = site.node, site.code.strip()
        if isinstance(node, cst.Subscript) and len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
            key = site.print(node.slice[0].slice.value)
            if squash(key) in added:
                yield Constraint(_K.MISSING_KEY, code, key, "", site.line, "")
        if squash(code) not in added:
            continue
        for kind in _ANY:
            yield Constraint(kind, code, "", "", site.line, "")
        up = site.up.node if site.up is not None else None
        if isinstance(up, cst.BinaryOperation) and up.right is node:
            yield Constraint(_K.ZERO_DIVISOR, code, "0", "", site.line, "")
