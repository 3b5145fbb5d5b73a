"""Scenarios of ``.feature`` files: who requires them, and what their steps say of functions.

Read are the English words of Gherkin. Tables and texts below a step belong to it. What cannot be read is told with its
line, and what stands before it counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.specified.asserted import Named
from analysis.specified.clauses import clause_facts
from analysis.specified.fact_record import Extractor, Fact, Predicate, QuotePlace, quote_digest, requirement_ids

_HEAD = re.compile(
    r"^(?P<word>Feature|Rule|Background|Scenario Outline|Scenario Template|Scenario|Examples?|Scenarios):"
    r"\s*(?P<name>.*)$"
)
_STEP = re.compile(r"^(?P<word>Given|When|Then|And|But|\*) (?P<text>.+)$")
_LANGUAGE = re.compile(r"^#\s*language:\s*(?P<name>\S+)")
_MOST_ROWS = 200


_ESCAPED = re.compile(r"\\([\\|n])")


def _unescape(match: re.Match[str]) -> str:
    return "\n" if match[1] == "n" else match[1]


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that cannot be read, and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """A step; ``word`` is Given, When or Then, also where "And" stands."""

    word: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario with its steps, the background's first; an outline has rows of examples."""

    name: str
    tags: tuple[str, ...]
    steps: tuple[ScenarioStep, ...]
    rows: tuple[Mapping[str, str], ...]
    quote: str
    line: int
    end_line: int

    @property
    def requirement(self) -> str:
        """The id in its tags, or that its name begins with; else one by its words."""
        found = requirement_ids(" ".join(self.tags).replace("@", " ")) or requirement_ids(self.name)
        return found[0] if found else f"R-{quote_digest(self.quote)[:6]}"


def scenario_facts(path: str, scenarios: Sequence[Scenario], named: Named) -> Iterator[Fact]:
    """Each scenario as a requirement, and what its steps say: "When" with the "Then" that follows it."""
    for each in scenarios:
        place = QuotePlace(path, each.line, each.end_line)
        name = each.requirement
        yield Fact(name, Predicate.STATES, "", place, each.quote, Extractor.GHERKIN, requirement=name)
        for row in each.rows or ({},):
            done: list[str] = []
            for step in each.steps:
                text = _filled(step.text, row)
                if step.word == "Then":
                    own = f"{each.quote} [{', '.join(f'{k}={v}' for k, v in row.items())}]" if row else each.quote
                    sentence = f"{' '.join(done)} then {text}".strip()
                    yield from clause_facts(sentence, place, own, Extractor.GHERKIN, named, name)
                elif step.word == "When":
                    done.append(text)


def _filled(text: str, row: Mapping[str, str]) -> str:
    for name, value in row.items():
        text = text.replace(f"<{name}>", value)
    return text


def read_feature(text: str) -> tuple[tuple[Scenario, ...], tuple[UnreadLine, ...]]:
    """The scenarios of a feature file, and what of it could not be read."""
    reader = _Reader(text.splitlines())
    reader.read()
    return tuple(reader.found), tuple(reader.problems)


class _Reader:
    """Reads a file line by line; what is begun is kept here until it ends."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Scenario] = []
        self.problems: list[UnreadLine] = []
        self._tags: list[str] = []
        self._background: list[ScenarioStep] = []
        self._of_rule: list[ScenarioStep] | None = None
        """The background of the rule that scenarios stand in."""
        self._steps: list[ScenarioStep] | None = None
        self._begun: tuple[str, tuple[str, ...], int] | None = None
        self._rows: list[Mapping[str, str]] = []
        self._columns: list[str] | None = None
        self._in_examples = False
        self._last = 0
        self._has_feature = False

    def read(self) -> None:
        at = 0
        while at < len(self.lines):
            line = self.lines[at].strip()
            language = _LANGUAGE.match(line)
            if language and language["name"] != "en":
                self.problems.append(UnreadLine(at + 1, f"Gherkin in the language {language['name']!r} is not read"))
                return
            if line.startswith(('"""', "```")):
                at = self._skip_text(at, line[:3])
            elif line and not line.startswith("#"):
                self._take(line, at + 1)
            at += 1
        self._finish()

    def _skip_text(self, at: int, mark: str) -> int:
        end = at + 1
        while end < len(self.lines) and not self.lines[end].strip().startswith(mark):
            end += 1
        if end == len(self.lines):
            self.problems.append(UnreadLine(at + 1, "A text in quotes does not end"))
        self._last = end + 1
        return end

    def _take(self, line: str, number: int) -> None:
        head, step = _HEAD.match(line), _STEP.match(line)
        if line.startswith("@"):
            if not self._in_examples or self._columns is not None:
                self._tags += line.split()
        elif head:
            self._take_head(head["word"], head["name"].strip(), number)
        elif line.startswith("|"):
            self._take_row(line, number)
        elif step and self._steps is not None:
            word = step["word"]
            earlier = self._steps[-1].word if self._steps else "Given"
            self._steps.append(ScenarioStep(earlier if word in ("And", "But", "*") else word, step["text"], number))
            self._last = number
        elif step or not self._has_feature:
            self.problems.append(UnreadLine(number, f"{line[:60]!r} stands outside of a scenario"))

    def _take_head(self, word: str, name: str, number: int) -> None:
        if word in ("Examples", "Scenarios"):
            if self._begun is None:
                self.problems.append(UnreadLine(number, "Examples stand outside of a scenario"))
            self._in_examples, self._columns, self._tags = True, None, []
            return
        self._finish()
        if word == "Feature":
            self._has_feature = True
            self._steps, self._background, self._of_rule = None, [], None
        elif word == "Rule":
            self._of_rule = []
        elif word == "Background":
            self._steps = self._background if self._of_rule is None else self._of_rule
        else:
            self._begun = (name, tuple(self._tags), number)
            self._steps, self._last = [], number
        self._tags = []

    def _take_row(self, line: str, number: int) -> None:
        self._last = number
        row = line.strip().removeprefix("|").removesuffix("|")
        cells = [_ESCAPED.sub(_unescape, cell.strip()) for cell in re.findall(r"((?:\\.|[^|\\])*)(?:\||$)", row)][:-1]
        if not self._in_examples:
            return
        if self._columns is None:
            self._columns = cells
        elif len(cells) != len(self._columns):
            self.problems.append(
                UnreadLine(number, f"A row has {len(cells)} cells, and its table {len(self._columns)}")
            )
        elif len(self._rows) < _MOST_ROWS:
            self._rows.append(dict(zip(self._columns, cells, strict=True)))

    def _finish(self) -> None:
        if self._begun is not None and self._steps is not None:
            name, tags, first = self._begun
            quote = "\n".join(line.strip() for line in self.lines[first - 1 : self._last])
            steps = (*self._background, *(self._of_rule or ()), *self._steps)
            self.found.append(Scenario(name, tags, steps, tuple(self._rows), quote, first, self._last))
        self._begun, self._steps, self._rows, self._columns, self._in_examples = None, None, [], None, False
