"""The reading of ten patches: which are shown, that the key is kept apart, and how a reader is timed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.lab.benchmarks import reading
from corpora.lab.benchmarks.reading import Decision, candidates, key_of, make, read, score


def test_the_choice_is_the_same_for_everybody_and_takes_all_libraries() -> None:
    first = [str(diff) for _, diff in candidates("wrong")]
    assert first == [str(diff) for _, diff in candidates("wrong")]
    assert {name.split("/")[0] for name in first[:3]} == {"funcy", "geojson", "texttable"}
    assert {name.split("/")[1] for name in first} == {"wrong"}


def test_pages_and_key_lie_apart(tmp_path: Path) -> None:
    """A wrong patch whose screen asks nothing is passed over."""
    asked = iter(["no question here", *["Question: why?"] * 99])
    make(tmp_path / "pages", lambda library, diff: next(asked) if diff.kind == "wrong" else "certified")
    pages = sorted((tmp_path / "pages").iterdir())
    assert [page.name for page in pages] == [f"{number:02}.txt" for number in range(1, 11)]
    key = json.loads(key_of(tmp_path / "pages").read_text())
    assert sorted(each["is"] for each in key.values()) == ["right"] * 5 + ["wrong"] * 5
    assert all((key[page.name]["is"] == "wrong") == ("Question" in page.read_text()) for page in pages)
    assert not any("/wrong/" in page.read_text() for page in pages)


def test_too_few_pages_are_told(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="Too few wrong changes"):
        make(tmp_path / "pages", lambda library, diff: "certified")


def test_a_reader_is_asked_until_there_is_a_word_and_timed(tmp_path: Path) -> None:
    for name in ("01.txt", "02.txt"):
        (tmp_path / name).write_text(f"page {name}")
    shown, words, times = [], iter(["r", "maybe", "W"]), iter([0.0, 12.0, 20.0, 95.0])
    said = read(tmp_path, shown.append, lambda: next(words), lambda: next(times))
    assert shown == ["page 01.txt", "page 02.txt"]
    assert said == (Decision("01.txt", "right", 12.0), Decision("02.txt", "wrong", 75.0))
    assert len(json.loads((tmp_path / reading.READER).read_text())) == 2
    key = tmp_path / "key.json"
    key.write_text(json.dumps({"01.txt": {"is": "right"}, "02.txt": {"is": "right"}}))
    assert score(said, key) == "1 of 2 true; median 44 s, longest 75 s, 1 over a minute"
    with pytest.raises(TargetError, match="There is no page"):
        read(tmp_path / "none", shown.append, lambda: "r")
