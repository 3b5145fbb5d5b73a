"""Properties that sentences of a docstring state of all calls."""

import ast
import inspect
import textwrap

import pytest

from analysis.specified.docstring_facts import docstring_facts
from analysis.specified.fact_record import Predicate
from analysis.stated.function import stated_functions

PROPERTIES = (Predicate.IDEMPOTENT, Predicate.ROUND_TRIP, Predicate.EQUALS, Predicate.NEVER)


def stated(sentence: str, name: str = "encode") -> list[tuple[str, str]]:
    source = f'def {name}(text):\n    """Do it.\n\n    {sentence}\n    """\n    return text\n'
    (function,) = stated_functions("a.py", ast.parse(source))
    facts = docstring_facts("a.py", function)
    return [(f.predicate.value, f.value) for f in facts if f.predicate in PROPERTIES]


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("This function is idempotent.", ("idempotent", "True")),
        ("Idempotent.", ("idempotent", "True")),
        ("Calling it twice gives the same as once.", ("idempotent", "True")),
        ("``encode(encode(x)) == encode(x)``.", ("idempotent", "True")),
        ("The inverse of :func:`decode`.", ("roundtrip", "decode")),
        ("It is the inverse of `codec.decode()`.", ("roundtrip", "codec.decode")),
        ("`decode(encode(text)) == text`.", ("roundtrip", "decode")),
        ("Never raises.", ("never", "Exception")),
        ("The same as `quote`.", ("equals", "quote")),
        ("Same as :func:`quote`.", ("equals", "quote")),
        ("It is equivalent to ``codec.quote()``.", ("equals", "codec.quote")),
        ("An alias for quote().", ("equals", "quote")),
        ("Returns the same as `quote`.", ("equals", "quote")),
        ("Gives what `quote` gives.", ("equals", "quote")),
        ("`encode(text) == quote(text)`.", ("equals", "quote")),
        ("It never raises an exception.", ("never", "Exception")),
        ("Does not raise KeyError.", ("never", "KeyError")),
    ],
)
def test_properties_that_a_sentence_states(sentence, fact):
    assert stated(sentence) == [fact]


@pytest.mark.parametrize(
    "sentence",
    [
        "This is usually idempotent.",
        "Never raises if text is empty.",
        "Not idempotent.",
        "The inverse of this.",
        "Calling it twice gives the same error.",
        "decode(encode(text)) == other.",
        "The inverse of a matrix is computed by it.",
        "Never raises anything but KeyError.",
        "The other one is idempotent.",
        "The same as before.",
        "Same as `quote`, but faster for long texts.",
        "Equivalent to `quote` if text is empty.",
        "Equivalent to `encode`.",
        "encode(text) == quote(other).",
        "Returns what was given.",
    ],
)
def test_other_sentences_state_none(sentence):
    assert stated(sentence) == []


def test_properties_in_the_standard_library_are_rare_and_sound():
    found = [
        f
        for function in stated_functions("textwrap.py", ast.parse(inspect.getsource(textwrap)))
        for f in docstring_facts("textwrap.py", function)
        if f.predicate in PROPERTIES
    ]
    assert found == []
