"""The page holds everything, asks for nothing, and shows hostile text as text."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser

from fakes.benched import AGREES, SAMPLE, row

from corpora.bench.reports.page import curves, page, survival_svg
from corpora.bench.summary import ScoredCell, compare, summaries
from repair.records.result import Status

HOSTILE = "</script><script>alert(1)</script>"


def made(every: tuple[ScoredCell, ...], title: str = "a bench") -> str:
    return "".join(page(title, every, summaries(every), [compare(every, every, ("search", "again"))]))


def cells(text: str) -> list[dict[str, object]]:
    found = re.search(r'id="cells">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    loaded: list[dict[str, object]] = json.loads(found[1])
    return loaded


def test_each_cell_is_there_with_patch_evidence_and_times():
    told = cells(made(SAMPLE))
    assert [cell["bug"] for cell in told] == list("abcdef")
    assert "+    return n // 2" in str(told[0]["diff"])
    assert [evidence["gate"] for evidence in told[0]["evidence"]] == ["fixes"]  # type: ignore[attr-defined] # JSON
    assert told[0]["times"]["search"] == 1.0  # type: ignore[index] # JSON
    assert told[-1]["error"] == "disk full"


def test_nothing_of_a_program_under_test_becomes_markup():
    spoilt = row(HOSTILE, Status.CERTIFIED, AGREES, name=HOSTILE)
    failed = row("x", None)
    hostile = ScoredCell(replace(failed.record, error=HOSTILE))
    text = made((spoilt, hostile), HOSTILE)
    assert "alert(1)</script>" not in text
    assert [cell["bug"] for cell in cells(text)] == [HOSTILE, "x"]


def test_the_page_asks_nobody_for_anything():
    text = made(SAMPLE)
    assert "default-src 'none'" in text
    assert not re.search(r"(src|href)=|url\(|@import|fetch\(|XMLHttpRequest", text)
    HTMLParser().feed(text)


def test_survival_counts_what_is_no_wrong_answer():
    ((name, curve),) = curves(SAMPLE)
    assert name == "search"
    assert curve == ((0.0, 0.0), (2.0, 0.2), (2.0, 0.4))
    ElementTree.fromstring(survival_svg(SAMPLE))
    ElementTree.fromstring(survival_svg(()))
