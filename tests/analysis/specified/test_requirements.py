"""Requirements in Markdown."""

import pytest

from analysis.specified.requirements import read_requirements


def ids(text):
    return [(each.id, each.text) for each in read_requirements(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **REQ-1**: It shall sing.", [("REQ-1", "It shall sing.")]),
        ("1. [REQ-1] It shall\n   sing.", [("REQ-1", "It shall sing.")]),
        ("- [ ] AC-1.2: Given a bird, it sings.", [("AC-1.2", "Given a bird, it sings.")]),
        ("| REQ-1 | It shall sing. | high |", [("REQ-1", "It shall sing. high")]),
        ("## US-3: Song\n\nAs a bird, I want to sing.", [("US-3", "Song As a bird, I want to sing.")]),
        ("```\nREQ-1: It shall sing.\n```", []),
        ("- UTF-8: it must be used", []),
        ("- ABC-12: a ticket", []),
        ("- ABC-12: the bird must sing", [("ABC-12", "the bird must sing")]),
        ("Birds sing, see REQ-1.", []),
    ],
)
def test_requirements(text, expected):
    assert ids(text) == expected


def test_a_sentence_with_shall_needs_no_id():
    (found,) = read_requirements("# Birds\n\nThe bird shall sing.\nLoudly.\n")
    assert found.id.startswith("R-")
    assert (found.line, found.end_line) == (3, 4)
