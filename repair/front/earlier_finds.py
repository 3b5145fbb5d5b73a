"""What earlier runs found, for a run with an answer: the search tries it first."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator

from analysis.errors import RepairError
from analysis.functions import functions_of
from repair.memory.kept_answers import MOST_RUNS
from repair.proposers.search import EarlierFind, SearchProposer
from repair.records.config import Options
from repair.records.result import PatchView, Status
from repair.store.store import RunStore
from repair.store.stored_run import StoredRun
from transforms.patch.diff import as_bytes, parse_change
from transforms.tree.proposal import Origin

MOST_FINDS = 12
"""So many patches of earlier runs are tried again."""


def found_before(
    options: Options, store: RunStore, read: Callable[[str], bytes | None], rejected: Collection[str] = ()
) -> tuple[EarlierFind, ...]:
    """What the search found in the project's newest runs and fits its files as they are, for a run with answers.

    A question is about a patch that was found. Its answer is one more failing test, and a search may take another way.
    Then who said yes to a patch would be told that there is none. Patches of the ``rejected`` digests are left out.
    """
    if not options.answers or options.memory == "off" or SearchProposer.name not in options.chosen_proposers:
        return ()
    finds: dict[str, EarlierFind] = {}
    for run in store.stored_runs()[:MOST_RUNS]:
        for patch in _patches_of(run):
            if patch.digest not in (*finds, *rejected) and len(finds) < MOST_FINDS:
                with contextlib.suppress(RepairError):  # of another text of the file
                    finds.update((patch.digest, find) for find in _find_again(patch, read))
    return tuple(finds.values())


def _patches_of(run: StoredRun) -> tuple[PatchView, ...]:
    """Those of the search; none of a run that is damaged, or that somebody else recorded."""
    with contextlib.suppress(RepairError, OSError):
        result = None if run.is_foreign else run.result()
        patches = result.patches if result is not None else ()
        return tuple(p for p in patches if Origin(p.proposer, "").is_searched and p.status is not Status.REJECTED)
    return ()


def _find_again(patch: PatchView, read: Callable[[str], bytes | None]) -> Iterator[EarlierFind]:
    """The patch where it is one of a single function's text."""
    before, after = parse_change(as_bytes(patch.diff), read)
    if [path for path, _ in before] != [patch.file] or [path for path, _ in after] != [patch.file]:
        return
    old, new = before[0][1], after[0][1]
    about = [each for each in functions_of(patch.file, old) if each.function.qualname == patch.function]
    if len(about) == 1:
        head, tail = old[: about[0].start], old[about[0].end :]
        if new.startswith(head) and new.endswith(tail) and len(new) > len(head) + len(tail):
            origin = Origin(patch.proposer, patch.operator, "found in an earlier run")
            yield EarlierFind(about[0].function, old, new, origin, patch.explanation)
