"""A model whose truth is known: it answers the reference, something near it, or junk, by chances that are given.

What it answers to the n-th request about a bug follows from seed, bug and n alone. So every configuration that asks it
gets the same answers in the same order, and differs only in what it makes of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from analysis.functions import find_function, functions_of
from corpora.bug import Bug, Corpus, Oracle
from corpora.lab.benchmarks.near_misses import near_misses
from corpora.lab.benchmarks.scripted_endpoint import serve_answers, words_of
from sandbox.scratch import scratch_folder
from transforms.mutants.made import mutants
from transforms.tree.candidate import Rejected
from transforms.tree.scope import open_scope

REFERENCE, NEAR, JUNK, ELSEWHERE, SPENT = "reference", "near", "junk", "elsewhere", "spent"
KINDS = (REFERENCE, NEAR, JUNK)
"""Answers to requests about the function at fault, as they were drawn."""

OURS_SHARE = 0.4
"""The share of near-misses that operators of ours make; the others are made by other means."""

_ASKED_ABOUT = re.compile(r"^(?:Mend|Write) `([^`]+)` in (\S+?),", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely each kind of answer is; what is left is junk."""

    reference: float = 0.2
    near: float = 0.4


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its kind, who made it (``ours``, ``others``, or the shape of the junk), and its text."""

    kind: str
    maker: str
    text: str


@dataclass(frozen=True, slots=True)
class Script:
    """What the oracle knows of one bug: where the fault is, the right text of that function, and texts near it."""

    bug: str
    path: str
    qualname: str
    reference: str
    others: tuple[str, ...]
    ours: tuple[str, ...]

    def answer(self, seed: int, number: int, chances: Chances) -> Answer:
        """The answer to a request about this function; ``number`` counts them from 1."""
        draw = random.Random(f"{seed}/{self.bug}/{number}")
        chance, near = draw.random(), {"ours": self.ours, "others": self.others}
        if chance < chances.reference:
            return Answer(REFERENCE, "reference", _rewrite(self.reference))
        if chance < chances.reference + chances.near and (self.ours or self.others):
            is_ours = bool(self.ours) and (draw.random() < OURS_SHARE or not self.others)
            maker = "ours" if is_ours else "others"
            return Answer(NEAR, maker, _rewrite(draw.choice(near[maker])))
        maker = draw.choice(tuple(_JUNK))
        return Answer(JUNK, maker, _JUNK[maker](self))

    def sent_elsewhere(self) -> Answer:
        """The answer to a request about another function."""
        named = f"ELSEWHERE: {self.path}:{self.qualname} because it makes the wrong value"
        told = f"WHY: the value is wrong where it is made.\n{named}\nEND."
        return Answer(ELSEWHERE, ELSEWHERE, told)


def _rewrite(text: str) -> str:
    return f"WHY: this is what the tests ask for.\n```python rewrite\n{text.rstrip()}\n```\nEND."


_JUNK: dict[str, Callable[[Script], str]] = {
    "talk": lambda script: f"I would look at `{script.qualname}` again, since its tests fail.",
    "cut": lambda script: _rewrite(script.reference)[: len(script.reference) // 2],
    "no such statement": lambda script: "WHY: a bound.\n```python update s999.value\n0\n```\nEND.",
    "no program": lambda script: "WHY: a bound.\n```python rewrite\ndef it(:\n```\nEND.",
    "empty": lambda script: "",
    "does nothing": lambda script: _rewrite(f"{script.reference.split(chr(10), 1)[0].rstrip()}\n    return None"),
}


def script_of(bug: Bug, corpus: Corpus) -> Script | str:
    """What an oracle knows of a bug, or why it knows nothing: the answer has to be one function of the tree."""
    fault, answer = bug.fault, corpus.oracle(bug)
    if fault is None or not answer.reference:
        return "its function at fault, or its reference, is not known"
    with scratch_folder() as scratch:
        corpus.write_tree(bug, scratch / "tree")
        before = _function_text(fault.path, fault.qualname, (scratch / "tree" / fault.path).read_bytes())
    after = _reference_text(fault.path, fault.qualname, answer)
    if not before or not after or before == after:
        return "its reference is no other text of one function"
    ours = _our_mutants(fault.path, fault.qualname, answer)
    return Script(bug.id, fault.path, fault.qualname, after, near_misses(after), ours)


def _function_text(path: str, qualname: str, source: bytes) -> str:
    span = find_function(functions_of(path, source), qualname)
    return "" if span is None else source[span.start : span.end].decode(span.encoding)


def _reference_text(path: str, qualname: str, answer: Oracle) -> str:
    source = dict(answer.reference).get(path)
    return "" if source is None else _function_text(path, qualname, source)


def _our_mutants(path: str, qualname: str, answer: Oracle) -> tuple[str, ...]:
    source = dict(answer.reference)[path]
    span = find_function(functions_of(path, source), qualname)
    assert span is not None, "its text was found before"
    scope = open_scope(source, span)
    if isinstance(scope, Rejected):
        return ()
    return tuple(each.text.decode(span.encoding) for each in mutants(scope, defaults=False))


@dataclass(frozen=True, slots=True)
class Place:
    """What is asked at one address: the oracle of a bug, for one cell of a bench.

    After so many ``requests`` about the function it has nothing more to say. ``served`` grows with each answer.
    """

    script: Script
    seed: int
    chances: Chances
    requests: int
    served: list[Answer] = field(default_factory=list)

    def reply(self, question: str) -> Answer:
        """The next answer. A request about another function does not count: it is sent to the right one."""
        asked = _ASKED_ABOUT.search(question)
        about = asked is not None and asked.groups() == (self.script.qualname, self.script.path)
        number = 1 + sum(each.kind in KINDS for each in self.served)
        if not about:
            made = self.script.sent_elsewhere()
        elif number > self.requests:
            made = Answer(SPENT, SPENT, "I have nothing more to say.")
        else:
            made = self.script.answer(self.seed, number, self.chances)
        self.served.append(made)
        return made


@contextmanager
def serve(places: Mapping[str, Place]) -> Iterator[str]:
    """An endpoint of this machine that speaks Chat Completions; each place has the address ``URL/NAME/v1``."""

    def answer(name: str, asked: Mapping[str, Any]) -> str | None:
        place = places.get(name)
        return None if place is None else place.reply(words_of(asked, "user")).text

    with serve_answers(answer) as url:
        yield url
