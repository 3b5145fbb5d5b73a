"""Which of the plausible candidates comes first, and why.

Passing the tests says little: of several patches that do, most may be wrong. What is known of each beside its tests
orders them, the first difference that counts first:

1. what the judge of texts rejects comes last;
2. then what has a shape that passes tests more often than it mends faults (Tan et al., 2016; Qi et al., 2015);
3. then what a gate that reads texts alone does not accept: an answer for the tests' very values, for instance;
4. then what could not be compared, where others were;
5. among the others the least *odds* of being wrong;
6. of those that behave as the first one does, the one that changes the fewest words: it is read soonest.

The odds are those of the judge's own risk, as far as it is known before the gates are asked. Features and weights are
the same (`repair/checks`). They are multiplied by those of the edit itself: each unit of its *cost* doubles them.

The cost counts the changed nodes and the place in the stream: twice as far back costs as much as one node more
(decision 13). A reply of a model counts as one node, at its place among replies; what other finds say of it counts
nothing. Each doubling of the families of edits that behave alike costs less, and so does what the failure asks for. A
literal of a kind of its own costs more, and so do departures near the calls of passing tests. To read a name that the
old function binds and never reads costs less.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from keyword import iskeyword

from analysis.behaviour import is_truth_value
from analysis.code_words import count_alike, words_of
from repair.checks.catalog import doubts_about, support_features
from repair.checks.check import Behaved
from repair.checks.measures import TELLING, measure
from repair.checks.rival import Rival, RivalKind
from repair.checks.weights import by_its_own, features_of, shipped_weights
from repair.compare.comparing import weighed_evidence
from repair.engine.behaviour_clusters import BehaviourClusters
from repair.hunt.tried_edit import TriedEdit, prior_cost
from repair.records.task import PatchPlan
from repair.records.verdict import WEIGHED_GATES, Decision, Verdict
from repair.records.wording import count_noun
from transforms.operators.catalog import MENDING
from transforms.rules.antipatterns import antipatterns
from transforms.rules.merits import idle_names, satisfies_constraint, strange_answers
from transforms.tree.candidate import Candidate

AGREEMENT = 1.0
"""What each doubling of the families of edits that behave alike is worth, in changed nodes."""

ANSWERING = frozenset({"model", "agent"})
"""Proposers that say the same thing again when they are asked again: their edits count once where they behave alike."""

DEPARTING = 4.0
"""What it costs to change every answer near the calls of passing tests; a part of them costs a part."""

MEETING = 2.0
"""What it is worth to do what a constraint of the failure asks for."""

IDLE = 4.0
"""What it is worth to read a name that the old function binds and never reads: it was meant to be read."""

STRANGE = 2.0
"""What it costs to return a literal of a kind that the function did not return before: ``None`` beside ``True``."""

_FAMILIES = {operator.name: operator.family for operator in MENDING}

SOUND, DOUBTED, SUSPECT, REFUSED = range(4)
"""How grave the gravest thing is that the text of a candidate has against it."""

ReadText = Callable[[Candidate], Verdict]
"""What the gates say that read a candidate's text alone."""


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate with what decides its rank: ``gravity`` and ``odds`` order candidates, the least first.

    ``plan`` is what its edit was held to, ``position`` its place in the search.
    """

    candidate: Candidate
    plan: PatchPlan
    position: int
    gravity: int
    flaws: tuple[str, ...]
    cost: float
    met: str = ""
    """The claim of the constraint that it meets."""
    strange: tuple[str, ...] = ()
    """The literals of a new kind that it returns."""
    cluster: BehaviourClusters | None = None
    """What was seen of it and of the candidates that behave like it."""
    among: int = 1
    """How many candidates there are."""
    odds: float = 0.0
    """The logarithm, to the base of two, of the odds that it is not what was meant."""

    @property
    def is_refused(self) -> bool:
        """Whether its text alone is reason to reject it, a lost guard for instance: then it is no rival to others."""
        return self.gravity == REFUSED

    @property
    def is_unseen(self) -> bool:
        """Whether it was compared on no input."""
        return self.cluster is None or not self.cluster.inputs

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it stands where it stands, for a reader."""
        size, position = self.candidate.size, self.position
        said = [*self.flaws, f"changes {count_noun(size, 'node')}, and was number {position} of what was tried"]
        if self.cluster is not None and self.cluster.inputs:
            kin, inputs = len(self.cluster.kin), count_noun(self.cluster.inputs, "input")
            alone = "no other of them behaves like it" if kin == 1 else f"{kin} of them behave alike"
            if self.among > 1:
                said.append(f"of {self.among} patches that pass {alone}, on the {inputs} tried first")
            if self.cluster.departures:
                near = count_noun(self.cluster.near, "input")
                said.append(f"answers {self.cluster.departures} of {near} near the passing tests' calls otherwise")
        if self.met:
            said.append(f"does what the failure asks for: {self.met}")
        if self.strange:
            said.append(f"returns `{self.strange[0]}`, which is of no kind that the function returns elsewhere")
        return tuple(said)


def rank_candidates(
    survivors: Sequence[TriedEdit], read_text: ReadText, clusters: Sequence[BehaviourClusters] = ()
) -> list[RankedCandidate]:
    """The candidates of the survivors, the most promising first."""
    known = {digest: cluster for cluster in clusters for digest in cluster.kin}
    texts = {each.candidate.digest: read_text(each.candidate) for each in survivors}
    standing = [each for each in survivors if not _is_rejected(texts[each.candidate.digest])]
    made = [
        _weigh(each, texts[each.candidate.digest], known.get(each.candidate.digest), standing) for each in survivors
    ]
    return _put_least_text_first(sorted(made, key=_rank))


def _rank(each: RankedCandidate) -> tuple[int, int, bool, float]:
    return each.gravity, len(_shapes(each.candidate)), each.is_unseen, each.odds


def _put_least_text_first(ranked: list[RankedCandidate]) -> list[RankedCandidate]:
    """Of those that no input tells from the first one, that have as little against them, and use the same words.

    The least change comes first, of equal changes what leaves the shorter text: ``a += b`` for ``a -= -b``. What names
    less drops what no input may have asked for: ``tuple(xs)`` beside ``tuple(sorted(xs))``.
    """
    first = ranked[0] if ranked else None
    if first is None or first.is_unseen or first.cluster is None:
        return ranked
    alike = [
        each
        for each in ranked
        if each.cluster is first.cluster and _rank(each)[:3] == _rank(first)[:3] and _words_of(each) == _words_of(first)
    ]
    best = min(
        alike, key=lambda each: (_changed_words_of(each), len(words_of(each.candidate.text.decode("utf-8", "replace"))))
    )
    return [best, *(each for each in ranked if each is not best)]


def _words_of(each: RankedCandidate) -> Counter[bytes]:
    """The names and numbers of its text, and the words in texts, as often as they stand there."""
    return Counter(word for word in _PLAIN_WORD.findall(each.candidate.text) if not iskeyword(word.decode("latin-1")))


def _changed_words_of(each: RankedCandidate) -> int:
    return count_changed_words(each.candidate.before, each.candidate.text)


def count_changed_words(before: bytes, after: bytes) -> int:
    """How many words and marks come, go or are exchanged: 1 from ``not a`` to ``a``, or ``a < b`` to ``a > b``."""
    old, new = (words_of(text.decode("utf-8", "replace")) for text in (before, after))
    alike = count_alike(old, new)
    old, new = old[alike:][::-1], new[alike:][::-1]
    alike = count_alike(old, new)
    matcher = SequenceMatcher(None, old[alike:], new[alike:], autojunk=False)
    return sum(max(b - a, d - c) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal")


_PLAIN_WORD = re.compile(rb"\w+")


def is_rival(other: Candidate, mine: Candidate) -> bool:
    """Whether it is another candidate, and not suspect by its shape, as one is that only deletes statements."""
    return other.digest != mine.digest and not antipatterns(other.before, other.text, other.encoding)


def _is_rejected(text: Verdict) -> bool:
    return any(each.decision is Decision.REJECT for each in text.evidence)


def _weigh(
    edit: TriedEdit, text: Verdict, cluster: BehaviourClusters | None, standing: Sequence[TriedEdit]
) -> RankedCandidate:
    candidate, diagnoses = edit.candidate, edit.plan.diagnoses
    said = [e for e in text.evidence if e.decision is not Decision.ACCEPT]
    shapes, texts = _shapes(candidate), (candidate.before, candidate.text, candidate.encoding)
    behaved = _as_seen(edit, cluster, [each.candidate for each in standing])
    doubts = doubts_about(behaved)
    beside = weighed_evidence("behaviour", doubts, features=(*measure(behaved), *support_features(behaved)))
    features = features_of((*text.evidence, beside))
    log_odds = shipped_weights().log_odds_at(by_its_own(features) if edit.is_written else features)
    gravity = SUSPECT if shapes else DOUBTED if any(e.gate not in WEIGHED_GATES for e in said) else SOUND
    if _is_rejected(text):
        gravity = REFUSED
    told = [doubt.claim for doubt in sorted(doubts, key=lambda each: -each.strength) if doubt.strength >= TELLING]
    flaws = tuple(dict.fromkeys((*shapes, *(e.claim for e in said), *told)))
    asked = dict.fromkeys(c for diagnosis in diagnoses for c in diagnosis.constraints)
    met = next((constraint.claim for constraint in asked if satisfies_constraint(constraint, *texts)), "")
    strange = strange_answers(*texts)
    cost = prior_cost(edit.pieces, edit.place) - (MEETING if met else 0.0) + (STRANGE if strange else 0.0)
    cost -= IDLE if idle_names(*texts)[1] else 0.0
    if cluster is not None and cluster.inputs:
        cost += DEPARTING * cluster.departing - AGREEMENT * math.log2(_count_voices(standing, cluster))
    among = len(standing)
    odds = log_odds / math.log(2) + cost
    return RankedCandidate(candidate, edit.plan, edit.place, gravity, flaws, cost, met, strange, cluster, among, odds)


def _count_voices(standing: Sequence[TriedEdit], cluster: BehaviourClusters) -> int:
    """How many speak for a behaviour: families of edits, each once, and arms that answer.

    Samples of different origin vote better than more of one kind (R2E-Gym: Jain et al., 2025). There are many ways to
    leave a function early, and that each of them passes says what one of them says. A text that the search found and a
    model made as well has both voices. What is rejected has none, but where nothing else behaves like it. That two
    answer yes or no alike says nothing, as half of all programs do.
    """
    if any(is_truth_value(difference.mine) for _, difference in cluster.parts):
        return 1
    origins = [each.candidate.origin for each in standing if each.candidate.digest in cluster.kin]
    arms = {origin.proposer for origin in origins} & ANSWERING
    families = {_FAMILIES.get(o.operator.split("+")[0], o.proposer) for o in origins if o.proposer not in ANSWERING}
    seconded = any(each.seconded and each.candidate.digest in cluster.kin for each in standing)
    return max(1, len(families) + max(len(arms), seconded))


def _as_seen(edit: TriedEdit, cluster: BehaviourClusters | None, standing: Sequence[Candidate]) -> Behaved:
    """What is known of a candidate's behaviour: how it parts from the old function, and from the others that pass."""
    mine = edit.candidate
    if cluster is None:
        failing = tuple(dict.fromkeys(each.failure.test for each in edit.plan.diagnoses))
        return Behaved(failing=failing, passing=(), size=mine.size)
    told = {digest for digest, _ in cluster.parts}
    rivals = tuple(
        Rival(RivalKind.CANDIDATE, other.origin.operator, cluster.all_of(other.digest), other.size)
        for other in standing
        if is_rival(other, mine) and (other.digest in cluster.kin or other.digest in told)
    )
    return replace(cluster.seen, rivals=rivals, size=mine.size)


def _shapes(candidate: Candidate) -> tuple[str, ...]:
    return antipatterns(candidate.before, candidate.text, candidate.encoding)
