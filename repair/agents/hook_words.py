"""What an agent, or the person beside it, is told of a judged change.

A text is short, since hosts show it to the model twice: the word, the place, the question with both readings, what to
do. What an agent answers itself is no answer: it may find one in the task or the code, or it asks the person.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from repair.records.change import PROGRAM
from repair.records.result import EvidenceView, PatchView, Result, Status
from repair.records.wording import count_noun
from repair.store.rested import list_for_agents, name_question

LONGEST = 1200
"""Characters of a text that sends an agent back to work."""

MOST_OF_CLAIM = 400
MOST_OF_END = 160
"""Characters of a claim, and of what a call gives."""

_WHAT_NEXT = (
    "If the task, a docstring or calling code answers it, add that as a test and finish. If nothing answers it, ask "
    "the user. Do not guess, and do not weaken a test."
)


@dataclass(frozen=True, slots=True)
class Told:
    """What to say of a result: to the agent, so that it goes on, or to the person alone."""

    text: str
    goes_on: bool
    judged: bool = True
    """Whether there was a verdict; without one the change may be judged the next time."""


LATE = Told("repair: no verdict within the hook's time.", goes_on=False, judged=False)
"""Said where the time was up before the change was shown to pass its tests, or to fail them."""


def words_of(result: Result, rested: dict[str, str]) -> Told | None:
    """What is to be said of a judged change; ``None`` where there is nothing to say.

    ``rested`` are questions that a person has put to rest, with the reasons.
    """
    if result.status in (Status.UNCHANGED, Status.NOTHING_FAILS, Status.INTERRUPTED):
        return None
    if result.status is Status.UNREPAIRED:
        return _told_late(result)
    patches = [patch for patch in result.patches if patch.rank == 1]
    rejected = next((patch for patch in patches if patch.status is Status.REJECTED), None)
    if rejected is not None:
        return Told(_cut(_rejected(rejected, result)), goes_on=True)
    if not patches:
        return _told_without_patch(result)
    asking = list_for_agents(result)
    open_ones = [pair for pair in asking if name_question(*pair) not in rested]
    if open_ones:
        patch, evidence = open_ones[0]
        return Told(_cut(_asked(patch, evidence, result)), goes_on=True)
    if asking:
        reason = rested[name_question(*asking[0])]
        return Told(f"{_brief(result)} Its question was put to rest: {_cut(reason, MOST_OF_END)}", goes_on=False)
    return Told(_brief(result), goes_on=False)


def _told_late(result: Result) -> Told:
    """That the time was up, and what was known by then."""
    known = "; ".join(each.rstrip(".") for each in result.messages[:2])
    return replace(LATE, text=_cut(f"{LATE.text} {known[:1].upper()}{known[1:]}.")) if known else LATE


def _told_without_patch(result: Result) -> Told:
    """What is said where no function of the program differs: a suite that breaks sends the agent back."""
    if result.status is Status.REJECTED and not any(each.kind in PROGRAM for each in result.findings):
        return Told("repair: nothing was judged: the change edits no function of the program", goes_on=False)
    if result.status is Status.REJECTED:
        said = " ".join(result.messages[:2])
        return Told(_cut(f"repair check: rejected. {said}\n{_see(result)}"), goes_on=True)
    return Told(_brief(result), goes_on=False)


def _rejected(patch: PatchView, result: Result) -> str:
    no = next((each for each in patch.evidence if each.decision == "reject"), None)
    lines = [f"repair check: rejected. {_place(patch)}."]
    if no is not None:
        lines.append(f"{no.gate}: {_cut(no.claim.rstrip('.'), MOST_OF_CLAIM)}.")
        lines += [f"Seen: {_cut(no.witness, MOST_OF_CLAIM)}"] if no.witness and no.witness not in no.claim else []
    lines.append("This is compared with the program as it was when you began. Change the code, not the tests.")
    return "\n".join([*lines, _see(result)])


def _asked(patch: PatchView, evidence: EvidenceView, result: Result) -> str:
    asked = evidence.asked
    assert asked is not None, "only questions are asked"
    lines = [f"repair check: plausible, not done. {_place(patch)}."]
    if asked.call:
        lines += [
            f"All tests pass, and they would pass with another program too: {_cut(asked.question, MOST_OF_CLAIM)}",
            f"  this change: {_cut(asked.mine, MOST_OF_END)}",
            f"  otherwise:   {_cut(asked.other, MOST_OF_END)}",
        ]
    else:
        lines.append(f"{_cut(evidence.claim.rstrip('.'), MOST_OF_CLAIM)}. {_cut(asked.question, MOST_OF_CLAIM)}")
    lines.append(_WHAT_NEXT)
    lines += [f"  {line}" for answer in (evidence.answer, evidence.otherwise) for line in _as_test(answer)]
    return "\n".join([*lines, _see(result)])


def _as_test(answer: str) -> list[str]:
    """The answer as an assertion of Python; none where it uses words of our own."""
    if not answer or " raises " in answer:
        return []
    try:
        names = {node.id for node in ast.walk(ast.parse(answer)) if isinstance(node, ast.Name)}
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [] if names & {"made", "after", "found"} else [f"assert {answer}"]


def _brief(result: Result) -> str:
    """The verdict in one sentence or two."""
    patches = [patch for patch in result.patches if patch.rank == 1]
    took = f", {result.seconds.total:.0f} s" if result.seconds.total >= 1 else ""
    if not patches:
        said = " ".join(result.messages[:2]) or result.brief
        return f"repair: {result.status}{took}: {_cut(said, MOST_OF_CLAIM)}"
    weakest = max(patches, key=lambda patch: (patch.status is Status.PLAUSIBLE, patch.risk.value if patch.risk else 0))
    yes = sum(each.decision == "accept" for each in weakest.evidence)
    risk = f", risk {weakest.risk.value:.0%}".replace("%", " %") if weakest.risk else ""
    gates = f"yes from {yes} of {count_noun(len(weakest.evidence), 'gate')}{risk}"
    fixes = next((each.claim for each in weakest.evidence if each.gate == "fixes" and each.decision == "accept"), "")
    parts = "; ".join(filter(None, (fixes, gates)))
    return f"repair: {result.status}{took}: {_place(weakest)}: {parts}. repair show {result.run}"


def _place(patch: PatchView) -> str:
    line = patch.region.first if patch.region is not None else patch.line
    return f"{patch.file}:{line} {patch.function}"


def _see(result: Result) -> str:
    return f"All of it: repair show {result.run} -v" if result.run else ""


def _cut(text: str, most: int = LONGEST) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
