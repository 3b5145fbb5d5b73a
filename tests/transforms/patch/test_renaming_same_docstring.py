"""Two versions of a function under one docstring."""

import pytest
from fakes.submission import scope_in

from transforms.patch.renaming import give_docstring_of

OLD = b'def price(text):\n    """Cents."""\n    return 1\n'
LONG = b'def price(text):\n    """Cents.\n\n    >>> price(2)\n    2\n    """\n    return 2\n'
NONE = b"def price(text):\n    return 2\n"


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (OLD, OLD.replace(b"1", b"2"), OLD),
        (OLD, LONG, LONG.replace(b"return 2", b"return 1")),
        (LONG, OLD, OLD.replace(b"return 1", b"return 2")),
        (OLD, NONE, NONE.replace(b"2", b"1")),
        (NONE, OLD, OLD.replace(b"1", b"2")),
        (b"def price(text): return 1\n", OLD, b"def price(text): return 1\n"),
        (b'def price(text):\n    """Cents."""\n', NONE, b'def price(text):\n    """Cents."""\n'),
    ],
)
def test_the_old_body_stands_under_the_new_docstring(old, new, text):
    assert give_docstring_of(scope_in(old), scope_in(new)) == text


def test_methods_keep_their_place():
    head = b"class Shop:\n"
    old, new = (head + b"".join(b"    " + line for line in text.splitlines(keepends=True)) for text in (OLD, LONG))
    found = give_docstring_of(scope_in(old, "Shop.price"), scope_in(new, "Shop.price"))
    assert found == new[len(head) :].replace(b"return 2", b"return 1")
