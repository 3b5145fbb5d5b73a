"""Of a file that somebody else changed, the one function is taken, with the imports that it needs, and nothing more."""

from __future__ import annotations

import pytest
from fakes.failing_function import MODULE, scope_of

from transforms.patch.apply import render
from transforms.patch.foreign_change import cut_out
from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.proposal import Origin, Proposal

AGENT = Origin("agent", "some-agent")

TWICE = b"""\
class Box:
    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        '''Set it.

            As it stands.
        '''
        self._size = value
"""


def changed(*pairs: tuple[str, str], source: bytes = MODULE) -> bytes:
    text = source.decode()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text.encode()


def taken(new: bytes, qualname: str = "Greeter.greet") -> tuple[str, tuple[str, ...]]:
    made = cut_out(scope_of(qualname), new, AGENT)
    assert isinstance(made, Proposal), made
    printed = render(scope_of(qualname), made)
    assert not isinstance(printed, Rejected), printed
    return printed.text.decode(), made.imports


GUARD = ("name.lower()\n        if", "(name or '').lower()\n        if")


def test_the_function_is_taken_and_the_rest_is_left():
    text, imports = taken(changed(GUARD, ("return name.lower()", "return name.upper()"), ('"""Greets."""', "X = 1")))
    assert "(name or '').lower()" in text
    assert "upper" not in text
    assert imports == ()


def test_imports_that_the_function_uses_go_along():
    more = ("import os\n", "import os\nimport json, re as regex\nfrom math import ceil, floor\n")
    use = ("text * times\n", "text * floor(times) + regex.escape('')\n")
    text, imports = taken(changed(more, use))
    assert imports == ("import re as regex", "from math import floor")
    assert "import re as regex" in text
    assert "json" not in text


def test_a_docstring_and_its_indentation_stay():
    scope = scope_of("Box.size", TWICE)
    made = cut_out(scope, changed(("= value", "= value or 0"), source=TWICE), AGENT)
    assert isinstance(made, Proposal)
    printed = render(scope, made)
    assert not isinstance(printed, Rejected)
    assert printed.text == scope.text.replace(b"= value", b"= value or 0")


@pytest.mark.parametrize(
    ("pairs", "reason", "said"),
    [
        ([("return name.lower()", "return name")], RejectReason.NO_CHANGE, "stays as it is"),
        ([("def greet", "def hail")], RejectReason.NOT_FOUND, "no longer in greet.py"),
        ([("name, times=1", "name, times=1, *, strict=False")], RejectReason.SIGNATURE, "strict"),
        ([("    def greet", "    @staticmethod\n    def greet")], RejectReason.SIGNATURE, "decorators"),
        ([("return text", "return (text")], RejectReason.UNPARSEABLE, ""),
    ],
)
def test_what_gives_no_edit_is_said(pairs, reason, said):
    made = cut_out(scope_of(), changed(*pairs), AGENT)
    assert isinstance(made, Rejected)
    assert made.reason is reason
    assert said in made.detail


def test_of_two_functions_of_one_name_the_same_one_is_taken():
    new = changed(("return self._size", "return len(self._size)"), source=TWICE)
    made = cut_out(scope_of("Box.size", TWICE), new, AGENT)
    assert isinstance(made, Rejected)
    assert made.reason is RejectReason.NO_CHANGE
