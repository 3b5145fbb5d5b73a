"""A result as GitHub workflow commands, one annotation a patch."""

from __future__ import annotations

from repair.records.result import Accept, PatchView, Result, exit_code


def workflow_commands(result: Result, accept: Accept = "certified") -> str:
    """Workflow commands: a notice for each accepted patch, else a warning, or an error, that says how the run ended."""
    accepted = result.accepted(accept)
    if accepted:
        return "".join(
            workflow_command("notice", _place(patch), f"{patch.status} patch", _body(patch)) for patch in accepted
        )
    patches = [patch for patch in result.patches if patch.rank == 1]
    if patches:
        return "".join(
            workflow_command("warning", _place(patch), f"{patch.status} patch", _body(patch)) for patch in patches
        )
    level = "error" if exit_code(result.status, accept) else "notice"
    place = _suspect_place(result) if level == "error" else {}
    return workflow_command(
        level, place, f"repair: {result.status}", " ".join(result.messages) or result.next_action or result.status
    )


def escape_data(text: str) -> str:
    """Text as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Text as a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def workflow_command(level: str, place: dict[str, str], title: str, body: str) -> str:
    properties = {**place, "title": title}
    listed = ",".join(f"{name}={escape_property(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{escape_data(body)}\n"


def _place(patch: PatchView) -> dict[str, str]:
    return {"file": patch.file, **({"line": str(patch.line)} if patch.line else {})}


def _suspect_place(result: Result) -> dict[str, str]:
    return {"file": result.suspects[0].file, "line": str(result.suspects[0].line)} if result.suspects else {}


def _body(patch: PatchView) -> str:
    reasons = [f"{evidence.gate}: {evidence.claim}" for evidence in patch.evidence]
    return "\n".join([patch.function, *reasons, *patch.questions, "", patch.diff])
