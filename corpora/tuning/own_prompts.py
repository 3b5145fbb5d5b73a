"""Our own prompts, tuned over a corpus: an attempt is a bench run of one bug, judged by held-out answers."""

from __future__ import annotations

import glob
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from analysis.errors import TargetError, UsageError
from analysis.functions import find_function, functions_of
from corpora.bench.grading import read_rows
from corpora.bench.plan import full_corpus_name, open_corpora
from corpora.bench.summary import ScoredCell
from corpora.bug import Bug, Corpus
from corpora.os_errors import explained
from corpora.tuning.campaign import SHARES, OutcomeWord, TaskOutcome
from repair.model.agent_command import describe_end, run_outside
from repair.records.config import PROMPTS
from repair.records.result import Cost
from repair.store.atomic import sha256
from sandbox.scratch import passing_folder, scratch_folder

MOST_SAID, SPARE_SECONDS = 1_500, 120.0
MOST_MATERIAL = 1 << 20
SUFFIXES = (".md", ".toml")


class OwnAttempter:
    """Runs `repair bench run` on one bug, with the text that is tried in place of one packaged prompt."""

    def __init__(
        self, corpus: str, file: Path, configuration: str, settings: str, seconds: float, env: Mapping[str, str]
    ) -> None:
        """``file`` is the prompt's, such as ``rules.md``; other prompts in its folder stand in place of ours, too.

        ``configuration`` is one of the bench, a preset or one of the file ``settings`` where that is named.
        """
        words = [sys.executable, "-m", "repair", "bench", "run", full_corpus_name(corpus), "--config", configuration]
        self._words = (*words, *(("--file", settings) if settings else ()))
        self._name, self._seconds, self._env = file.name, seconds, dict(env)
        read = (each for each in sorted(file.absolute().parent.iterdir()) if each.suffix in SUFFIXES)
        with explained("Our prompts cannot be read", file.parent, "Check their path.", UsageError):
            self._beside = {each.name: each.read_bytes() for each in read if each.name != file.name}
            set_up = Path(settings).read_bytes() if settings else b""
        self.digest = sha256(b"".join((set_up, *(name.encode() + text for name, text in self._beside.items()))))

    def attempt(self, prompt: str, task: str, seed: int) -> TaskOutcome:
        """One bug, from the failing test to the held-out judgement of the patch."""
        with passing_folder() as scratch:
            prompts, out = scratch / "prompts", scratch / "out"
            prompts.mkdir()
            for name, content in {**self._beside, self._name: prompt.encode()}.items():
                (prompts / name).write_bytes(content)
            words = [*self._words, "--bugs", glob.escape(task), "--seed", str(seed)]
            words += [
                "--max-seconds",
                f"{self._seconds:g}",
                "--jobs",
                "1",
                "--out",
                str(out),
                "--quiet",
                "--no-progress",
            ]
            most = 2 * self._seconds + SPARE_SECONDS
            ended = run_outside(words, scratch, {**self._env, PROMPTS: str(prompts)}, most)
            rows = read_rows(out)[0] if out.is_dir() else ()
            if len(rows) != 1 or rows[0].failed:
                said = describe_end(ended, most) or "it has no record"
                tail = (
                    rows[0].record.error if rows else " ".join(ended.output.decode("utf-8", "replace").split())[-300:]
                )
                raise TargetError(
                    f"The bench cannot run a bug: {said}; {tail}", where=task, remedy="Mend that, then --resume."
                )
            return outcome_of(rows[0], ended.seconds)


def outcome_of(row: ScoredCell, seconds: float) -> TaskOutcome:
    """What the held-out answers say of one cell. A patch that nobody could compare is worth nothing."""
    word: OutcomeWord = "none"
    if row.differs:
        word = "wrong"
    elif row.agrees:
        word = "solved" if row.certified else "plausible"
    result = row.record.result
    attempts = result.attempts if result is not None else ()
    said = "\n".join(f"{attempt.outcome}: {' '.join(attempt.explanation.split())}" for attempt in attempts)
    diff = result.patches[0].diff if result is not None and result.patches else ""
    cost = result.cost if result is not None else Cost()
    return TaskOutcome(
        word,
        seconds=round(seconds, 3),
        tokens=cost.input_tokens + cost.output_tokens,
        usd=cost.usd,
        calls=cost.requests,
        said=said[-MOST_SAID:],
        change=diff[:MOST_SAID],
    )


def projects_of(corpus: str) -> dict[str, str]:
    """The project of each bug of a corpus: its group where there are several, else the bug itself.

    Raises ``UsageError`` for a corpus that is none.
    """
    bugs = [bug for _, bug in _bugs(corpus)]
    has_groups = len({bug.group for bug in bugs}) > len(SHARES)
    return {bug.id: (bug.group if has_groups else "") or bug.id for bug in bugs}


def texts_of(corpus: str) -> Iterator[str]:
    """What no edit may give away of the bugs of each project: descriptions, functions at fault, tests, and answers.

    It is read to refuse edits and for nothing else: who proposes them is not told what it says.
    """
    projects, told = projects_of(corpus), dict[str, list[str]]()
    for opened, bug in _bugs(corpus):
        told.setdefault(projects[bug.id], []).extend((bug.description, *_functions(opened, bug)))
    yield from map("\n\n".join, told.values())


def _functions(corpus: Corpus, bug: Bug) -> Iterator[str]:
    """The texts of the function at fault, of its fixes, and of the tests that fail or are held out."""
    answer = corpus.oracle(bug)
    tests = (test.partition("[")[0].split("::") for test in (*bug.failing, *answer.held_out_tests))
    places = {(path, ".".join(names)) for path, *names in tests}
    places |= {(fault.path, fault.qualname) for fault in [bug.fault] if fault is not None}
    with scratch_folder() as scratch:
        corpus.write_tree(bug, scratch / "tree")
        for path, qualname in sorted(places):
            file = scratch / "tree" / path
            plain = file.is_file() and not file.is_symlink() and file.stat().st_size <= MOST_MATERIAL
            sources = [file.read_bytes()] if plain else []
            held = (answer.reference, *answer.alternatives, answer.held_out)
            sources += [content for files in held for name, content in files if name == path]
            for source in sources:
                span = find_function(functions_of(path, source), qualname)
                yield "" if span is None else source[span.start : span.end].decode(span.encoding, "replace")


def _bugs(corpus: str) -> Iterator[tuple[Corpus, Bug]]:
    for opened in open_corpora((corpus,))[0]:
        yield from ((opened, bug) for bug in opened.bugs() if isinstance(bug, Bug))
