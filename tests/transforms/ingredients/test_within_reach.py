"""What lies within reach of a function, and how it is ranked."""

from __future__ import annotations

import textwrap

from analysis.functions import find_function, functions_of
from transforms.ingredients.within_reach import Callee, Ingredients, Overridden, ingredients_of, read_module

SOURCE = textwrap.dedent(
    """
    import copy
    from math import floor as down

    NAME, LIMIT = "x", 3

    def other(first, second=1):
        raise OSError(first)

    class Base:
        def close(self, force):
            return force

    class Shelf(Base):
        def add(self, book):
            if book in self.books:
                raise KeyError(book)
            self.books.append(book)

        def heavy(self, least, *rest, **more):
            found = []
            for book in self.books:
                if book.weight > least and book.title != "none":
                    found.append(other(book))
            return found
    """
)


def within_reach(source: str, name: str) -> Ingredients:
    span = find_function(functions_of("m.py", source.encode()), name)
    assert span is not None
    return ingredients_of(source.encode(), span.function)


def test_names_and_parameters() -> None:
    found = within_reach(SOURCE, "Shelf.heavy")
    assert found.parameters == ("least", "rest", "more")
    assert found.variables[:2] == ("book", "found")
    assert {i.text for i in found.constants} == {"NAME", "LIMIT"}
    assert found.is_method
    assert not found.is_generator
    assert {"copy", "down"} <= found.imported


def test_nearer_ingredients_weigh_more() -> None:
    found = within_reach(SOURCE, "Shelf.heavy")
    statements = [i.text for i in found.statements]
    assert statements[0] in ("found = []", "found.append(other(book))", "return found")
    assert "self.books.append(book)" in statements
    assert "raise OSError(first)" not in statements
    exceptions = [i.text for i in found.exceptions]
    assert exceptions == ["KeyError", "OSError"]
    conditions = [i.text for i in found.conditions]
    assert conditions.index("book.weight > least") < conditions.index("book in self.books")
    assert next(i for i in found.attributes if i.text == "self.books").distance == 0


def test_callees_know_their_parameters() -> None:
    found = within_reach(SOURCE, "Shelf.heavy")
    assert Callee("other", ("first", "second"), 2) in found.callees
    assert Callee("self.add", ("book",), 1) in found.callees
    assert Callee(".close", ("force",), 2) in found.callees


def test_lines_are_those_of_the_file() -> None:
    found = within_reach(SOURCE, "Shelf.heavy")
    (line,) = next(i for i in found.statements if i.text == "found = []").lines
    assert SOURCE.split("\n")[line - 1].strip() == "found = []"


def test_enclosing_functions_lend_their_names() -> None:
    source = "def outer(a):\n    b = 1\n    def inner(c):\n        return c\n    return inner\n"
    found = within_reach(source, "outer.inner")
    assert set(found.variables) == {"a", "b", "c"}


def test_text_beyond_ascii_is_cut_right() -> None:
    source = "# -*- coding: latin-1 -*-\ndef f(a):\n    x = 'é' + a.name\n    return x\n".encode("latin-1")
    found = ingredients_of(source, functions_of("m.py", source)[0].function)
    assert [i.text for i in found.attributes] == ["a.name"]


def test_what_cannot_be_read_gives_nothing() -> None:
    span = functions_of("m.py", b"def f(a):\n    return a\n")[0]
    assert ingredients_of(b"def f(a:\n", span.function) == Ingredients()
    assert ingredients_of(b"x = 1\n", span.function) == Ingredients()


def test_a_module_that_is_read_once_gives_each_function_the_same() -> None:
    shared = read_module(SOURCE.encode())
    every = [span.function for span in functions_of("m.py", SOURCE.encode())]
    assert len(every) > 2
    assert [ingredients_of(shared, f) for f in (*every, *every)] == [
        ingredients_of(SOURCE.encode(), f) for f in (*every, *every)
    ]


def test_an_import_of_everything_names_nothing() -> None:
    found = within_reach("from heapq import *\nimport copy\n\n\ndef f(x):\n    return g(x)\n", "f")
    assert "copy" in {i.text for i in found.callables}
    assert "*" not in {i.text for i in found.callables}


BASES = """
import base

class A:
    def __init__(self, name, size=1, *, kind=None, **rest): pass
    def close(self): pass

class B(A):
    def __init__(self): pass
    def close(self, force): pass
    def open(self): pass

class C(base.Other):
    def __init__(self): pass
    def close(self): pass
"""


def test_the_method_that_is_overridden_is_known_by_what_it_takes():
    def of(qualname: str) -> Overridden | None:
        span = find_function(functions_of("m.py", BASES.encode()), qualname)
        assert span is not None
        return ingredients_of(BASES.encode(), span.function).overridden

    assert of("B.__init__") == Overridden(("name", "size"), "rest")
    assert of("B.close") == Overridden()
    assert of("C.__init__") == Overridden(), "what the base takes is not known"
    assert [of(each) for each in ("A.__init__", "A.close", "B.open", "C.close")] == [None] * 4
