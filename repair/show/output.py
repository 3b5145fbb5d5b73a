"""A result in each output format, and the published JSON Schemas, derived from the records themselves."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from repair.records import result as results
from repair.records import tests_report
from repair.records.config import Options
from repair.records.events import Event, events_schema
from repair.records.grown import GROWN_SCHEMA, GrownReport
from repair.records.healed import HEALED_SCHEMA, HealReport
from repair.records.made import MADE_SCHEMA, MadeReport
from repair.records.memory_report import SCHEMA as MEMORY_SCHEMA
from repair.records.memory_report import SIBLINGS_SCHEMA, MemoryReport, SiblingsReport
from repair.records.result import Accept, Result, Status
from repair.records.specified import (
    FACTS_SCHEMA,
    SPEC_SCHEMA,
    TRACE_SCHEMA,
    FactsReport,
    SpecReport,
    TraceReport,
)
from repair.records.tests_report import TestsReport
from repair.show.github import workflow_commands
from repair.show.lines import clean, diff_lines, print_lines
from repair.show.sarif import sarif
from repair.show.screen import quiet_lines, screen_lines
from repair.show.terminal import write_out, write_text
from repair.show.whole import whole_lines

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def write_result(result: Result, options: Options, reach: str = "") -> None:
    """Put the result on stdout in the format asked for. ``reach`` are options that a next command needs here."""
    if options.output_format == "text":
        shown = partial(result_text, result, options.accept, options.verbosity, options.alternatives, reach)
        write_for_people(shown, options)
    else:
        write_out(format_result(result, options.output_format, options.accept))


def write_for_people(make_text: Callable[..., str], options: Options) -> None:
    """Put a text on stdout that is made as wide as the terminal, and in colour where that is wanted."""
    colour = use_colour(options.color, is_terminal=sys.stdout.isatty())
    write_text(make_text(colour=colour, width=shutil.get_terminal_size((100, 24)).columns), colour=colour)


def result_text(
    result: Result,
    accept: Accept = "certified",
    verbosity: int = 0,
    alternatives: int = 0,
    reach: str = "",
    *,
    colour: bool = False,
    width: int = 100,
) -> str:
    """The answer as text, with so many runners-up: one screen of it.

    With a positive verbosity everything; with -1 the verdict, the diff and the question, and below that the accepted
    diff alone.
    """
    shown = Result.from_json(clean(result.to_json()))
    if verbosity < -1:
        lines = diff_lines(shown.accepted_diff(accept))
    elif verbosity < 0:
        lines = quiet_lines(shown, width)
    elif verbosity > 0 or shown.status is Status.DIAGNOSED:
        lines = whole_lines(shown, verbosity, alternatives)
    else:
        lines = screen_lines(shown, alternatives, width, reach)
    return print_lines(lines, colour=colour, width=width)


def format_result(result: Result, output_format: str, accept: Accept = "certified") -> str:
    """The result in one of the formats that programs read."""
    match output_format:
        case "json":
            return json.dumps(result.to_json(), indent=2) + "\n"
        case "jsonl":
            return json.dumps(result.to_json()) + "\n"
        case "github":
            return workflow_commands(result, accept)
        case "sarif":
            return json.dumps(sarif(result, accept), indent=2) + "\n"
        case _:
            return result.accepted_diff(accept)


def event_line(happened: Event) -> str:
    """One event as a line of ``jsonl``."""
    return json.dumps(happened.to_json()) + "\n"


def use_colour(color: str, *, is_terminal: bool) -> bool:
    """Whether to colour: the option beats ``NO_COLOR``, which beats ``FORCE_COLOR``, which beats the terminal."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and os.environ.get("TERM") != "dumb"


def schema_named(name: str) -> dict[str, Any]:
    """JSON Schema (2020-12) of ``repair.NAME/1``."""
    if name == "events":
        return {"$schema": _DIALECT, **events_schema()}
    from pydantic import TypeAdapter  # noqa: PLC0415 - every command would wait for it

    for kind, record, address in (
        ("tests", TestsReport, tests_report.SCHEMA),
        ("grown", GrownReport, GROWN_SCHEMA),
        ("made", MadeReport, MADE_SCHEMA),
        ("healed", HealReport, HEALED_SCHEMA),
        ("facts", FactsReport, FACTS_SCHEMA),
        ("spec", SpecReport, SPEC_SCHEMA),
        ("trace", TraceReport, TRACE_SCHEMA),
        ("memory", MemoryReport, MEMORY_SCHEMA),
        ("siblings", SiblingsReport, SIBLINGS_SCHEMA),
    ):
        if name == kind:
            return record_schema(record, address)
    schema = TypeAdapter(Result).json_schema(mode="serialization")
    failure = schema["$defs"]["FailureView"]
    # The only JSON name that Python forbids as a field's name.
    failure["properties"] = {_json_name(field): value for field, value in failure["properties"].items()}
    failure["required"] = [_json_name(field) for field in failure["required"]]
    return {"$schema": _DIALECT, "$id": results.SCHEMA, **schema}


def record_schema(record: type, address: str) -> dict[str, Any]:
    """JSON Schema (2020-12) of a record of that address."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - every command would wait for it

    return {"$schema": _DIALECT, "$id": address, **TypeAdapter(record).json_schema(mode="serialization")}


def _json_name(name: str) -> str:
    return "class" if name == "failure_class" else name
