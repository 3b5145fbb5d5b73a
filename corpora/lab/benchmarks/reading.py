"""How well and how soon a person decides about ten patches, five right and five wrong, from what `repair check` prints.

`--make DIR` judges changes that agents made in real libraries, and writes a page for each: the task, and what the
command prints. Which of them are right stands in a file of its own, beside the folder. `--read DIR` shows the pages one
after the other to whoever has not seen them. It asks for a word about each, and writes down the word and the seconds.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from analysis.errors import TargetError
from corpora.lab.agent_diffs import LIBRARIES, AgentDiff, AgentLibrary, agent_diffs, apply_diff, lay_session
from corpora.lab.benchmarks.setup import say
from corpora.source_package import case_cache

EACH = 5
"""Pages of right patches, and of wrong ones."""

SEED = 27
"""Chooses the patches and their order, which is everybody's."""

QUESTION = "Question:"
"""A wrong patch is shown where its screen asks something: what nobody asks about is another measurement."""

WORDS = {"r": "right", "w": "wrong"}
READER = "reader.json"


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reader said of a page, after how many seconds."""

    page: str
    word: str
    seconds: float


def candidates(kind: str, seed: int = SEED) -> list[tuple[AgentLibrary, AgentDiff]]:
    """All changes of a kind, the libraries in turn, each in an order that the seed alone decides."""
    chance, rows = random.Random(seed), []
    for library in LIBRARIES:
        found = [diff for diff in agent_diffs(library.name) if diff.kind == kind]
        rows.append([(library, diff) for diff in chance.sample(found, len(found))])
    return [pair for row in zip(*rows, strict=False) for pair in row]


def judged_page(library: AgentLibrary, diff: AgentDiff) -> str:
    """The task of the change, and what `repair check` prints about it on a terminal of 80 columns without colour."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, library.name)
        lay_session(library, diff, root, case_cache())
        apply_diff(root, diff.change)
        words = [sys.executable, "-E", "-P", "-m", "repair", "check", "--since", "HEAD", "--root", str(root)]
        env = {**os.environ, "XDG_STATE_HOME": str(Path(place, "state")), "COLUMNS": "80", "NO_COLOR": "1"}
        done = subprocess.run(words, cwd=root, env=env, capture_output=True, text=True, check=False)
        return f"The task: {diff.asked}\n\n{done.stdout.replace(str(root), library.name)}"


def make(folder: Path, judge: Callable[[AgentLibrary, AgentDiff], str] = judged_page) -> None:
    """Write the pages, and beside the folder the key. Raises ``TargetError`` where too few changes give one."""
    chosen = [
        (kind, str(diff), page)
        for kind in WORDS.values()
        for diff, page in _pages(kind, judge, must_ask=kind == "wrong")
    ]
    random.Random(SEED).shuffle(chosen)
    folder.mkdir(parents=True, exist_ok=True)
    for number, (_, _, page) in enumerate(chosen, 1):
        (folder / f"{number:02}.txt").write_text(page, encoding="utf-8")
    key = {f"{number:02}.txt": {"is": kind, "change": name} for number, (kind, name, _) in enumerate(chosen, 1)}
    key_of(folder).write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")


def _pages(
    kind: str, judge: Callable[[AgentLibrary, AgentDiff], str], *, must_ask: bool
) -> Iterator[tuple[AgentDiff, str]]:
    left = EACH
    for library, diff in candidates(kind):
        page = judge(library, diff)
        is_taken = QUESTION in page if must_ask else bool(page.strip())
        say(f"{diff}: {'taken' if is_taken else 'asks nothing'}")
        if is_taken:
            yield diff, page
            left -= 1
        if not left:
            return
    raise TargetError(
        f"Too few {kind} changes give a page", where=kind, remedy="Look what `repair check` says of them."
    )


def key_of(folder: Path) -> Path:
    """Where it stands which pages are right: not among them, so that no reader meets it."""
    return folder.with_name(f"{folder.name}-key.json")


def read(
    folder: Path,
    show: Callable[[str], None],
    ask: Callable[[], str],
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Decision, ...]:
    """Show each page, and take the reader's word for it: ``r`` for right, ``w`` for wrong, asked again until it is one.

    Each decision is written down at once. Raises ``TargetError`` where there is no page.
    """
    pages = sorted(folder.glob("[0-9][0-9].txt"))
    if not pages:
        raise TargetError("There is no page", where=str(folder), remedy="Make them with --make.")
    said: list[Decision] = []
    for page in pages:
        show(page.read_text("utf-8"))
        began = clock()
        while (word := WORDS.get(ask().strip().lower()[:1], "")) == "":
            pass
        said.append(Decision(page.name, word, round(clock() - began, 1)))
        (folder / READER).write_text(json.dumps([asdict(each) for each in said], indent=1) + "\n", encoding="utf-8")
    return tuple(said)


def score(said: Sequence[Decision], key: Path) -> str:
    """How many words were true, and after how many seconds, in one sentence."""
    known = json.loads(key.read_text("utf-8"))
    true = sum(known[each.page]["is"] == each.word for each in said)
    seconds = [each.seconds for each in said]
    slow = sum(each > 60 for each in seconds)
    middle, longest = statistics.median(seconds), max(seconds)
    return f"{true} of {len(said)} true; median {middle:.0f} s, longest {longest:.0f} s, {slow} over a minute"


@click.command()
@click.option("--make", "made", type=click.Path(path_type=Path), help="Judge the changes, and write their pages here.")
@click.option("--read", "shown", type=click.Path(path_type=Path), help="Show the pages of this folder, and ask.")
def main(made: Path | None, shown: Path | None) -> None:
    """Make the pages, or let somebody read them."""
    if made is not None:
        make(made)
        click.echo(f"{2 * EACH} pages in {made}, the key in {key_of(made)}")
    if shown is not None:

        def show(page: str) -> None:
            click.clear()
            click.echo(page)

        said = read(shown, show, lambda: str(click.prompt("Is the patch right (r) or wrong (w)?")))
        click.echo(score(said, key_of(shown)))


if __name__ == "__main__":
    main()
