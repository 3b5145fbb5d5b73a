"""What the words of ``repair tune`` come to: a plan, the prompt, who runs attempts, and who proposes edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from math import isfinite
from pathlib import Path
from typing import Any

from analysis.errors import UsageError
from corpora.tuning.campaign import PLAN, Rubric, TunePlan, crowded_share, split_tasks
from corpora.tuning.kept_campaign import KeptCampaign, digest_of
from corpora.tuning.power import describe_power
from corpora.tuning.reflector import ModelReflector, ScriptedReflector
from corpora.tuning.run_campaign import (
    LEAST_TASKS,
    REFLECTOR,
    TABLE,
    Workbench,
    lines_taken,
    outside_bench,
    own_bench,
    prompt_file,
    read_prompt,
)
from corpora.tuning.tuning_loop import EditSource
from repair.commands.context import CommandContext
from repair.model.make_client import make_client
from repair.records.config import Options, refuse_credentials

SET_ONES = (
    *("model", "temperature", "samples", "seed", "sealed_samples", "iterations", "margin"),
    *("most_attempts", "most_hours", "most_tokens", "most_usd", "price"),
)
"""Options that are fields of the plan, by their names."""


def plan_of(
    out: Path, given: Mapping[str, Any], surroundings: CommandContext, *, with_edits: bool
) -> tuple[TunePlan, str, Workbench]:
    """The plan of a new campaign, the first prompt, and what attempts are made with."""
    refuse_credentials(given["base_url"])
    if not given["prompt"] or bool(given["own"]) == bool(given["command"] and given["tasks"]):
        raise UsageError(
            "A campaign needs --prompt, and either --command with --tasks or --own",
            where=str(out),
            remedy="See `repair tune run --help`.",
        )
    place = _place_of(given["prompt"])
    first, env = read_prompt(place), _env_of(given, surroundings)
    if given["own"]:
        settings = str(given["file"].absolute()) if given["file"] else ""
        bench = own_bench(given["own"], place, given["config"], settings, given["max_seconds"], env)
    else:
        bench = outside_bench(given["command"], given["tasks"], place, out, env)
    tasks = split_tasks(bench.projects)
    if with_edits and (crowded := crowded_share(tasks)):
        raise UsageError(
            f"The tasks would decide little: {crowded}",
            where=str(out),
            remedy="Name tasks of more projects, five at least, or leave out some of that one.",
        )
    reflector = f"edits:{given['edits'].absolute()}" if given.get("edits") else ""
    reflector = f"model:{given['reflect']}" if given.get("reflect") else reflector
    facts = {**bench.facts, REFLECTOR: reflector, "base_url": given["base_url"]}
    plan = TunePlan(PLAN, place, digest_of(first), bench.how, tasks, facts, _weights(given["weights"]))
    plan = replace(plan, **{name: given[name] for name in SET_ONES if given.get(name) is not None})
    if len(plan.of_share("select")) < LEAST_TASKS and not given["yes"]:
        raise UsageError(
            f"The tasks are few: {describe_power(plan)}", where=str(out), remedy="Add tasks, or begin with --yes."
        )
    return plan, first, bench


def _place_of(named: str) -> str:
    """A prompt's place as a plan has it: the whole path, and the part."""
    file, _, part = named.partition("#")
    return f"{prompt_file(file).absolute()}{'#' if part else ''}{part}"


def refuse_other_prompt(plan: TunePlan, named: str, out: Path) -> None:
    """Raise ``UsageError`` where the folder has the sentences of another prompt, or of an older text of this one."""
    if (named and _place_of(named) != plan.prompt) or digest_of(read_prompt(plan.prompt)) != plan.first:
        raise UsageError(
            "The folder holds what the sentences of another prompt are worth, or of an older text of it",
            where=str(out),
            remedy="Give another --out folder.",
        )


def _weights(words: tuple[str, ...]) -> Rubric:

    found = Rubric()
    for word in words:
        name, _, value = word.partition("=")
        try:
            if name not in {field.name for field in fields(Rubric)} or not isfinite(float(value)):
                raise ValueError
            found = replace(found, **{name: float(value)})
        except ValueError as problem:
            raise UsageError("No such weight", where=word, remedy="Write --weights wrong=-1, say.") from problem
    return found


def _env_of(given: Mapping[str, Any], surroundings: CommandContext) -> dict[str, str]:
    named = {"REPAIR_MODEL": given["model"], "REPAIR_BASE_URL": given["base_url"]}
    return {**surroundings.env, **{name: value for name, value in named.items() if value}}


def bench_again(kept: KeptCampaign, surroundings: CommandContext) -> Workbench:
    """What attempts of a campaign that goes on are made with: what its plan says."""
    plan, facts = kept.plan, kept.plan.facts
    env = _env_of({"model": plan.model, "base_url": facts["base_url"]}, surroundings)
    if plan.how == "corpus":
        named = (facts["configuration"], facts["settings"], float(facts["seconds"]))
        bench = own_bench(facts["corpus"], plan.prompt, *named, env)
    else:
        bench = outside_bench(facts["command"], Path(facts["tasks"]), plan.prompt, kept.folder, env)
    if bench.facts[TABLE] != facts[TABLE]:
        raise UsageError(
            "The tasks or what they are run with have changed since the plan was written",
            where=facts.get("tasks") or facts["corpus"],
            remedy="Begin a new campaign.",
        )
    return bench


def source_of(kept: KeptCampaign, surroundings: CommandContext) -> EditSource | None:
    """Who proposes edits, as the plan says; nobody where deletions alone are tried."""
    plan = kept.plan
    kind, _, name = plan.facts.get(REFLECTOR, "").partition(":")
    if kind == "edits":
        return ScriptedReflector(Path(name), lines_taken(kept))
    if kind != "model":
        return None
    options = replace(Options(root=str(kept.folder)), model=name, base_url=plan.facts["base_url"])
    client = make_client(replace(options, max_requests=plan.iterations), surroundings.env, lambda event: None)
    return ModelReflector(client, plan.seed, plan.temperature)
