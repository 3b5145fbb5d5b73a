"""The options that several commands share, by what they are about."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Any]

ISOLATIONS = ("auto", "bwrap", "docker", "podman", "landlock", "landlock-only", "none")
FORMATS = ("text", "diff", "json", "jsonl", "github", "sarif")


def split_names(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> tuple[str, ...]:
    """Repeated options, each of which may hold several names separated by commas."""
    return tuple(name.strip() for text in value for name in text.split(",") if name.strip())


def _join(*decorators: Decorator) -> Decorator:
    """One decorator that does what these do, the first of them outermost."""
    return lambda command: functools.reduce(lambda inner, decorator: decorator(inner), reversed(decorators), command)


project_command = _join(
    click.option("--output-format", type=click.Choice(FORMATS), help="What stdout gets [default: text]"),
    click.option("--json", "output_format", flag_value="json", help="Short for --output-format json"),
    click.option("-q", "--quiet", count=True, help="Say less: verdict, diff, question; twice: the accepted diff alone"),
    click.option("-v", "--verbose", count=True, help="Say more"),
    click.option("--no-progress", is_flag=True, help="No live line"),
    click.option("--color", type=click.Choice(("auto", "always", "never")), help="Colour [default: auto]"),
    click.option(
        "--root",
        type=click.Path(),
        help="The project [default: the nearest folder, here or above, with a pyproject.toml or the like]",
    ),
    click.option(
        "--state-dir",
        metavar="DIR",
        help="Where runs are recorded, outside of the project [default: your own state directory]",
    ),
    click.option("--debug", is_flag=True, help="Show tracebacks"),
    click.pass_obj,
)
"""What every command that works in a project has: how its output looks, where it works, and its surroundings."""

_WHERE = (
    click.option("--python", metavar="PATH", help="The target's interpreter [default: the project's .venv]"),
    click.option(
        "--pass-env",
        multiple=True,
        callback=split_names,
        metavar="NAME",
        help="Variables that the tests need; the others are cleared",
    ),
    click.option(
        "--isolation",
        type=click.Choice(ISOLATIONS),
        help="How the tests are confined [default: auto, the strongest that holds here]",
    ),
    click.option(
        "--isolation-image",
        metavar="NAME",
        help="Run in this image of podman's or docker's, with the Python in it [default: this machine's own]",
    ),
)
_HOW_MUCH = (
    click.option("--max-seconds", type=float, metavar="N", help="Time for the run [default: 120]"),
    click.option("--seed", type=int, metavar="N", help="Seed of everything random [default: 0]"),
)

run_options = _join(*_WHERE, *_HOW_MUCH)
"""How tests run, whichever they are."""

suite_options = _join(
    *_WHERE,
    click.option(
        "--tests",
        multiple=True,
        metavar="SELECTION",
        help="Files, folders or node ids that are the suite, where not all of it counts",
    ),
    click.option(
        "--coverage-file",
        metavar="FILE",
        help="Write the lines that each test ran to FILE, as coverage.py's data with a context for each test",
    ),
    *_HOW_MUCH,
)
"""Which tests run and how."""

target_options = _join(
    suite_options,
    click.option("--function", metavar="QUALNAME", help="Where the fault is, if known: NAME or PATH:NAME"),
    click.option("--task", metavar="TEXT|@FILE", help="The original task or bug report, for the model and the record"),
    click.option("--jobs", type=int, metavar="N", help="Processes at once [default: the cores]"),
    click.option("--lf", is_flag=True, help="Take the tests of pytest's last-failed list"),
    click.option("--open-tests", is_flag=True, help="Take the tests that the checklist of earlier runs has open"),
    click.option("--allow-no-failure", is_flag=True, help="Exit 0 when nothing fails"),
)
"""What is mended or judged, and how it is tested."""

judging_options = _join(
    click.option(
        "--gates",
        type=click.Choice(("standard", "strict")),
        help="How much evidence; strict runs more tests, mutants and inputs [default: standard]",
    ),
    click.option(
        "--extra-gate",
        "extra_gates",
        multiple=True,
        callback=split_names,
        metavar="NAME",
        help="A gate of a third party that is asked too, and has to say yes",
    ),
    click.option(
        "--extra-check",
        "extra_checks",
        multiple=True,
        callback=split_names,
        metavar="NAME",
        help="A check of a third party: its doubt is told, and weighs nothing",
    ),
    click.option(
        "--risk",
        type=float,
        metavar="SHARE",
        help="The largest risk of a certificate; it can only be lowered [default: 0.02, with strict gates 0.01]",
    ),
    click.option(
        "--accept",
        type=click.Choice(("certified", "plausible")),
        help="What is good enough for exit status 0 and --apply [default: certified]",
    ),
    click.option(
        "--answer",
        "answers",
        multiple=True,
        metavar="'CALL == VALUE'",
        help="What the program should do, as a person says: counts as a test (also 'CALL raises EXCEPTION')",
    ),
    click.option("--no-answers", "no_old_answers", is_flag=True, help="Leave out what people said in earlier runs"),
    click.option("--answered-by", metavar="WAY", help="By which way the answers came, for the record"),
    click.option(
        "--no-cache",
        is_flag=True,
        help="Judge anew, and run every candidate, also where the outcome is known from earlier runs",
    ),
    click.option(
        "--allow-module-imports", is_flag=True, help="An import that a fix needs may go to the top of its module"
    ),
)
"""What is good enough."""

_MODEL = (
    click.option("--model", metavar="NAME", help="The model to ask; its key comes from the environment only"),
    click.option("--base-url", metavar="URL", help="The OpenAI-compatible endpoint of the model"),
)
_SPENDING = (
    click.option(
        "--max-cost",
        type=float,
        metavar="USD",
        help="Spend so much on the model at most (needs input-price and output-price, see the configuration)",
    ),
    click.option(
        "--max-requests", type=int, metavar="N", help="Questions to a model about one bug [default: 6; for a check 2]"
    ),
    click.option(
        "--max-tokens", type=int, metavar="N", help="Tokens of the model in the whole run, asked and answered"
    ),
    click.option("--request-seconds", type=float, metavar="N", help="Time for one try of a request [default: 120]"),
    click.option("--stream", is_flag=True, help="Ask for replies piece by piece"),
)

model_options = _join(*_MODEL, *_SPENDING)
"""Which one model is asked, and how much of it."""

endpoint_options = _join(
    *_MODEL,
    click.option(
        "--strong-model", metavar="NAME", help="A stronger model, asked where the first one has not mended it by then"
    ),
    click.option("--strong-base-url", metavar="URL", help="The endpoint of the stronger model [default: the model's]"),
    click.option(
        "--also-model",
        "models",
        multiple=True,
        metavar="'NAME strength=N …'",
        help="A further model, with prices and endpoint; stronger ones are asked where weaker ones have not mended it",
    ),
    *_SPENDING,
    click.option(
        "--max-attempts",
        type=int,
        metavar="N",
        help="Edits of a model tried for one function [default: by the failure, 3 to 5]",
    ),
    click.option(
        "--asked-at-once", type=int, metavar="N", help="Functions that a model is asked about at once [default: 1]"
    ),
    click.option(
        "--reply-form",
        type=click.Choice(("plain", "json")),
        help="How the model is to reply; `repair doctor --model NAME` says what it keeps to [default: plain]",
    ),
)
"""Which models are asked for edits, and how much of them."""

proposer_options = _join(
    click.option(
        "--order",
        metavar="NAME|FILE",
        help="The order of the search: learned, remembered, hand, uniform, or counts of your own [default: learned]",
    ),
    click.option(
        "--memory",
        type=click.Choice(("off", "project", "all")),
        help="Which earlier runs say what is likely, and order a remembered search [default: project]",
    ),
    click.option(
        "--proposer",
        "proposers",
        multiple=True,
        callback=split_names,
        metavar="NAMES",
        help="Who proposes: search, model, agent, or one of a third party [default: search, and those named]",
    ),
    endpoint_options,
    click.option(
        "--agent",
        metavar="COMMAND",
        help="A coding agent that mends a copy of the project, with your rights and keys; one function is judged",
    ),
    click.option("--agent-seconds", type=float, metavar="N", help="Time for a run of the agent [default: 600]"),
    click.option("--max-candidates", type=int, metavar="N", help="Draw so many candidates at most"),
)
"""What proposes."""
