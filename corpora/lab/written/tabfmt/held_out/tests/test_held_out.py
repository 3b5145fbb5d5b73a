import csv
import io

import pytest

from csvout import quote, render_csv
from table import Table

CASES = [
    ("", ","), ("plain", ","), ("two words", ","), ("semi;colon", ","),
    ("tab\there", ","), ("it's", ","), ("back\\slash", ","),
]


@pytest.mark.parametrize("text, delimiter", CASES)
def test_not_quoted(text, delimiter):
    assert quote(text, delimiter) == text


@pytest.mark.parametrize("text, delimiter, out", [
    ("a,b", ",", '"a,b"'),
    ("a;b", ";", '"a;b"'),
    ("a,b", ";", "a,b"),
    ("a\tb", "\t", '"a\tb"'),
    ('say "hi"', ",", '"say ""hi"""'),
    ('"', ",", '""""'),
    ("a\nb", ",", '"a\nb"'),
    ("a\nb", ";", '"a\nb"'),
    ("a\r\nb", ",", '"a\r\nb"'),
    ("a\rb", ",", '"a\rb"'),
    ("\n", ",", '"\n"'),
    ("ends\n", ",", '"ends\n"'),
    ("\nstarts", ",", '"\nstarts"'),
    ('x"\ny,z', ",", '"x""\ny,z"'),
])
def test_quoted(text, delimiter, out):
    assert quote(text, delimiter) == out


@pytest.mark.parametrize("text", [
    "a\nb", "a\rb", "a\r\nb", 'q"\nq', "l1\nl2\nl3", "c,\nd", "\n", "trail\n", "\r",
])
def test_round_trip(text):
    t = Table(["id", "note", "end"])
    t.add(1, text, "z")
    t.add(2, "", "y")
    back = list(csv.reader(io.StringIO(render_csv(t), newline="")))
    assert back == [["id", "note", "end"], ["1", text, "z"], ["2", "", "y"]]


def test_header_with_line_break():
    t = Table(["unit\nprice"])
    t.add(3)
    assert render_csv(t) == '"unit\nprice"\r\n3\r\n'
