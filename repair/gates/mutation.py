"""Mutation: do the vouching tests pin the changed region down?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from time import monotonic
from types import MappingProxyType

from analysis.behaviour import Difference, ends_pathologically
from analysis.calls import AgainstOld
from analysis.facts import Digest, TestRun
from analysis.mutation_score import MutantState, score_states
from analysis.trials import Trial, TrialState
from repair.compare.comparing import Versions, compare, find_telling_rivals, make_doubt, open_versions
from repair.compare.examples import ExampleRun, Examples
from repair.compare.idle_differences import brings_back, is_incidental_crash, is_rounding, is_unchanged
from repair.compare.mutant_states import mutant_state
from repair.compare.patch_parts import Unneeded, find_needless_parts, try_looser_forms
from repair.compare.patched_server import PatchedServer
from repair.compare.policy import hold_to_policy
from repair.observe.patched import PatchedRun, lines_of
from repair.records.functions import as_trial
from repair.records.ports import Submission, TrialSession
from repair.records.verdict import Decision, Evidence, Measurement
from repair.records.wording import count_noun
from repair.trials.trial_router import TrialRouter, TrialTier
from transforms.mutants.made import Mutant, mutants, mutants_beside, unreached_mutants
from transforms.mutants.other_numbers import moves_a_kept_boundary

MOST = MappingProxyType({TrialTier.WARM: 150, TrialTier.ZYGOTE: 60, TrialTier.COLD: 12})
"""How many mutants are run; of more, that many from all over the changed region."""

MOST_RUN_SECONDS = 60.0
"""How long mutants are begun, for the usual effort: a few that run endlessly each may take all that others need."""

MOST_COLD_SECONDS = 3.0
"""What the vouching tests may take for mutants to be run cold."""

PINNED = 0.8
"""The share of mutants outside of the change that have to be killed where no test passed before."""

_MARK = b"XX"
"""What mutants put around a text."""

_UNNOTICED = (MutantState.SURVIVED, MutantState.NO_COVERAGE)


class Mutation:
    """Accepts when every mutant of the changed region is killed, or no input tells it from the candidate.

    Mutants come from a fixed list of operators, never from ingredients.

    - A survivor is a doubt only together with a witness. Without one it is presumed equivalent and listed, after a
      search over recorded and generated inputs. A survivor that only brings the failure back is listed, too.
    - Where nothing could be searched, the answer is unknown.
    - A mutant of a statement that no vouching test runs survives without a run, and is counted apart.
    - An edit beyond its class's policy is held to more.
    - The patch without one of its parts is held to the same. Where the tests pass without it, that part is a doubt with
      a witness. Without a witness the part has no mutants.
    - What would be accepted is held against looser forms of itself.

    The whole function is mutated where no test passed before: what the change leaves alone was as little tested. It is
    mutated as well where the change only takes something away. Outside of the change most mutants have to be killed,
    and the others are listed.

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
            evidence = hold_to_policy(self._judge(submission, session, len(examples.tests)), submission)
            return self._try_looser(submission, session, evidence) if evidence.decision is Decision.ACCEPT else evidence

    def _judge(self, submission: Submission, session: TrialRouter, examples: int) -> Evidence:
        both = open_versions(submission)
        tier = session.tier_of(both.new.function)
        slow = tier is TrialTier.COLD and _seconds(submission) > MOST_COLD_SECONDS
        if slow or [outcome.state for outcome in session.trials([both.mine])] != [TrialState.PASSED]:
            claim = f"Mutants were not run: {_why_not(session.why(both.new.function), _seconds(submission), slow)}"
            return Evidence(self.name, Decision.UNKNOWN, claim, not_checked=("mutants of the changed region",))
        # Elsewhere no calls are compared, so that a part would be run for nothing.
        needless = (
            find_needless_parts(session, both, self._seed, self._effort) if tier is TrialTier.WARM else Unneeded()
        )
        if needless.witness is not None:
            return make_doubt(self.name, needless.claim, (), needless.witness)
        own = mutants(both.new, both.old, aside=needless.aside)
        why_whole = _why_whole(submission, own)
        known = mutants(both.new) if why_whole else own
        every = _choose(known, MOST[tier] * self._effort)
        blind = (
            self._find_blind(submission, both, every)
            if tier is TrialTier.WARM and not examples
            else frozenset[Mutant]()
        )
        run, lost = _run(session, both, every, blind, monotonic() + MOST_RUN_SECONDS * self._effort)
        late, further = len(every) - len(run), len(known) - len(every)
        left = (
            (further, "further mutants of the changed region"),
            (late, f"of {len(every)} mutants were not begun in time"),
            (lost, f"of {len(every)} mutants gave no answer"),
            (needless.left, "further parts of the patch were not left out to see whether a test asks for them"),
        )
        spared = _find_spared(run, mutants_beside(both.new, both.old)) if why_whole else ()
        cut = tuple(f"{count} {what}" for count, what in left if count)
        cut += tuple(
            f"{_describe_mutant(mutant, blind)}: survived, where the change leaves everything as it was"
            for mutant in spared
        )
        run = {mutant: state for mutant, state in run.items() if mutant not in spared}
        states = list(run.values())
        survivors = [mutant for mutant, state in run.items() if state in _UNNOTICED]
        counts = score_states(states)
        numbers: list[Measurement] = [(s.value, states.count(s)) for s in MutantState]
        numbers += [("examples", examples)] if examples else []
        if lost + late > counts.valid:
            claim = f"{lost + late} of {len(every)} mutants gave no answer: they crashed, ran no test, or took too long"
            return Evidence(self.name, Decision.UNKNOWN, claim, tuple(numbers), not_checked=cut)
        if counts.value is None:
            return Evidence(self.name, Decision.UNKNOWN, "The changed region has no valid mutant", tuple(numbers))
        numbers += [("score", round(counts.value, 3)), ("unrun", further + late + lost)]
        if not survivors:
            also = f" and {count_noun(examples, 'example')} of the docstring" if examples else ""
            where = f"the whole function, {why_whole}" if why_whole else "the changed region"
            claim = f"the tests{also} kill all {counts.valid} mutants of {where}"
            return Evidence(self.name, Decision.ACCEPT, claim, tuple(numbers), not_checked=cut)
        doubt = self._doubt(session, both, {m: _describe_mutant(m, blind) for m in survivors}, numbers)
        return replace(doubt, not_checked=(*doubt.not_checked, *cut))

    def _try_looser(self, submission: Submission, session: TrialRouter, evidence: Evidence) -> Evidence:
        """What was accepted, held against looser forms of itself; not where no input could tell them apart."""
        both = open_versions(submission)
        if session.tier_of(both.new.function) is not TrialTier.WARM:
            return evidence
        found = try_looser_forms(session, both, self._seed, self._effort)
        numbers = (*evidence.measurements, ("looser", found.forms), ("looser_passing", found.passing))
        if found.witness is not None:
            return make_doubt(self.name, found.claim, numbers, found.witness)
        return replace(evidence, measurements=numbers)

    def _find_blind(self, submission: Submission, both: Versions, every: Sequence[Mutant]) -> frozenset[Mutant]:
        """Mutants of statements that no vouching test runs. None where the function also runs outside of tests."""
        run = self._patched.of(submission) if self._patched else None
        if not isinstance(run, TestRun):
            return frozenset()
        path = submission.candidate.function.path
        ran = frozenset[int]().union(*(lines_of(run, test, path) for test in submission.vouching))
        return unreached_mutants(both.new, every, ran)

    def _doubt(
        self, session: TrialSession, both: Versions, survivors: Mapping[Mutant, str], numbers: list[Measurement]
    ) -> Evidence:
        """Survivors: told apart by an input, or presumed equivalent after an honest search."""
        rivals = [as_trial(both.new, m.text, m.label) for m in survivors]
        found = compare(session, both, rivals, self._seed, self._effort)
        named = dict(zip((trial.digest for trial in rivals), survivors, strict=True))
        numbers.append(("inputs", found.tried.inputs))

        def is_idle(rival: Trial, difference: Difference) -> bool:
            return bool(_explain_idle(found.old, difference, both, rival.text))

        telling = find_telling_rivals(
            session, both, {each.digest: each for each in rivals}, found, is_idle, self._seed, self._effort
        )
        if telling:
            (mutant, difference), said = telling[0], count_noun(len(telling), "mutant")
            claim = f"{said} survived the tests, and an input tells: {survivors[named[mutant]]}"
            return make_doubt(self.name, claim, numbers, difference)
        word = "presumed equivalent" if found.tried.is_searched else "no test notices, and nothing tells it apart"
        words = {
            named[rival]: _explain_idle(found.old, difference, both, named[rival].text)
            for rival, difference in found.rivals.differences
        }
        silent = {named[rival] for rival in found.rivals.unknown & named.keys()}
        words |= dict.fromkeys(silent, "nothing is known of it, for none of its calls could be compared")
        listed = tuple(f"{name}: {words.get(mutant, word)}" for mutant, name in survivors.items())
        tried, said = found.tried, count_noun(len(survivors), "surviving mutant")
        numbers += [("reaching", tried.reaching)] if tried.inputs else []
        if not tried.inputs:
            alive = count_noun(len(survivors), "mutant")
            claim = f"{alive} survived the tests, and no call could be repeated to compare"
        elif not tried.is_searched:
            reached = count_noun(tried.reaching, "new input")
            claim = f"{said}, and only {reached} that reached the change could be tried"
        elif silent:
            claim = f"{said}, and of {len(silent)} of them no call could be compared"
        else:
            claim = f"{said}: no difference that speaks against the patch on the {tried.inputs} inputs tried"
            return Evidence(self.name, Decision.ACCEPT, claim, tuple(numbers), not_checked=listed)
        return Evidence(self.name, Decision.UNKNOWN, claim, tuple(numbers), not_checked=(*listed, *tried.failures))


def _explain_idle(found: AgainstOld, difference: Difference, both: Versions, text: bytes) -> str:
    """Why a survivor of this text that an input tells apart says nothing against the patch; empty where it does."""
    if ends_pathologically(difference.other):
        return "ends as no program is meant to"
    if is_rounding(difference):
        return "differs only behind the ninth digit of a number"
    if _MARK in text and _MARK not in both.mine.text and _MARK[:1].decode() in difference.call.given:
        return "differs where the letters that it puts into a text stand in the call"
    if brings_back(found, difference):
        return "only brings the failure back elsewhere"
    if moves_a_kept_boundary(both.before.text, both.mine.text, text) and is_unchanged(found, difference.call):
        return "only moves a boundary that the function had, where the patch does what the function did"
    return "differs where the function crashes, before as after" if is_incidental_crash(found, difference) else ""


def _why_whole(submission: Submission, own: Sequence[Mutant]) -> str:
    """Why the whole function is mutated; empty where the changed region is enough."""
    if not submission.baseline.passing:  # then nothing else says that the rest of the function is right
        return "of which no test passed before"
    return "" if own else "since what the change leaves has none of its own"


def _find_spared(run: Mapping[Mutant, MutantState], outside: Sequence[Mutant]) -> tuple[Mutant, ...]:
    """Survivors outside of the change, where the tests kill most of the mutants there."""
    texts = {mutant.text for mutant in outside}
    states = {mutant: state for mutant, state in run.items() if mutant.text in texts}
    if (score_states(states.values()).value or 0.0) < PINNED:
        return ()
    return tuple(mutant for mutant, state in states.items() if state in _UNNOTICED)


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
) -> tuple[dict[Mutant, MutantState], int]:
    """The state of each mutant that was begun in time, and how many of the invalid ones are programs without an answer.

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
    states = {digest: mutant_state(outcome) for digest, outcome in outcomes.items()}
    found = {
        mutant: MutantState.NO_COVERAGE if mutant in blind else states.get(trial.digest, MutantState.INVALID)
        for mutant, trial in trials.items()
        if mutant in blind or trial.digest in asked
    }
    return found, list(found.values()).count(MutantState.INVALID) - refused
