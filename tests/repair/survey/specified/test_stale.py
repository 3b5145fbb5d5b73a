"""Words that are no longer where somebody quoted them."""

import pytest
from fakes.stating import SHOP, scanned

from repair.survey.specified.links import find_links
from repair.survey.specified.scanning import view_facts
from repair.survey.specified.stale import find_stale

PAGE = "- REQ-1: It shall sing.\n- REQ-2: It shall dance.\n"


def stale(found, files, before=(), exists=None):
    sources = {name: text.encode() for name, text in files.items() if name.endswith(".py")}
    return [each.said for each in find_stale(found, sources, find_links(found, sources), before, exists or {})]


def said_of(tmp_path, comment, page=PAGE):
    files = {"shop.py": SHOP, "a.md": page, "test_a.py": f"def test_a():\n    # {comment}\n    pass\n"}
    found = scanned(tmp_path, files)
    return stale(found, files, exists={"docs/none.md": False})


@pytest.mark.parametrize(
    "comment",
    [
        'shop.py:2 says "Returns 0 if prices is empty."',
        "REQ-2",
        "ABC-7",
        'a.md:9 says "It shall sing."',
        "see docs/a.md",
    ],
)
def test_what_is_still_there(tmp_path, comment):
    assert said_of(tmp_path, comment) == []


@pytest.mark.parametrize(
    ("comment", "why"),
    [
        ('shop.py:2 says "Returns 1 if prices is empty."', "no longer there"),
        ('none.py:2 says "Returns 1."', "no such file"),
        ("a.md:1 sha256:000000000000", "fingerprint"),
        ("REQ-9", "which nothing states"),
        ("see docs/none.md", "no such file"),
    ],
)
def test_what_is_stale(tmp_path, comment, why):
    (said,) = said_of(tmp_path, comment)
    assert why in said


def test_a_fingerprint_that_holds(tmp_path):
    found = scanned(tmp_path / "one", {"a.md": PAGE})
    digest = found.facts[0].digest
    assert said_of(tmp_path / "two", f"REQ-1 (a.md:1 sha256:{digest})") == []
    (said,) = said_of(tmp_path / "three", f"REQ-1 (a.md:1 sha256:{digest})", PAGE.replace("sing", "sing well"))
    assert digest in said


def test_requirements_that_changed_moved_or_went(tmp_path):
    before = view_facts(scanned(tmp_path / "one", {"a.md": PAGE, "b.md": "- REQ-3: It shall rest.\n"}))
    files = {
        "a.md": PAGE.replace("dance", "leap").replace("- REQ-1: It shall sing.\n", ""),
        "c.md": "- REQ-1: It shall sing.\n",
    }
    assert stale(scanned(tmp_path / "two", files), {}, before) == [
        "the words of REQ-1 moved from a.md to c.md",
        "REQ-2 says something else than at the last scan",
        "REQ-3 is gone since the last scan, and so is b.md",
    ]
