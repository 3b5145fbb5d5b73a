"""Libraries that the user names."""

from __future__ import annotations

import pytest

from corpora.lab.benchmarks import named
from corpora.lab.pinned import SourcePackage

GOOD = "a-b.c==1.0.post1:src/a/m.py:Class.method:tests/test_m.py::TestX::test_y[1:2]"


def test_a_name_has_five_parts_and_the_test_may_hold_colons():
    assert named.parts_of(GOOD) == (
        *("a-b.c", "1.0.post1", "src/a/m.py", "Class.method"),
        "tests/test_m.py::TestX::test_y[1:2]",
    )


@pytest.mark.parametrize(
    "text", ["", "name", "name:m.py:f:t", "name==1:m:f:t", "name==1:m.py:f", "name==1:m.py::t", "-r==1 x:m.py:f:t"]
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="NAME==VERSION"):
        named.parts_of(text)


def test_work_has_pytest_and_what_was_asked_for_in_the_versions_asked_for(monkeypatch):
    monkeypatch.setattr(named, "pin_package", lambda name, version: SourcePackage(name, version, "0" * 64))
    work = named.named_work(GOOD, ("attrs==25.3.0", "coverage==7.0.0"), build=True)
    assert (work.name, work.path, work.functions, work.build) == (
        *("a-b.c-1.0.post1:Class.method", "src/a/m.py", ("Class.method",)),
        True,
    )
    assert {"attrs==25.3.0", "coverage==7.0.0", "pytest==9.2.0"} <= set(work.requirements)
    assert len([r for r in work.requirements if r.startswith("coverage==")]) == 1
