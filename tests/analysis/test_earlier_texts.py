"""A patch that gives an earlier text of the function back, or undoes a part of the latest change."""

from __future__ import annotations

import pytest

from analysis.earlier_texts import earlier_texts, gives_back, printed
from analysis.facts import FunctionId

AREA = FunctionId("m.py", "area", 1)
GOOD = b"def area(a, b):\n    # sides\n    if a < 0:\n        return 0\n    return a * b\n"
BROKEN = b'def area(a, b):\n    """Area."""\n    if a <= 0:\n        return 0\n    return a + b\n'
FIRST = b"def area(a, b):\n    return a * b\n"
OTHER = b"X = 1\n\n\ndef perimeter(a):\n    return a\n"


def commits_before(old: bytes, *versions: tuple[str, bytes], whole: bool = True) -> list[str]:
    return [each.commit for each in earlier_texts(AREA, old, versions, whole=whole)]


def test_texts_before_the_one_that_stands_there_are_earlier_ones() -> None:
    versions = (("d", GOOD), ("c", BROKEN), ("b", GOOD), ("a", FIRST))
    assert commits_before(BROKEN, *versions) == ["b", "a"]  # d may be the very patch
    assert commits_before(BROKEN, *versions[2:]) == ["b", "a"]  # what stands there was never committed
    assert commits_before(BROKEN, *versions[2:], whole=False) == []  # or it was, longer ago


def test_what_says_the_same_is_one_text_and_what_has_no_such_function_is_none() -> None:
    same = GOOD.replace(b"    # sides\n", b"")
    versions = (("e", BROKEN), ("d", GOOD), ("c", b"def area("), ("b", OTHER), ("a", OTHER + b"\n\n" + same))
    assert commits_before(BROKEN, *versions) == ["d"]
    assert commits_before(b"no function", *versions) == []


@pytest.mark.parametrize(
    ("new", "commit"),
    [
        (GOOD, "b"),
        (FIRST, "a"),
        (BROKEN.replace(b"a + b", b"a * b"), "b"),  # a part of what the latest change did is undone
        (BROKEN.replace(b"a + b", b"a - b"), ""),
        (GOOD.replace(b"return 0", b"return 1"), ""),
    ],
)
def test_a_patch_gives_back_a_whole_text_or_a_part_of_the_latest_one(new: bytes, commit: str) -> None:
    earlier = earlier_texts(AREA, BROKEN, (("b", GOOD), ("a", FIRST)), whole=True)
    assert gives_back(printed(BROKEN), printed(new), earlier) == commit
    assert gives_back(printed(BROKEN), printed(new), ()) == ""


@pytest.mark.parametrize("value", [" + ".join(["a"] * 600), f"0x{'f' * 5000}"])
def test_a_text_that_cannot_be_printed_is_none(value: str) -> None:
    text = f"def area(a, b):\n    return {value}\n".encode()
    assert printed(text) == ()
    assert commits_before(BROKEN, ("b", text), ("a", FIRST)) == ["a"]
    assert commits_before(text, ("a", FIRST)) == []
