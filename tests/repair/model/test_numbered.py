"""What a model is shown: each statement has a number, wherever it stands, and the text is the function's own."""

from __future__ import annotations

import inspect
import json.decoder
from textwrap import dedent

import pytest
from fakes.failing_function import scope_of

from repair.model.numbered import number_function

EVERY_KIND = dedent('''\
    class A:
        @functools.wraps(
            print)
        @other
        def f(self, xs, n=1):
            """Doc
            more."""
            if n: return 3
            elif not n:
                x = 1; y = 2;  # hi
            else: pass
            @deco
            def inner(a):
                return a
            for i, x in enumerate(
                xs):
                try:
                    with open(x) as f, b: pass
                except (A, B) as e:
                    raise X from e
                else:
                    del x
                finally:
                    assert a, "b"
            match n:
                case 1 if x: pass
                case _:
                    while True: break
            a: int = 3
            a = b = 4
            a += 1
            return
    ''')

SHOWN = '''\
        |     @functools.wraps(
        |         print)
        |     @other
        |     def f(self, xs, n=1):
s1      |         """Doc
        |         more."""
s2 s3   |         if n: return 3
s4      |         elif not n:
s5 s6   |             x = 1; y = 2;  # hi
s7      |         else: pass
        |         @deco
s8      |         def inner(a):
s9      |             return a
s10     |         for i, x in enumerate(
        |             xs):
s11     |             try:
s12 s13 |                 with open(x) as f, b: pass
s14     |             except (A, B) as e:
s15     |                 raise X from e
        |             else:
s16     |                 del x
        |             finally:
s17     |                 assert a, "b"
s18     |         match n:
s19 s20 |             case 1 if x: pass
s21     |             case _:
s22 s23 |                 while True: break
s24     |         a: int = 3
s25     |         a = b = 4
s26     |         a += 1
s27     |         return'''


def test_each_statement_has_a_number():
    assert number_function(scope_of("A.f", EVERY_KIND.encode())).text == SHOWN


def test_line_ends_and_encodings_of_the_file_do_not_matter():
    crlf = EVERY_KIND.replace("\n", "\r\n").replace("# hi", "# grüß").encode("latin-1")
    shown = number_function(scope_of("A.f", b"# coding: latin-1\r\n" + crlf)).text
    assert shown == SHOWN.replace("# hi", "# grüß")


@pytest.mark.parametrize(
    ("id", "kind", "parts", "lines", "inner"),
    [
        ("s2", "if", "test", (7, 10), 5),
        ("s4", "elif", "test", (8, 10), 3),
        ("s8", "def", "", (12, 13), 1),
        ("s10", "for", "iter target", (14, 23), 7),
        ("s11", "try", "", (16, 23), 6),
        ("s12", "with", "items[0] items[1]", (17, 17), 1),
        ("s14", "except", "type", (18, 19), 1),
        ("s15", "raise", "exc cause", (19, 19), 0),
        ("s17", "assert", "test msg", (23, 23), 0),
        ("s18", "match", "subject", (24, 27), 5),
        ("s19", "case", "guard", (25, 25), 1),
        ("s21", "case", "", (26, 27), 2),
        ("s24", "assignment", "value target annotation", (28, 28), 0),
        ("s25", "assignment", "value targets[0] targets[1]", (29, 29), 0),
        ("s27", "return", "", (31, 31), 0),
    ],
)
def test_a_number_leads_to_kind_parts_and_lines(id, kind, parts, lines, inner):
    numbered = number_function(scope_of("A.f", EVERY_KIND.encode()))
    found = numbered.find(id)
    assert found is not None
    assert (found.kind, " ".join(name for name, _ in found.parts)) == (kind, parts)
    assert (found.first_line, found.last_line) == lines
    assert found.inner == inner
    assert numbered.id_of(found) == id


@pytest.mark.parametrize("id", ["", "s", "s0", "s28", "s-1", "x1", "s1.value", "s999999999999", "s²"])
def test_a_number_that_is_none_leads_nowhere(id):
    assert number_function(scope_of("A.f", EVERY_KIND.encode())).find(id) is None


def test_a_line_belongs_to_the_innermost_statement():
    numbered = number_function(scope_of("A.f", EVERY_KIND.encode()))
    assert [numbered.at_line(line) for line in (4, 6, 7, 9, 15, 20, 27, 31, 40)] == [
        *("", "s1", "s3", "s6", "s10", "s11", "s23", "s27", ""),
    ]


def test_a_part_of_the_lines_says_how_many_are_missing():
    numbered = number_function(scope_of())
    assert numbered.show(frozenset((1, 4))).splitlines() == [
        "       |     def greet(self, name, times=1):",
        "       | … 2 lines left out",
        "s3     |             text = text * times",
        "       | … 1 line left out",
    ]


def test_functions_of_a_real_library_keep_their_text():
    source = inspect.getsource(json.decoder).encode()
    for name in ("py_scanstring", "JSONObject", "JSONDecoder.raw_decode", "JSONDecoder.__init__"):
        scope = scope_of(name, source)
        numbered = number_function(scope)
        assert "\n".join(line.text for line in numbered.lines) + "\n" == scope.text.decode()
        firsts = [s.first_line for s in numbered.statements]
        assert firsts == sorted(firsts)
        assert all(numbered.find(id) for line in numbered.lines for id in line.ids)
