"""Real runs as pages: one fault, and two faults of two causes."""

from __future__ import annotations

from pathlib import Path

from fakes.pages import Page

SHOP = '''\
"""A small shop."""


def price(count):
    """3 for each."""
    return count + 3


def area(width, height):
    """Of a rectangle."""
    return width * height
'''
TESTS = """\
from shop import area, price


def test_price():
    assert price(3) == 9
    assert price(5) == 15


def test_none():
    assert price(0) == 0


def test_area():
    assert area(3, 5) == 15


def test_areas():
    assert area(0, 7) == 0
    assert area(10, 1) == 10
"""


def pages_of(repair, root: Path, text: str) -> tuple[dict, Page, str]:
    root.mkdir()
    (root / "shop.py").write_text(text)
    (root / "test_shop.py").write_text(TESTS)
    found = repair("fix", "--json", "--max-seconds", "120", cwd=root)
    said = repair("report", found.result["run"], cwd=root)
    assert said.status == 0, said.messages
    path = Path(said.output.strip())
    assert not path.is_relative_to(root)
    written = path.read_text("utf-8")
    return found.result, Page(written), written


def test_a_run_as_a_page(repair, tmp_path):
    result, page, written = pages_of(repair, tmp_path / "project", SHOP)
    assert len(written.encode()) < 200_000
    assert page.result == result
    assert f"{result['status']} price shop.py:6" in page.text
    assert "test_shop.py::test_price" in page.text
    assert {f"gate-{each['gate']}" for each in result["patches"][0]["evidence"]} <= set(page.ids())
    assert page.count("svg") == 2
    assert "certificate.json: SHA-256" in page.text
    assert "family or source" in page.text
    assert "Mutants of the patch, by line" in page.text
    assert "killed test_shop.py::test_" in page.text
    assert "Source of price shop.py:4" in page.text
    assert "Where a test is worth most" in page.text
    assert "changes unknown" in page.text  # it lies in no repository


def test_two_causes_are_two_sections(repair, tmp_path):
    result, page, written = pages_of(repair, tmp_path / "project", SHOP.replace("width * height", "width + height"))
    assert [cause["function"] for cause in result["causes"]] == ["price", "area"]
    assert len(written.encode()) < 200_000
    assert {"cause-1", "cause-2"} <= set(page.ids())
    assert "Cause 1: price" in page.text
    assert "Cause 2: area" in page.text
    assert "certificate-2.json: SHA-256" in page.text
