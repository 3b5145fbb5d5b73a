"""A task in prose, Markdown or Gherkin: its sentences that state something, and whether words are quoted from it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from analysis.function_text import last_name
from analysis.specified.asserted import Named
from analysis.specified.clauses import clause_facts
from analysis.specified.fact_record import REQUIREMENT_ID, Extractor, Fact, QuotePlace
from analysis.specified.gherkin import read_feature, scenario_facts
from analysis.specified.requirements import read_requirements, requirement_facts

_SAYS = re.compile(
    r"`|\b(?:shall|must|should|has to|have to|returns?|gives?|raises?|yields?|is|are|becomes?|accepts?|takes?"
    r"|prints?|reads?|writes?|sorts?|counts?|keeps?|never|always)\b",
    re.IGNORECASE,
)
"""Words of a sentence that states what a program is or does."""

_CODE_OR_BLANKS = re.compile(r"`[^`\n]*`|\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\d])")
_ENDS = " .!?\"'“”‘’"
_NEGATES = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|without|except|unless|instead|rather than|other than)\b|n['’]t\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:when|whenever|if|where)\b(?:(?!\b(?:must|shall|should|may|can|will|returns?|raises?|gives?|yields?|but|then"
    r"|else|and|or)\b)[^,;])*(?:[,;]|$)",
    re.IGNORECASE,
)
"""A clause that says when something is so, and nothing else."""

LEADING = re.compile(
    r"^(?:\s*(?:[-*+>]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?(?:#+\s+)?"
    rf"(?:\W*{REQUIREMENT_ID}[*_`\])]*\s*(?:[:.)|–—-][*_]*\s+|$))?"
)
"""What stands before the words of a sentence: the mark of an item, and the id of a requirement."""

_ID = re.compile(rf"^\W*{REQUIREMENT_ID}[*_`\])]*\s*[:.)|–—-][*_]*\s+")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_NO_PROSE = re.compile(r"^\s*(?:#|\||<!--|\s{4}|[=-]{3,}\s*$)")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


@dataclass(frozen=True)
class TaskSentence:
    """Words of the task that state something: the line that they begin in, and the id of their requirement, if any."""

    line: int
    quote: str
    requirement: str = ""

    @property
    def negates(self) -> bool:
        """Whether it says what is not so; what a clause with "when" or "if" denies is a condition, and does not
        count."""
        return _NEGATES.search(_CONDITION.sub("", flat(self.quote))) is not None

    def __str__(self) -> str:
        name = f"{self.requirement}, " if self.requirement else ""
        return f"{name}line {self.line}: {flat(self.quote)}"


@dataclass(frozen=True)
class StatedTask:
    """A task as it was given. ``path`` is the name of its file, where it lies with the program."""

    path: str
    text: str

    @cached_property
    def sentences(self) -> tuple[TaskSentence, ...]:
        """All that state something, in their order, each once."""
        found = sorted(self._read(), key=lambda each: each.line)
        return tuple({flat(each.quote): each for each in reversed(found)}.values())[::-1]

    def _read(self) -> Iterator[TaskSentence]:
        if self.path.endswith(".feature"):
            yield from (TaskSentence(each.line, each.quote) for each in read_feature(self.text)[0])
            return
        known = list(read_requirements(self.text))
        for each in known:  # an id that was made up for a sentence says nothing to a reader
            yield TaskSentence(each.line, each.quote, each.id if each.id in each.quote else "")
        taken = {number for each in known for number in range(each.line, each.end_line + 1)}
        for line, words in _paragraphs(self.text, taken):
            at = 0
            for sentence in _SENTENCE.split(words):
                begun = line + words.count("\n", 0, words.index(sentence, at))
                at = words.index(sentence, at) + len(sentence)
                if _SAYS.search(sentence):
                    yield TaskSentence(begun, _ITEM.sub("", sentence).strip())

    def facts(self, named: Named) -> tuple[Fact, ...]:
        """What the extractors read of the task about these functions of a program, each fact once."""
        if self.path.endswith(".feature"):
            found = scenario_facts(self.path, read_feature(self.text)[0], named)
            return tuple({fact.id: fact for fact in found}.values())
        facts = list(requirement_facts(self.path, self.text, named))
        for each in self.sentences:
            if not each.requirement:
                place = QuotePlace(self.path, each.line, each.line + each.quote.count("\n"))
                facts += clause_facts(flat(each.quote), place, each.quote, Extractor.MARKDOWN, named, "")
        return tuple({fact.id: fact for fact in facts}.values())

    def quoted(self, quote: str) -> tuple[TaskSentence, ...]:
        """The sentences that quoted words are, whole ones and nothing else; none where they are less, or more."""
        rest, found = f" {flat(quote)} ", []
        for each in sorted(self._units, key=lambda unit: -len(unit.quote)):
            words = each.quote.rstrip(_ENDS)
            place = re.search(rf"(?<=[\s\"'“‘]){re.escape(words)}(?=[.!?]?[\s\"'”’])", rest) if words else None
            if place:
                rest = f"{rest[: place.start()]} {rest[place.end() :]}"
                found.append(each)
        return () if rest.strip(_ENDS) else tuple(found)

    def holding(self, quote: str) -> tuple[TaskSentence, ...]:
        """What ``sentences`` has around quoted sentences: a whole requirement, or a whole scenario."""
        said = self.quoted(quote)
        return tuple(
            each
            for each in self.sentences
            if any(part.line == each.line and part.quote in flat(each.quote) for part in said)
        )

    @cached_property
    def _units(self) -> tuple[TaskSentence, ...]:
        """Each sentence by itself on one line, without its id; of a scenario each line."""
        found: list[TaskSentence] = []
        for each in self.sentences:
            parts = each.quote.splitlines() if self.path.endswith(".feature") else _SENTENCE.split(flat(each.quote))
            for part in map(flat, parts):
                bare = _ID.sub("", part).strip("| ")
                found += [
                    TaskSentence(each.line, text, each.requirement)
                    for text in {_ITEM.sub("", bare), _ITEM.sub("", part), part}
                ]
        return tuple(found)

    def line_of(self, quote: str) -> int:
        """The line in which quoted words begin; 0 where they are not in the task, or are hardly any."""
        words = quote.split()
        if len("".join(words)) < _LEAST_QUOTED:
            return 0
        found = re.search(r"\s+".join(map(re.escape, words)), self.text)
        return self.text.count("\n", 0, found.start()) + 1 if found else 0


def calls_in(text: str) -> frozenset[tuple[str, str]]:
    """The calls with arguments that stand in backquotes: the last name of what is called, and the arguments."""
    found = set()
    for code in _CODE.findall(text):
        try:
            tree = ast.parse(code.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (node.args or node.keywords):
                found.add(call_key(node))
    return frozenset(found)


def call_key(node: ast.Call) -> tuple[str, str]:
    """The last name of what is called, and the arguments: equal for equal calls."""
    return last_name(node.func), ", ".join(ast.unparse(each) for each in (*node.args, *node.keywords))


_CODE = re.compile(r"`+([^`]+)`+")
_LEAST_QUOTED = 6
"""Letters of a quote: fewer are in any text."""


def flat(text: str) -> str:
    """The words on one line, with one blank between them; in code, blanks stay as they are."""
    return _CODE_OR_BLANKS.sub(lambda found: found[0] if found[0].startswith("`") else " ", text).strip()


def _paragraphs(text: str, taken: set[int]) -> Iterator[tuple[int, str]]:
    """Blocks of prose with their first lines: no headings, tables and code, and no line that is ``taken``."""
    block: list[str] = []
    first, fenced = 0, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = bool(_FENCE.match(line))
        fenced ^= fence
        plain = line.strip() and not (fence or fenced or number in taken or _NO_PROSE.match(line))
        if block and (not plain or _ITEM.match(line)):
            yield first, "\n".join(block)
            block = []
        if plain:
            first = first if block else number
            block.append(line)
