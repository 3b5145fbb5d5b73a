"""The few matchers of our own find what libcst's find, and step in for them while a module is imported."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import libcst as cst
import libcst.matchers as real
import pytest

import transforms.tree.matching as own
from transforms.tree.node_path import walk

SOURCE = """\
def f(a, b=None, *rest, **more):
    global seen
    seen += 1
    x, y = a.b.lower(), dict(a=1)
    z: int = 2 * b
    def inner():
        nonlocal x
        x.y *= None
    return (lambda: None), (lambda: 0), [n for n in rest if not n], a < b <= None
"""
SHAPES: dict[str, Callable[[Any], Any]] = {
    "none": lambda m: m.Name("None"),
    "named": lambda m: m.Name(value="dict"),
    "any name": lambda m: m.Name(),
    "attribute": lambda m: m.Attribute(value=m.DoNotCare(), attr=m.Name(value="lower")),
    "lambda": lambda m: m.Lambda(body=m.Name("None")),
    "declared": lambda m: m.Global() | m.Nonlocal(),
    "several": lambda m: m.BinaryOperation() | m.UnaryOperation() | m.ComparisonTarget() | m.AugAssign(),
    "augmented": lambda m: m.AugAssign(target=m.Name()),
    "operator": lambda m: m.BinaryOperation(operator=m.Multiply()),
    "target": lambda m: m.AssignTarget(),
    "nothing of the kind": lambda m: m.Match(),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_same_nodes_are_found(shape: Callable[[Any], Any]) -> None:
    tree = cst.parse_module(SOURCE)
    mine, theirs = shape(own), shape(real)
    assert own.findall(tree, mine) == list(real.findall(tree, theirs))
    for _, node in walk(tree):
        assert own.matches(node, mine) is real.matches(node, theirs)


def test_what_is_no_node_does_not_match() -> None:
    assert not own.matches(None, own.Name())
    assert not own.matches(cst.MaybeSentinel.DEFAULT, own.Name())


def test_what_it_cannot_do_is_refused() -> None:
    with pytest.raises(TypeError, match="without fields"):
        own.Name("x") | own.Integer()
    with pytest.raises(AttributeError, match="OneOf"):
        own.OneOf(own.Name())
    with pytest.raises(AttributeError):
        own.matches(cst.Name("x"), own.Name(valu="x"))


def test_the_real_ones_stay_where_they_are() -> None:
    with own.in_place():
        assert sys.modules["libcst.matchers"] is real
    assert sys.modules["libcst.matchers"] is real


def test_making_mutants_does_not_import_the_real_ones() -> None:
    code = """
import sys
from transforms.mutants.made import mutants
assert "libcst.matchers" not in sys.modules, "imported"
import mutmut.mutation.mutators as theirs, transforms.tree.matching as own
assert theirs.m.matches is own.matches
import libcst.matchers
assert libcst.matchers.matches is not own.matches
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
