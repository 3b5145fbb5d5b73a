"""Mutation: do the vouching tests pin down what the patch wrote?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import log2
from time import monotonic
from types import MappingProxyType

from analysis.behaviour import Difference, ends_pathologically
from analysis.calls import AgainstOld, Comparison
from analysis.facts import Digest
from analysis.mutation_score import MutantState, score_states
from analysis.trials import Trial, TrialState
from repair.checks.catalog import doubts_about
from repair.checks.check import behaved
from repair.checks.rival import Rival, RivalKind
from repair.compare.comparing import Versions, compare, open_versions, weighed_evidence
from repair.compare.examples import ExampleRun, Examples
from repair.compare.mutant_states import MutantFate, fate_of, show_mutant
from repair.compare.patch_parts import RelaxedForms, Unneeded, find_needless_parts, try_looser_forms
from repair.compare.patched_server import PatchedServer
from repair.compare.policy import policy_of
from repair.observe.patched import PatchedRun, lines_of
from repair.records.functions import as_trial
from repair.records.ports import Submission, TrialSession
from repair.records.verdict import Decision, Doubt, Evidence, Measurement
from repair.records.wording import count_noun
from repair.trials.trial_router import TrialRouter, TrialTier
from transforms.mutants.made import Mutant, mutants, unreached_mutants
from transforms.mutants.other_numbers import moves_a_kept_boundary
from transforms.rules.policy import Fit

MOST = MappingProxyType({TrialTier.WARM: 150, TrialTier.ZYGOTE: 60, TrialTier.COLD: 12})
"""How many mutants are run; of more, that many from all over the changed region."""

MOST_RUN_SECONDS = 60.0
"""How long mutants are begun, for the usual effort: a few that run endlessly each may take all that others need."""

MOST_COLD_SECONDS = 3.0
"""What the vouching tests may take for mutants to be run cold."""

ENOUGH_EXAMPLES = 2
"""So many examples of a docstring that hold speak for a patch as much as more of them."""

MANY_SURVIVORS = 3
"""So many survivors that nothing could be compared of count as much as more of them."""

_MARK = b"XX"
"""What mutants put around a text."""

_UNNOTICED = (MutantState.SURVIVED, MutantState.NO_COVERAGE)


@dataclass(frozen=True, slots=True)
class _Population:
    """The mutants of a patch. ``written`` are of what it wrote; ``whole`` says why the whole function is mutated."""

    known: tuple[Mutant, ...]
    written: frozenset[bytes]
    whole: str = ""


class Mutation:
    """Says how far the vouching tests pin the patch down, and leaves the weighing to the verdict.

    Mutants come from a fixed list of operators, never from ingredients.

    - A survivor is a rival of the patch, told from it by inputs. Without one it is presumed equivalent and listed,
      after a search over recorded and generated inputs.
    - A mutant of a statement that no vouching test runs survives without a run, and is counted apart.
    - The patch without one of its parts, or without one of its restrictions, is a rival too where the tests pass.
      Where nothing tells the part, it has no mutants.
    - Where nothing could be searched, that is a doubt.

    The whole function is mutated where no test passed before: what the change leaves alone was as little tested. It is
    mutated as well where the change only takes something away. Mutants of text that the patch left alone count apart.

    Examples in the function's old docstring that the patch passes stand beside the tests: no patch wrote them.
    """

    name = "mutation"

    def __init__(
        self,
        server: PatchedServer,
        seed: int,
        effort: int = 1,
        patched: PatchedRun | None = None,
        documented: ExampleRun | None = None,
    ) -> None:
        self._patched = patched
        self._documented = documented
        self._server = server
        self._seed = seed
        self._effort = effort

    def judge(self, submission: Submission) -> Evidence:
        """Run the mutants against the vouching tests, and look for inputs that tell survivors apart."""
        if not submission.vouching:
            return Evidence(self.name, Decision.UNKNOWN, "No test vouches for this change, so no mutant can be killed")
        examples = self._documented.of(submission) if self._documented else Examples()
        with self._server.lend(submission, examples.tests, examples.files) as session:
            return self._judge(submission, session, len(examples.tests))

    def _judge(self, submission: Submission, session: TrialRouter, examples: int) -> Evidence:
        both = open_versions(submission)
        tier = session.tier_of(both.new.function)
        slow = tier is TrialTier.COLD and _seconds(submission) > MOST_COLD_SECONDS
        policy = ("beyond_policy", float(policy_of(submission)[0].fit is Fit.BEYOND))
        if slow or [outcome.state for outcome in session.trials([both.mine])] != [TrialState.PASSED]:
            claim = f"Mutants were not run: {_why_not(session.why(both.new.function), _seconds(submission), slow)}"
            left = ("mutants of the changed region",)
            return weighed_evidence(self.name, [Doubt("mutants_not_run", claim)], not_checked=left, features=(policy,))
        needless, looser = Unneeded(), RelaxedForms()
        if tier is TrialTier.WARM:  # elsewhere no calls are compared, so that these would be run for nothing
            needless = find_needless_parts(session, both, self._seed, self._effort)
            looser = try_looser_forms(session, both, self._seed, self._effort)
        population = _populate(submission, both, needless)
        every = _choose(population.known, MOST[tier] * self._effort)
        blind = (
            self._find_blind(submission, both, every)
            if tier is TrialTier.WARM and not examples
            else frozenset[Mutant]()
        )
        run, lost = _run(session, both, every, blind, monotonic() + MOST_RUN_SECONDS * self._effort)
        late, further = len(every) - len(run), len(population.known) - len(every)
        counted = (
            (further, "further mutants of the changed region"),
            (late, f"of {len(every)} mutants were not begun in time"),
            (lost, f"of {len(every)} mutants gave no answer"),
            (needless.left, "further parts of the patch were not left out to see whether a test asks for them"),
        )
        cut = tuple(f"{count} {what}" for count, what in counted if count)
        states = [fate.state for fate in run.values()]
        counts = score_states(states)
        numbers: list[Measurement] = [(s.value, states.count(s)) for s in MutantState]
        numbers += [("examples", examples)] if examples else []
        numbers += [("looser", looser.forms), ("looser_passing", looser.passing)] if looser.forms else []
        doubts: list[Doubt] = []
        if lost + late > counts.valid:
            claim = f"{lost + late} of {len(every)} mutants gave no answer: they crashed, ran no test, or took too long"
            doubts.append(Doubt("mutants_lost", claim))
        elif counts.value is None:
            doubts.append(Doubt("no_mutants", "The changed region has no valid mutant"))
        else:
            numbers += [("score", round(counts.value, 3)), ("unrun", further + late + lost)]
        survivors = {m: _describe_mutant(m, blind) for m, fate in run.items() if fate.state in _UNNOTICED}
        rivals = [Rival(RivalKind.PART, label, differences) for label, differences in needless.told]
        rivals += [Rival(RivalKind.LOOSER, label, differences) for label, differences in looser.told]
        found = self._compare(session, both, survivors) if survivors or rivals else Comparison(old=needless.old)
        rivals += _survivors_told(found, both, survivors, population)
        doubts += doubts_about(behaved(found, submission, rivals=tuple(rivals)))
        if survivors:
            numbers += [("inputs", found.tried.inputs)]
            numbers += [("reaching", found.tried.reaching)] if found.tried.inputs else []
            doubts += _doubt_search(found, both, survivors)
        listed = _list_survivors(found, both, survivors)
        left_over = (*listed, *(found.tried.failures if survivors else ()), *cut)
        claim = _describe_score(counts.valid, examples, population, len(survivors), found)
        written = [fate.state for mutant, fate in run.items() if mutant.text in population.written]
        unnoticed = sum(state in _UNNOTICED for state in written)
        valid = score_states(written).valid
        features = (
            policy,
            ("survivors", unnoticed / max(1, valid)),
            ("examples", min(1.0, examples / ENOUGH_EXAMPLES)),
            ("killed", min(1.0, log2(1 + valid - unnoticed) / 6)),
        )
        shown = tuple(show_mutant(both.new, mutant, fate) for mutant, fate in run.items())
        return replace(weighed_evidence(self.name, doubts, numbers, claim, left_over, features), mutants=shown)

    def _compare(self, session: TrialSession, both: Versions, survivors: Iterable[Mutant]) -> Comparison:
        rivals = [as_trial(both.new, m.text, m.label) for m in survivors]
        return compare(session, both, rivals, self._seed, self._effort)

    def _find_blind(self, submission: Submission, both: Versions, every: Sequence[Mutant]) -> frozenset[Mutant]:
        """Mutants of statements that no vouching test runs. None where the function also runs outside of tests.

        Where it is not known yet what they run, no process is started for it: these survive, too, when they are run.
        """
        run = self._patched.known(submission) if self._patched else None
        if run is None:
            return frozenset()
        path = submission.candidate.function.path
        ran = frozenset[int]().union(*(lines_of(run, test, path) for test in submission.vouching))
        return unreached_mutants(both.new, every, ran)


def _populate(submission: Submission, both: Versions, needless: Unneeded) -> _Population:
    own = mutants(both.new, both.old, aside=needless.aside, written=True)
    written = frozenset(mutant.text for mutant in own)
    if not submission.baseline.passing:  # then nothing else says that the rest of the function is right
        return _Population(mutants(both.new), written, "of which no test passed before")
    own = own or mutants(both.new, both.old, aside=needless.aside)
    if own:
        return _Population(own, written)
    return _Population(mutants(both.new), written, "since what the change leaves has none of its own")


def _survivors_told(
    found: Comparison, both: Versions, survivors: Mapping[Mutant, str], population: _Population
) -> Iterator[Rival]:
    """Survivors with the inputs that tell them from the patch, but for those that say nothing against it."""
    for mutant, label in survivors.items():
        digest = as_trial(both.new, mutant.text, mutant.label).digest
        kind = RivalKind.MUTANT if mutant.text in population.written else RivalKind.KEPT
        told = [d for d in found.rivals.all_of(digest) if not _explain_idle(found.old, d, both, mutant.text)]
        yield Rival(kind, label, tuple(told))


def _doubt_search(found: Comparison, both: Versions, survivors: Mapping[Mutant, str]) -> Iterator[Doubt]:
    """What could not be found out about survivors."""
    tried, said = found.tried, count_noun(len(survivors), "surviving mutant")
    strength = min(1.0, len(survivors) / MANY_SURVIVORS)
    silent = found.rivals.unknown & {as_trial(both.new, m.text, m.label).digest for m in survivors}
    if not tried.inputs:
        alive = count_noun(len(survivors), "mutant")
        claim = f"{alive} survived the tests, and no call could be repeated to compare"
        yield Doubt("survivors_uncompared", claim, strength)
    elif not tried.is_searched:
        reached = count_noun(tried.reaching, "new input")
        claim = f"{said}, and only {reached} that reached the change could be tried"
        yield Doubt("survivors_uncompared", claim, strength)
    elif silent:
        claim = f"{said}, and of {len(silent)} of them no call could be compared"
        yield Doubt("survivors_uncompared", claim, min(1.0, len(silent) / MANY_SURVIVORS))


def _list_survivors(found: Comparison, both: Versions, survivors: Mapping[Mutant, str]) -> tuple[str, ...]:
    """Every survivor with what is known of it."""
    word = "presumed equivalent" if found.tried.is_searched else "no test notices, and nothing tells it apart"
    named = {as_trial(both.new, m.text, m.label).digest: m for m in survivors}
    words: dict[Mutant, str] = {
        named[rival]: _explain_idle(found.old, difference, both, named[rival].text) or "an input tells it apart"
        for rival, difference in found.rivals.differences
        if rival in named
    }
    silent = {named[rival] for rival in found.rivals.unknown & named.keys()}
    words |= dict.fromkeys(silent, "nothing is known of it, for none of its calls could be compared")
    return tuple(f"{name}: {words.get(mutant, word)}" for mutant, name in survivors.items())


def _describe_score(valid: int, examples: int, population: _Population, survivors: int, found: Comparison) -> str:
    """What is said where nothing speaks against the patch."""
    if survivors:
        said = count_noun(survivors, "surviving mutant")
        return f"{said}: no difference that speaks against the patch on the {found.tried.inputs} inputs tried"
    also = f" and {count_noun(examples, 'example')} of the docstring" if examples else ""
    where = f"the whole function, {population.whole}" if population.whole else "the changed region"
    return f"the tests{also} kill all {valid} mutants of {where}"


def _explain_idle(found: AgainstOld, difference: Difference, both: Versions, text: bytes) -> str:
    """Why a survivor of this text that an input tells apart says nothing against the patch; empty where it may."""
    if ends_pathologically(difference.other):
        return "ends as no program is meant to"
    if _MARK in text and _MARK not in both.mine.text and _MARK[:1].decode() in difference.call.given:
        return "differs where the letters that it puts into a text stand in the call"
    if moves_a_kept_boundary(both.before.text, both.mine.text, text) and found.is_kept(difference.call):
        return "only moves a boundary that the function had, where the patch does what the function did"
    return ""


def _seconds(submission: Submission) -> float:
    """What the vouching tests took by themselves."""
    vouching = set(submission.vouching)
    return sum(result.seconds for result in submission.baseline.outcomes if result.test in vouching)


def _why_not(reason: str, seconds: float, slow: bool) -> str:
    """Why mutants are not run. That they would need processes of their own is no reason where the tests are quick."""
    if not slow:
        return reason or "the patch does not pass there"
    because = f" ({reason})" if reason else ""
    return f"each would need a process of its own{because}, and the vouching tests take {seconds:.1f} s"


def _choose(known: Sequence[Mutant], most: int) -> list[Mutant]:
    """All mutants, or so many at even distances."""
    return [known[place * len(known) // most] for place in range(most)] if len(known) > most else [*known]


def _describe_mutant(mutant: Mutant, blind: Set[Mutant]) -> str:
    unrun = ", which no vouching test runs" if mutant in blind else ""
    return f"line {mutant.line}{unrun}: {mutant.label}"


def _run(
    session: TrialSession, both: Versions, every: Sequence[Mutant], blind: Set[Mutant], until: float
) -> tuple[dict[Mutant, MutantFate], int]:
    """The fate of each mutant that was begun in time, and how many of the invalid ones are programs without an answer.

    The ``blind`` ones are not run.
    """
    trials = {mutant: as_trial(both.new, mutant.text, mutant.label) for mutant in every}
    asked: set[Digest] = set()

    def in_time() -> Iterator[Trial]:
        for mutant, trial in trials.items():
            if monotonic() > until:
                return
            if mutant not in blind:
                asked.add(trial.digest)
                yield trial

    outcomes = {outcome.digest: outcome for outcome in session.trials(in_time())}
    refused = sum(outcome.state is TrialState.INVALID for outcome in outcomes.values())
    fates = {digest: fate_of(outcome) for digest, outcome in outcomes.items()}
    unrun, lost = MutantFate(MutantState.NO_COVERAGE), MutantFate(MutantState.INVALID)
    found = {
        mutant: unrun if mutant in blind else fates.get(trial.digest, lost)
        for mutant, trial in trials.items()
        if mutant in blind or trial.digest in asked
    }
    return found, sum(fate.state is MutantState.INVALID for fate in found.values()) - refused
