"""What the benchmark of planted faults counts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from corpora.lab.benchmarks.planted_facts import DOCTEST, PRECISION, RECALL, PlantedFault, PlantedLibrary, figures_of


def fault(*, true: int, false: int = 0, breaks: bool | None = None, apart: bool = True) -> PlantedFault:
    return PlantedFault("parcel, line 3: a", apart, true, false, breaks)


def test_findings_on_the_release_and_alike_ones_on_faults_are_false():
    faults = (fault(true=2, breaks=True), fault(true=1, false=1, breaks=False), fault(true=0, breaks=True))
    measured = figures_of({"shop": PlantedLibrary(1, 2, ("parcel(3): Returns 4.",), faults)})
    rows = {row.figure: row.values for row in measured.rows}
    assert rows[PRECISION] == (("shop", 3 / 5),)
    assert rows[RECALL] == (("shop", 1 / 2),)
    assert "shop: on the release: parcel(3): Returns 4." in measured.notes
    assert "shop: not found: parcel, line 3: a" in measured.notes
    assert "shop: false on a fault: parcel, line 3: a" in measured.notes


def test_nothing_is_told_of_nothing():
    assert figures_of({"shop": PlantedLibrary(0, 0, (), ())}).rows == ()
    assert figures_of({"shop": PlantedLibrary(1, 1, (), (fault(true=0),))}).rows == ()


@pytest.mark.parametrize(
    ("gives", "said"), [("n + 1", "doctest 0 1"), ("n + 2", "doctest 1 1"), ("1 / 0", "doctest 1 1")]
)
def test_doctest_says_which_examples_break(tmp_path, gives, said):
    text = f"def parcel(n):\n    '''\n    >>> parcel(3)\n    4\n    '''\n    return {gives}\n"
    (tmp_path / "shop.py").write_text(text)
    words = [sys.executable, "-c", DOCTEST, "shop", "parcel"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == said
