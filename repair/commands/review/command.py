"""The command by which a person looks at a run's patches and decides: review."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import UsageError
from repair.commands.context import CommandContext, options_of, store_of
from repair.commands.exit_codes import PLAIN_EXIT_CODES, command
from repair.commands.options import project_command
from repair.show.terminal import tell, write_text

if TYPE_CHECKING:
    from repair.commands.review.reviewing import Review


@command(
    "Look at a run's patches and decide",
    PLAIN_EXIT_CODES,
    "repair review latest",
    "repair review 20250102-120000-ab12cd --reject --note 'it must raise'",
    "repair review latest --rest --note 'we never sell less than one'",
)
@click.argument("run")
@click.option("--plain", is_flag=True, help="Line by line, without a screen")
@click.option("--approve", "said", flag_value="approved", help="The patch is right")
@click.option("--reject", "said", flag_value="rejected", help="The patch is wrong")
@click.option("--rest", "said", flag_value="rested", help="Do not ask its question again in this project; say --note")
@click.option("--hand-on", "said", flag_value="handed_on", help="Write a brief for an expert; --note says for whom")
@click.option("--note", default="", metavar="TEXT", help="Why; kept with the run")
@click.option("--cause", type=click.IntRange(1), metavar="N", help="The patch of this cause [default: the first]")
@click.option("--rank", type=click.IntRange(1), default=1, show_default=True, help="Which patch of the cause")
@project_command
def review(
    surroundings: CommandContext,
    /,
    run: str,
    plain: bool,
    said: str | None,
    note: str,
    cause: int | None,
    rank: int,
    **given: Any,
) -> int:
    """Look at a run's patches and decide: RUN is its id, the start of it, or the word latest.

    On a screen each deed has a key: apply, commit, edit and judge again, reject, another, hand on. With --plain the
    same is done line by line, and with --approve, --reject, --rest or --hand-on at once. Each decision is recorded with
    who and when. Where `require-approval` is set, no patch is written before a person at a terminal has approved it.
    """
    from repair.commands.review.reviewing import Review
    from repair.store.decisions import COMMAND, TERMINAL

    options = options_of(surroundings, given)
    is_terminal = sys.stdin.isatty()
    if said is None and not plain and not is_terminal:
        raise UsageError(
            "It is not said what you think of the patch", remedy="Give --approve, --reject, --rest or --hand-on."
        )
    store = store_of(options)
    reviewed = Review(
        store,
        store.load_run(run),
        Path(options.root),
        surroundings.env,
        way=TERMINAL if is_terminal else COMMAND,
        state_dir=options.state_dir,
        require_approval=options.require_approval,
    )
    _look_at(reviewed, cause, rank)
    if said is not None:
        return _say_at_once(reviewed, said, note, options.output_format)
    if plain or not _has_screen(surroundings):
        _review_plainly(reviewed, surroundings)
    else:
        _review_on_screen(reviewed, surroundings, colour=options.color)
    return 0


def _look_at(reviewed: Review, cause: int | None, rank: int) -> None:
    """Begin with the patch that is meant; ``UsageError`` where there is none."""
    if cause is None and rank == 1:
        return
    places = [
        number
        for number, patch in enumerate(reviewed.patches)
        if patch.rank == rank and (cause is None or patch.cause == cause)
    ]
    if not places:
        of = f" of cause {cause}" if cause else ""
        raise UsageError(
            f"Run {reviewed.run.id} has no patch of rank {rank}{of}", remedy=f"`repair show {reviewed.run.id}`."
        )
    reviewed.move(places[0])


def _say_at_once(reviewed: Review, said: str, note: str, output_format: str) -> int:
    from repair.show.terminal import write_json

    if said == "rested":
        told = reviewed.rest(note)
    elif said == "handed_on":
        told = reviewed.hand_on(note)
    elif said == "approved":
        told = reviewed.approve(note)
    else:
        told = reviewed.reject(note or "no reason was given")
    if output_format == "json":
        write_json({"schema": "repair.review/1", "run": reviewed.run.id, "said": said, "note": note})
    else:
        write_text(f"{told}\n")
    return 0


def _has_screen(surroundings: CommandContext) -> bool:
    return sys.stdout.isatty() and surroundings.env.get("TERM", "dumb") != "dumb"


def _review_plainly(reviewed: Review, surroundings: CommandContext) -> None:
    from repair.commands.review.plain import PlainReview

    def read(prompt: str) -> str | None:
        write_text(prompt)
        return sys.stdin.readline() or None

    width = shutil.get_terminal_size((80, 24)).columns
    PlainReview(reviewed, read, lambda text: write_text(f"{text}\n"), surroundings.env, width).run()


def _review_on_screen(reviewed: Review, surroundings: CommandContext, *, colour: str) -> None:
    if colour == "never":
        os.environ["NO_COLOR"] = "1"  # where the library of the screen looks for it
    try:
        from repair.commands.review.review_screen import ReviewScreen
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != "textual":
            raise
        raise UsageError(
            "The library of the screen is not installed",
            remedy="Beside the engine: pip install 'textual>=8,<9', or give --plain.",
        ) from problem
    screen = ReviewScreen(reviewed, surroundings.env)
    screen.run()
    tell(f"repair: {reviewed.heading()}")
