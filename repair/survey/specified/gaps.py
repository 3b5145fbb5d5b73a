"""What is only written: functions that nothing is said of, and facts and requirements that no test holds."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from analysis.errors import OutOfTimeError, TargetError
from analysis.facts import FunctionId, Limits
from analysis.mutation_score import MutantState, MutationScore
from analysis.quality.vouching import VouchedFunction
from analysis.specified.fact_record import Extractor, Fact, Predicate, shortened
from repair.records.config import Options
from repair.records.specified import LinkState, SpecFinding, SpecKind
from repair.records.wording import count_noun
from repair.store.git_history import histories
from repair.survey.specified.findings import LookedAt, finding_of
from repair.survey.specified.links import Requirements
from repair.survey.specified.scan import ScannedProject
from repair.survey.specified.spec_trace import NO_FUNCTION, NO_KILL, NOT_RUN, UNFIT, LinkProver
from repair.survey.suite_mutants import MutantBudget, Mutated, function_id, run_mutants
from repair.survey.survey import Surveyor
from repair.survey.survey_report import SurveyRequest, SurveySeen, prioritize_function
from repair.trials.run_time import TimeIsUp
from sandbox.sandbox import LocalSandbox

NO_PROOF = (NO_KILL, NO_FUNCTION, NOT_RUN, UNFIT)
"""Why a link is none that is proved, but for time."""

_TYPES = (Predicate.TYPE, Predicate.DEFAULT, Predicate.REQUIRED)


def look_at_suite(surveyor: Surveyor, options: Options) -> SurveySeen | str:
    """What the suite runs of each function; or why nobody knows."""
    try:
        known = partial(histories, Path(options.root))
        asked = SurveyRequest(mutants=0, seconds=options.max_seconds, seed=options.seed, histories=known)
        return surveyor.look(asked)
    except (TargetError, OutOfTimeError, TimeIsUp) as problem:
        return shortened(getattr(problem, "found", "") or "the time was over")


def scores_of(seen: SurveySeen) -> dict[str, float]:
    """How much each function deserves a look, by ``path:name``: its users, its changes, and what no test runs."""
    return {_subject(each): prioritize_function(each, seen, MutationScore()).score for each in seen.functions}


def find_gaps(
    scanned: ScannedProject,
    sandbox: LocalSandbox,
    surveyor: Surveyor,
    known: Requirements,
    seen: SurveySeen | str,
    mutants: int,
    end: float,
) -> LookedAt:
    """What is only written: functions that nothing is said of, facts and requirements that no test holds."""
    if isinstance(seen, str):
        return LookedAt((), (), (f"gaps: {seen}",))
    prover = LinkProver(sandbox, seen, surveyor.limits, mutants, time.monotonic, end)
    counts = Counter(fact.subject for fact in scanned.facts if _says_something(fact))
    findings = (*_untested(counts, seen), *_unlinked(known, prover))
    of_requirements = {subject for each in known.links for subject in each.functions}  # these were looked at
    stated = [
        each
        for each in seen.public
        if counts[_subject(each)] and (each.tests or each.others) and _subject(each) not in of_requirements
    ]
    looked = _without_kill(counts, stated, sandbox, seen, surveyor.limits, mutants, end)
    said = f"gaps: {count_noun(len(seen.public), 'public function')}, {count_noun(len(known.stated), 'requirement')}"
    return LookedAt((*findings, *looked.findings), (said, *looked.checked), looked.not_checked)


FEW_MUTANTS = 3
"""So many of each function first: one that is killed says enough."""


def _without_kill(
    counts: Mapping[str, int],
    stated: Sequence[VouchedFunction],
    sandbox: LocalSandbox,
    seen: SurveySeen,
    limits: Limits,
    most: int,
    end: float,
) -> LookedAt:
    """Functions with facts whose tests kill none of their mutants, a few of which are tried first, and then more."""
    open_ones = [each for each in stated if each.tests]
    found: dict[FunctionId, Mutated] = {}
    for count in (min(FEW_MUTANTS, most), most):
        budget = MutantBudget(count, time.monotonic, end, lambda count, where: None)
        with contextlib.suppress(OutOfTimeError, TimeIsUp):
            run_mutants(sandbox, seen.baseline, open_ones, seen.sources, limits, budget, found)
        open_ones = [each for each in open_ones if not _kills(found.get(function_id(each)))]
    known = {function_id(each): found[function_id(each)].known for each in open_ones if function_id(each) in found}
    findings = [
        _kill_finding(each, counts[_subject(each)], f"its tests kill none of {count_noun(len(mutants), 'mutant')}")
        for each in open_ones
        if (mutants := known.get(function_id(each)))
    ]
    findings += [
        _kill_finding(each, counts[_subject(each)], "no test that runs it vouches for it")
        for each in stated
        if not each.tests
    ]
    late = sum(not known.get(function_id(each)) for each in open_ones)
    tried = f"facts with tests: mutants of {count_noun(len(stated) - late, 'function')}"
    missing = (f"tests of {count_noun(late, 'function')} with facts: no mutant had its turn",) if late else ()
    return LookedAt(tuple(findings), (tried,) if stated else (), missing)


def _kills(mutated: Mutated | None) -> bool:
    return mutated is not None and any(fate.state is MutantState.KILLED for _, fate in mutated.known)


def _kill_finding(each: VouchedFunction, count: int, why: str) -> SpecFinding:
    function = each.function
    said = f"{function.qualname} has {count_noun(count, 'fact')}, and {why}"
    return finding_of(SpecKind.GAP, _subject(each), said, function.path, function.line, words=("no kill",))


def _subject(each: VouchedFunction) -> str:
    return f"{each.function.path}:{each.function.qualname}"


def _untested(facts: Mapping[str, int], seen: SurveySeen) -> Iterator[SpecFinding]:
    """Public functions of which nothing is stated and that no test runs; and those with facts that no test runs."""
    for each in seen.public:
        function, subject = each.function, _subject(each)
        if each.tests or each.others:
            continue
        count = facts[subject]
        said = (
            f"{function.qualname} has {count_noun(count, 'fact')}, and no test runs it"
            if count
            else f"{function.qualname}: no fact and no test speaks of it"
        )
        yield finding_of(SpecKind.GAP, subject, said, function.path, function.line, words=("untested",))


def _says_something(fact: Fact) -> bool:
    return fact.predicate not in _TYPES and fact.extractor not in (Extractor.TEST, Extractor.COMMIT)


def _unlinked(known: Requirements, prover: LinkProver) -> Iterator[SpecFinding]:
    """Requirements that no test names, and those whose tests kill nothing."""
    for name, fact in known.stated.items():
        links = [each for each in known.links if each.requirement == name]
        place = fact.place
        if not links:
            said = f"{name}: no test says that it is for it"
            yield finding_of(SpecKind.GAP, name, said, place.path, place.line, (fact.cite(),), words=("unlinked",))
            continue
        proved = [link for each in links for link in prover.prove(each)]
        if proved and all(link.state is LinkState.CLAIMED and link.why in NO_PROOF for link in proved):
            why = "" if all(link.why == NO_KILL for link in proved) else f": {_named(link.why for link in proved)}"
            said = f"{name}: its tests kill nothing ({_named(link.test for link in proved)}){why}"
            yield finding_of(SpecKind.GAP, name, said, place.path, place.line, (fact.cite(),), words=("no kill",))


def _named(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(words))
