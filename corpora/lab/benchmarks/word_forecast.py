"""Whether the earlier commits of a project say which word its next fix puts in: histories walked forward by date.

A *missing word* is a leaf (name, attribute of a name, constant) of a mended function that the faulty one lacks. It is
foretold by the counts of its module's leaves, and then by these together with words of earlier commits. Those are the
words of `memory learn`, with its half-life and its factor for the same file. How much they count is learned on the way,
in each history anew. Either may meet a word that nobody has seen.

A *gain* is the mean of how much likelier, in natural logarithms, a missing word is than by its module alone. In the
control each project has the history of another one. By *counts alone* neither the day nor the file of a word says
anything: a project's liking for words is left. Words dealt out anew among commits are no control: what a fix puts in
would lie before it.
"""

from __future__ import annotations

import ast
import datetime
import json
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from corpora.lab.benchmarks.words_reach import leaves, missing_leaves
from corpora.lab.learning.changes import may_be_small, small_change
from corpora.mining.history import program_of
from corpora.mining.repository import Commit, Repository
from repair.memory.learning import taught_by
from transforms.ingredients.history_words import HALF_LIFE_DAYS, OWN_MODULE

MOST_COMMITS, MOST_BYTES = 3_000, 256_000
MOST_FILES = 20
"""Files of a commit of which more bring no words: as in `memory learn`."""

UNSEEN = 1e-5
"""The share of any one word that nobody has seen, where all that were seen are counted as one further observation."""

FIRST_SHARE, FIRST_COUNT = 0.1, 10.0
"""What the history counts before the first word, and how many words that is worth."""


@dataclass(frozen=True, slots=True)
class WordChange:
    """One commit's change of one file: the ``words`` it put in, and of a fix what is ``missing``, and its module."""

    day: int
    path: str
    words: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    module: tuple[tuple[str, int], ...] = ()


def changes_of(root: Path, keep: Path | None) -> list[WordChange]:
    """The changes of the latest commits, the oldest first; kept in a file, since they take minutes."""
    file = keep / f"words-{root.name}.json" if keep is not None else None
    if file is not None and file.exists():
        return [_read(each) for each in json.loads(file.read_text())]
    with Repository(root) as repository:
        commits = repository.commits("HEAD", MOST_COMMITS, "")
        found = [change for commit in reversed(commits) for change in _changes(repository, commit)]
    found.sort(key=lambda each: each.day)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([asdict(each) for each in found]))
    return found


def _read(values: dict[str, Any]) -> WordChange:
    module = tuple((str(word), int(count)) for word, count in values["module"])
    return WordChange(values["day"], values["path"], tuple(values["words"]), tuple(values["missing"]), module)


def _changes(repository: Repository, commit: Commit) -> Iterator[WordChange]:
    day = datetime.date.fromisoformat(commit.date).toordinal() - datetime.date(1970, 1, 1).toordinal()
    small = small_change(repository, commit) if may_be_small(commit, others=False) else None
    files = program_of(commit)
    for each in files if len(files) <= MOST_FILES else ():
        if each.kind != "M":
            continue
        before, after = repository.blob(each.old), repository.blob(each.new)
        if max(len(before), len(after)) > MOST_BYTES:
            continue
        made = WordChange(
            day, each.path, tuple(filter(_is_leaf, taught_by(each.path, before, after, is_fix=False).words))
        )
        if small is not None:
            made = replace(made, missing=_missing(small.old, small.after), module=_leaves_of(before))
        if made.words or made.missing:
            yield made


def _missing(before: bytes, after: bytes) -> tuple[str, ...]:
    try:
        return missing_leaves(before, after)
    except (SyntaxError, ValueError, RecursionError):
        return ()


def _leaves_of(module: bytes) -> tuple[tuple[str, int], ...]:
    try:
        return tuple(sorted(Counter(leaves(module)).items()))
    except (SyntaxError, ValueError, RecursionError):
        return ()


def _is_leaf(word: str) -> bool:
    node = ast.parse(word, mode="eval").body
    return isinstance(node, ast.Name | ast.Constant) or (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )


@dataclass(slots=True)
class PastWords:
    """How much each word of earlier commits counts by now, and in which files; all halves with the same half-life."""

    day: int = 0
    by_word: dict[str, dict[str, float]] = field(default_factory=dict)
    by_file: dict[str, float] = field(default_factory=dict)

    def add(self, change: WordChange) -> None:
        """Take in what a change put in. Weights are kept as of day 0, so that none has to be touched again."""
        weight = math.exp2((change.day - self.day) / HALF_LIFE_DAYS)
        for word in change.words:
            files = self.by_word.setdefault(word, {})
            files[change.path] = files.get(change.path, 0.0) + weight
            self.by_file[change.path] = self.by_file.get(change.path, 0.0) + weight

    def share(self, word: str, path: str, day: int) -> float:
        """How likely the word is as the next one that is put into that file."""
        fading = math.exp2((self.day - day) / HALF_LIFE_DAYS)
        files = self.by_word.get(word, {})
        own, every = (fading * _with_own(each, path) for each in (files, self.by_file))
        return (own + UNSEEN) / (every + 1)


def _with_own(by_file: dict[str, float], path: str) -> float:
    return sum(by_file.values()) + (OWN_MODULE - 1) * by_file.get(path, 0.0)


def gains(fixes: Sequence[WordChange], past: Sequence[WordChange], *, counts_alone: bool = False) -> list[float]:
    """Of each missing word how much likelier it is by its module and the past than by its module alone.

    Only what lies before a fix's day is known of the past. Both are given the oldest first. By ``counts_alone`` words
    of all days and files count alike.
    """
    first = min((each.day for each in (*fixes, *past)), default=0)
    known, waiting, found = PastWords(first), list(reversed(past)), []
    history, times = FIRST_SHARE * FIRST_COUNT, FIRST_COUNT
    for fix in fixes:
        while waiting and waiting[-1].day < fix.day:
            change = waiting.pop()
            known.add(replace(change, day=first, path="") if counts_alone else change)
        module = dict(fix.module)
        every, place = sum(module.values()), ("/", first) if counts_alone else (fix.path, fix.day)
        for word in fix.missing:
            alone = (module.get(word, 0) + UNSEEN) / (every + 1)
            share, remembered = history / times, known.share(word, *place)
            together = (1 - share) * alone + share * remembered
            found.append(math.log(together / alone))
            history, times = history + share * remembered / together, times + 1
    return found


def word_figures(roots: Sequence[Path], keep: Path | None, listen: Callable[[str], None]) -> dict[str, Any]:
    """For each history the fixes, the missing words and where they were known, the gain, and the others'."""
    histories = {}
    for root in roots:
        histories[root.name] = changes_of(root, keep)
        listen(f"{root.name}: {len(histories[root.name])} changes")
    found: dict[str, Any] = {}
    names = list(histories)
    for name, own in histories.items():
        fixes = [each for each in own if each.missing]
        others = [gains(fixes, histories[other]) for other in names if other != name]
        mine = gains(fixes, own)
        found[name] = {
            "fixes": len(fixes),
            "missing words": len(mine),
            **_where_known(fixes, own),
            "gain": _mean(mine),
            "median gain": round(statistics.median(mine), 4) if mine else 0.0,
            "by counts alone": _mean(gains(fixes, own, counts_alone=True)),
            "another's history": _mean([each for one in others for each in one]),
        }
    for kind in ("gain", "by counts alone", "another's history"):
        found[f"histories that gain: {kind}"] = sum(found[name][kind] > 0 for name in names)
    return found


def _where_known(fixes: Sequence[WordChange], past: Sequence[WordChange]) -> dict[str, int]:
    """How many missing words the module has, how many only the past, and how many neither."""
    counts: Counter[str] = Counter()
    for fix in fixes:
        module = dict(fix.module)
        known = {word for each in past if each.day < fix.day for word in each.words}
        counts.update(
            "in the module" if w in module else "in the past alone" if w in known else "new" for w in fix.missing
        )
    return {each: counts[each] for each in ("in the module", "in the past alone", "new")}


def _mean(values: Sequence[float]) -> float:
    return round(statistics.fmean(values), 4) if values else 0.0
