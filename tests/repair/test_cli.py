import datetime
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import get_args, get_type_hints

import click
import pytest

import _repair_pytest
from analysis.errors import ConflictError, ModelError, TargetError, UnparseableError, UsageError
from analysis.quality.findings import Finding, Weight
from repair import cli
from repair.commands import options as shared_options
from repair.records.config import Options
from repair.records.events import event
from repair.records.result import FileChange, PatchView, Result, Status
from repair.records.tests_report import TestsReport, TestsStatus
from repair.store import journal
from repair.store.apply import apply_run
from repair.store.atomic import sha256
from repair.store.store import open_store

DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n"
OLD, NEW = b"def f():\n    return 1\n", b"def f():\n    return 2\n"


class FakeEngine:
    """Answers every command with one result, or raises; remembers how it was called."""

    def __init__(self, answer, *, events=(), patch=None):
        self.answer, self.events, self.patch, self.calls = answer, events, patch, []

    def _do(self, name, options, listen, **given):
        self.calls.append((name, options, given))
        for happened in self.events:
            listen(happened)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def fix(self, tests, options, listen, env, timing):
        return self._do("fix", options, listen, tests=tests)

    def explain(self, tests, options, listen, env, timing):
        return self._do("explain", options, listen, tests=tests)

    def check(self, patch, since, tests, options, listen, env, timing):
        return self._do("check", options, listen, patch=patch, since=since, tests=tests)

    def tests(self, paths, options, listen, env, timing):
        return self._do("tests", options, listen, paths=paths)

    def replay(self, run, options, listen, env, timing):
        return self._do("replay", options, listen, run=run)


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.py").write_bytes(OLD)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("def test_f(): assert False\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def certified(root=None):
    change = FileChange("a.py", sha256(OLD), sha256(NEW))
    patch = PatchView(1, Status.CERTIFIED, "a.py", "f", DIFF, "d1", line=1, files=(change,))
    run = ""
    if root is not None:
        record = open_store(root).new_run(datetime.datetime(2025, 1, 2), "aa", lambda: 0.0)
        record.save_candidate("d1", DIFF, (("a.py", NEW),))
        run = record.id
        record.save_result(Result(Status.CERTIFIED, run=run, patches=(patch,)))
        record.close()
    return Result(Status.CERTIFIED, run=run, patches=(patch,), next_action=f"repair apply {run}")


def run(engine, *arguments, env=None):
    return cli.main(arguments, api=engine, env=env or {})


def test_the_bare_command_shows_its_help(capsys):
    assert run(None) == 0
    assert re.search(r"\n  explain +Diagnose failing tests", capsys.readouterr().out)


def test_fix_hands_on_what_was_asked(project, capsys):
    engine = FakeEngine(certified())
    code = run(
        engine,
        "fix",
        "tests/test_a.py::test_f",
        "--max-seconds",
        "5",
        "--proposer",
        "search",
        "--seed",
        "0",
        "--",
        "-x",
    )
    name, options, given = engine.calls[0]
    assert (code, name, given["tests"]) == (0, "fix", ("tests/test_a.py::test_f",))
    assert options == Options(root=str(project), max_seconds=5.0, proposers=("search",), seed=0, pytest_args=("-x",))


def test_node_ids_are_relative_to_where_they_were_typed(project, monkeypatch, capsys):
    monkeypatch.chdir(project / "tests")
    engine = FakeEngine(certified())
    assert run(engine, "fix", "test_a.py::test_f") == 0
    assert engine.calls[0][2]["tests"] == ("tests/test_a.py::test_f",)
    assert engine.calls[0][1].root == str(project)


def test_the_next_command_works_from_where_this_one_was_typed(project, monkeypatch, capsys, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    answer = Result(Status.CERTIFIED, run="r1", next_action="repair apply r1")
    run(FakeEngine(answer), "fix", "--root", str(project))
    out = capsys.readouterr().out
    assert f"Next: repair apply r1 --root {project}\n" in out
    assert f"all of it: repair show r1 -v --root {project}\n" in out
    doubtful = Result(Status.PLAUSIBLE, run="r1", next_action="write a test; if you trust it: `repair apply r1`")
    run(FakeEngine(doubtful), "fix", "--root", str(project), "--json")
    assert json.loads(capsys.readouterr().out)["next_action"].endswith(f"`repair apply r1 --root {project}`")


def test_explain_names_the_fix_for_the_same_tests(project, capsys):
    answer = Result(Status.DIAGNOSED, next_action="repair fix")
    run(FakeEngine(answer), "explain", "tests/test_a.py::test_f", "--json")
    assert json.loads(capsys.readouterr().out)["next_action"] == "repair fix tests/test_a.py::test_f"


def test_stdout_carries_the_diff_alone(project, capsysbinary):
    engine = FakeEngine(certified(), events=(event("phase", name="baseline", detail="x", estimate_seconds=12),))
    assert run(engine, "fix", "--output-format", "diff") == 0
    out, err = capsysbinary.readouterr()
    assert out == DIFF.encode()
    assert b"baseline: x (at most 12 s)" in err


@pytest.mark.parametrize("status", [Status.PLAUSIBLE, Status.UNREPAIRED, Status.REJECTED])
def test_without_an_accepted_patch_there_is_no_diff(project, capsys, status):
    answer = certified()
    patch = PatchView(1, status if status is not Status.UNREPAIRED else Status.REJECTED, "a.py", "f", DIFF, "d1")
    assert run(FakeEngine(Result(status, patches=(patch,))), "fix", "--output-format", "diff") == 1
    assert capsys.readouterr().out == ""
    assert answer.accepted()


def test_plausible_can_be_accepted(project, capsys):
    answer = Result(Status.PLAUSIBLE, patches=(PatchView(1, Status.PLAUSIBLE, "a.py", "f", DIFF, "d1"),))
    assert run(FakeEngine(answer), "fix", "--output-format", "diff", "--accept", "plausible") == 0
    assert capsys.readouterr().out == DIFF


def test_a_diff_keeps_the_bytes_of_any_encoding(project, capsysbinary):
    patch = PatchView(1, Status.CERTIFIED, "a.py", "f", "+\udce9\r\n", "d1")
    assert run(FakeEngine(Result(Status.CERTIFIED, patches=(patch,))), "fix", "--output-format", "diff") == 0
    assert capsysbinary.readouterr().out == b"+\xe9\r\n"


def test_jsonl_ends_with_the_result(project, capsys):
    engine = FakeEngine(certified(), events=(event("phase", name="search"), event("news", x=1)))
    assert run(engine, "fix", "--output-format", "jsonl") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("type") for line in lines] == ["phase", "news", None]
    assert lines[-1] == engine.answer.to_json()


def test_json_is_the_result(project, capsys):
    assert run(FakeEngine(certified()), "explain", "--json") == 0
    assert Result.from_json(json.loads(capsys.readouterr().out)) == certified()


@pytest.mark.parametrize(
    ("problem", "status", "code"),
    [
        (UsageError("Bad option"), "usage", 2),
        (TargetError("No pytest"), "environment", 3),
        (UnparseableError("Syntax"), "unparseable", 3),
        (ModelError("No key"), "model_error", 4),
        (ConflictError("a.py changed"), "conflict", 1),
        (KeyboardInterrupt(), "interrupted", 130),
        (cli.Terminated(signal.SIGTERM), "interrupted", 143),
        (ValueError("oops\nsecond line"), "error", 70),
    ],
)
def test_every_problem_is_one_sentence_and_a_result(project, capsys, problem, status, code):
    assert run(FakeEngine(problem), "fix", "--json") == code
    out, err = capsys.readouterr()
    assert json.loads(out)["status"] == status
    assert err.startswith("repair: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert run(FakeEngine(problem), "fix") == code
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("words", "env"), [(["--debug"], {}), ([], {"REPAIR_DEBUG": "1"})])
def test_debug_shows_the_traceback(project, capsys, words, env):
    assert run(FakeEngine(ValueError("oops")), "fix", *words, env=env) == 70
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fixx"], "Did you mean 'fix'?"),
        (["fix", "--max-secnds", "1"], "--max-seconds"),
        (["fix", "--gates", "lax"], "'standard', 'strict'"),
        (["fix", "--max-seconds", "0"], "greater than 0"),
        (["fix", "tests/none.py::test"], "No file 'tests/none.py'"),
        (["fix", "/etc/passwd"], "outside the project"),
        (["fix", "--root", "none"], "not a directory"),
        (["fix", "--task", "@none"], "task cannot be read"),
        (["check"], "nothing to check"),
        (["check", "none.diff"], "patch cannot be read"),
        (["show", "none"], "No run 'none'"),
        (["undo"], "No applied patch"),
        (["schema", "none"], "result"),
        (["fix", "--proposer", "magic"], "magic"),
    ],
)
def test_wrong_usage_is_said(project, capsys, arguments, said):
    assert run(FakeEngine(certified()), *arguments) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert out == ""
    assert run(FakeEngine(certified()), *arguments, "--json") == 2


def test_a_folder_that_is_no_project_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(FakeEngine(certified()), "fix") == 2
    assert "No Python project here" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_environment_and_the_file_are_read(project, capsys):
    (project / "pyproject.toml").write_text("[tool.repair]\nseed = 7\n")
    engine = FakeEngine(certified())
    assert run(engine, "fix", env={"REPAIR_OUTPUT_FORMAT": "json", "OPENAI_API_KEY": "sk-secret"}) == 0
    assert engine.calls[0][1].seed == 7
    assert json.loads(capsys.readouterr().out)["status"] == "certified"
    assert run(engine, "fix", env={"REPAIR_SEEED": "1"}) == 2
    assert "REPAIR_SEED" in capsys.readouterr().err


def test_what_the_projects_file_sets_is_said_once_on_stderr(project, capsys):
    (project / "pyproject.toml").write_text("[tool.repair]\nseed = 7\njobs = 2\n")
    assert run(FakeEngine(certified()), "fix", "--jobs", "3", "--json") == 0
    said = capsys.readouterr()
    assert said.err.count("repair: pyproject.toml sets seed = 7") == 1
    assert "jobs" not in said.err
    assert "sets" not in said.out


def test_a_task_is_read_from_its_file(project, capsys):
    (project / "task.txt").write_text("It prints 1.0 Byte.")
    engine = FakeEngine(certified())
    assert run(engine, "fix", "--task", "@task.txt") == 0
    assert engine.calls[0][1].task == "It prints 1.0 Byte."


def test_check_takes_a_patch_or_a_revision(project, monkeypatch, capsys):
    (project / "x.diff").write_bytes(DIFF.encode())
    engine = FakeEngine(certified())
    assert run(engine, "check", "x.diff", "tests/test_a.py") == 0
    assert run(engine, "check", "--since", "HEAD", "tests/test_a.py") == 0
    assert [given for _, _, given in engine.calls] == [
        {"patch": DIFF.encode(), "since": None, "tests": ("tests/test_a.py",)},
        {"patch": None, "since": "HEAD", "tests": ("tests/test_a.py",)},
    ]


def test_apply_and_undo_from_fix(project, capsys):
    assert run(FakeEngine(certified(project)), "fix", "--apply") == 0
    assert (project / "a.py").read_bytes() == NEW
    assert "Next: repair undo 20250102-000000-aa" in capsys.readouterr().out
    assert run(None, "undo") == 0
    assert (project / "a.py").read_bytes() == OLD


def test_a_conflict_keeps_the_answer(project, capsys):
    answer = certified(project)
    (project / "a.py").write_bytes(b"mine")
    assert run(FakeEngine(answer), "fix", "--apply", "--json") == 1
    values = json.loads(capsys.readouterr().out)
    assert values["status"] == "conflict"
    assert "a.py changed since" in values["messages"][-1]
    assert values["patches"][0]["diff"] == DIFF
    assert (project / "a.py").read_bytes() == b"mine"


def test_the_record_is_listed_shown_applied(project, capsys):
    answer = certified(project)
    assert run(None, "runs") == 0
    assert answer.run in capsys.readouterr().out
    assert run(None, "runs", "--json") == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["status"] == "certified"
    assert run(None, "show", "latest", "--output-format", "diff") == 0
    assert capsys.readouterr().out == DIFF
    assert run(None, "show", "latest", "--events") == 0
    assert run(None, "show", "latest", "--certificate") == 2
    assert "no certificate" in capsys.readouterr().err
    assert run(None, "apply", "latest", "--json") == 0
    assert json.loads(capsys.readouterr().out)["files"] == ["a.py"]
    assert run(None, "apply", "latest") == 1
    assert run(None, "apply") == 1
    assert capsys.readouterr().err.count("is applied already") == 2
    engine = FakeEngine(answer)
    assert run(engine, "replay", "2025") == 0
    assert engine.calls[0][2]["run"].id == answer.run


def test_what_people_did_with_the_answers_is_counted(project, capsys):
    certified(project)
    assert run(None, "runs", "--stats") == 0
    assert "unknown" in capsys.readouterr().out
    assert run(None, "review", "latest") == 2
    assert "Give --approve, --reject, --rest or --hand-on." in capsys.readouterr().err
    assert run(None, "review", "latest", "--reject", "--note", "it must raise", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["schema"], said["said"], said["note"]) == ("repair.review/1", "rejected", "it must raise")
    assert run(None, "review", "latest", "--approve") == 0
    assert capsys.readouterr().out.startswith("Approved (run ")
    assert run(None, "runs", "--stats", "--json") == 0
    counted = json.loads(capsys.readouterr().out)
    assert (counted["schema"], counted["words"][0]["approved"], counted["words"][0]["precision"]) == (
        "repair.stats/1", 1, 1.0
    )  # fmt: skip
    assert run(None, "review", "2099", "--approve") == 2
    assert "No run '2099'" in capsys.readouterr().err


def test_an_interrupted_apply_is_put_right_at_the_next_start(project, capsys):
    certified(project)
    store = open_store(project)

    def die(step):
        if step == "replaced":
            raise SystemExit

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "_take_back", lambda *_: ())  # as after kill -9
        with pytest.raises(SystemExit):
            apply_run(store, store.load_run(), project, step=die)
    assert run(FakeEngine(certified()), "fix") == 0
    assert "interrupted apply" in capsys.readouterr().err


@pytest.mark.parametrize("name", [command.name for command in cli.OWN])
def test_help_gives_examples_and_exit_codes(name, capsys):
    assert run(None, name, "--help") == 0
    out = capsys.readouterr().out
    assert out.count(f"repair {name} ") >= 1
    assert "Exit codes:" in out
    examples = out.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    assert len(examples) in (2, 3)


def test_commands_join_through_entry_points(monkeypatch, capsys):
    @click.command()
    @click.pass_obj
    def bench(surroundings):
        return 9

    class Point:
        name = "bench"

        def load(self):
            return bench

    monkeypatch.setattr(cli, "_find_joined", lambda: (Point(),))
    assert run(None, "bench") == 9
    assert run(None, "--help") == 0
    assert "bench" in capsys.readouterr().out


def test_choices_on_the_command_line_are_those_of_the_options():
    hints = get_type_hints(Options)
    assert get_args(hints["isolation"]) == shared_options.ISOLATIONS
    assert get_args(hints["output_format"]) == shared_options.FORMATS


def test_version_is_quick(tmp_path):
    code = "import sys; from repair.cli import main; main(['--version']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {
        "openai",
        "libcst",
        "pytest",
        "rich",
        "pydantic",
        "hypothesis",
        "mutmut",
        "textual",
        "coverage",
    }
    assert done.stdout.startswith("repair ")


CHILD = textwrap.dedent("""
    import os, sys, time
    from repair import cli
    from repair.records.result import Result, Status
    class Engine:
        def fix(self, tests, options, listen, env, timing):
            print("started", file=sys.stderr, flush=True)
            if sys.argv[1] == "write":
                return Result(Status.CERTIFIED, messages=("x" * 1000,) * 1000)
            time.sleep(30)
    sys.exit(cli.main(["fix", "--json"], api=Engine()))
""")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_a_run_with_a_result(project, number, code):
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, "wait"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean()
    )
    assert child.stderr.readline() == "started\n"
    child.send_signal(number)
    out, err = child.communicate(timeout=20)
    assert child.returncode == code
    assert json.loads(out)["status"] == "interrupted"
    assert "no project file was changed" in err


def test_a_reader_that_leaves_is_no_error(project):
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, "write"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean()
    )
    child.stdout.close()
    err = child.stderr.read()
    child.stderr.close()
    assert child.wait(20) == 141
    assert err == b"started\n"


def clean():
    return {name: value for name, value in os.environ.items() if not name.startswith("REPAIR_")}


FOUND = TestsReport(
    TestsStatus.FINDINGS,
    findings=(Finding("T03", Weight.ERROR, "tautology", "It holds anyway.", "tests/test_a.py", 1),),
)


def test_tests_hands_on_what_was_asked(project, monkeypatch, capsys):
    monkeypatch.chdir(project / "tests")
    (project / "pyproject.toml").write_text("[tool.repair]\nleast-cases = 5\nrequire-each = true\n")
    engine = FakeEngine(TestsReport(TestsStatus.CLEAN))
    words = ["tests", "test_a.py", "--mutants", "0", "--generated", "a*,b*", "--coverage-data", ".coverage", "--", "-x"]
    assert run(engine, *words) == 0
    name, options, given = engine.calls[0]
    assert (name, given["paths"]) == ("tests", ("tests/test_a.py",))
    assert options == Options(
        root=str(project),
        mutants=0,
        generated=("a*", "b*"),
        coverage_data=str(project / "tests/.coverage"),
        least_cases=5,
        require_each=True,
        pytest_args=("-x",),
        from_file=("least_cases", "require_each"),
    )
    assert capsys.readouterr().out.startswith("clean  No finding counts")
    assert not (project / ".repair").exists()


def test_tests_exits_with_one_where_a_finding_counts(project, capsys):
    assert run(FakeEngine(FOUND), "tests") == 1
    assert "tests/test_a.py:1: T03 tautology: It holds anyway." in capsys.readouterr().out


def test_the_colours_of_a_report_reach_the_terminal(project, capsys):
    assert run(FakeEngine(FOUND), "tests", "--color", "always") == 1
    out = capsys.readouterr().out
    assert "\x1b[1;31mfindings" in out
    assert "\\x1b" not in out


def test_tests_streams_what_happens_and_ends_with_the_report(project, capsys):
    happened = event("phase", name="mutants", detail="x", estimate_seconds=0.0)
    assert run(FakeEngine(FOUND, events=(happened,)), "tests", "--output-format", "jsonl") == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("type", line.get("schema")) for line in lines] == ["phase", "repair.tests/1"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gone.py"], "There is no 'gone.py'"),
        (["/"], "/ lies outside the project"),
        (["--output-format", "diff"], "there is no diff"),
        (["--coverage-threshold", "101"], "less than or equal to 100"),
        (["--mutants", "-1"], "greater than or equal to 0"),
        (["--least-cases", "0"], "greater than or equal to 1"),
        (["--no-such"], "No such option"),
    ],
)
def test_tests_refuses_what_it_cannot_use(project, capsys, words, said):
    engine = FakeEngine(FOUND)
    assert run(engine, "tests", *words) == 2
    assert said in capsys.readouterr().err
    assert engine.calls == []


def test_tests_that_cannot_run_exit_with_three(project, capsys):
    assert run(FakeEngine(TargetError("pytest collects no test here")), "tests", "--json") == 3
    assert json.loads(capsys.readouterr().out)["status"] == "environment"


@pytest.mark.parametrize(("name", "id"), [("result", "repair.result/1"), ("tests", "repair.tests/1")])
def test_both_schemas_are_printed(capsys, name, id):
    assert run(None, "schema", name) == 0
    assert json.loads(capsys.readouterr().out)["$id"] == id


def test_what_hosts_of_agents_read_is_printed(capsys):
    assert run(None, "agent", "hooks", "--target", "gemini") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["hooks"]["AfterAgent"]
    assert ".gemini/settings.json" in printed.err
    assert run(None, "agent", "hooks", "--target", "nobody") == 2
    assert run(None, "agent", "instructions") == 0
    assert "repair check --since HEAD" in capsys.readouterr().out


def test_a_project_is_set_up_only_where_that_is_asked_for(project, capsys):
    assert run(None, "init") == 0
    assert "no host is in use here" in capsys.readouterr().err
    assert run(None, "init", "--target", "claude-code") == 0
    assert capsys.readouterr().out.startswith("# .claude/settings.json (new)\n")
    assert not (project / ".claude").exists()
    assert run(None, "init", "--target", "claude-code", "--write") == 0
    assert capsys.readouterr().out == "Wrote .claude/settings.json\n"
    assert run(None, "init") == 0
    assert "calls our hooks already" in capsys.readouterr().err


def test_the_plugin_of_pytest_is_printed_byte_for_byte(capsys):
    assert run(None, "agent", "pytest-plugin") == 0
    printed = capsys.readouterr().out
    assert printed == Path(_repair_pytest.__file__).read_text("utf-8")
    compile(printed, "copy.py", "exec")
