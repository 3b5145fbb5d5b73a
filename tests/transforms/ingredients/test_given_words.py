"""Words that somebody gives: which are usable, and where they come among the ingredients and in a function."""

import itertools

import pytest

from analysis.functions import functions_of
from analysis.trials import Trial
from transforms.enumerate.words import word_proposals
from transforms.ingredients.given_words import usable_words, with_words
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood
from transforms.patch.apply import render
from transforms.tree.scope import open_scope

SOURCE = b"import math\n\nLIMIT = 3\n\ndef f(xs, low):\n    total = sum(xs)\n    return total + low\n"
SPAN = functions_of("a.py", SOURCE)[0]
REACH = ingredients_of(SOURCE, SPAN.function)


def test_words_are_usable_that_are_python_and_whose_names_are_bound():
    words = ("math.inf", "LIMIT", "len(xs)", "[x for x in xs if x]", "numpy.sum(xs)", "no python", "total = 0", "'a'")
    assert usable_words(words, REACH) == ("math.inf", "LIMIT", "len(xs)", "[x for x in xs if x]", "total = 0", "'a'")


def test_what_a_function_around_or_within_binds_counts_though_nobody_reads_it():
    source = (
        b"def outer(xs):\n    import re as pattern\n\n    def is_long(x):\n        return len(x) > 3\n\n    return xs\n"
    )
    outer, inner = (ingredients_of(source, span.function) for span in functions_of("a.py", source))
    words = ("is_long(xs)", "pattern.sub", "is_short(xs)")
    assert usable_words(words, outer) == usable_words(words, inner) == ("is_long(xs)", "pattern.sub")


def test_words_that_no_patch_may_hold_are_left_out():
    reach = ingredients_of(b"import os, sys\n" + SOURCE, functions_of("a.py", b"import os, sys\n" + SOURCE)[0].function)
    words = ("os._exit(0)", "sys.exit()", "__import__('os')", "len(xs)")
    assert usable_words(words, reach, "import os, sys\n" + SOURCE.decode()) == ("len(xs)",)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("math.inf", "attributes"),
        ("len(xs)", "calls"),
        ("low > 7", "conditions"),
        ("77", "numbers"),
        ("'seven'", "strings"),
        ("low - 7", "expressions"),
        ("LIMIT", "constants"),
        ("total += 7", "statements"),
    ],
)
def test_they_come_first_under_their_kind(word, kind):
    assert getattr(with_words(REACH, (word,)), kind)[0].text == word


def test_they_stand_in_place_of_whole_expressions_and_as_statements():
    scope = open_scope(SOURCE, SPAN)
    words = ("max(total, LIMIT)", "total += LIMIT")
    made = word_proposals(scope, Neighbourhood(REACH), words, {7: 1.0, 6: 0.1}, "model+search")
    texts = [t.text.decode() for p in itertools.islice(made, 60) if isinstance(t := render(scope, p), Trial)]
    assert any("return max(total, LIMIT) + low" in text for text in texts)
    assert any("    total += LIMIT\n    return total + low" in text for text in texts)
    assert "return max(total, LIMIT)\n" in texts[0]


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("sorted", "return sorted(total) + low"),
        ("total.bit_count", "return (total).bit_count() + low"),
        ("'{:d}{'.join", "return '{:d}{'.join(total) + low"),
    ],
)
def test_a_word_that_is_called_stands_around_what_is_there_too(word, wanted):
    scope = open_scope(SOURCE, SPAN)
    made = word_proposals(scope, Neighbourhood(REACH), (word,), {}, "model+search")
    texts = [t.text.decode() for p in made if isinstance(t := render(scope, p), Trial)]
    assert any(wanted in text for text in texts)


def test_a_parameter_and_a_plain_value_are_not_called():
    scope = open_scope(SOURCE, SPAN)
    made = word_proposals(scope, Neighbourhood(REACH), ("low", "LIMIT"), {}, "model+search")
    texts = [t.text.decode() for p in made if isinstance(t := render(scope, p), Trial)]
    assert any("return LIMIT + low" in text for text in texts)
    assert not any(f"{word}(" in text.replace("f(xs, low)", "") for word in ("low", "LIMIT") for text in texts)


def test_a_word_names_what_is_called_or_read_instead():
    source = b"def tidy(text):\n    return max(text.lower(), text)\n"
    (span,) = functions_of("tidy.py", source)
    scope = open_scope(source, span)
    near = Neighbourhood(ingredients_of(source, span.function))
    made = word_proposals(scope, near, ("text.title", "min"), {}, "model+search")
    texts = [t.text.decode() for p in made if isinstance(t := render(scope, p), Trial)]
    assert any("max(text.title(), text)" in text for text in texts)
    assert any("min(text.lower(), text)" in text for text in texts)
