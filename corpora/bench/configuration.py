"""Configurations of a bench: what is run on every bug, by name, from presets and a small TOML file.

One table for each configuration::

    [gpt]
    like = "model"               # start from a preset, or from a table above
    model = "NAME"
    base_url = "http://localhost:8000/v1"
    max_cost = 0.5
    input_price = 0.2
    output_price = 0.8

    [told]
    like = "search"
    fault = "given"

    [agent]
    command = ["my-agent", "--tree", "{tree}", "--tests", "{tests}"]

    [published]
    predictions = "predictions.jsonl"
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import Field, TypeAdapter, ValidationError

from analysis.edit_kind import PATCH_LINES
from analysis.errors import UsageError
from corpora.os_errors import explained
from repair.front.run_inputs import NAMES
from repair.records.config import Count, Positive, Price, refuse_credentials
from repair.records.model_arms import read_arm

FILE = "bench.toml"
LIKE = "like"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")

Seed = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is run on each bug. Without ``command`` and ``predictions`` it is our engine.

    ``judging`` is ``gates`` for the whole judge; ``tests`` and ``random`` trust the tests, and never say ``certified``.
    ``fault`` says whether the method is told the function at fault. ``memory_mb`` bounds each process of the method,
    ``hard_seconds`` its whole time (none: half as much again as it may take, and 15 s). ``judge_seconds`` are for
    judging a patch from outside. ``order`` is the order of the search. A ``seed`` of its own is added to the
    run's. Relative paths of ``predictions``, of an ``order``, and of the program of a ``command``, start at the
    file's folder.
    """

    name: str
    proposers: tuple[Literal["search", "model"], ...] = ("search",)
    model: str = ""
    base_url: str = ""
    models: tuple[str, ...] = ()
    input_price: Price | None = None
    output_price: Price | None = None
    judging: Literal["gates", "tests", "random"] = "gates"
    gates: Literal["standard", "strict"] = "standard"
    max_seconds: Positive = 120.0
    hard_seconds: Positive | None = None
    judge_seconds: Positive = 120.0
    max_candidates: Count | None = None
    max_cost: Price | None = None
    max_requests: Count = 6
    max_attempts: Count | None = None
    max_tokens: Count | None = None
    request_seconds: Positive = 120.0
    reply_form: Literal["plain", "json"] = "plain"
    patch_lines: Count = PATCH_LINES
    memory_mb: Count = 4096
    jobs: Count = 1
    seed: Seed | None = None
    fault: Literal["given", "found"] = "found"
    isolation: Literal["auto", "bwrap", "docker", "podman", "landlock", "none"] = "auto"
    command: tuple[str, ...] = ()
    predictions: str = ""
    order: str = "learned"

    @property
    def is_external(self) -> bool:
        """Whether somebody else's method makes the patches."""
        return bool(self.command or self.predictions)

    @property
    def bound_seconds(self) -> float:
        """When a cell is ended from outside."""
        judging = self.judge_seconds if self.is_external else 0.0
        return self.hard_seconds or (self.max_seconds + judging) * 1.5 + 15.0


PRESETS = (
    Configuration("search"),
    Configuration("model", proposers=("model",)),
    Configuration("hybrid", proposers=("search", "model")),
    Configuration("search+model", proposers=("search", "model")),
    Configuration("no-gates", judging="tests"),
    Configuration("random", judging="random"),
    Configuration("uniform", order="uniform"),
    Configuration("hand", order="hand"),
)
"""What can be named without a file."""


def chosen_configurations(
    names: tuple[str, ...], file: Path | None, env: Mapping[str, str], max_seconds: float | None
) -> tuple[Configuration, ...]:
    """The configurations of these names, those of the file before the presets; ``max_seconds`` holds for all.

    A configuration that asks a model and names none takes ``REPAIR_MODEL`` and ``REPAIR_BASE_URL``.
    """
    known = {preset.name: preset for preset in PRESETS}
    if file is not None:
        known = _from_file(file, known)
    chosen = []
    for name in dict.fromkeys(names):
        if name not in known:
            raise UsageError(f"There is no configuration {name!r}", remedy=_nearest_names(name, tuple(known)))
        found = known[name]
        if "model" in found.proposers and not (found.model or found.is_external):
            base_url = found.base_url or env.get("REPAIR_BASE_URL", "")
            found = replace(found, model=env.get("REPAIR_MODEL", ""), base_url=base_url)
        chosen.append(found if max_seconds is None else replace(found, max_seconds=max_seconds))
    for configuration in chosen:
        _refuse_contradictions(configuration)
    return tuple(chosen)


def _from_file(file: Path, known: Mapping[str, Configuration]) -> dict[str, Configuration]:
    try:
        with explained("The configurations cannot be read", file, "Check --file.", UsageError):
            tables = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise UsageError(f"Not valid TOML: {problem}", where=str(file), remedy="Mend the file.") from problem
    found = dict(known)
    for name, table in tables.items():
        found[name] = _configuration(name, table, found, file)
    return found


def _configuration(name: str, table: Any, known: Mapping[str, Configuration], file: Path) -> Configuration:
    where = f"[{name}] in {file}"
    if not isinstance(table, dict) or not NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no configuration", where=str(file), remedy="Write a table for each, named by letters and -._+"
        )
    like = table.get(LIKE, name if name in known else "")
    if not isinstance(like, str) or (like and like not in known):
        raise UsageError(
            f"There is no configuration {like!r}", where=where, remedy=_nearest_names(str(like), tuple(known))
        )
    base = known[like] if like else Configuration(name)
    values = {key: _check_type(key, value, where) for key, value in table.items() if key != LIKE}
    folder = file.absolute().parent
    if values.get("order", NAMES[0]) not in NAMES:
        values["order"] = str(folder / values["order"])
    if values.get("predictions"):
        values["predictions"] = str(folder / values["predictions"])
    program, *words = values.get("command") or ("",)
    if os.sep in program and not program.startswith("{"):  # it is run in another folder; a bare name stays
        values["command"] = (str(folder / program), *words)
    return replace(base, **{**values, "name": name})


def _check_type(key: str, value: Any, where: str) -> Any:
    hints = get_type_hints(Configuration, include_extras=True)
    if key not in hints or key == "name":
        keys = tuple(f.name for f in dataclasses.fields(Configuration) if f.name != "name")
        raise UsageError(f"Unknown key {key!r}", where=where, remedy=_nearest_names(key, (*keys, LIKE)))
    try:
        given = tuple(value) if isinstance(value, list) else value
        return TypeAdapter(hints[key]).validate_python(given, strict=True)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        raise UsageError(
            f"{value!r} is no valid value: {first['msg'].lower()}",
            where=f"{key} of {where}",
            remedy="docs/bench.md lists what each key takes.",
        ) from problem


def _refuse_contradictions(configuration: Configuration) -> None:
    where = f"configuration {configuration.name}"
    if configuration.command and configuration.predictions:
        raise UsageError("Both a command and predictions", where=where, remedy="Leave one of them out.")
    if configuration.is_external and configuration.judging != "gates":
        raise UsageError("A method from outside is judged by the gates", where=where, remedy="Leave judging out.")
    if configuration.is_external:
        return
    refuse_credentials(configuration.base_url)
    for text in configuration.models:
        read_arm(text)
    if "model" in configuration.proposers and not configuration.model:
        raise UsageError(
            "The model proposer has no model", where=where, remedy=f"Name it in {FILE}, or with REPAIR_MODEL."
        )
    if configuration.max_cost is not None and None in (configuration.input_price, configuration.output_price):
        raise UsageError(
            "A limit in money needs the model's prices",
            where=where,
            remedy="Give input_price and output_price, in US dollars for a million tokens.",
        )


def _nearest_names(name: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean {close[0]!r}?" if close else f"Known are: {', '.join(known)}."
