"""The public functions and classes of a project."""

from __future__ import annotations

import ast
import textwrap

import pytest

from analysis.public_names import classes_in, exported_names, functions_in, is_private, module_name
from analysis.statement_lines import FileStatements


def names(files, path):
    found = {p: ast.parse(textwrap.dedent(text)) for p, text in files.items()}
    exported = exported_names(found)[path]
    return [f.qualname for f in functions_in(path, found[path], FileStatements(), exported) if f.public]


@pytest.mark.parametrize(
    ("path", "module", "private"),
    [
        ("shop.py", "shop", False),
        ("src/shop/__init__.py", "shop", False),
        ("src/shop/cart.py", "shop.cart", False),
        ("shop/_cart.py", "shop._cart", True),
        ("shop/_inner/cart.py", "shop._inner.cart", True),
        ("shop/__main__.py", "shop.__main__", True),
        ("lib.py", "lib", False),
    ],
)
def test_modules_by_their_paths(path, module, private):
    assert (module_name(path), is_private(path)) == (module, private)


IMPLEMENTATION = """\
def loads(text):
    return text
def dumps(value):
    return value
def _own():
    return 1
class Reader:
    def read(self):
        return 1
    def _skip(self):
        return 2
"""


def test_a_package_hands_on_what_it_imports():
    files = {"pkg/__init__.py": "from ._impl import loads, Reader as TextReader\n", "pkg/_impl.py": IMPLEMENTATION}
    assert names(files, "pkg/_impl.py") == ["loads", "Reader.read"]


def test_all_says_which_of_the_imports():
    files = {
        "src/pkg/__init__.py": "from pkg._impl import loads, dumps\n__all__ = ['dumps']\n",
        "src/pkg/_impl.py": IMPLEMENTATION,
    }
    assert names(files, "src/pkg/_impl.py") == ["dumps"]


def test_a_star_hands_on_all_that_is_public_there():
    files = {"pkg/__init__.py": "from ._impl import *\n", "pkg/_impl.py": IMPLEMENTATION}
    assert names(files, "pkg/_impl.py") == ["loads", "dumps", "Reader.read"]


def test_names_are_followed_through_private_modules():
    files = {
        "pkg/__init__.py": "from ._api import loads\n",
        "pkg/_api.py": "from ._impl import *\n",
        "pkg/_impl.py": IMPLEMENTATION,
    }
    assert names(files, "pkg/_impl.py") == ["loads"]


def test_a_module_that_only_uses_a_private_one_hands_nothing_on():
    files = {"pkg/__init__.py": "", "pkg/shop.py": "from ._impl import loads\n", "pkg/_impl.py": IMPLEMENTATION}
    assert names(files, "pkg/_impl.py") == []
    files["pkg/shop.py"] += "__all__ = ['loads']\n"
    assert names(files, "pkg/_impl.py") == ["loads"]


def test_modules_that_import_each_other_end():
    files = {
        "pkg/__init__.py": "from ._a import gone\n",
        "pkg/_a.py": "from ._b import gone\n",
        "pkg/_b.py": "from ._a import gone\n",
    }
    assert names(files, "pkg/_a.py") == []


def test_a_list_that_grows_is_read_whole_and_a_computed_one_not_at_all():
    grown = (
        "__all__ = ['a']\n__all__ += ['b']\ndef a():\n    return 1\ndef b():\n    return 1\ndef c():\n    return 1\n"
    )
    assert names({"m.py": grown}, "m.py") == ["a", "b"]
    assert names({"m.py": grown + "__all__ += other\n"}, "m.py") == ["a", "b", "c"]


def test_places_and_accessors():
    text = textwrap.dedent(
        """\
        class Box:
            @property
            def size(self):
                return 1

            @size.setter
            def size(self, value):
                self.x = value

        if fast:
            def pack():
                return 1
        else:
            def pack():
                return 2
        """
    )
    tree = ast.parse(text)
    found = functions_in("m.py", tree, FileStatements(), None)
    assert [(f.qualname, f.first_line, f.line, f.is_accessor, f.owner) for f in found] == [
        ("Box.size", 2, 3, False, "Box"),
        ("Box.size", 6, 7, True, "Box"),
        ("pack", 11, 11, False, ""),
        ("pack", 14, 14, False, ""),
    ]
    assert [(c.qualname, c.line) for c in classes_in("m.py", tree, None)] == [("Box", 1)]
