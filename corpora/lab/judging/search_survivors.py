"""What search finds that passes the visible tests, before any gate has looked at it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from analysis.errors import RepairError
from corpora.lab.judging.subjects import Subject, Terms
from corpora.lab.judging.wrong_patches import Likely
from repair.engine.engine import trust_tests
from repair.engine.ranking import RankedCandidate
from repair.front.composition import open_run
from repair.records.config import Options


def survivors(subject: Subject, terms: Terms, scratch: Path) -> tuple[Likely, ...]:
    """The candidates of a search that is told the function; none where it finds none, or is given no time."""
    found: list[RankedCandidate] = []
    if not terms.search_seconds:
        return ()
    options = options_for(subject, terms, scratch)
    try:
        with open_run(options, lambda event: None, os.environ) as context:
            engine = trust_tests(context.engine(context.sandbox), None)

            def kept(choices: Sequence[RankedCandidate]) -> list[RankedCandidate]:
                found.extend(choices)
                return list(choices[:1])

            replace(engine, order=kept).fix(context.task(subject.failing))
    except RepairError:  # a search that cannot run has found nothing
        return ()
    function = subject.function
    return tuple(
        Likely(choice.candidate.text, "search", choice.candidate.origin.operator)
        for choice in found
        if (choice.candidate.function.path, choice.candidate.function.qualname) == (function.path, function.qualname)
    )


def options_for(subject: Subject, terms: Terms, scratch: Path) -> Options:
    """What the search is asked, in a folder of its own."""
    needs = subject.bug.environment
    return Options(
        root=str(subject.tree),
        python=terms.python,
        tests=needs.tests,
        pytest_args=needs.pytest_args,
        pass_env=needs.pass_env,
        function=f"{subject.function.path}:{subject.function.qualname}",
        proposers=("search",),
        max_seconds=terms.search_seconds,
        seed=terms.seed,
        jobs=1,
        isolation=terms.isolation,  # type: ignore[arg-type] # checked by the command's own choice
        state_dir=str(scratch / "state"),
        cache=False,
    )
