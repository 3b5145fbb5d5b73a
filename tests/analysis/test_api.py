"""Signatures and public names."""

from __future__ import annotations

import pytest

from analysis.api import Parameter, signature_changes, signature_of
from analysis.errors import UnparseableError

BASE = "def f(a, /, b: int = 1, *args, c=(1, 2), **kw) -> str:\n    return ''\n"


def test_signature():
    signature = signature_of(
        "    @cached\n    async def f(a, /, b: int = 1, *args, c, **kw) -> str:\n        yield 1\n"
    )
    assert (signature.name, signature.is_async, signature.is_generator) == ("f", True, True)
    assert (signature.decorators, signature.returns) == (("cached",), "str")
    assert signature.parameters == (
        Parameter("a", "positional", None, None),
        Parameter("b", "plain", "1", "int"),
        Parameter("args", "*", None, None),
        Parameter("c", "keyword", None, None),
        Parameter("kw", "**", None, None),
    )


@pytest.mark.parametrize(
    "text",
    [
        "def f(a,/,b:int=1,*args,c=(1,2),**kw)->str: return 'other'",
        "def f(\n    a,  # first\n    /,\n    b: int = 1,\n    *args,\n c=(\n 1, 2),\n  **kw,\n) -> str:\n  pass\n",
        "\tdef f(a, /, b: int = 1, *args, c=(1, 2), **kw) -> str:\n\t\treturn (lambda: (yield))\n",
        BASE.replace("return ''", "\n    def g():\n        yield 1\n    return g"),
    ],
)
def test_layout_and_body_do_not_count(text):
    assert signature_changes(signature_of(BASE), signature_of(text)) == ()


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (BASE.replace("def f", "def g"), "the name changed from f to g"),
        ("async " + BASE, "the function is now async"),
        (BASE.replace("return ''", "yield ''"), "the function is now a generator"),
        (BASE.replace("return ''", "return (yield '')"), "the function is now a generator"),
        ("@x\n" + BASE, "the decorators changed from none to @x"),
        (BASE.replace("= 1", "= 2"), "the default of b changed from 1 to 2"),
        (BASE.replace("b: int", "b"), "the annotation of b changed from int to none"),
        (BASE.replace("/, ", ""), "the kind of a changed from positional to plain"),
        (BASE.replace(", **kw", ""), "the parameter kw is gone"),
        (BASE.replace(", **kw", ", d=None, **kw"), "the parameter d is new"),
        (BASE.replace(" -> str", ""), "the return annotation changed from str to none"),
    ],
)
def test_changes(text, change):
    assert signature_changes(signature_of(BASE), signature_of(text)) == (change,)


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("seen=[]", "seen=None", 0),
        ("seen: list = []", "seen: list | None = None", 0),
        ("seen: dict = dict()", "seen: Optional[dict] = None", 0),
        ("*, seen={}", "*, seen=None", 0),
        ("seen=None", "seen=[]", 1),
        ("seen=[1]", "seen=None", 1),  # who leaves it out got something
        ("seen=()", "seen=None", 1),  # nobody can share a change of it
        ("seen=[]", "*, seen=None", 1),
        ("seen: list = []", "seen: str = None", 2),
    ],
)
def test_a_default_that_all_calls_share_may_become_nothing(old, new, changes):
    before, after = (signature_of(f"def f({each}): pass") for each in (old, new))
    assert len(signature_changes(before, after)) == changes


def test_order_of_parameters():
    assert signature_changes(signature_of("def f(a, b): pass"), signature_of("def f(b, a): pass")) == (
        "the order of the parameters changed from (a, b) to (b, a)",
    )


@pytest.mark.parametrize("text", ["x = 1", "def f(", "", "def f(): pass\ndef g(): pass", "\x00"])
def test_what_is_not_one_function_is_refused(text):
    with pytest.raises(UnparseableError):
        signature_of(text)


def test_hostile_nesting_is_refused():
    with pytest.raises(UnparseableError):
        signature_of(f"def f(a={'-' * 900}1): pass")
    assert signature_of(f"def f(a): return {' + '.join(['a'] * 900)}").parameters[0].name == "a"


MODULE = """
def shown(): pass
def _hidden(): pass
class Shop:
    def __init__(self): pass
    def __repr__(self): pass
    def buy(self): pass
    def _count(self): pass
class _Inner:
    def buy(self): pass
try:
    import x
except ImportError:
    def fallback(): pass
"""
