"""Right fixes under the gates beyond the core: what is counted, what is doubted, what hindered."""

from analysis.line_counts import LineCounts, LineCountsPair, WorkReport
from corpora.catalog import open_corpus
from corpora.lab.benchmarks.extra_gates import Said, said_of, summarize

FINE = LineCountsPair("f([1])", LineCounts(9, 9), LineCounts(11, 11), True)
MUCH = LineCountsPair("f([1])", LineCounts(9, 9), LineCounts(9000, 9000), True)


def test_doubts_are_counted_among_what_could_be_looked_at():
    every = [
        Said("a", True, report=WorkReport((FINE,)), lint_seconds=0.25, opened=2.0, weighed=0.5),
        Said("b", True, ("F821 Undefined name `x`",), WorkReport((MUCH,), ((FINE,),)), 0.75, 4.0, 1.5),
        Said("c", True, report=WorkReport(failures=("cannot be copied",)), lint_seconds=0.5),
        Said("d", why="the reference changes no function, or several"),
    ]
    assert summarize(every) == (
        "static doubts 1 of 3, cost doubts 1 of 2 (1 with larger inputs); "
        "medians: ruff 0.50 s, server 3.00 s, counting 1.00 s"
    )
    assert [each.line.split(";")[0] for each in every] == ["a: counted", "b: DOUBT", "c: not counted", "d: not counted"]
    assert "cannot be copied" in every[2].line
    assert "or several" in every[3].line
    assert "medians: ruff never" in summarize([])


def test_a_reference_of_our_own_corpus_is_counted():
    corpus = open_corpus("flat:corpora/own")
    bug = next(each for each in corpus.bugs() if each.id == "logic-merge-touching")
    said = said_of(bug, corpus)
    assert said.why == ""
    assert said.report.agreeing_pairs
    assert "DOUBT" not in said.line
