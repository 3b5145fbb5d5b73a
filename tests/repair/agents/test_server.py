"""The server of the Model Context Protocol, by the SDK's own client in both revisions of the protocol."""

import json
import subprocess
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp_types import ElicitResult

from analysis.errors import UsageError
from repair.agents import server
from repair.agents.jobs import MOST_AT_ONCE, Jobs, JobState, RunRequest, digest_of_change
from repair.agents.server import make_server
from repair.records.result import (
    AskedView,
    EvidenceView,
    FailureView,
    PatchView,
    Result,
    RiskView,
    Status,
    SuspectView,
)

MODES = ("2026-07-28", "legacy")

ASKED = AskedView("Should price(11) return 45 (this patch) or return 55?", "price(11)", "returns 45", "returns 55")
DOUBT = EvidenceView(
    "behaviour", "unknown", "", answer="shop.price(11) == 45", otherwise="shop.price(11) == 55", asked=ASKED
)
PATCH = PatchView(
    1,
    Status.PLAUSIBLE,
    "shop.py",
    "price",
    "--- a\n+++ b\n",
    "d",
    evidence=(DOUBT,),
    risk=RiskView(0.1, 0.3, 9, 9, 0.02),
)
PLAUSIBLE = Result(Status.PLAUSIBLE, run="20260101-000000-a", patches=(PATCH,), next_action="answer it")
CERTIFIED = replace(PLAUSIBLE, status=Status.CERTIFIED, patches=(replace(PATCH, status=Status.CERTIFIED, evidence=()),))


class Done:
    """A job that ends after so many looks."""

    def __init__(self, name, asked, result, looks=0):
        self.name, self.asked, self._result, self._looks = name, asked, result, looks
        self.change = digest_of_change(asked)
        self.cancelled = False

    @property
    def running(self):
        self._looks -= 1
        return self._looks >= 0

    def state(self):
        return JobState(self.name, self.asked.command, self._looks > 0, 1.0, "gates", "Should price(11)?")

    def result(self):
        return self._result

    def cancel(self):
        self.cancelled = True


class FakeJobs(Jobs):
    """Answers each run by the next result."""

    def __init__(self, roots, *results, looks=0):
        super().__init__(roots)
        self.results, self.looks, self.started = list(results), looks, []

    def start(self, asked):
        self.started.append(asked)
        name = f"job-{len(self.started)}"
        self._jobs[name] = Done(name, asked, self.results.pop(0), self.looks)
        return self._jobs[name]


@asynccontextmanager
async def client(jobs, mode, **given):
    callback = given.pop("elicitation_callback", None)
    async with Client(make_server(jobs, **given), mode=mode, elicitation_callback=callback) as connected:
        yield connected


def call(jobs, mode, *calls, **given):
    """The answers of the tools, one after another: the values, or the error as text."""

    async def talk():
        found = []
        async with client(jobs, mode, **given) as connected:
            for name, arguments in calls:
                told = await connected.call_tool(name, arguments)
                found.append(told.content[0].text if told.is_error else told.structured_content)
        return found

    return anyio.run(talk)


@pytest.mark.parametrize("mode", MODES)
def test_a_change_is_judged_and_its_question_is_data(tmp_path, mode):
    jobs = FakeJobs([tmp_path], PLAUSIBLE)
    (verdict,) = call(jobs, mode, ("check_patch", {"since": "main", "tests": ["test_a.py::test_b"]}))
    assert jobs.started == [
        RunRequest("check", tmp_path.resolve(), ("test_a.py::test_b",), options={"max_seconds": 120.0, "since": "main"})
    ]
    assert (verdict["status"], verdict["running"], verdict["run"]) == ("plausible", False, "20260101-000000-a")
    assert verdict["question"]["call"] == "price(11)"
    assert verdict["question"]["this_change"] == "returns 45"
    assert len(json.dumps(verdict)) < 2000


@pytest.mark.parametrize("mode", MODES)
def test_a_patch_from_elsewhere_is_handed_on_as_it_is(tmp_path, mode):
    jobs = FakeJobs([tmp_path], CERTIFIED)
    (verdict,) = call(jobs, mode, ("check_patch", {"patch": "--- a/x\n+++ b/x\n"}))
    assert jobs.started[0].stdin == b"--- a/x\n+++ b/x\n"
    assert jobs.started[0].arguments == ("-",)
    assert (verdict["status"], verdict["question"]) == ("certified", None)


def git(root, *arguments):
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *arguments], check=True, capture_output=True)


@pytest.fixture
def changed(tmp_path):
    """A project in which something differs from the last commit."""
    (tmp_path / "shop.py").write_text("x = 1\n")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    (tmp_path / "shop.py").write_text("x = 2\n")
    return tmp_path


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("picked", "answer"), [("this change", "shop.price(11) == 45"), ("otherwise", "shop.price(11) == 55")]
)
def test_a_question_is_put_to_the_person_and_judged_again_with_the_answer(changed, mode, picked, answer):
    heard = []

    async def person(context, asked):
        heard.append(asked.message)
        return ElicitResult(action="accept", content={"answer": picked})

    jobs = FakeJobs([changed], PLAUSIBLE, CERTIFIED)
    first, second = call(jobs, mode, ("check_patch", {}), ("ask_person", {"job": "job-1"}), elicitation_callback=person)
    assert heard == [f"{ASKED.question}\nthis change: returns 45\notherwise: returns 55"]
    assert jobs.started[1].options == {
        "max_seconds": 120.0,
        "since": "HEAD",
        "answer": (answer,),
        "answered_by": "elicitation",
    }
    assert jobs.started[1].answers_to == digest_of_change(jobs.started[0]) != ""
    assert (first["answered_by"], second["answered_by"], second["status"]) == ("", "elicitation", "certified")


@pytest.mark.parametrize("mode", MODES)
def test_a_second_answer_stands_beside_the_first(changed, mode):
    async def person(context, asked):
        return ElicitResult(action="accept", content={"answer": "this change"})

    other = replace(DOUBT, answer="shop.price(12) == 48", asked=replace(ASKED, call="price(12)"))
    left = replace(PLAUSIBLE, patches=(replace(PATCH, evidence=(other,)),))
    jobs = FakeJobs([changed], PLAUSIBLE, left, CERTIFIED)
    calls = (("check_patch", {}), ("ask_person", {"job": "job-1"}), ("ask_person", {"job": "job-2"}))
    assert call(jobs, mode, *calls, elicitation_callback=person)[2]["status"] == "certified"
    assert jobs.started[2].options["answer"] == ("shop.price(11) == 45", "shop.price(12) == 48")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "said",
    [
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        ElicitResult(action="accept", content={"answer": "neither"}),
    ],
)
def test_a_person_who_decides_nothing_changes_nothing(changed, mode, said):
    async def person(context, asked):
        return said

    jobs = FakeJobs([changed], PLAUSIBLE)
    _, second = call(jobs, mode, ("check_patch", {}), ("ask_person", {"job": "job-1"}), elicitation_callback=person)
    assert "gave no answer" in second["said"]
    assert (second["status"], second["answered_by"], len(jobs.started)) == ("plausible", "", 1)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_without_forms_gets_the_question_as_text(changed, mode):
    jobs = FakeJobs([changed], PLAUSIBLE)
    _, said = call(jobs, mode, ("check_patch", {}), ("ask_person", {"job": "job-1"}))
    assert "This client has no form" in said
    assert ASKED.question in said


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("when", ["before the question", "while the person thinks"])
def test_an_answer_is_about_the_very_change_that_was_judged(changed, mode, when):
    def write():
        (changed / "shop.py").write_text("x = 3\n")

    async def person(context, asked):
        write()
        return ElicitResult(action="accept", content={"answer": "this change"})

    class Edited(FakeJobs):
        def find(self, name):
            found = super().find(name)
            if when == "before the question":
                write()
            return found

    jobs = Edited([changed], PLAUSIBLE)
    _, told = call(jobs, mode, ("check_patch", {}), ("ask_person", {"job": "job-1"}), elicitation_callback=person)
    assert "The files changed since job-1 judged them" in told
    assert len(jobs.started) == 1


@pytest.mark.parametrize("looks", [0, 8])
def test_who_answered_is_said_also_where_the_call_ends_before_the_job(changed, monkeypatch, looks):
    monkeypatch.setattr(server, "CALL_SECONDS", 0.3)

    async def person(context, asked):
        return ElicitResult(action="accept", content={"answer": "this change"})

    class Slow(FakeJobs):
        def start(self, asked):
            self.looks = looks if asked.answers_to else 0
            return super().start(asked)

    calls = (("check_patch", {}), ("ask_person", {"job": "job-1"}), ("job_result", {"job": "job-2"}))
    first, second, third = call(
        Slow([changed], PLAUSIBLE, CERTIFIED), "2026-07-28", *calls, elicitation_callback=person
    )
    assert (first["answered_by"], second["answered_by"], third["answered_by"]) == ("", "elicitation", "elicitation")
    assert second["running"] is bool(looks)


def test_no_tool_takes_an_answer_of_a_model(tmp_path):
    async def talk():
        async with client(Jobs([tmp_path]), "2026-07-28") as connected:
            return (await connected.list_tools()).tools

    tools = {tool.name: tool for tool in anyio.run(talk)}
    assert sorted(tools) == [
        *("ask_person", "cancel_job", "check_patch", "explain_failure", "fix_tests", "job_result", "job_status")
    ]
    assert not any("answer" in str(tool.input_schema.get("properties", {})) for tool in tools.values())
    assert all(tool.output_schema for tool in tools.values())
    assert all(tool.annotations.read_only_hint for tool in tools.values())


def test_a_call_ends_in_time_and_goes_on_as_a_job(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "CALL_SECONDS", 0.3)
    jobs = FakeJobs([tmp_path], PLAUSIBLE, looks=8)
    started = time.monotonic()
    first, second, third = call(
        jobs, "2026-07-28", ("check_patch", {}), ("job_status", {"job": "job-1"}), ("job_result", {"job": "job-1"})
    )
    assert time.monotonic() - started < 20
    assert (first["running"], first["status"], first["said"]) == (True, "", "gates; Should price(11)?")
    assert second["running"] is True
    assert third["job"] == "job-1"


def test_a_failure_is_explained(tmp_path):
    result = Result(
        Status.DIAGNOSED,
        failures=(FailureView("t::a", "logic", "wrong_value", "AssertionError", "x" * 5000),),
        suspects=tuple(SuspectView("shop.py", f"f{n}", n, 1 / (n + 1)) for n in range(30)),
        brief="it is off by one",
    )
    (said,) = call(FakeJobs([tmp_path], result), "legacy", ("explain_failure", {"tests": ["t::a"]}))
    assert (said["status"], said["said"], len(said["suspects"])) == ("diagnosed", "it is off by one", 5)
    assert said["failures"][0].startswith("t::a: logic/wrong_value: AssertionError: xxx")
    assert len(json.dumps(said)) < 2000


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("job_result", {"job": "job-9"}, "No job 'job-9'"),
        ("check_patch", {"root": "/"}, "is outside of this server's roots"),
        ("ask_person", {"job": "job-9"}, "No job 'job-9'"),
        ("cancel_job", {}, "job"),
        ("apply_patch", {"job": "job-1"}, "apply_patch"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, name, arguments, said):
    (told,) = call(FakeJobs([tmp_path]), "2026-07-28", (name, arguments))
    assert said in told
    assert "Traceback" not in told


def test_a_verdict_without_a_question_has_none_to_ask(tmp_path):
    jobs = FakeJobs([tmp_path], CERTIFIED)
    _, told = call(jobs, "legacy", ("check_patch", {}), ("ask_person", {"job": "job-1"}))
    assert "leaves no question about an input open" in told


def test_only_a_fix_can_be_applied(tmp_path):
    jobs = FakeJobs([tmp_path], CERTIFIED)
    _, told = call(jobs, "legacy", ("check_patch", {}), ("apply_patch", {"job": "job-1"}), may_apply=True)
    assert "job-1 is no fix" in told


def test_projects_outside_of_the_roots_are_refused(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    jobs = Jobs([tmp_path / "in", tmp_path / "other"])
    assert jobs.root_of(str(tmp_path / "in" / "deep")) == (tmp_path / "in" / "deep").resolve()
    for named in ("", str(tmp_path), str(tmp_path / "in" / ".." / "elsewhere"), str(tmp_path / "inner")):
        with pytest.raises(UsageError):
            jobs.root_of(named)
    (tmp_path / "in" / "link").symlink_to(tmp_path)
    with pytest.raises(UsageError):
        jobs.root_of(str(tmp_path / "in" / "link"))


def test_few_runs_are_under_way_at_once(tmp_path):
    jobs = FakeJobs([tmp_path])
    jobs._jobs = {
        f"job-{n}": Done(f"job-{n}", RunRequest("check", tmp_path), None, looks=99) for n in range(MOST_AT_ONCE)
    }
    with pytest.raises(UsageError, match="runs are under way"):
        Jobs.start(jobs, RunRequest("check", Path(tmp_path)))


def test_a_run_that_cannot_start_is_an_error_of_its_job(tmp_path):
    jobs = Jobs([tmp_path], {"REPAIR_NO_SUCH_KEY": "1", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    job = jobs.start(RunRequest("check", tmp_path, options={"since": "HEAD"}))
    until = time.monotonic() + 60
    while job.running and time.monotonic() < until:
        time.sleep(0.05)
    assert job.result().status is Status.USAGE
    assert "REPAIR_NO_SUCH_KEY" in " ".join(job.result().messages)
    jobs.close()


@pytest.mark.parametrize("word", ["--root=/etc", "--agent=sh -c id", "--answer=f(1) == 2", "--apply", "-q"])
@pytest.mark.parametrize("name", ["check_patch", "fix_tests", "explain_failure"])
def test_no_test_is_an_option(tmp_path, name, word):
    (told,) = call(Jobs([tmp_path]), "2026-07-28", (name, {"tests": [word]}))
    assert "is no test" in told
