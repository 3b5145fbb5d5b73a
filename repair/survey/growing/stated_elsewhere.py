"""What other files than a function's own state of it: requirements, features, descriptions of interfaces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from analysis.specified.fact_record import Extractor, Fact
from analysis.stated.fact import StatedFact
from repair.survey.specified.fact_store import FactStore
from repair.survey.specified.readings import with_accepted
from repair.survey.specified.scan import scan_project
from sandbox.workspace import Snapshot

_NO_SENTENCES = frozenset((Extractor.TEST, Extractor.COMMIT, Extractor.SEEN))
"""What the program was seen to do, or tests say: the tests are there already."""


def facts_elsewhere(snapshot: Snapshot, store: FactStore) -> Mapping[str, tuple[StatedFact, ...]]:
    """By ``path:name``: the facts that calls can be held against, each with the file that states it.

    What a model read is among them where a person agreed to it.
    """
    found: dict[str, list[StatedFact]] = defaultdict(list)
    for fact in with_accepted(scan_project(snapshot), snapshot, store).facts:
        if fact.means is not None and _is_of_another_file(fact):
            found[fact.subject].append(replace(fact.means, path=fact.place.path, line=fact.place.line))
    return {subject: tuple(facts) for subject, facts in found.items()}


def _is_of_another_file(fact: Fact) -> bool:
    own = fact.subject.partition(":")[0]
    return fact.place.path != own and fact.extractor not in _NO_SENTENCES
