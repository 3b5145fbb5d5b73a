"""What fix commits say: that a function was wrong once, in their author's words, and which tests came with the fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analysis.change_history import CommittedChange, count_changes
from analysis.diagnosis import is_test_path
from analysis.function_text import first_line_of
from analysis.specified.fact_record import Extractor, Fact, Predicate, QuotePlace, requirement_ids
from analysis.stated.function import StatedFunction

MOST_FUNCTIONS = 5
"""A commit that changed more functions says nothing of a single one."""

MOST_FIXES = 20
"""The newest fixes that are told: each is counted through all commits behind it."""


def commit_facts(commits: Sequence[CommittedChange], functions: Mapping[str, StatedFunction]) -> Iterator[Fact]:
    """One fact for each function that a fix changed; the quote is the commit's subject, and what came with it."""
    owned: dict[str, list[tuple[str, int, int]]] = {}
    lines: dict[str, int] = {}
    for subject, function in functions.items():
        path = subject.partition(":")[0]
        node = function.node
        owned.setdefault(path, []).append((function.qualname, first_line_of(node), node.end_lineno or node.lineno))
        lines[subject] = node.lineno
    fixes = [(number, commit) for number, commit in enumerate(commits) if commit.subject and commit.is_fix]
    for number, commit in fixes[:MOST_FIXES]:
        before = count_changes(owned, commits[:number])
        after = count_changes(owned, commits[: number + 1])
        touched = [place for place, history in after.items() if history.fixes > before[place].fixes]
        tests = [each.new_path for each in commit.files if is_test_path(each.new_path)]
        if 0 < len(touched) <= MOST_FUNCTIONS:
            for path, name in touched:
                subject = f"{path}:{name}"
                quote = commit.subject + (f" (with {', '.join(tests[:3])})" if tests else "")
                ids = requirement_ids(commit.subject)
                yield Fact(
                    subject,
                    Predicate.STATES,
                    "was wrong before this fix",
                    QuotePlace(path, lines[subject]),
                    quote,
                    Extractor.COMMIT,
                    requirement=ids[0] if ids else "",
                )
