"""A code fence that a reply of a model left in a file is named."""

import pytest

from analysis.errors import UnparseableError
from analysis.facts import CollectionError, SeenError
from analysis.failure import describe_code_fence, find_code_fence
from repair.api import _refuse_unsafe
from repair.observe.baseline import explain_uncollected
from repair.records.change import Change

SHOWN = 'File "/it/src/shop.py", line 1\nE       ```python\nE       ^\nE   SyntaxError: invalid syntax'
COLLECTED = f"test_a.py:1: in <module>\nE     {SHOWN}"
IN_A_TEST = '  File "/it/shop.py", line 14\n    ```\n    ^\nSyntaxError: invalid syntax'


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (COLLECTED, "; line 1 of shop.py is a code fence (```python) and no Python: take it out"),
        (IN_A_TEST, "; line 14 of shop.py is a code fence (```) and no Python: take it out"),
        (IN_A_TEST.replace("```", "return ```"), ""),
        ("AssertionError: ```", ""),
    ],
)
def test_a_fence_is_named_with_its_line(message, said):
    assert describe_code_fence(message) == said


def test_a_module_that_cannot_be_collected_says_so():
    raised = SeenError("SyntaxError", ("SyntaxError",), "invalid syntax (shop.py, line 1)", ())
    found = explain_uncollected(CollectionError("test_a.py", (raised,), COLLECTED))
    assert found.status == "unparseable"
    said = "line 1 of shop.py is a code fence (```python) and no Python: take it out"
    assert found.message.endswith(f"(shop.py, line 1); {said}")


FENCED = b"x = 1\n```python\ny = 2\n```\n"
NAMED = "; line 2 of a/shop.py is a code fence (```python) and no Python: take it out"


IN_A_DOCSTRING = b'"""A page.\n\n```\nf()\n```\n"""\nx = (\n'


IN_A_COMMENT = b'x = 1  # not a """ docstring\n```python\ny = 2\n```\n'
IN_PROSE = b"Here's it:\n```python\ny = 2\n```\n"
LEFT_OPEN = b'x = """\n```python\ny = 2\n'
QUOTED = b'x = \'"""\'\n```python\ny = 2\n'


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (FENCED, NAMED),
        (IN_A_COMMENT, NAMED),
        (IN_PROSE, NAMED),
        (QUOTED, NAMED),
        (b"x = '```'\n", ""),
        (IN_A_DOCSTRING, ""),
        (LEFT_OPEN, ""),
        (b"", ""),
    ],
)
def test_a_fence_in_a_file_is_found(source, said):
    assert find_code_fence("a/shop.py", source) == said


def test_a_change_that_holds_a_fence_is_refused_with_its_line():
    with pytest.raises(UnparseableError, match=r"line 2 of a/shop\.py is a code fence"):
        _refuse_unsafe(Change((("a/shop.py", b"x = 1\n"),), (("a/shop.py", FENCED),)))
