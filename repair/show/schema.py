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
    return schema_of_tests() if name == "tests" else json_schema()


def schema_of_tests() -> dict[str, Any]:
    """JSON Schema of ``repair.tests/1``."""
    schema = TypeAdapter(TestsReport).json_schema(mode="serialization")
    return {"$schema": _DIALECT, "$id": tests_report.SCHEMA, **schema}


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of ``repair.result/1``."""
    schema = TypeAdapter(Result).json_schema(mode="serialization")
    failure = schema["$defs"]["FailureView"]
    # The only JSON name that Python forbids as a field's name.
    failure["properties"] = {_json_name(name): value for name, value in failure["properties"].items()}
    failure["required"] = [_json_name(name) for name in failure["required"]]
    return {"$schema": _DIALECT, "$id": result.SCHEMA, **schema}


def _json_name(name: str) -> str:
    return "class" if name == "failure_class" else name
