"""Functions are opened as they stand in their file, or refused; never corrupted."""

from __future__ import annotations

import email
import json
from pathlib import Path

import libcst as cst
import pytest

from analysis.errors import UnparseableError
from analysis.functions import functions_of
from transforms.patch.apply import place
from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.node_path import node_at
from transforms.tree.scope import DEEPEST, EditScope, open_scope, reopen

STANDING = {
    "plain": b"def f():\n    return 1\n",
    "byte order mark": b"\xef\xbb\xbfdef f():\n    return 1\n",
    "byte order mark and decorator": b"\xef\xbb\xbf@a\ndef f():\n    return 1\n",
    "tabs": b"class A:\n\tdef f(self):\n\t\treturn 1\n",
    "form feed before": b"\x0cdef f():\n    return 1\n",
    "form feed and indentation before": b"if a:\n  \x0c    def f():\n        return 1\n",
    "form feed line before": b"x = 1\n\x0c\ndef f():\n    return 1\n",
    "form feed line inside": b"def f():\n    a\n\x0c\n    return 1\n",
    "form feed in a string": b"def f():\n    return 'a\x0cb'\n",
    "CRLF": b"class A:\r\n    def f(self):\r\n        return 1\r\n\r\n    x = 1\r\n",
    "mixed line ends": b"def f():\n    a = 1\r\n    return a\n",
    "CRLF only around": b"x = 1\r\ndef f():\n    return 1\nx = 2\r\n",
    "lone carriage returns inside": b"def f():\r    a = 1\r    return a\nx = 1\n",
    "latin-1": b"# -*- coding: latin-1 -*-\ndef f():\n    return '\xe9'\n",
    "cp1252": b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\ndef f():\n    return '\x80'  # \x80\n",
    "shift-jis": "# coding: shift_jis\ndef f():\n    return '表'\n".encode("shift_jis"),
    "no final newline": b"def f():\n    return 1",
    "no final newline, indented": b"class A:\n    def f(self): return 1",
    "one line": b"def f(): return 1; pass\nx = 1\n",
    "semicolon": b"def f():\n    a = 1; return a;\n",
    "comment behind": b"def f():\n    return 1  # one\n# two\n",
    "line continuation": b"def f(a, \\\n      b):\n    return a + \\\n b\n",
    "line continuation before": b"if a:\n    pass\n\\\n\ndef f():\n    pass\n",
    "comments between decorators": b"@a\n# one\n\n@b(\n    1,\n)\n# two\ndef f():\n    pass\n",
    "async": b"@a\nasync def f():\n    async with b: pass\n",
    "conditional": b"try:\n    a\nexcept E:\n    def f(): pass\nelse:\n    pass\n",
    "match": b"match a:\n    case 1:\n        def f(): pass\n",
    "odd indentation": b"if a:\n   def f():\n          return 1\n",
    "less indented comment": b"class A:\n    def f(self):\n        a\n# comment\n        return 1\n",
    "string at the margin": b"class A:\n    def f(self):\n        return '''\na\n  b'''\n    x = 1\n",
    "newer grammar": b"type X = int\ndef f[T](a: T) -> X:\n    return f'{a['b']}'\n",
}


def scopes(source: bytes) -> list[EditScope | Rejected]:
    return [open_scope(source, span) for span in functions_of("m.py", source)]


@pytest.mark.parametrize("name", STANDING)
def test_a_function_is_opened_and_put_back(name: str) -> None:
    source = STANDING[name]
    (scope,) = scopes(source)
    assert isinstance(scope, EditScope), scope
    assert place(scope, scope.text) == source
    assert scope.header + scope.text.decode(scope.encoding) == scope.tree.code
    assert node_at(scope.tree, scope.root) is scope.node
    assert scope.text.lstrip().startswith((b"def f", b"@a", b"async"))
    assert scope.header.count("\n") == scope.lines_above


REFUSED = {
    "carriage returns only": (b"def f():\r    return 1\r", RejectReason.UNPARSEABLE),
    "form feed in a block": (b"def f():\n    a\n\x0c    return 1\n", RejectReason.UNPARSEABLE),
    "decorator on the next line": (b"@\\\na\ndef f():\n    pass\n", RejectReason.NOT_FOUND),
    "deep nesting": (b"def f():\n    return a" + b" + a" * (DEEPEST + 10) + b"\n", RejectReason.UNPARSEABLE),
    "deeper nesting": (b"def f():\n    return a" + b" + a" * 2000 + b"\n", RejectReason.UNPARSEABLE),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_not_survive_is_refused(name: str) -> None:
    source, reason = REFUSED[name]
    (scope,) = scopes(source)
    assert isinstance(scope, Rejected), scope
    assert scope.reason is reason
    assert "m.py" in scope.detail


@pytest.mark.parametrize(
    ("source", "unit"),
    [
        ("class A:\n  class B:\n    def f(self):\n      pass\n", "  "),
        ("class A:\n\tclass B:\n\t\tdef f(self):\n\t\t\tpass\n", "\t"),
        ("class A:\n    class B:\n        class C:\n            def f(self):\n                pass\n", "    "),
        ("def f():\n  pass\n", "  "),
    ],
)
def test_new_blocks_print_with_the_unit_of_the_file(source: str, unit: str) -> None:
    scope = scopes(source.encode())[0]
    assert isinstance(scope, EditScope)
    assert scope.tree.default_indent == unit
    assert cst.IndentedBlock([]).indent is None


@pytest.mark.parametrize("package", [json, email])
def test_every_function_of_a_real_package_goes_back_where_it_was(package: object) -> None:
    folder = Path(str(package.__file__)).parent  # type: ignore[attr-defined]
    seen = 0
    for path in sorted(folder.rglob("*.py")):
        source = path.read_bytes()
        for span in functions_of(path.name, source):
            scope = open_scope(source, span)
            assert isinstance(scope, EditScope), scope
            assert place(scope, scope.text) == source
            seen += 1
    assert seen > 15


@pytest.mark.parametrize("package", [json, email])
def test_another_text_is_opened_as_it_is_in_its_file(package: object) -> None:
    folder = Path(str(package.__file__)).parent  # type: ignore[attr-defined]
    for path in sorted(folder.rglob("*.py")):
        source = path.read_bytes()
        for number, span in enumerate(functions_of(path.name, source)):
            scope = open_scope(source, span)
            assert isinstance(scope, EditScope), scope
            other = scope.text.replace(b"return ", b"return not ")
            again = reopen(scope, other)
            anew = open_scope(place(scope, other), functions_of(path.name, place(scope, other))[number])
            assert isinstance(again, EditScope), again
            assert isinstance(anew, EditScope), anew
            assert (again.source, again.start, again.end, again.text) == (anew.source, anew.start, anew.end, other)
            assert (again.tree.code, again.root, again.newline) == (anew.tree.code, anew.root, anew.newline)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"def g():\n    return 1\n", RejectReason.NOT_FOUND),
        (b"def f():\n    return 1\nx = 1\n", RejectReason.NOT_FOUND),
        (b"def f(:\n", RejectReason.UNPARSEABLE),
        (b"def f():\n    return '\xe9'\n", RejectReason.UNPARSEABLE),
        (b"", RejectReason.NOT_FOUND),
    ],
)
def test_another_text_that_is_not_the_function_is_refused(text: bytes, reason: RejectReason) -> None:
    (scope,) = scopes(b"def f():\n    return 1\n")
    assert isinstance(scope, EditScope)
    refused = reopen(scope, text)
    assert isinstance(refused, Rejected), refused
    assert refused.reason is reason


def test_what_does_not_parse_is_one_error() -> None:
    with pytest.raises(UnparseableError, match=r"m\.py cannot be parsed"):
        functions_of("m.py", b"def f(:\n")
