"""What earlier runs found, for a run with an answer: the search tries it first."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from analysis.errors import UsageError
from analysis.functions import functions_of
from repair.memory.kept_answers import MOST_RUNS
from repair.proposers.search import EarlierFind
from repair.records.config import Options
from repair.records.result import PatchView
from repair.store.store import RunStore
from transforms.patch.diff import as_bytes, parse_change
from transforms.tree.proposal import FOREIGN, Origin

MOST_FINDS = 12
"""So many patches of earlier runs are tried again."""


def found_before(options: Options, store: RunStore, read: Callable[[str], bytes | None]) -> tuple[EarlierFind, ...]:
    """The patches of the project's newest runs that fit its files as they are, for a run with answers.

    A question is about a patch that was found. Its answer is one more failing test, and a search may take another way.
    Then who said yes to a patch would be told that there is none.
    """
    if not options.answers or options.memory == "off":
        return ()
    finds: dict[str, EarlierFind] = {}
    for run in store.stored_runs()[:MOST_RUNS]:
        with contextlib.suppress(UsageError, OSError):  # damaged, or of another text of the file
            result = None if run.is_foreign else run.result()
            for patch in result.patches if result is not None and len(finds) < MOST_FINDS else ():
                if patch.digest not in finds and (find := _find_again(patch, read)) is not None:
                    finds[patch.digest] = find
    return tuple(finds.values())


def _find_again(patch: PatchView, read: Callable[[str], bytes | None]) -> EarlierFind | None:
    before, after = parse_change(as_bytes(patch.diff), read)
    spans = functions_of(patch.file, dict(before).get(patch.file) or b"")
    about = [each.function for each in spans if each.function.qualname == patch.function]
    if patch.proposer == FOREIGN or len(about) != 1 or patch.file not in dict(after):
        return None
    origin = Origin(patch.proposer, patch.operator, "found in an earlier run")
    return EarlierFind(about[0], dict(after)[patch.file], origin, patch.explanation)
