"""The rival's cost: what it does once for a file is no cost of a mutant."""

from __future__ import annotations

import pytest

from analysis.errors import TargetError
from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.mutmut_rival import rival_figures


def test_what_happens_once_cancels_out():
    figures = figures_of(rival_figures((1, 4.1), (11, 5.1)))
    assert figures == {"mutmut_cpu_ms_boltons": pytest.approx(100.0), "mutmut_once_cpu_ms_boltons": pytest.approx(4000)}


@pytest.mark.parametrize("every", [(1, 5.0), (11, 4.0)])
def test_runs_that_do_not_differ_say_nothing(every):
    with pytest.raises(TargetError, match="mutmut ran"):
        rival_figures((1, 4.1), every)
