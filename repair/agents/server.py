"""``repair mcp``: the judge as a server of the Model Context Protocol, on stdin and stdout.

No call takes longer than ``CALL_SECONDS``, since many clients give up after a minute. What is not done by then goes on
as a job that is asked for later. A result is small. An open question is put to the person by the client's own form
where it has one; it is data where it has none. No argument of a tool is an answer: a model would give it.
"""

import contextlib
import dataclasses
import os
import time
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import anyio
from mcp.server import MCPServer
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from analysis.errors import RepairError, UsageError
from repair.agents.hook_words import words_of
from repair.agents.jobs import CHANGED_REMEDY, EngineJob, Jobs, RunRequest, digest_of_change
from repair.client import EngineError
from repair.records.config import load_options
from repair.records.result import EvidenceView, PatchView
from repair.store.apply import apply_run
from repair.store.rested import list_questions
from repair.store.store import open_store

CALL_SECONDS = 45.0
"""The longest call."""

MOST_TEXT = 400
"""Characters of one text in a result."""

MOST_PATCH = 1200
"""Characters of a patch that is given; a longer one is in the run: `repair show RUN --output-format diff`."""

MOST_LISTED = 5
"""Failures and suspects that are told."""

BY_FORM = "elicitation"
"""The way of an answer that came through the client's form."""

_LOOKS = 0.2
"""Seconds between two looks at a job."""

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True)

_ABOUT = (
    "Judges Python changes by evidence that their author could not have written. After a change run check_patch. "
    "rejected: change the code, not the tests. plausible with a question: look for the answer in the task or the code "
    "and add it as a test, or ask the person with ask_person. Never answer it by a guess."
)


Since = Annotated[str, Field(description="Judge what the working tree changed since this revision")]
Patch = Annotated[str, Field(description="A unified diff to judge, in place of what the working tree changed")]
Tests = Annotated[Sequence[str], Field(description="Node ids of tests; none: those that matter are looked for")]
Root = Annotated[str, Field(description="The project's folder; not needed where the server has one root")]


class OpenQuestion(BaseModel):
    """What the tests leave open: what a call does with the change, and what it does in another program that passes."""

    function: str
    question: str
    call: str
    this_change: str
    otherwise: str


class RunAnswer(BaseModel):
    """How a run stands or ended. While ``running`` ask again by ``job_result`` with its ``job``."""

    job: str
    running: bool = False
    seconds: float = 0.0
    status: str = ""
    run: str = ""
    said: str = ""
    question: OpenQuestion | None = None
    patch: str = ""
    answered_by: str = ""
    next_action: str = ""


class NamedSuspect(BaseModel):
    """A function that may be at fault."""

    function: str
    file: str
    line: int
    suspiciousness: float


class Explanation(BaseModel):
    """Why tests fail, as far as it is known without any edit."""

    job: str
    running: bool = False
    status: str = ""
    said: str = ""
    failures: list[str] = Field(default_factory=list)
    suspects: list[NamedSuspect] = Field(default_factory=list)


class PersonsChoice(BaseModel):
    """What a person says to a question."""

    answer: Literal["this change", "otherwise", "neither"] = Field(description="Which of the two is right?")


def make_server(jobs: Jobs, *, may_apply: bool = False, max_seconds: float = 120.0) -> MCPServer:
    """The server over these jobs; only with ``may_apply`` it has a tool that writes into a project."""
    server = MCPServer("repair", instructions=_ABOUT)
    limits = {"max_seconds": max_seconds}

    @server.tool(annotations=_READS)
    async def check_patch(
        ctx: Context[Any, Any], since: Since = "HEAD", patch: Patch = "", tests: Tests = (), root: Root = ""
    ) -> RunAnswer:
        """Judge a change of Python code: certified, plausible (with the one open question) or rejected."""
        with _readable():
            folder = jobs.root_of(root)
            if patch:
                asked = RunRequest("check", folder, ("-", *tests), patch.encode("utf-8", "surrogateescape"), limits)
            else:
                asked = RunRequest("check", folder, tuple(tests), options={**limits, "since": since})
            job = jobs.start(asked)
        return await _verdict(ctx, job)

    @server.tool(annotations=_READS)
    async def fix_tests(ctx: Context[Any, Any], tests: Tests = (), root: Root = "") -> RunAnswer:
        """Mend the function behind failing tests, by search. No file changes: the patch is in the result."""
        with _readable():
            job = jobs.start(RunRequest("fix", jobs.root_of(root), tuple(tests), options=limits))
        return await _verdict(ctx, job)

    @server.tool(annotations=_READS)
    async def explain_failure(ctx: Context[Any, Any], tests: Tests = (), root: Root = "") -> Explanation:
        """Say what kind of failure it is, and which functions are suspects."""
        with _readable():
            job = jobs.start(RunRequest("explain", jobs.root_of(root), tuple(tests), options=limits))
        await _wait(ctx, job)
        return _explanation(job)

    @server.tool(annotations=_READS)
    def job_status(job: str) -> RunAnswer:
        """How a run stands: what is being done, what was found out, whether it has ended."""
        with _readable():
            return _standing(jobs.find(job))

    @server.tool(annotations=_READS)
    async def job_result(ctx: Context[Any, Any], job: str) -> RunAnswer:
        """Wait for a run, up to three quarters of a minute, and say what it came to."""
        with _readable():
            found = jobs.find(job)
        return await _verdict(ctx, found)

    @server.tool(annotations=_READS)
    def cancel_job(job: str) -> RunAnswer:
        """Ask a run to stop. What it knew by then is its result."""
        with _readable():
            found = jobs.find(job)
        found.cancel()
        return _standing(found)

    async def ask(ctx: Context[Any, Any], job: str) -> Elicit[PersonsChoice]:
        with _readable():
            found = jobs.find(job)
            asked = _open_question(found)
            _refuse_changed(found)
        capabilities = ctx.client_capabilities
        if capabilities is None or capabilities.elicitation is None:
            raise ToolError(
                f"This client has no form for questions. Ask the person yourself: {asked.question} "
                f"(this change: {asked.this_change}; otherwise: {asked.otherwise}). Add the answer as a test."
            )
        return Elicit(
            f"{asked.question}\nthis change: {asked.this_change}\notherwise: {asked.otherwise}", PersonsChoice
        )

    @server.tool(annotations=_READS)
    async def ask_person(
        ctx: Context[Any, Any], job: str, told: Annotated[ElicitationResult[PersonsChoice], Resolve(ask)]
    ) -> RunAnswer:
        """Put the open question of an ended check to the person, by the client's form, and judge again."""
        with _readable():
            found = jobs.find(job)
            answer = _answer_of(found, told.data.answer if isinstance(told, AcceptedElicitation) else "")
            if not answer:
                return _standing(found, said="The person gave no answer that decides it: leave the question open.")
            _refuse_changed(found)
            answers = (*found.asked.options.get("answer", ()), answer)
            options = {**found.asked.options, "answer": answers, "answered_by": BY_FORM}
            again = jobs.start(dataclasses.replace(found.asked, options=options, answers_to=found.change))
        return await _verdict(ctx, again)

    if may_apply:

        @server.tool(annotations=_WRITES)
        def apply_patch(job: str) -> str:
            """Write the patch of an ended fix into the project, all its files or none; `repair undo` takes it out."""
            with _readable():
                return _apply(jobs.find(job))

    return server


async def _wait(ctx: Context[Any, Any], job: EngineJob) -> None:
    """Until it ends, or a call has taken long enough; the client hears what is being done."""
    until = time.monotonic() + CALL_SECONDS
    phase = ""
    while job.running and time.monotonic() < until:
        state = job.state()
        if state.phase != phase:
            phase = state.phase
            await ctx.report_progress(state.seconds, message=phase)
        await anyio.sleep(_LOOKS)


async def _verdict(ctx: Context[Any, Any], job: EngineJob) -> RunAnswer:
    await _wait(ctx, job)
    with _readable():
        return _standing(job)


def _standing(job: EngineJob, said: str = "") -> RunAnswer:
    """How a run stands, or what it came to."""
    state, by = job.state(), str(job.asked.options.get("answered_by", ""))
    if state.running:
        told = said or "; ".join(filter(None, (state.phase, state.known)))
        return RunAnswer(job=job.name, running=True, seconds=state.seconds, said=_cut(told), answered_by=by)
    result = job.result()
    asked = list_questions(result)
    told_of = words_of(result, {}) if job.asked.command == "check" else None
    lines = [said, " ".join(result.messages[:2]) if not result.patches else "", told_of.text if told_of else ""]
    fix = next((patch for patch in result.patches if patch.rank == 1), None) if job.asked.command == "fix" else None
    return RunAnswer(
        job=job.name,
        seconds=state.seconds,
        status=str(result.status),
        run=result.run,
        said=_cut(next(filter(None, lines), "")),
        question=_question(*asked[0]) if asked else None,
        answered_by=by,
        patch=fix.diff if fix is not None and len(fix.diff) <= MOST_PATCH else "",
        next_action=_cut(result.next_action),
    )


def _explanation(job: EngineJob) -> Explanation:
    if job.running:
        return Explanation(job=job.name, running=True, said=_cut(job.state().phase))
    with _readable():
        result = job.result()
    failures = [
        _cut(f"{each.test}: {each.failure_class}/{each.subclass}: {each.exception}: {each.message}", MOST_TEXT // 2)
        for each in result.failures[:MOST_LISTED]
    ]
    suspects = [
        NamedSuspect(
            function=each.function, file=each.file, line=each.line, suspiciousness=round(each.suspiciousness, 3)
        )
        for each in result.suspects[:MOST_LISTED]
    ]
    said = _cut(result.brief or " ".join(result.messages))
    return Explanation(job=job.name, status=str(result.status), said=said, failures=failures, suspects=suspects)


def _open_question(job: EngineJob) -> OpenQuestion:
    """The question of an ended run; raises ``UsageError`` where it has none."""
    asked = list_questions(job.result())
    if not asked:
        raise UsageError(
            f"{job.name} leaves no question about an input open", remedy="Its verdict says what it rests on."
        )
    return _question(*asked[0])


def _question(patch: PatchView, evidence: EvidenceView) -> OpenQuestion:
    asked = evidence.asked
    assert asked is not None, "only questions with a call are listed"
    return OpenQuestion(
        function=f"{patch.file}:{patch.function}",
        question=_cut(asked.question),
        call=_cut(asked.call, MOST_TEXT // 2),
        this_change=_cut(asked.mine, MOST_TEXT // 2),
        otherwise=_cut(asked.other, MOST_TEXT // 2),
    )


def _refuse_changed(job: EngineJob) -> None:
    """Raise ``UsageError`` where what the job judged does not stand there any more: an answer would be about it."""
    if not job.change or digest_of_change(job.asked) != job.change:
        raise UsageError(f"The files changed since {job.name} judged them", remedy=CHANGED_REMEDY)


def _answer_of(job: EngineJob, picked: str) -> str:
    """What the engine takes for what was picked; empty where it is none of both readings."""
    _, evidence = list_questions(job.result())[0]
    return {"this change": evidence.answer, "otherwise": evidence.otherwise}.get(picked, "")


def _apply(job: EngineJob) -> str:
    if job.asked.command != "fix":
        raise UsageError(f"{job.name} is no fix", remedy="A change that was judged stands in the project already.")
    store = open_store(job.asked.root)
    required = load_options(job.asked.root, {}, dict(os.environ)).require_approval
    applied = apply_run(store, store.load_run(job.result().run), job.asked.root, require_approval=required)
    return f"Applied run {applied.run}: {', '.join(applied.files)}. `repair undo {applied.run}` takes it out."


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Our errors as errors of a tool: a sentence for the model, and no traceback."""
    try:
        yield
    except (RepairError, EngineError, OSError) as problem:
        raise ToolError(str(problem)) from problem


def _cut(text: str, most: int = MOST_TEXT) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
