"""The function with numbers: whole, folded, or hidden."""

from __future__ import annotations

import argparse
import inspect
import re
from pathlib import Path

import pytest
from fakes.matters import SHOP, matter

from analysis.functions import functions_of
from repair.model.facts.function import MOST, hidden_function, numbered_function


def test_a_short_function_is_shown_whole_with_its_numbers_and_suspicious_lines() -> None:
    line = next(n for n, text in enumerate(SHOP.splitlines(), 1) if "total = count" in text)
    text = numbered_function(matter(scores=((line, 1.0), (line + 1, 0.4))))
    assert "s2    *|         total = count + rate_of(kind)" in text
    assert "s3     |         if total > LIMIT:" in text
    assert "left out" not in text


LONG = "def f(x):\n" + '    """Say.\n\n' + "    words\n" * 400 + '    """\n    return x\n'


def test_a_long_docstring_goes_first() -> None:
    text = numbered_function(matter("f", LONG))
    assert '"""Say.' in text
    assert "return x" in text
    assert "left out" in text
    assert len(text) <= MOST


def branches(count: int) -> str:
    """A function of many branches, one a number."""
    return "def f(x):\n" + "".join(
        f"    if x == {n}:\n        y = x + {n}\n        return y  # {'z' * 40}\n" for n in range(count)
    )


def test_a_long_function_is_folded_to_what_ran() -> None:
    ran = (*((line, 0.5) for line in range(2, 302, 3)), (303, 1.0), (304, 1.0))
    text = numbered_function(matter("f", branches(200), scores=ran))
    assert "y = x + 100" in text
    assert "y = x + 99" not in text
    assert "lines left out" in text
    assert len(text) <= MOST


def test_where_too_much_ran_the_most_suspicious_lines_are_left() -> None:
    ran = (*((line, 0.5) for line in range(2, 1500)), (903, 1.0))
    text = numbered_function(matter("f", branches(500), scores=ran))
    assert re.search(r"s\d+ +\*\| +y = x \+ 300", text)
    assert "if x == 300:" in text
    assert len(text) <= MOST


def test_a_function_of_one_endless_line_has_its_head_at_most() -> None:
    assert len(numbered_function(matter("f", f"def f(x):\n    return [{'1, ' * 20_000}]\n"))) <= MOST


REAL = [
    (module, span)
    for module in (argparse, inspect, re._parser)
    for span in functions_of("m.py", Path(module.__file__).read_bytes())
    if span.end_line - span.def_line > 120
]


def test_there_are_large_real_functions() -> None:
    assert len(REAL) >= 3


@pytest.mark.parametrize(("module", "span"), REAL, ids=lambda each: getattr(each, "__name__", "") or each.name)
def test_large_real_functions_are_folded_to_the_bound(module: object, span: object) -> None:
    source = Path(module.__file__).read_text("utf-8")
    scores = tuple((line, 0.3) for line in range(span.def_line + 1, span.end_line, 2))
    text = numbered_function(matter(span.function.qualname, source, scores=scores))
    assert 100 < len(text) <= MOST


def test_of_a_hidden_function_nothing_of_the_body_is_told() -> None:
    text = hidden_function(matter())
    assert text.startswith('def price(self, count, kind="a"):\n    """What so many things cost.')
    assert text.endswith("    …")
    assert "rate_of" not in text
    assert hidden_function(matter("f", "def f(x): return x + 1\n")) == "def f(x):\n    …"


def test_a_comment_above_the_first_statement_is_hidden_too() -> None:
    assert "secretly" not in hidden_function(matter("f", "def f(x):\n    # secretly adds\n    return x + 1\n"))
