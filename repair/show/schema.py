"""The published JSON Schemas of what commands print, derived from the records themselves."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from repair.records import result, tests_report
from repair.records.result import Result
from repair.records.tests_report import TestsReport

NAMES = ("result", "tests")
"""The formats that have a schema."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_named(name: str) -> dict[str, Any]:
    """JSON Schema (2020-12) of ``repair.NAME/1``."""
    if name == "tests":
        schema = TypeAdapter(TestsReport).json_schema(mode="serialization")
        return {"$schema": _DIALECT, "$id": tests_report.SCHEMA, **schema}
    schema = TypeAdapter(Result).json_schema(mode="serialization")
    failure = schema["$defs"]["FailureView"]
    # The only JSON name that Python forbids as a field's name.
    failure["properties"] = {_json_name(field): value for field, value in failure["properties"].items()}
    failure["required"] = [_json_name(field) for field in failure["required"]]
    return {"$schema": _DIALECT, "$id": result.SCHEMA, **schema}


def _json_name(name: str) -> str:
    return "class" if name == "failure_class" else name
