"""What is ours to say: what an edit is refused for, steps for this kind of failure, a pattern, examples of edits."""

from __future__ import annotations

import ast

from analysis.facts import FailureClass
from analysis.function_text import mutable_defaults
from repair.model.facts.matter import Matter
from repair.model.patterns import pattern_of
from repair.model.prompt_files import packaged_prompts

EXAMPLES = ("update", "patch", "insert", "rewrite")


def policy(matter: Matter) -> str:
    """What an edit of this function is really refused for, and that the rest is not."""
    prompts = packaged_prompts()
    lines = [prompts.text("policy/refused")]
    excused = _excused_line(matter)
    if excused:
        lines.append(prompts.text("policy/excused", line=excused))
    if matter.node is not None and mutable_defaults(matter.node.args):
        lines.append(prompts.text("policy/shared_default"))
    return "\n".join([*lines, prompts.text("policy/allowed")])


def _excused_line(matter: Matter) -> int:
    """The line of the guard or raise that the failure is about, where it may go; 0 where there is none."""
    frames, function = matter.diagnosis.failure.frames, matter.plan.function
    if matter.diagnosis.failure_class not in (FailureClass.LOGIC, FailureClass.CONTRACT) or matter.node is None:
        return 0
    line = frames[-1].line if frames and frames[-1].path == function.path else 0
    inside = matter.node.lineno < line <= (matter.node.end_lineno or 0)
    found = (n for n in ast.walk(matter.node) if isinstance(n, ast.Raise | ast.Assert | ast.If) and n.lineno == line)
    return line if inside and next(found, None) is not None else 0


def steps(matter: Matter) -> str:
    """The steps for this subclass of failures, or else for its class."""
    prompts = packaged_prompts()
    for name in (matter.diagnosis.subclass, matter.diagnosis.failure_class.value):
        if prompts.has(f"steps/{name}"):
            return prompts.text(f"steps/{name}")
    return ""


def pattern(matter: Matter) -> str:
    """The one pattern that fits the failure."""
    found = pattern_of(matter.diagnosis, matter.said.relation)
    return found.to_text() if found is not None else ""


def examples(matter: Matter) -> str:
    """A worked example of each kind of edit that is left to choose from."""
    prompts, kinds = packaged_prompts(), {kind.value for kind in matter.plan.kinds}
    wanted = [name for name in EXAMPLES if (name if name != "insert" else "patch") in kinds]
    return "\n".join(prompts.text(f"examples/{name}") for name in wanted)
