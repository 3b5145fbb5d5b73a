"""Callees and callers of a function."""

from __future__ import annotations

import dataclasses

import pytest
from fakes.matters import SHOP, matter

from repair.model.facts.calls import callees, callers


def test_short_functions_that_it_calls_are_told_whole() -> None:
    text = callees(matter())
    assert '# rate_of, rates.py:1\ndef rate_of(kind: str) -> int:\n    """The rate of a kind.' in text
    assert '    """Round it."""\n    return round(value, digits)' in text
    assert "math" not in text


def test_of_a_long_function_head_and_first_sentence_are_told() -> None:
    long = "".join(f"            value += {n} * digits ** {n} - {n}\n" for n in range(30))
    source = SHOP.replace(
        "        return round(value, digits)", f"{long}        return round(value, digits)".lstrip("\n")
    )
    source = source.replace("            value +=", "        value +=")
    head = "# self.rounded, shop.py:42\ndef rounded(self, value: float, digits: int=2) -> float: ...  # Round it."
    assert head in callees(matter(source=source))


@pytest.mark.parametrize(
    "line",
    [
        "return ask(value, api_key='canary')",
        "password = 'canary'",
        "password: str = 'canary'",
        "return ask({'password': 'canary', **value})",
        "return ask(password := 'canary')",
        "return ask(lambda password='canary': password)",
        "return ask(lambda *, a, password='canary': password)",
        "return ask('https://me:canary@host/x')",
        "return value  # password = 'canary'",
        "return value  # https://me:canary@host",
        "user, password = 'me', 'canary'",
        "return value.get('password', 'canary')",
        "return value if value == 'canary' else self.password",
    ],
)
def test_a_function_with_what_may_be_a_secret_is_not_told_whole(line: str) -> None:
    text = callees(matter(source=SHOP.replace("return round(value, digits)", line)))
    assert "canary" not in text
    assert "def rounded(" in text


def test_a_default_that_may_be_a_secret_is_hidden_in_a_head() -> None:
    source = SHOP.replace("value: float, digits: int = 2)", "value, digits=2, password='canary')")
    text = callees(matter(source=source))
    assert "canary" not in text
    assert "def rounded(self, value, digits=2, password='[hidden]') -> float: ..." in text


def test_classes_that_are_called_are_told_elsewhere() -> None:
    source = SHOP.replace("total = count +", "total = Rates([]) and count +")
    assert "Rates" not in callees(matter(source=source))


def test_what_the_project_does_not_define_is_left_out() -> None:
    assert callees(matter("report")) == ""
    assert callees(matter("make")) == "", "what is nested is shown already"


def test_callees_on_suspicious_lines_come_first() -> None:
    line = next(n for n, text in enumerate(SHOP.splitlines(), 1) if "return self.rounded" in text)
    assert callees(matter(scores=((line, 1.0),))).startswith("# self.rounded")


def test_callers_are_shown_with_the_lines_above() -> None:
    text = callers(matter())
    assert text.startswith("shop.py:")
    assert "in def report(shop)" in text
    assert "    cost = shop.price(3)" in text


def test_calls_in_tests_and_in_itself_are_no_callers() -> None:
    source = SHOP.replace("cost = shop.price(3)", "cost = 3").replace(
        "return self.rounded(total)", "return self.price(1)"
    )
    assert callers(matter(source=source)) == ""


def test_a_file_that_cannot_be_read_is_left_out() -> None:
    given = matter()
    sources = (*given.context.sources, ("broken.py", b"shop.price(1) )("))
    other = dataclasses.replace(given, context=dataclasses.replace(given.context, sources=sources))
    assert callers(other) == callers(given)
