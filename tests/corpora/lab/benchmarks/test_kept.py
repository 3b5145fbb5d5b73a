"""Cold verdicts outlive the run that made them, torn lines do not."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts import digest
from corpora.lab.benchmarks.kept import KeptVerdicts, kept_file
from corpora.lab.benchmarks.verdicts import Verdict, Word
from corpora.lab.benchmarks.work import WORKS


def test_verdicts_are_there_for_the_next_run_but_for_a_torn_line(tmp_path):
    path = tmp_path / "cold" / "one.jsonl"
    KeptVerdicts(path).add(digest("a"), Verdict(Word.FAILED, "t::x"))
    KeptVerdicts(path).add(digest("b"), Verdict(Word.PASSED))
    with path.open("a") as stream:
        stream.write('["c", "pas\n["d", "no such word", ""]\n')
    kept = KeptVerdicts(path)
    assert [kept.get(digest(name)) for name in "ab"] == [Verdict(Word.FAILED, "t::x"), Verdict(Word.PASSED)]
    assert kept.get(digest("c")) is kept.get(digest("d")) is None


def test_other_tests_packages_or_interpreters_are_kept_elsewhere(tmp_path):
    work = WORKS[0]
    others = (
        (replace(work, tests=("tests/test_other.py",)), "python"),
        (replace(work, package=WORKS[1].package), "python"),
        (work, "python3.12"),
    )
    assert len({kept_file(tmp_path, *each) for each in ((work, "python"), *others)}) == 4
