"""The index of functions on sources that are hard to read."""

from __future__ import annotations

import email
import warnings
from pathlib import Path

import pytest

from analysis import functions
from analysis.errors import UnparseableError
from analysis.functions import functions_of


def index(source: bytes) -> list[tuple[str, int, int, bytes]]:
    return [
        (f.function.qualname, f.function.first_line, f.end_line, source[f.start : f.end])
        for f in functions_of("m.py", source)
    ]


def test_a_byte_order_mark_is_no_part_of_the_first_function() -> None:
    assert index(b"\xef\xbb\xbfdef f():\n    pass\n") == [("f", 1, 2, b"def f():\n    pass\n")]


def test_a_form_feed_is_no_part_of_the_indentation() -> None:
    assert index(b"x\n \x0c\x0cdef f():\n    pass\n") == [("f", 2, 3, b"def f():\n    pass\n")]


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
def test_lines_end_where_python_ends_them(newline: bytes) -> None:
    source = newline.join(
        [b"x = '\x0b \xc2\x85 \xe2\x80\xa8'", b"\x0c", b"@a", b"def f():", b"    pass", b"y = 1", b""]
    )
    assert index(source) == [("f", 3, 5, newline.join([b"@a", b"def f():", b"    pass", b""]))]


def test_both_grammars_agree_on_a_real_package() -> None:
    folder = Path(str(email.__file__)).parent
    for path in sorted(folder.glob("*.py"))[:8]:
        source = path.read_bytes()
        one = sorted(functions._from_ast("m.py", "utf-8", functions.syntax_tree(source)), key=repr)
        assert one == sorted(functions._from_cst("m.py", "utf-8", source), key=repr), path.name


def test_a_long_elif_is_no_deep_recursion() -> None:
    source = b"if a:\n    pass\n" + b"elif a:\n    def f(): pass\n" * 1500
    assert len(index(source)) == 1500


@pytest.mark.parametrize(
    "source",
    [
        b"x = " + b"(" * 3000 + b")" * 3000,
        b"x = " + b"[" * 5000,
        b"x = " + b"-" * 100_000 + b"1\n",
        b"x = 1\x00\n",
        b"# coding: nonsense\n",
        b"def f(:\n",
        "x = 1\n".encode("utf-16"),
    ],
)
def test_hostile_sources_are_one_error(source: bytes) -> None:
    with pytest.raises(UnparseableError):
        functions_of("m.py", source)


def test_warnings_of_the_source_are_not_ours() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert index(b"def f():\n    return '\\d' is 1\n")[0][0] == "f"
