"""The published JSON Schema of a result, derived from the records themselves."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from repair.result import SCHEMA, Result


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of ``repair.result/1``."""
    schema = TypeAdapter(Result).json_schema(mode="serialization")
    failure = schema["$defs"]["FailureView"]
    # The only JSON name that Python forbids as a field's name.
    failure["properties"] = {_json_name(name): value for name, value in failure["properties"].items()}
    failure["required"] = [_json_name(name) for name in failure["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA, **schema}


def _json_name(name: str) -> str:
    return "class" if name == "failure_class" else name
