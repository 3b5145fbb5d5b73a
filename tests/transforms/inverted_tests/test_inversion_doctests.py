"""The impossible twin of doctests."""

import doctest

import pytest

from analysis.function_text import Unreadable
from transforms.inverted_tests.inversion import Twin, impossible_examples

TEXT = '''"""A module.

>>> 1 + 1
2
"""


class Box:
    def price(self, text):
        r"""The price.

        >>> print("a\\\\n", 1)
        a\\n 1
        >>> for n in (1, 2):
        ...     print(n)
        1
        2
        >>> x = 3
        >>> int("x")
        Traceback (most recent call last):
          ...
        ValueError: invalid literal for int() with base 10: 'x'
        """
'''


def twin_of(text):
    made = impossible_examples(text.encode())
    assert isinstance(made, Twin)
    return made


def test_each_output_is_another_one_at_the_same_line():
    made = twin_of(TEXT)
    before, after = TEXT.splitlines(), made.source.decode().splitlines()
    assert [line.strip() for line, old in zip(after, before, strict=True) if line != old] == [
        "2~",
        "a\\n 1~",
        "2~",
        "NeverValueError: invalid literal for int() with base 10: 'x'",
    ]
    assert [(p.function, p.first) for p in made.perturbed] == [
        ("Box.price", 13),
        ("Box.price", 17),
        ("Box.price", 22),
        ("", 4),
    ]


def test_the_examples_fail_afterwards_and_did_not_before():
    """Control: each example with an output is run by doctest itself."""
    for text, failed in ((TEXT, 0), (twin_of(TEXT).source.decode(), 4)):
        space = {}
        exec(text, space)
        runner = doctest.DocTestRunner(verbose=False)
        finder = doctest.DocTestFinder(recurse=False)
        for named in (space["__doc__"], space["Box"].price):
            for test in finder.find(named, "it", module=False, globs=space) if callable(named) else []:
                runner.run(test, out=lambda said: None)
        runner.run(doctest.DocTestParser().get_doctest(space["__doc__"], {}, "it", None, 0), out=lambda said: None)
        assert runner.failures == failed


@pytest.mark.parametrize(
    "text",
    [
        'def f():\n    "A sentence.\\n\\n>>> 1\\n1\\n"\n',
        'def f():\n    """>>> x = 1"""\n',
        'def f():\n    """>>>1\n    1\n    """\n',
        "def f():\n    return 1\n",
    ],
)
def test_what_does_not_stand_in_the_file_as_it_is_meant_stays(text):
    assert twin_of(text) == Twin(text.encode(), ())


def test_text_that_cannot_be_read_has_no_twin():
    assert isinstance(impossible_examples(b"def f(:\n"), Unreadable)
