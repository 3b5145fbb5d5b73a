"""A result as GitHub workflow commands, one annotation a patch."""

from __future__ import annotations

from repair.records.result import Accept, PatchView, Result, exit_code
from repair.show.patch_lines import patch_text, region_of
from repair.show.screen import left_causes


def workflow_commands(result: Result, accept: Accept = "certified") -> str:
    """Workflow commands: a notice for each accepted patch, else a warning, or an error, that says how the run ended."""
    accepted = result.accepted(accept)
    patches = tuple(patch for patch in result.patches if patch.rank == 1)
    if patches:
        left = (
            workflow_command(
                "error", f"{cause.status} cause", "\n".join((*cause.tests, *cause.messages)), cause.file, cause.line
            )
            for cause in left_causes(result)
        )
        mended = (
            workflow_command(
                "notice" if patch in accepted else "warning",
                f"{patch.status} patch of {patch.function}",
                _body(patch),
                patch.file,
                *region_of(patch),
            )
            for patch in patches
        )
        return "".join((*mended, *left))
    body = " ".join(result.messages) or result.next_action or result.status
    if not exit_code(result.status, accept):
        return workflow_command("notice", f"repair: {result.status}", body)
    file, line = (result.suspects[0].file, result.suspects[0].line) if result.suspects else ("", 0)
    return workflow_command("error", f"repair: {result.status}", body, file, line)


def escape_data(text: str) -> str:
    """Text as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Text as a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def workflow_command(level: str, title: str, body: str, file: str = "", line: int = 0, last: int = 0) -> str:
    """One annotation, at its file and lines where it has them."""
    lines = {"line": line, "endLine": last if last > line else 0} if file else {}
    place = {"file": file, **{name: str(number or "") for name, number in lines.items()}, "title": title}
    listed = ",".join(f"{name}={escape_property(value)}" for name, value in place.items() if value)
    return f"::{level} {listed}::{escape_data(body)}\n"


def _body(patch: PatchView) -> str:
    """The question first, then what changes and who doubts it; the diff last."""
    return "\n".join([patch_text(patch), "", patch.diff])
