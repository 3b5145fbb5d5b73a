"""Our own prompts, tuned over a corpus: an attempt is a bench run of one bug, judged by held-out answers."""

from __future__ import annotations

import glob
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from analysis.errors import TargetError
from corpora.bench.grading import read_rows
from corpora.bench.plan import open_corpora
from corpora.bench.summary import ScoredCell
from corpora.bug import Bug
from corpora.tuning.campaign import SHARES, OutcomeWord, TaskOutcome
from repair.model.agent_command import describe_end, run_outside
from repair.records.config import PROMPTS

MOST_SAID, SPARE_SECONDS = 1_500, 120.0


class OwnAttempter:
    """Runs `repair bench run` on one bug, with the text that is tried in place of one packaged prompt."""

    def __init__(self, corpus: str, file: str, configuration: str, seconds: float, env: Mapping[str, str]) -> None:
        """``file`` is the name of the prompt's file, ``rules.md``; ``configuration`` a preset of the bench."""
        self._corpus, self._file, self._configuration = corpus, file, configuration
        self._seconds, self._env = seconds, dict(env)

    def attempt(self, prompt: str, task: str, seed: int) -> TaskOutcome:
        """One bug, from the failing test to the held-out judgement of the patch."""
        with tempfile.TemporaryDirectory(prefix="repair-tune-") as scratch:
            prompts, out = Path(scratch, "prompts"), Path(scratch, "out")
            prompts.mkdir()
            (prompts / self._file).write_bytes(prompt.encode())
            words = [sys.executable, "-m", "repair", "bench", "run", self._corpus, "--config", self._configuration]
            words += ["--bugs", glob.escape(task), "--seed", str(seed), "--max-seconds", f"{self._seconds:g}"]
            words += ["--jobs", "1", "--out", str(out), "--quiet", "--no-progress"]
            most = 2 * self._seconds + SPARE_SECONDS
            ended = run_outside(words, Path(scratch), {**self._env, PROMPTS: str(prompts)}, most)
            rows = read_rows(out)[0] if out.is_dir() else ()
            if len(rows) != 1 or rows[0].failed:
                said = describe_end(ended, most) or "it has no record"
                tail = " ".join(ended.output.decode("utf-8", "replace").split())[-300:]
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
    return TaskOutcome(
        word, seconds=round(seconds, 3), calls=len(attempts), said=said[-MOST_SAID:], change=diff[:MOST_SAID]
    )


def projects_of(corpus: str) -> dict[str, str]:
    """The project of each bug of a corpus: its group where there are several, else the bug itself.

    Raises ``UsageError`` for a corpus that is none.
    """
    opened, _ = open_corpora((corpus,))
    bugs = [bug for each in opened for bug in each.bugs() if isinstance(bug, Bug)]
    has_groups = len({bug.group for bug in bugs}) > len(SHARES)
    return {bug.id: (bug.group if has_groups else "") or bug.id for bug in bugs}
