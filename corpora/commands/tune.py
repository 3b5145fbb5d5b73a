"""``repair tune``: a prompt that improves itself, one tested edit at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from repair.commands.context import CommandContext
from repair.commands.exit_codes import PLAIN_EXIT_CODES
from repair.show.terminal import tell, write_text

OUT = click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="The campaign's folder")
POSITIVE = click.FloatRange(min=0, min_open=True)
DEBUG = click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON")
SHARED = (
    click.option("--prompt", metavar="FILE[#PART]", help="The prompt: a file, a part, or a constant of a Python file"),
    click.option("--command", metavar="'CMD {task}'", help="What is run on each task"),
    click.option("--tasks", type=click.Path(path_type=Path), metavar="TOML", help="The tasks of the command"),
    click.option("--own", metavar="CORPUS", help="Tune a prompt of ours over a corpus, in place of --command"),
    click.option(
        "--config", default="model", metavar="NAME", help="With --own: a configuration of the bench [default: model]"
    ),
    click.option(
        "--file",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        metavar="TOML",
        help="With --own: the file that has NAME",
    ),
    click.option(
        "--max-seconds", type=POSITIVE, default=120.0, metavar="N", help="With --own: for each bug [default: 120]"
    ),
    click.option("--model", default="", metavar="NAME", help="The model, for the record; with --own it is asked"),
    click.option("--base-url", default="", metavar="URL", help="Where the model is asked"),
    click.option("--temperature", type=float, metavar="T", help="Of the reflector, and for the record"),
    click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Attempts at each task [default: 2]"),
    click.option("--seed", type=click.IntRange(min=0), metavar="N", help="The seed [default: 0]"),
    click.option(
        "--weights",
        multiple=True,
        metavar="NAME=N",
        help="Of solved, plausible, wrong, none, tests, finding, tokens, seconds, calls",
    ),
    click.option("--yes", is_flag=True, help="Few tasks will do: begin nevertheless"),
)


def _shared(command: Any) -> Any:
    for option in reversed(SHARED):
        command = option(command)
    return command


class RecordGroup(click.Group):
    """A group of commands that says which records they write, by what `repair schema` calls them."""

    def records(self) -> dict[str, tuple[type, str]]:
        """The type and the address of each: of a campaign's folder, and of what the commands print as JSON."""
        from corpora.tuning import ablation, campaign, leaks, run_campaign

        found = (
            (campaign.TunePlan, campaign.PLAN),
            (campaign.TuneStep, campaign.STEP),
            (campaign.TuneAttempt, campaign.ATTEMPT),
            (campaign.KeptProposal, campaign.PROPOSAL),
            (campaign.KeptRevert, campaign.REVERT),
            (leaks.TaskText, leaks.TASKS_SCHEMA),
            (ablation.AblationReport, ablation.ABLATION),
            (run_campaign.StatusReport, run_campaign.STATUS),
        )
        return {address.removeprefix("repair.").partition("/")[0]: (record, address) for record, address in found}


@click.group(cls=RecordGroup, short_help="Tune a prompt by tested edits")
def tune() -> None:
    """Tune a prompt, ours or that of any command: one small edit at a time, each tested, logged and revertible."""


@tune.command(
    short_help="Run a campaign",
    epilog=f"""\b
Examples:
  repair tune run --command "python agent.py {{task}}" --prompt agent.py#PROMPT --tasks tasks.toml --out tuned
  repair tune run --out tuned --resume
  repair tune run --own flat:corpora/own --prompt prompts/rules.md#task --model NAME --base-url URL --out tuned

{PLAIN_EXIT_CODES}""",
)
@_shared
@OUT
@click.option("--resume", is_flag=True, help="Go on with the campaign of DIR; its plan holds")
@click.option("--edits", type=click.Path(path_type=Path), metavar="JSONL", help="Edits to try, one JSON object a line")
@click.option("--reflect", default="", metavar="MODEL", help="This model proposes edits, at --base-url")
@click.option("--iterations", type=click.IntRange(min=1), metavar="N", help="Edits at most [default: 40]")
@click.option("--attempts", "most_attempts", type=click.IntRange(min=1), metavar="N", help="Attempts at most")
@click.option("--hours", "most_hours", type=POSITIVE, metavar="N", help="Begin no edit after so long")
@click.option(
    "--max-tokens", "most_tokens", type=click.IntRange(min=1), metavar="N", help="Begin no edit after so many"
)
@click.option("--max-cost", "most_usd", type=POSITIVE, metavar="USD", help="Begin no edit after so many dollars")
@click.option("--price", type=POSITIVE, metavar="USD", help="Of a million tokens, where no cost is told")
@click.option("--sealed-samples", type=click.IntRange(min=1), metavar="N", help="Of each sealed task [default: 8]")
@click.option(
    "--margin",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="SHARE",
    help="What a deletion may cost [default: 0.10]",
)
@DEBUG
@click.pass_obj
def run(surroundings: CommandContext, /, out: Path, resume: bool, **given: Any) -> int:
    """Run a campaign: edits are proposed, guarded, screened, tested on tasks of other projects, and sealed.

    The prompt's file changes with each accepted edit, and only then. Without --edits and --reflect, deletions alone are
    tried. An interrupted campaign goes on with --resume.
    """
    from corpora.commands.tune_plan import bench_again, plan_of, source_of
    from corpora.tuning.kept_campaign import KeptCampaign
    from corpora.tuning.power import describe_power
    from corpora.tuning.run_campaign import run_campaign

    asked = plan_of(out, given, surroundings, with_edits=True) if not resume else None
    if asked is None:
        kept = KeptCampaign.open(out)
    else:
        plan, first, bench = asked
        kept = KeptCampaign.begin(out, plan, first, bench.text)
    bench = asked[2] if asked is not None else bench_again(kept, surroundings)
    if asked is not None:
        tell(describe_power(kept.plan))
    steps = run_campaign(kept, bench, source_of(kept, surroundings), tell)
    write_text(_status_text(kept, steps))
    return 0


@tune.command(
    short_help="The worth of each sentence of a prompt",
    epilog=f"""\b
Examples:
  repair tune ablate --command "python agent.py {{task}}" --prompt agent.py#PROMPT --tasks tasks.toml --out worth

{PLAIN_EXIT_CODES}""",
)
@_shared
@OUT
@JSON
@DEBUG
@click.pass_obj
def ablate(surroundings: CommandContext, /, out: Path, as_json: bool, **given: Any) -> int:
    """What each sentence of the prompt is worth: the score that is lost without it. Nothing is written but DIR.

    Attempts are kept in DIR: asked again, the command goes on where it was. Sealed tasks are not run.
    """
    from corpora.commands.tune_plan import bench_again, plan_of, refuse_other_prompt
    from corpora.tuning.ablation import ABLATION, AblationReport, ablation_size
    from corpora.tuning.ablation import ablate as measure
    from corpora.tuning.kept_campaign import PLAN_FILE, KeptCampaign
    from repair.records.json_records import to_plain
    from repair.show.terminal import write_json

    if (out / PLAN_FILE).exists():
        kept = KeptCampaign.open(out)
        refuse_other_prompt(kept.plan, given["prompt"], out)
        bench = bench_again(kept, surroundings)
    else:
        plan, first, bench = plan_of(out, given, surroundings, with_edits=False)
        kept = KeptCampaign.begin(out, plan, first, bench.text)
    tell(f"{ablation_size(kept)} attempts in all; what is kept in {out} is not made again")
    found = []
    for each in measure(kept, bench):
        found.append(each)
        tell(f"sentence {each.number}: {each.worth:+.3f}")
    if as_json:
        write_json(to_plain(AblationReport(ABLATION, tuple(found))))
        return 0
    lines = ["  nr   worth   90 % bounds (one-sided each)   won lost  sentence\n"]
    lines += [
        f"{one.number:4} {one.worth:+7.3f}   {one.low:+.3f} to {one.high:+.3f}{'':16} {one.won:3} {one.lost:4}  "
        f"{one.sentence}\n"
        for one in sorted(found, key=lambda one: one.worth)
    ]
    write_text("".join(lines))
    return 0


@tune.command(short_help="Where a campaign stands", epilog=PLAIN_EXIT_CODES)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@JSON
@DEBUG
def status(folder: Path, as_json: bool) -> int:
    """Where the campaign of DIR stands: edits accepted and rejected, seals, attempts, the prompt's digest."""
    from corpora.tuning.kept_campaign import KeptCampaign
    from corpora.tuning.run_campaign import STATUS, StatusReport
    from repair.records.json_records import to_plain
    from repair.show.terminal import write_json

    kept = KeptCampaign.open(folder)
    steps = kept.steps()
    if as_json:
        last = steps[-1] if steps else None
        write_json(to_plain(StatusReport(STATUS, len(steps), bool(kept.reverted_to), last)))
    else:
        write_text(_status_text(kept, steps))
    return 0


@tune.command(short_help="Every decision, a line each", epilog=PLAIN_EXIT_CODES)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@DEBUG
def log(folder: Path) -> int:
    """Every decision of the campaign of DIR, in its order."""
    from corpora.tuning.kept_campaign import KeptCampaign
    from corpora.tuning.run_campaign import step_line

    write_text("".join(f"{step_line(step)}\n" for step in KeptCampaign.open(folder).steps()))
    return 0


@tune.command(short_help="One decision, its reasons and its diff", epilog=PLAIN_EXIT_CODES)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("number", type=int, metavar="N")
@JSON
@DEBUG
def show(folder: Path, number: int, as_json: bool) -> int:
    """Step N of the campaign of DIR: the edit, why it was proposed, what the tasks said, the diff."""
    from analysis.errors import UsageError
    from corpora.tuning.kept_campaign import KeptCampaign
    from corpora.tuning.run_campaign import step_line
    from repair.show.terminal import write_json

    kept = KeptCampaign.open(folder)
    step = next((step for step in kept.steps() if step.number == number), None)
    if step is None:
        raise UsageError(f"There is no step {number}", where=str(folder), remedy="See `repair tune log`.")
    if as_json:
        write_json(step.to_json())
        return 0
    lines = [step_line(step)]
    if step.edit is not None:
        lines += [f"why: {step.edit.why}", f"predicted: {step.edit.predicted}"]
    for name, judged in (("screen", step.screened), ("test", step.judged)):
        if judged is not None:
            differing = [pair for pair in judged.pairs if pair.before != pair.after]
            lines += [f"{name}: {judged.reason}; {len(judged.pairs)} tasks, {len(differing)} differ"]
            lines += [f"  {pair.task}: {pair.before:g} -> {pair.after:g}" for pair in differing]
    place = kept.diff_file(number)
    write_text("\n".join(lines) + "\n" + (place.read_text("utf-8") if place.exists() else ""))
    return 0


@tune.command("revert", short_help="Put an earlier prompt back", epilog=PLAIN_EXIT_CODES)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("number", type=int, required=False, metavar="[N]")
@DEBUG
def put_back(folder: Path, number: int | None) -> int:
    """Put back the prompt as it was before step N, byte for byte; without N, as it was at first."""
    from corpora.tuning.kept_campaign import KeptCampaign
    from corpora.tuning.run_campaign import revert

    kept = KeptCampaign.open(folder)
    tell(f"{kept.plan.prompt} is again the prompt {revert(kept, number)[:12]}")
    return 0


@tune.command(short_help="Make every decision again, without a model", epilog=PLAIN_EXIT_CODES)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@DEBUG
def replay(folder: Path) -> int:
    """Make every decision of the campaign of DIR again from its records alone, and compare all of each."""
    from corpora.tuning.kept_campaign import KeptCampaign
    from corpora.tuning.run_campaign import replay as again

    tell(f"{len(again(KeptCampaign.open(folder)))} decisions are the same in every bit")
    return 0


def _cost_text(step: Any) -> str:
    if step is None or not step.tokens:
        return ""
    return f", {step.tokens} tokens{f', {step.usd:.4f} US dollars' if step.usd else ''}"


def _status_text(kept: Any, steps: Any) -> str:
    from corpora.tuning.campaign import describe_share

    edits = [step for step in steps if step.kind == "edit"]
    last = steps[-1] if steps else None
    lines = [
        f"campaign  {kept.folder}",
        f"prompt    {kept.plan.prompt}, now {(last.after if last else kept.plan.first)[:12]}",
        f"tasks     {'; '.join(describe_share(kept.plan.tasks, s) for s in ('train', 'select', 'sealed'))}",
        f"edits     {sum(step.accepted for step in edits)} accepted of {len(edits)}",
        f"seals     {sum(step.kind == 'seal' for step in steps)}",
        f"attempts  {last.attempts if last else 0}{_cost_text(last)}",
        f"state     {last.reason if last and last.kind == 'end' else 'not at its end'}"
        f"{'; reverted by a person' if kept.reverted_to else ''}",
    ]
    return "\n".join(lines) + "\n"
