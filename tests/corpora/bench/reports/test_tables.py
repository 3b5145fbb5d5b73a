"""Tables for terminals, spreadsheets and papers."""

from __future__ import annotations

import csv
import io

from fakes.benched import SAMPLE, row

from corpora.bench.reports.tables import comparison_text, csv_table, latex_table, markdown_table, text_table
from corpora.bench.summary import compare, summaries
from repair.records.result import Status


def test_the_text_table_marks_what_rests_on_too_few_bugs():
    heading, line, note = text_table(summaries(SAMPLE)).splitlines()
    assert heading.split()[0] == "configuration"
    assert line.split()[:4] == ["search", "5", "2", "4"]
    assert "1/5 (4-62 %)*" in line
    assert note.startswith("* too few bugs")
    assert len(heading) == len(line)


def test_a_table_for_a_document_has_the_same_cells():
    told = summaries([row("a", Status.UNREPAIRED, name="x|y", sample="held-out")])
    heading, rule, line = markdown_table(told).splitlines()
    assert heading.startswith("| configuration | bugs |")
    assert heading.count("|") == rule.count("|") == line.replace("\\|", "").count("|")
    assert line.startswith("| x\\|y, held-out | 1 | 0 | 0 |")


def test_enough_bugs_carry_no_mark():
    many = [row(str(n), Status.UNREPAIRED) for n in range(40)]
    assert "*" not in text_table(summaries(many))


def test_a_comparison_names_each_bug():
    others = (row("a", Status.UNREPAIRED, name="x"), row("c", Status.PLAUSIBLE, None, name="x"))
    said = comparison_text(compare(SAMPLE, others, ("search", "x")))
    assert "lost by x: a" in said
    assert "on 2 bugs" in said
    assert "too few bugs differ" in said


def test_csv_reads_back_and_holds_no_formula():
    lines = list(csv.DictReader(io.StringIO(csv_table((*SAMPLE, row("=1+1", Status.UNREPAIRED))))))
    assert [line["bug"] for line in lines] == [*"abcdef", "'=1+1"]
    assert lines[0]["agreement"] == "agrees"
    assert csv_table(()) == "\n"


def test_latex_escapes_names_and_balances():
    told = latex_table(summaries([row("a", Status.UNREPAIRED, name="gpt_5 & co%")]))
    assert r"gpt\_5 \& co\%" in told
    assert told.count(r"\begin{tabular}") == told.count(r"\end{tabular}") == 1
    assert all(line.count(" & ") == 8 for line in told.splitlines() if line.endswith(r" \\") and "gpt" not in line)
