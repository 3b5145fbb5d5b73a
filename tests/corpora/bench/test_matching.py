"""A patch is its reference by text or by tree; what a file says in words does not count."""

from __future__ import annotations

import pytest

from corpora.bench.matching import Match, changed_functions, match

BEFORE = b"""def half(n):
    '''Half of it.'''
    return n // 3

'''
What half is meant to do.
'''
"""
REFERENCE = BEFORE.replace(b"// 3", b"// 2").replace(b"What half is meant to do.", b"Or: return n >> 1")


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (BEFORE.replace(b"// 3", b"// 2"), Match(exact=True, tree=True)),
        (BEFORE.replace(b"n // 3", b"n // 2  "), Match(exact=True, tree=True)),
        (BEFORE.replace(b"n // 3", b"(n) // 2"), Match(exact=False, tree=True)),
        (BEFORE.replace(b"Half of it.", b"Half.").replace(b"// 3", b"// 2"), Match(exact=False, tree=True)),
        (BEFORE.replace(b"n // 3", b"n >> 1"), Match(exact=False, tree=False)),
        (BEFORE.replace(b"n // 3", b"n //"), Match(exact=False, tree=False)),
        (BEFORE, Match(exact=False, tree=False)),
    ],
)
def test_match(after: bytes, found: Match):
    files = [(("half.py", text),) for text in (after, REFERENCE, BEFORE)]
    assert match(*files) == found


def test_functions_that_do_something_else():
    nested = b"def outer():\n    def inner():\n        return 1\n    return inner\n\ndef other(): pass\n"
    names = [f.function.qualname for f in changed_functions("a.py", nested, nested.replace(b"return 1", b"return 2"))]
    assert names == ["outer.inner"]
    assert changed_functions("a.py", nested, nested.replace(b"def other():", b"def other() -> None:")) == ()
    assert changed_functions("a.py", BEFORE, BEFORE.replace(b"Half of it.", b"Half.")) == ()


def test_a_getter_is_compared_with_the_getter():
    getter, setter = (
        b"@property\n    def size(self):\n        return 1\n",
        b"@size.setter\n    def size(self, n):\n        x = n\n",
    )
    box = b"class Box:\n    " + getter + b"\n    " + setter
    assert changed_functions("a.py", box, box) == ()
    for old, new, line in ((b"return 1", b"return 2", 2), (b"x = n", b"x = -n", 6)):
        (changed,) = changed_functions("a.py", box, box.replace(old, new))
        assert (changed.function.qualname, changed.function.first_line) == ("Box.size", line)
