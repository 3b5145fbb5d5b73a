"""What answers are worth: `fix`, its question answered by the reference, and `fix` again, at most twice.

Each project is mended as a person would do it: in one folder, with what earlier runs leave there. The reference stands
for the person. It says yes to the reading whose test it passes; a question with no ready answer ends the asking. After
each run held-out tests decide whether the patch is right.
"""

from __future__ import annotations

import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import click

from analysis.errors import UsageError
from analysis.facts import Files
from corpora.bug import Bug, Oracle
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.loaders.flat import FlatCorpus, files_below
from repair.compare.answers import answer_file, read_answer
from sandbox.workspace import overlay
from transforms.patch.diff import as_bytes, parse_change

WRITTEN = Path("corpora/lab/written")

MOST_ANSWERS = 2

WRONG = Figure("wrong_certified_after_answers", 0.02, 0.0, floor=False)
WITHHELD = Figure("right_withheld_after_answers", 0.05, 0.0, floor=False)
EXPOSED = Figure("wrong_that_an_answer_contradicts", 0.5, 0.9)


@dataclass(frozen=True, slots=True)
class Round:
    """One run of `fix`: its word, whether its first patch is right, whether it asked, and what was then answered.

    ``agrees`` says whether the answer is as the patch has it; without an ``answer`` it says nothing.
    """

    status: str
    is_right: bool = False
    has_patch: bool = False
    has_asked: bool = False
    answer: str = ""
    agrees: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Answered:
    """The rounds of one project."""

    bug: str
    rounds: tuple[Round, ...]

    @property
    def line(self) -> str:
        """One line for a reader."""
        return f"{self.bug}: {'; '.join(map(_describe, self.rounds))}"


def _describe(one: Round) -> str:
    right = ("right" if one.is_right else "wrong") if one.has_patch else "no patch"
    said = f", answered {'with it' if one.agrees else 'against it'}" if one.answer else ", asks" * one.has_asked
    return f"{one.status}, {right}{said}"


@click.command()
@click.option("--bugs", default="*", show_default=True, help="Only bugs of such ids.")
@click.option("--source", default="", help="Only bugs whose provenance says so, such as 'fourth set'.")
@click.option("--minutes", type=float, default=600.0, show_default=True, help="No project is begun later.")
@click.option("--max-seconds", type=float, default=60.0, show_default=True, help="For each fix.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/answered.json"), show_default=True)
def main(bugs: str, source: str, minutes: float, max_seconds: float, out: Path) -> None:
    """Answer the questions of `fix` with the reference, and say how its words come out."""
    until = time.monotonic() + 60 * minutes
    corpus, found = FlatCorpus(WRITTEN), []
    for bug in corpus.bugs():
        if time.monotonic() > until:
            break
        if isinstance(bug, Bug) and fnmatch(bug.id, bugs) and source in ("", bug.provenance.source):
            found.append(Answered(bug.id, tuple(run_rounds(bug, corpus.oracle(bug), max_seconds))))
            say(found[-1].line)
    measured = summarize(found)
    click.echo(table(measured))
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, measured, date=now, versions=versions(), machine=machine_of())
    out.with_suffix(".rounds.json").write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n")


def run_rounds(bug: Bug, oracle: Oracle, max_seconds: float) -> Iterator[Round]:
    """Run `fix` until it is certified, asks nothing that can be answered, or was answered twice."""
    with tempfile.TemporaryDirectory() as folder:
        root, state = Path(folder, "project"), Path(folder, "state")
        write_files(root, files_below(WRITTEN / bug.id / "tree"))
        answers: list[str] = []
        while True:
            began = time.monotonic()
            result = fix(root, state, answers, max_seconds)
            one = read_round(result, time.monotonic() - began)
            if one.has_patch:
                one = _scored(one, result, root, oracle)
            ready = ready_answers(result) if len(answers) < MOST_ANSWERS else ()
            said = next((text for text in ready if text and agrees(text, root, oracle.reference, bug)), "")
            if not said:
                yield one
                return
            yield Round(one.status, one.is_right, one.has_patch, True, said, said == ready[0], one.seconds)
            answers.append(said)


def fix(root: Path, state: Path, answers: Sequence[str], max_seconds: float) -> dict[str, Any]:
    """The result of `repair fix` with search alone."""
    words = [sys.executable, "-E", "-P", "-m", "repair", "fix", "--proposer", "search", "--root", str(root), "--json"]
    words += ["--python", sys.executable, "--state-dir", str(state), "--max-seconds", f"{max_seconds:g}"]
    words += [word for answer in answers for word in ("--answer", answer)]
    done = subprocess.run(words, capture_output=True, check=False)
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return result


def read_round(result: dict[str, Any], seconds: float) -> Round:
    """What the run came to, before its patch is scored."""
    patches = result["patches"]
    asked = any(each["asked"] for patch in patches[:1] for each in patch["evidence"] if each.get("asked"))
    return Round(result["status"], has_patch=bool(patches), has_asked=asked, seconds=round(seconds, 1))


def ready_answers(result: dict[str, Any]) -> tuple[str, ...]:
    """The two readings of the first question that can be answered: as the patch has it, and otherwise."""
    for patch in result["patches"][:1]:
        for each in patch["evidence"]:
            if each.get("asked") and each.get("answer"):
                return each["answer"], each.get("otherwise", "")
    return ()


def agrees(answer: str, root: Path, reference: Files, bug: Bug) -> bool:
    """Whether the reference passes the answer as a test."""
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder, "fixed")
        shutil.copytree(root, there)
        write_files(there, reference)
        try:
            path, content = answer_file([read_answer(answer)], tuple(files_below(there)), bug.failing)
        except UsageError:
            return False
        overlay(there, path, content)
        return passes(there, path)


def _scored(one: Round, result: dict[str, Any], root: Path, oracle: Oracle) -> Round:
    """The round with what the held-out tests say of its first patch."""
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder, "patched")
        shutil.copytree(root, there)
        diff = as_bytes(result["patches"][0]["diff"])
        _, after = parse_change(diff, lambda path: (there / path).read_bytes() if (there / path).is_file() else None)
        write_files(there, (*after, *oracle.held_out))
        return Round(one.status, passes(there, *oracle.held_out_tests), True, one.has_asked, seconds=one.seconds)


def passes(root: Path, *tests: str) -> bool:
    """Whether plain pytest passes there."""
    words = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(words, cwd=root, env=dict(os.environ), capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def write_files(root: Path, files: Files | Iterator[tuple[str, bytes]]) -> None:
    """Write the files below the root."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in files:
        overlay(root, path, content)


def summarize(found: Sequence[Answered]) -> Measured:
    """The words in the end, by whether the patch is right; and how often an answer contradicts a wrong patch."""
    ends = [each.rounds[-1] for each in found if each.rounds[-1].has_patch]
    certified = [each for each in ends if each.status == "certified"]
    right = [each for each in ends if each.is_right]
    wrong_asked = [one for each in found for one in each.rounds if one.answer and not one.is_right]
    right_asked = [one for each in found for one in each.rounds if one.answer and one.is_right]
    every = [one for each in found for one in each.rounds if one.has_patch and one.status != "certified"]
    rows = (
        _share(WRONG, sum(not each.is_right for each in certified), len(certified)),
        _share(WITHHELD, sum(each.status != "certified" for each in right), len(right)),
        _share(EXPOSED, sum(not one.agrees for one in wrong_asked), len(wrong_asked)),
    )
    counts = {
        "projects": len(found),
        "patched": len(ends),
        "right": len(right),
        "certified": len(certified),
        "asked of right": len(right_asked),
        "asked of wrong": len(wrong_asked),
        "plausible without a ready answer": sum(not one.answer for one in every),
    }
    note = "the words of the last run; an answer is that of the reference, two at most for a project"
    known = tuple(row for row in rows if row.values)
    return Measured(known, tuple((name, float(count)) for name, count in counts.items()), (note,))


def _share(figure: Figure, part: int, whole: int) -> Row:
    return Row(figure, (("projects", part / whole),) if whole else ())


if __name__ == "__main__":
    main()
