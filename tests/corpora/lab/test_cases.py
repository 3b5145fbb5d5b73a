"""The five cases are pinned and told apart."""

from __future__ import annotations

import re

import pytest

from corpora.lab.cases import CASES


def test_five_cases_of_four_libraries():
    assert len(CASES) == len({c.name for c in CASES}) == 5
    assert len({c.pair.new.name for c in CASES}) >= 4


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_everything_is_pinned(case):
    assert all(re.fullmatch(r"[0-9a-f]{64}", p.sha256) for p in (case.pair.new, case.pair.old))
    assert case.pair.new.name == case.pair.old.name
    assert case.pair.new.version != case.pair.old.version
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*", r) for r in case.requirements)
    assert case.tests
    assert case.fault
