"""A function that cannot be parsed is found by its lines, and nothing around it is touched."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from analysis.malformed import STUB, find_malformed, is_stub

ABOVE = "import math\n\nRATE = 2\n\n\ndef first(x):\n    return x\n\n\n"
BELOW = "\n\ndef last(y):\n    # a comment\n    return (y)\n"

BODIES = {
    "an open bracket": "    total = sum((x, 1)\n    return total\n",
    "no colon": "    if x\n        return 1\n    return 2\n",
    "a line that is not indented": "    if x:\n    return 1\n",
    "a statement at the margin": "    y = 1\nreturn y\n",
    "a fence of a model": "```python\n    return x\n```\n",
    "half an assignment": "    y = \n    return y\n",
    "an open text": "    y = 'abc\n    return y\n",
    "nothing": "",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_its_body_alone_is_taken_out(body):
    source = f"{ABOVE}@math.floor\ndef middle(x, *, y=1):\n{body}{BELOW}"
    found = find_malformed("a.py", source.encode())
    assert found is not None
    assert (found.function.path, found.function.qualname, found.function.first_line) == ("a.py", "middle", 10)
    assert found.stubbed.startswith(f"{ABOVE}@math.floor\ndef middle(x, *, y=1):\n".encode())
    assert found.stubbed.endswith(BELOW.encode())
    assert STUB in found.stubbed
    assert found.text.decode().startswith("@math.floor\ndef middle")
    assert body.strip() in found.text.decode()
    ast.parse(found.stubbed)


def test_a_method_keeps_its_docstring_and_a_head_over_several_lines():
    source = dedent('''\
        class Cart:
            def total(
                self,
                rate: int = 1,
            ) -> int:
                """What it costs.

                With the rate.
                """
                return sum(self.prices

            def size(self):
                return 1
        ''')
    found = find_malformed("cart.py", source.encode())
    assert found is not None
    assert found.function.qualname == "Cart.total"
    assert b'With the rate.\n        """\n        raise NotImplementedError' in found.stubbed
    assert found.stubbed.endswith(b"\n    def size(self):\n        return 1\n")


@pytest.mark.parametrize(
    "source",
    [
        "def good(x):\n    return x\n",
        "x = (\n",
        "def head(x:\n    return x\n",
        "def one(x):\n    return (x\n\n\ndef two(x):\n    return (x\n\nz = 1\n",
        "",
        "\0",
    ],
    ids=["it compiles", "no function", "a head that cannot be read", "two of them", "nothing", "a null"],
)
def test_where_no_single_body_is_at_fault_nothing_is_found(source):
    assert find_malformed("a.py", source.encode()) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(x):\n    pass\n", True),
        ("def f(x):\n    '''What it does.'''\n", True),
        ("    def f(self):\n        '''So.'''\n        raise NotImplementedError('later')\n", True),
        ("def f(x): ...\n", True),
        ("def f(x):\n    raise ValueError\n", False),
        ("def f(x):\n    x += 1\n    raise NotImplementedError\n", False),
        ("def f(x:\n", False),
    ],
)
def test_a_function_that_has_nothing_to_edit(text, found):
    assert is_stub(text) is found
