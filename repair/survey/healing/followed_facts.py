"""What became of the words that a test quotes: still there, or others in their place, and what those claim.

The extractors are those that grew the test. Where the words are unchanged, nothing is claimed anew, whatever the
program does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from analysis.behaviour import Call
from analysis.facts import FunctionId
from analysis.moved_definitions import Definition
from analysis.stated.citation import uncited
from analysis.stated.fact import StatedFact, applies
from analysis.stated.function import Stated, stated_of
from analysis.stated.sentence import plain_text
from repair.compare.examples import dump_call, read_examples
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.oracle import cite_example, claim_of
from repair.survey.healing.generated_file import CitedWords

LIKE = 0.4
"""The share of words that new ones have in common with those that they stand for."""

CLEAR = 0.05

_EXAMPLE = ">>> "


@dataclass(frozen=True, slots=True)
class CitedFunction:
    """A function that words speak of: in which file, and what the file states of it."""

    function: FunctionId
    source: bytes
    definition: Definition

    @property
    def stated(self) -> Stated:
        """All facts about it."""
        return stated_of(self.function, self.source)

    @property
    def text(self) -> str:
        """All words that are stated of it: those of its facts, and its docstring."""
        return "\n".join((self.docstring, *(fact.quote for fact in self.stated.facts)))

    @property
    def docstring(self) -> str:
        """What it says of itself."""
        return ast.get_docstring(self.definition.node) or ""


@dataclass(frozen=True, slots=True)
class FollowedWords:
    """Where the words are now; with ``claims``, one for each call, they are others, and claim that."""

    said: str
    claims: tuple[Claim, ...] = ()


def follow_words(
    cited: CitedWords, was: CitedFunction, now: CitedFunction, calls: Sequence[ast.Call]
) -> FollowedWords | str:
    """What became of the words for calls of the function as it is now; a sentence where nobody can tell."""
    if cited.quote.startswith(_EXAMPLE):
        return _follow_example(cited, now, calls)
    own, before = now.stated, was.stated
    for fact in own.facts:
        if _words(fact) == normal_words(cited.quote):
            return FollowedWords(own.cite(fact))
    gone = [fact for fact in before.facts if _words(fact) == normal_words(cited.quote)]
    if not gone and cited.path != now.function.path:
        return f"it quotes {cited.path}, and only words of the function's own file are followed"
    if not gone:
        return "what it quotes was not stated of the function before"
    known_words = {_words(fact) for fact in before.facts}
    fresh = [fact for fact in own.facts if _words(fact) not in known_words]
    found = [(likeness, fact, claims) for fact in fresh for likeness, claims in _fitting(fact, gone[0], own, calls)]
    if not found:
        return "the words that it quotes are gone, and no others of that kind speak of its call"
    found.sort(key=lambda each: -each[0])
    best, fact, claims = found[0]
    if any(other > best - CLEAR and rest != claims for other, _, rest in found[1:]):
        return "the words that it quotes are gone, and several others may stand for them"
    return FollowedWords(own.cite(fact), claims)


def _fitting(
    fact: StatedFact, gone: StatedFact, own: Stated, calls: Sequence[ast.Call]
) -> Iterator[tuple[float, tuple[Claim, ...]]]:
    """How like the old words they are, and what they claim of each call, where they speak of all of them."""
    one, other = (re.findall(r"\w+|>=|<=", _words(each)) for each in (fact, gone))
    likeness = SequenceMatcher(None, one, other, autojunk=False).ratio()
    if fact.source is not gone.source or likeness < LIKE:
        return
    claims = []
    for call in calls:
        known = own.known(Call("", _arguments(call)))
        if applies(fact.condition, known) is not True:
            return
        claim = claim_of(fact.end, known, CallCase("", "", Claim(ClaimKind.EQUALS)), None)
        if claim is None or uncited(claim.kind.name, claim.value, fact.quote):
            return
        claims.append(claim)
    yield likeness, tuple(claims)


def _follow_example(cited: CitedWords, now: CitedFunction, calls: Sequence[ast.Call]) -> FollowedWords | str:
    """The example of the docstring that makes the same call, with what it gives now."""
    examples = [each.text.partition(" gives ") for each in read_examples(now.docstring)]
    for source, _, want in examples:
        if normal_words(f"{_EXAMPLE}{source} {want}") == normal_words(cited.quote):
            return FollowedWords(cite_example(now.function, now.source, f"{source} {want}"))
    if len(calls) != 1:
        return "the example that it quotes is gone"
    name = now.definition.name
    for source, _, want in examples:
        if dump_call(source) == dump_call(f"{name}{_arguments(calls[0])}"):
            said = cite_example(now.function, now.source, f"{source} {want}")
            if not uncited("EQUALS", want, f"{_EXAMPLE}{source} {want}"):
                return FollowedWords(said, (Claim(ClaimKind.EQUALS, want),))
    return "the example that it quotes is gone, and no other makes its call"


def _arguments(call: ast.Call) -> str:
    return ast.unparse(ast.Call(ast.Name("f", ast.Load()), call.args, call.keywords))[1:]


def _words(fact: StatedFact) -> str:
    return normal_words(plain_text(fact.quote))


def normal_words(text: str) -> str:
    """The text with one blank between words."""
    return " ".join(text.split())
