"""The report of `make bench-judge`: figures with targets, tables by kind and project, lists of the judge's errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from corpora.bench.grading import read_rows
from corpora.bench.statistics import Rate, rate
from corpora.bench.summary import summaries
from corpora.lab.benchmarks.figures import Figure, Measured, Row
from corpora.lab.judging.bootstrap import clustered_interval
from corpora.lab.judging.material import BESIDE
from corpora.lab.judging.records import Material
from corpora.lab.judging.seen_bugs import was_tried
from corpora.lab.judging.tally import (
    Case,
    by_bug,
    cases_heard_by,
    fast_seconds,
    gate_rows,
    mendable_cases,
    right_cases,
    share,
    stopped_by,
    wrong_cases,
)

STOPPED = Figure("wrong_passing_stopped", 0.9, 0.98)
WITHHELD = Figure("right_withheld", 0.2, 0.1, floor=False)
REJECTED = Figure("right_rejected", 0.02, 0.0, floor=False)
WITHHELD_AFTER = Figure("right_withheld_after_one_question", 0.05, 0.0, floor=False)
CERTIFIED_AFTER = Figure("wrong_certified_after_one_question", 0.02, 0.0, floor=False)
SECONDS = Figure("standard_gates_seconds", 10.0, 5.0, floor=False)
FALSE = Figure("false_certified_share", 0.05, 0.01, floor=False)


def judge_figures(every: Sequence[Case], records: Sequence[Path], most: int) -> Measured:
    """All figures that there are cases for."""
    bad, good = wrong_cases(every), right_cases(every)
    shares = [
        (STOPPED, share(bad, _is_withheld)),
        (WITHHELD, share(good, _is_withheld)),
        (REJECTED, share(good, lambda case: case.is_rejected)),
        (CERTIFIED_AFTER, share(_asked(bad), lambda case: not case.is_withheld_after)),
        (WITHHELD_AFTER, share(_asked(good), lambda case: case.is_withheld_after)),
        *([(FALSE, false_certified(records))] if records else []),
    ]
    shares = [(figure, found) for figure, found in shares if found.total]
    rows = [Row(figure, ((f"{found.count} of {found.total}", found.share),)) for figure, found in shares]
    seconds = fast_seconds(every)
    if seconds:
        rows.append(Row(SECONDS, (("median", median(seconds)), ("worst", max(seconds)))))
    numbers = [number for figure, found in shares for number in _numbers(figure.name, found)]
    numbers += [("wrong", len(bad)), ("right", len(good)), ("bugs", len({case.patch.place for case in every}))]
    asked = [case for case in good if case.patch.how != BESIDE]
    if asked:
        found = share(asked, _is_withheld)
        numbers += [("right_withheld_of_the_fix", found.share), *_numbers("right_withheld_of_the_fix", found)]
        numbers += [("right_of_the_fix", len(asked))]
    numbers += [("answered", sum(bool(case.said.answer) for case in every)), ("put_to_the_fix", len(_asked(every)))]
    numbers += _shares_of_parts(every)
    for among, name in ((bad, STOPPED.name), (good, WITHHELD.name)):
        if among:
            low, high = clustered_interval([(found.count, found.total) for found in by_bug(among, _is_withheld)])
            numbers += [(f"{name}_by_bug_low", low), (f"{name}_by_bug_high", high)]
    numbers += _baselines(bad, good)
    notes = [
        f"intervals by Wilson at 95 %, patches counted as independent; at most {most} right and {most} wrong of a bug",
        "intervals named by_bug draw whole bugs anew, since patches of one bug are alike",
        "fresh: bugs on which no rule of the judge was tried (corpora/lab/judging/tried.txt names the others)",
        "mendable: without bugs whose upstream fix changes a signature or drops a guard, which no fix of ours may",
        "tests alone certify every patch here, by construction",
        f"right_withheld counts every right patch; right_withheld_of_the_fix leaves out each '{BESIDE}'",
        "after_one_question: the fix answers where a verdict asks about a plain call; every patch counts",
        "random: a judge that certifies as many patches as ours, drawn blindly",
    ]
    return Measured(tuple(rows), tuple(numbers), tuple(notes))


def _shares_of_parts(every: Sequence[Case]) -> Iterator[tuple[str, float]]:
    """Both shares among bugs that no rule was tried on, those that one function can mend, and those of both kinds."""
    fresh = [case for case in every if not was_tried(case.patch.place)]
    for word, part in (
        ("fresh", fresh),
        ("mendable", mendable_cases(every)),
        ("mendable_fresh", mendable_cases(fresh)),
    ):
        for figure, among in ((STOPPED, wrong_cases(part)), (WITHHELD, right_cases(part))):
            if among:
                name, found = f"{figure.name}_{word}", share(among, _is_withheld)
                yield from [(name, found.share), *_numbers(name, found), (f"{name}_of", found.total)]


def _asked(every: Sequence[Case]) -> list[Case]:
    """Those whose question was put to the fix, if they had one."""
    return [case for case in every if case.said.asked]


def _is_withheld(case: Case) -> bool:
    return case.is_withheld


def _numbers(name: str, found: Rate) -> Iterator[tuple[str, float]]:
    yield f"{name}_low", found.low
    yield f"{name}_high", found.high


def _baselines(bad: Sequence[Case], good: Sequence[Case]) -> Iterator[tuple[str, float]]:
    if bad and good:
        blind = share([*bad, *good], _is_withheld).share
        for word in ("wrong_passing_stopped", "right_withheld"):
            yield f"{word}_by_tests_alone", 0.0
            yield f"{word}_by_random", blind
    for word, among in (
        ("wrong_passing_stopped", cases_heard_by(bad, "mutation")),
        ("right_withheld", cases_heard_by(good, "mutation")),
    ):
        if among:
            found = share(among, stopped_by("mutation"))
            yield from [(f"{word}_by_mutation", found.share), *_numbers(f"{word}_by_mutation", found)]
            yield f"{word}_by_mutation_of", len(among)


def false_certified(records: Sequence[Path]) -> Rate:
    """The share of wrong ones among the decided answers that recorded runs of the bench have certified.

    Raises ``UsageError`` for a folder without records.
    """
    found = [each.false_certified for folder in records for each in summaries(read_rows(folder)[0])]
    return rate(sum(each.count for each in found), sum(each.total for each in found))


def tables(every: Sequence[Case]) -> str:
    """Counts and shares by the way in which patches were made, by project, by what settled them, and by gate."""
    groups: tuple[tuple[str, Callable[[Case], str]], ...] = (
        ("made by", lambda case: case.patch.how if not case.patch.right else f"right: {case.patch.how}"),
        ("project", lambda case: case.patch.place.project),
        ("settled by", lambda case: case.patch.basis),
        ("sample", lambda case: "rules were tried on" if was_tried(case.patch.place) else "fresh"),
    )
    parts = [_table(title, every, key) for title, key in groups]
    lines = ["gate, stops of wrong ones (it alone), of right ones (it alone), median seconds"]
    lines += [
        f"  {row.gate:14} {row.wrong:5} ({row.wrong_alone:3}) {row.right:5} ({row.right_alone:3}) {row.seconds:7.2f}"
        for row in gate_rows(every)
    ]
    return "\n\n".join([*parts, "\n".join(lines)])


def _table(title: str, every: Sequence[Case], key: Callable[[Case], str]) -> str:
    lines = [f"{title:30} {'wrong':>6} {'stopped':>8} {'':13} {'right':>6} {'withheld':>8} {'rejected':>8}"]
    for name in sorted({key(case) for case in every}):
        mine = [case for case in every if key(case) == name]
        bad, good = wrong_cases(mine), right_cases(mine)
        stopped, withheld = share(bad, _is_withheld), share(good, _is_withheld)
        rejected = sum(case.is_rejected for case in good)
        low = f"{stopped.low:.2f} to {stopped.high:.2f}" if bad else ""
        first = f"{stopped.share:.2f}" if bad else "-"
        last = f"{withheld.share:.2f}" if good else "-"
        lines.append(f"{name:30} {len(bad):6} {first:>8} {low:13} {len(good):6} {last:>8} {rejected:8}")
    return "\n".join(lines)


def write_lists(folder: Path, every: Sequence[Case]) -> None:
    """Wrong patches that were certified and right ones that were withheld, as text; held-out bugs are left out."""
    shown = [case for case in every if not case.patch.place.is_held_out]
    for name, chosen in (
        ("certified-wrong.txt", [case for case in wrong_cases(shown) if not case.is_withheld]),
        ("withheld-right.txt", [case for case in right_cases(shown) if case.is_withheld]),
    ):
        ordered = sorted(chosen, key=lambda case: (case.deciding_gate, case.patch.place.project, case.patch.place.bug))
        folder.mkdir(parents=True, exist_ok=True)
        text = f"{len(ordered)} patches\n\n" + "\n".join(map(_describe_case, ordered))
        (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")


def _describe_case(case: Case) -> str:
    patch = case.patch
    head = f"=== {patch.place.project} {patch.place.bug} ({patch.place.corpus}): {case.said.status}"
    lines = [head, f"made by {patch.how} {patch.label}; settled by {patch.basis} {patch.witness}".rstrip()]
    lines += [
        f"  {said.gate}: {said.decision}: {said.claim}" + (f" | {said.witness}" if said.witness else "")
        for said in case.said.gates
        if said.decision != "accept" or not patch.right
    ]
    return "\n".join([*lines, patch.diff])


def shortfalls(every: Sequence[Material]) -> tuple[str, ...]:
    """What no material could be made of, and what was dropped, in sentences."""
    reasons = Counter(material.reason.split(":")[0][:80] for material in every if material.reason)
    dropped: Counter[str] = Counter()
    for material in every:
        dropped.update(material.dropped)
    said = [f"{count} bugs gave nothing: {reason}" for reason, count in reasons.most_common(8)]
    said += [f"{count} dropped: {what}" for what, count in sorted(dropped.items()) if count]
    return tuple(said)
