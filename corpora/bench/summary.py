"""What the records of a bench come to: one row a cell, one summary a configuration, and configurations in pairs.

Headline rates count each bug once, by its first seed; further seeds serve the estimates for k attempts. Where the
machine failed, a cell is counted apart and in no rate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from types import MappingProxyType

from corpora.bench.agreement import Agreement, Standing
from corpora.bench.record import BenchRecord, Cell
from corpora.bench.score import ANSWERS, Score
from corpora.bench.statistics import Paired, Rate, compare_pairs, mean_at_k, rate
from repair.records.result import Status

TOPS = (1, 3, 5)

USEFUL = frozenset({"failed", "passed", "doubted", "elsewhere"})
"""Words for attempts of a model that were worth their request, whatever came of them."""


@dataclass(frozen=True, slots=True)
class ScoredCell:
    """One cell with its score; ``score`` is ``None`` where it was not scored (yet).

    ``sample`` is what was said of its corpus: in-sample, held-out, or nothing.
    """

    record: BenchRecord
    score: Score | None = None
    sample: str = ""

    @property
    def cell(self) -> Cell:
        """What was run."""
        return self.record.cell

    @property
    def side(self) -> tuple[str, str]:
        """Its configuration and sample: rows of another side are not counted together with it."""
        return (self.cell.configuration, self.sample)

    @property
    def failed(self) -> bool:
        """Whether the machine failed and not the method."""
        return self.record.ending != "done" or self.record.result is None

    @property
    def status(self) -> str:
        """The word of the run."""
        return "infrastructure" if self.record.result is None or self.failed else str(self.record.result.status)

    @property
    def certified(self) -> bool:
        """Whether the answer is certified."""
        return self.status == Status.CERTIFIED

    @property
    def answered(self) -> bool:
        """Whether there is an answer: a certified or plausible patch."""
        return self.status in ANSWERS

    @property
    def origin(self) -> str:
        """Who proposed the answer: a proposer's name, empty for none."""
        patches = self.record.result.patches if self.record.result is not None and self.answered else ()
        return next((patch.proposer for patch in patches if patch.rank == 1), "")

    @property
    def wasted_requests(self) -> int:
        """Requests to a model after which no edit of it was run, and no other function was named either."""
        attempts = self.record.result.attempts if self.record.result is not None else ()
        return sum(attempt.outcome not in USEFUL for attempt in attempts)

    @property
    def agreement(self) -> Agreement | None:
        """How the answer stands to the reference, where it was compared."""
        return self.score.agreement if self.score is not None else None

    @property
    def standing(self) -> Standing | None:
        """The word of the agreement."""
        return self.agreement.standing if self.agreement is not None else None

    @property
    def agrees(self) -> bool:
        """Whether there is an answer that agrees with the reference."""
        return self.answered and self.standing is Standing.AGREES

    @property
    def differs(self) -> bool:
        """Whether there is an answer that differs from the reference."""
        return self.answered and self.standing is Standing.DIFFERS


@dataclass(frozen=True, slots=True)
class AtK:
    """Chance that one of ``k`` attempts is plausible, or agrees; ``None`` where some bug has fewer attempts."""

    k: int
    plausible: float | None
    agrees: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """One configuration (or one group of its bugs). Rates have their counts and intervals.

    ``plausible`` counts every answer, certified ones among them. ``overfitting`` is the share of wrong ones among the
    answers that could be decided, ``false_certified`` the same among certified ones. ``tops`` are the shares of bugs
    whose true function is among the first 1, 3 and 5 suspects.
    """

    name: str
    bugs: int
    cells: int
    infrastructure: int
    compiled: Rate
    plausible: Rate
    certified: Rate
    agrees: Rate
    exact: Rate
    tree: Rate
    overfitting: Rate
    false_certified: Rate
    undecidable: int
    unscored: int
    abstained: int
    tops: tuple[tuple[int, Rate], ...]
    at_k: tuple[AtK, ...]
    median_seconds: float
    seconds: float
    cpu_seconds: float
    candidates: int
    executed: int
    tokens: int
    usd: float
    sample: str = ""

    @property
    def label(self) -> str:
        """The name, and the sample where something was said of it."""
        return label(self.name, self.sample)


@dataclass(frozen=True, slots=True)
class ArmComparison:
    """Two configurations on the bugs that both have: who alone agrees with the reference, and how likely by chance."""

    first: str
    second: str
    agrees: Paired
    certified: Paired
    won: tuple[str, ...]
    """Bugs that only the second mends as the reference does."""
    lost: tuple[str, ...]
    """Bugs that only the first mends as the reference does."""


def label(name: str, sample: str) -> str:
    """The name with the sample behind it."""
    return f"{name}, {sample}" if sample else name


def rows(
    records: Iterable[BenchRecord], scores: Iterable[Score], samples: Mapping[str, str] = MappingProxyType({})
) -> tuple[ScoredCell, ...]:
    """Records with their scores, ordered by configuration, corpus, bug and seed; ``samples`` are those of corpora."""
    scored = {score.cell: score for score in scores}
    found = (ScoredCell(record, scored.get(record.cell), samples.get(record.cell.corpus, "")) for record in records)
    return tuple(sorted(found, key=_order))


def _order(row: ScoredCell) -> tuple[str, str, str, int]:
    return (row.cell.configuration, row.cell.corpus, row.cell.bug, row.cell.seed)


def summaries(every: Sequence[ScoredCell]) -> tuple[Summary, ...]:
    """A summary for each configuration, in the order of their first rows; one for each sample that was told apart."""
    return tuple(summary(name, members) for (name, _), members in sides(every).items())


def sides(every: Iterable[ScoredCell]) -> dict[tuple[str, str], list[ScoredCell]]:
    """The rows of each configuration and sample."""
    found: dict[tuple[str, str], list[ScoredCell]] = {}
    for row in every:
        found.setdefault(row.side, []).append(row)
    return found


def by_corpus(every: Sequence[ScoredCell]) -> tuple[Summary, ...]:
    """A summary for each corpus of each configuration, named CONFIGURATION/CORPUS; none where there is but one."""
    if len({row.cell.corpus for row in every}) < 2:
        return ()
    return _parts(every, lambda row: row.cell.corpus)


def by_group(every: Sequence[ScoredCell]) -> tuple[Summary, ...]:
    """A summary for each group of bugs of each configuration, named CONFIGURATION/GROUP; none where no bug has one."""
    return _parts(every, lambda row: row.score.group if row.score is not None else "")


def _parts(every: Sequence[ScoredCell], part: Callable[[ScoredCell], str]) -> tuple[Summary, ...]:
    """A summary for each part of each side, but for the rows of none."""
    found: dict[tuple[str, str, str], list[ScoredCell]] = {}
    for row in every:
        if part(row):
            found.setdefault((row.cell.configuration, part(row), row.sample), []).append(row)
    return tuple(summary(f"{name}/{of}", members) for (name, of, _), members in sorted(found.items()))


def summary(name: str, every: Sequence[ScoredCell]) -> Summary:
    """The summary of the rows of one side."""
    done = [row for row in every if not row.failed]
    first = first_seeds(done)
    answers = [row for row in first if row.answered]
    decided = [row for row in answers if row.agrees or row.differs]
    sure = [row for row in decided if row.certified]
    ranks = [row.score.fault_rank for row in first if row.score is not None and row.score.fault_rank is not None]
    results = [row.record.result for row in done if row.record.result is not None]
    return Summary(
        name=name,
        bugs=len(first),
        cells=len(every),
        infrastructure=sum(row.failed for row in every),
        compiled=_share(first, lambda row: row.score is not None and row.score.compiled),
        plausible=rate(len(answers), len(first)),
        certified=_share(first, lambda row: row.certified),
        agrees=_share(first, lambda row: row.agrees),
        exact=_share(first, lambda row: row.answered and row.agreement is not None and row.agreement.exact),
        tree=_share(first, lambda row: row.answered and row.agreement is not None and row.agreement.tree),
        overfitting=_share(decided, lambda row: row.differs),
        false_certified=_share(sure, lambda row: row.differs),
        undecidable=sum(row.standing is Standing.UNDECIDABLE for row in answers),
        unscored=sum(row.agreement is None or row.standing is Standing.NO_REFERENCE for row in answers),
        abstained=len(first) - len(answers),
        tops=tuple((top, rate(sum(1 <= rank <= top for rank in ranks), len(ranks))) for top in TOPS),
        at_k=_at_k(done),
        median_seconds=median(row.record.seconds for row in first) if first else 0.0,
        seconds=sum(row.record.seconds for row in done),
        cpu_seconds=sum(row.record.cpu_seconds for row in done),
        candidates=sum(result.counts.candidates for result in results),
        executed=sum(result.counts.executed for result in results),
        tokens=sum(result.cost.input_tokens + result.cost.output_tokens for result in results),
        usd=sum(result.cost.usd for result in results),
        sample=every[0].sample if every else "",
    )


def compare(mine: Sequence[ScoredCell], theirs: Sequence[ScoredCell], names: tuple[str, str]) -> ArmComparison:
    """McNemar on the bugs that both sides have a result for, by their first seeds. Each side is one configuration."""
    first, second = (
        {_bug(row): row for row in first_seeds([r for r in side if not r.failed])} for side in (mine, theirs)
    )
    pairs = [(first[bug], second[bug]) for bug in sorted(first.keys() & second.keys())]
    return ArmComparison(
        *names,
        agrees=compare_pairs([(a.agrees, b.agrees) for a, b in pairs]),
        certified=compare_pairs([(a.certified, b.certified) for a, b in pairs]),
        won=tuple(b.cell.bug for a, b in pairs if b.agrees and not a.agrees),
        lost=tuple(a.cell.bug for a, b in pairs if a.agrees and not b.agrees),
    )


def comparisons(every: Sequence[ScoredCell]) -> tuple[ArmComparison, ...]:
    """All configurations in pairs, each sample by itself."""
    found = sides(every)
    pairs = ((a, b) for a, b in combinations(found, 2) if a[1] == b[1])
    return tuple(compare(found[a], found[b], (label(*a), label(*b))) for a, b in pairs)


def _bug(row: ScoredCell) -> tuple[str, str]:
    return (row.cell.corpus, row.cell.bug)


def first_seeds(done: Sequence[ScoredCell]) -> list[ScoredCell]:
    """Of each bug's rows under one configuration the one with the lowest seed."""
    found: dict[tuple[str, str], ScoredCell] = {}
    for row in sorted(done, key=_order):
        found.setdefault(_bug(row), row)
    return list(found.values())


def _share(among: Sequence[ScoredCell], holds: Callable[[ScoredCell], bool]) -> Rate:
    return rate(sum(map(holds, among)), len(among))


def _at_k(done: Sequence[ScoredCell]) -> tuple[AtK, ...]:
    """For 1, 2, 4 … up to the fewest attempts that any bug has."""
    tries: dict[tuple[str, str], list[ScoredCell]] = {}
    for row in done:
        tries.setdefault(_bug(row), []).append(row)
    fewest = min(map(len, tries.values()), default=0)
    plausible = [(len(own), sum(row.answered for row in own)) for own in tries.values()]
    agrees = [(len(own), sum(row.agrees for row in own)) for own in tries.values()]
    powers = [2**n for n in range(fewest.bit_length()) if 2**n <= fewest]
    return tuple(AtK(k, mean_at_k(plausible, k), mean_at_k(agrees, k)) for k in powers)
