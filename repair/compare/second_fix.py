"""The fix of a model that did not see the patch, beside the patch: as a rival, as a doubt, and as one sentence.

Where the two differ, that is a question to a person. Where they agree on all inputs, that is told and lowers no risk.
Whoever wrote the patch may have read the same names, or be the same model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from analysis.behaviour import Difference, Rung, rung_between
from analysis.calls import Comparison
from analysis.facts import Digest
from analysis.trials import Trial
from repair.compare.comparing import Versions
from repair.records.functions import as_trial
from repair.records.ports import SecondOpinion, Submission
from repair.records.verdict import Doubt, Measurement
from repair.records.witness_text import MODELS_FIX, describe_witness
from repair.records.wording import count_noun
from transforms.tree.candidate import Candidate

SECOND_OPINION, SECOND_WORD = "second_opinion", "second_word"
"""What is measured: the sentence, and its word."""

AGREES, NEARLY, DIFFERS, ELSEWHERE = "agrees", "nearly", "differs", "elsewhere"
UNCOMPARED, NONE = "uncompared", "none"

MODEL = "model"
"""The proposer whose edits are a second opinion on those of others."""

BLIND = "a model that did not see the patch"


@dataclass(frozen=True, slots=True)
class SecondFix:
    """What a second opinion says of one patch. ``fixes`` are those of the patch's own function."""

    opinion: SecondOpinion | None
    fixes: tuple[Candidate, ...] = ()
    others: tuple[Candidate, ...] = ()
    """Fixes of another function."""

    @classmethod
    def waited_for(cls, submission: Submission) -> SecondFix:
        """The one that was asked for with this submission, waited for as long as its time lasts.

        Where a model had a part in the search, what it wrote beside the patch of somebody else is its opinion.
        """
        mine, function = submission.candidate.origin, submission.candidate.function
        if submission.second is not None:
            opinion = submission.second()
        else:
            own = (each for each in submission.rivals if each.function == function and not each.imports)
            written = tuple(each for each in own if each.origin.proposer == MODEL)
            if not written or MODEL in mine.proposer.split("+"):
                return cls(None)
            opinion = SecondOpinion(written)
        fixes = tuple(each for each in opinion.fixes if each.function == function)
        return cls(opinion, fixes, tuple(each for each in opinion.fixes if each.function != function))

    def place(self, both: Versions, known: Collection[Digest]) -> tuple[Trial, ...]:
        """The fixes as programs to compare with the patch, without those that are known already."""
        return tuple(trial for trial in self._trials(both) if trial.digest not in known)

    def leave_out(self, both: Versions, failing: Collection[Digest]) -> SecondFix:
        """The opinion without the fixes with which tests fail that vouch for the patch."""
        pairs = zip(self._trials(both), self.fixes, strict=True)
        left = tuple(fix for trial, fix in pairs if trial.digest not in failing)
        if left or self.others or not self.fixes:
            return replace(self, fixes=left)
        return SecondFix(SecondOpinion(silence="a test that vouches for the patch fails with the model's own fix"))

    def parting(self, both: Versions, found: Comparison) -> Iterator[tuple[Candidate, tuple[Difference, ...]]]:
        """Each fix with the inputs that tell it from the patch."""
        for trial, fix in zip(self._trials(both), self.fixes, strict=True):
            yield fix, found.rivals.all_of(trial.digest)

    def doubts(self) -> Iterator[Doubt]:
        """That the model holds another function to be at fault."""
        if self.opinion is None or not (self.opinion.elsewhere or self.others):
            return
        if self.others:
            name = self.others[0].function.qualname
            claim = f"{BLIND} mends {name} instead, and all tests pass: nothing says which of the two is at fault"
        else:
            claim = f"{BLIND} would mend another function: {self.opinion.elsewhere}"
        yield Doubt("fault_elsewhere", claim)

    def measure(self, both: Versions | None = None, found: Comparison | None = None) -> tuple[Measurement, ...]:
        """The sentence that is told, and its word; nothing where nobody was asked."""
        if self.opinion is None:
            return ()
        word, said = self._say(both, found)
        return ((SECOND_WORD, word), (SECOND_OPINION, said))

    def _say(self, both: Versions | None, found: Comparison | None) -> tuple[str, str]:
        assert self.opinion is not None, "nobody says anything where nobody was asked"
        if not self.fixes:
            elsewhere = next((doubt.claim for doubt in self.doubts()), "")
            return (ELSEWHERE, elsewhere) if elsewhere else (NONE, f"no second opinion: {self.opinion.silence}")
        if both is None or found is None:
            return UNCOMPARED, f"{BLIND} mends it too, and no input could be compared"
        trials = self._trials(both)
        apart = [each for trial in trials for each in found.rivals.all_of(trial.digest)]
        told = next((each for each in apart if rung_between(each.mine, each.other) > Rung.NEAR), None)
        if told is not None:
            return DIFFERS, f"{BLIND} mends it otherwise: {describe_witness(told)}"
        if apart:
            return NEARLY, f"{BLIND} mends it nearly alike: {describe_witness(apart[0])}"
        compared = [trial for trial in trials if trial.digest not in found.rivals.unknown]
        if not compared or not found.tried.inputs:
            return UNCOMPARED, f"{BLIND} mends it too, and no input could be compared"
        return AGREES, f"{BLIND} mends it alike on {count_noun(found.tried.inputs, 'input')}"

    def _trials(self, both: Versions) -> tuple[Trial, ...]:
        return tuple(as_trial(both.new, fix.text, MODELS_FIX) for fix in self.fixes)
