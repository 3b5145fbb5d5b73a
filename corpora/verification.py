"""All bugs of a corpus verified, as a report and as the file that a bench reads."""

from __future__ import annotations

import fnmatch
import json
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from analysis.errors import TargetError
from corpora.bug import Bug, SetAside
from corpora.catalog import open_corpus, parse_name
from corpora.json_lines import JsonRecord
from corpora.os_errors import explained
from corpora.verify import Terms, Verified, verify_bug
from corpora.workers import work_each
from repair.store.atomic import replace_file
from sandbox.jail_protocol import Jail

FILE = "verified.json"


@dataclass(frozen=True, slots=True)
class Verification(JsonRecord):
    """Which bugs of a corpus are as stated, in the corpus' order, and which are not, with the reasons."""

    called = "verification"
    bugs: tuple[Verified, ...]
    set_aside: tuple[SetAside, ...]

    def to_json(self) -> dict[str, Any]:
        """The report: how many, which, and what was set aside."""
        return {"verified": len(self.bugs), **JsonRecord.to_json(self)}


def verify_corpus(
    name: str, chosen: str, terms: Terms, jail: Jail, jobs: int, listen: Callable[[Verified | SetAside], None]
) -> Verification:
    """Verify the bugs of that corpus whose ids match the pattern; each outcome is told when it is known.

    Raises ``TargetError`` where no bug matches. A crash on one bug sets that bug aside.
    """
    every = [found for found in open_corpus(name).bugs() if fnmatch.fnmatchcase(found.id, chosen)]
    if not every:
        raise TargetError("No bug of the corpus has such a name", where=chosen, remedy="See `repair corpus stats`.")
    bugs = [found for found in every if isinstance(found, Bug)]
    outcomes: list[Verified | SetAside] = [found for found in every if isinstance(found, SetAside)]
    for known in outcomes:
        listen(known)
    died = "the process that verified it died, twice"
    verify = partial(_verify_one, name, terms, jail)
    for outcome in work_each(verify, bugs, jobs, lambda bug: SetAside(bug.id, died)):
        listen(outcome)
        outcomes.append(outcome)
    order = {found.id: number for number, found in enumerate(every)}
    outcomes.sort(key=lambda outcome: order[outcome.id])
    return Verification(
        tuple(outcome for outcome in outcomes if isinstance(outcome, Verified)),
        tuple(outcome for outcome in outcomes if isinstance(outcome, SetAside)),
    )


def _verify_one(corpus: str, terms: Terms, jail: Jail, bug: Bug) -> Verified | SetAside:
    try:
        return verify_bug(open_corpus(corpus), bug, terms, jail)
    except Exception as problem:  # noqa: BLE001 - the edge of one bug: a defect of ours must not end the others
        last = traceback.extract_tb(problem.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        return SetAside(bug.id, f"a defect of repair: {type(problem).__name__} at {where}: {problem}")


def place_of(corpus: str) -> Path:
    """Where a corpus' verification is kept: in its folder, or beside its file."""
    path = parse_name(corpus).path
    return path / FILE if path.is_dir() else path.with_name(f"{path.name}.{FILE}")


def write_verification(corpus: str, found: Verification) -> Path:
    """Keep what was found; bugs that were not looked at this time stay as they were. Gives the file's path."""
    place = place_of(corpus)
    before = read_verification(corpus) or Verification((), ())
    new = {bug.id for bug in found.bugs} | {bug.id for bug in found.set_aside}
    bugs = [*(kept for kept in before.bugs if kept.id not in new), *found.bugs]
    aside = [*(kept for kept in before.set_aside if kept.id not in new), *found.set_aside]
    by_id = attrgetter("id")
    merged = Verification(tuple(sorted(bugs, key=by_id)), tuple(sorted(aside, key=by_id)))
    with explained("The verification cannot be written", place, "Allow writing there."):
        replace_file(place, (json.dumps(merged.to_json(), indent=1) + "\n").encode())
    return place


def read_verification(corpus: str) -> Verification | None:
    """What was kept of a corpus' verification; ``None`` where nothing was."""
    place = place_of(corpus)
    try:
        return Verification.from_json(json.loads(place.read_bytes()))
    except FileNotFoundError:
        return None
    except (ValueError, OSError) as problem:
        raise TargetError(
            f"The verification cannot be read: {problem}", where=str(place), remedy="Delete it, and verify again."
        ) from problem
