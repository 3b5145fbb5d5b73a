"""A reader of its own finds what the quotes of grown tests do not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.lab.benchmarks.uncited import find_uncited, main

PROGRAM = '''def post(weight):
    """The price.

    Returns 5 for ``weight`` up to 100. Raises ValueError if it is negative.
    Returns an empty list for nothing.
    """
'''


def grown(said: str, *body: str, head: str = "def test_post():") -> str:
    return "\n".join([head, f"    # Required: {said}", *(f"    {line}" for line in body)]) + "\n"


FIVE = 'post.py:4 says "Returns 5 for weight up to 100."'
REFUSED = 'post.py:4 says "Raises ValueError if it is negative."'
EMPTY = 'post.py:5 says "Returns an empty list for nothing."'
TABLE = (
    '@pytest.mark.parametrize(("weight", "expected"), [\n    (1, 5),\n    (2, 6),\n])\ndef test_post(weight, expected):'
)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (grown(FIVE, "assert post(3) == 5"), []),
        (grown(FIVE, "assert post(3) == 6"), ["6"]),
        (grown(FIVE, "assert post(3) <= 5"), []),
        (grown(FIVE, "assert post(3) >= 5"), [">="]),
        (grown(FIVE, "self.assertEqual(post(3), 7)"), ["7"]),
        (grown(FIVE, "assert isinstance(post(3), int)"), ["int"]),
        (grown(REFUSED, "with pytest.raises(ValueError):", "    post(-1)"), []),
        (grown(REFUSED, "with pytest.raises(KeyError):", "    post(-1)"), ["KeyError"]),
        (grown(EMPTY, "assert post('') == []"), []),
        (grown(FIVE, "assert post(weight) == expected", head=TABLE), ["6"]),
        (grown(FIVE.replace("says", "swears"), "assert post(3) == 5"), ["its source"]),
        (grown(FIVE.replace("weight up", "height up"), "assert post(3) == 5"), ["post.py:4"]),
        (grown(FIVE.replace("post.py", "no.py"), "assert post(3) == 5"), ["no.py:4"]),
    ],
)
def test_what_no_quote_says_is_found(tmp_path: Path, text, missing):
    (tmp_path / "post.py").write_text(PROGRAM)
    count, found = find_uncited(text, tmp_path)
    assert (count, [each.part for each in found]) == (1, missing)


def test_pinned_tests_need_no_quote(tmp_path: Path):
    text = (
        'def test_post():\n    """Pinned: so it behaves now; nobody said that it should."""\n    assert post(3) == 9\n'
    )
    assert find_uncited(text, tmp_path) == (0, [])


def test_the_exit_status_says_whether_there_is_any(tmp_path: Path, capsys):
    (tmp_path / "post.py").write_text(PROGRAM)
    good, bad = tmp_path / "test_good.py", tmp_path / "test_bad.py"
    good.write_text(grown(FIVE, "assert post(3) == 5"))
    bad.write_text(grown(FIVE, "assert post(3) == 6"))
    assert main([str(tmp_path), str(good)]) == 0
    assert main([str(tmp_path), str(good), str(bad)]) == 1
    assert "2 required tests in 2 files, 1 uncited" in capsys.readouterr().out
