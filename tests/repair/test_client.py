import asyncio
import json
import os
import subprocess
import sys
import textwrap
import threading
import time
import urllib.request

import pytest

import repair
from repair import client
from repair.records.result import Result, Status


@pytest.fixture
def engine(tmp_path):
    """Makes a stand-in for the interpreter: a script that gets the engine's arguments."""

    def make(body):
        script = tmp_path / "engine"
        head = f"#!{sys.executable}\nimport json, os, signal, sys, time\nargs = sys.argv[5:]\n"
        script.write_text(head + "def say(**v): print(json.dumps(v), flush=True)\n" + textwrap.dedent(body))
        script.chmod(0o755)
        return str(script)

    return make


ANSWER = json.dumps(Result(Status.CERTIFIED, run="r1").to_json())


def test_events_and_result_are_typed(engine):
    events = []
    script = engine(f"say(type='phase', name='search')\nsay(type='finished', status='certified')\nprint({ANSWER!r})")
    result = repair.fix("t.py::t", executable=script, on_event=events.append)
    assert result == Result(Status.CERTIFIED, run="r1")
    assert [(e.type, dict(e.fields)) for e in events] == [
        ("phase", {"name": "search"}),
        ("finished", {"status": "certified"}),
    ]


def test_settings_become_options(engine, tmp_path):
    script = engine(
        f"open({str(tmp_path / 'args')!r}, 'w').write(json.dumps([sys.argv[1:], sys.stdin.read()]))\nprint({ANSWER!r})"
    )
    repair.check(
        b"--- a\n",
        "t.py::t",
        root=tmp_path,
        max_seconds=5,
        proposer=("search", "model"),
        lf=True,
        gates=None,
        executable=script,
    )
    assert json.loads((tmp_path / "args").read_text()) == [
        [
            "-E", "-P", "-m", "repair", "check", "--output-format", "jsonl", "--root", str(tmp_path), "--max-seconds=5",
            "--proposer=search", "--proposer=model", "--lf", "-", "t.py::t",
        ],
        "--- a\n",
    ]  # fmt: skip


def test_the_environment_can_be_replaced(engine):
    script = engine(f"assert 'HOME' not in os.environ and os.environ['X'] == '1'\nprint({ANSWER!r})")
    assert repair.explain(executable=script, env={"X": "1"}).run == "r1"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("usage", client.UsageError),
        ("model_error", client.ModelError),
        ("conflict", client.ConflictError),
        ("error", client.EngineError),
    ],
)
def test_failures_are_typed_exceptions_with_the_result(engine, status, kind):
    answer = json.dumps(Result(Status(status), messages=("What happened.",)).to_json())
    with pytest.raises(kind, match="What happened") as caught:
        repair.fix(executable=engine(f"print({answer!r}); sys.exit(2)"))
    assert caught.value.result.status == status


@pytest.mark.parametrize("status", ["unrepaired", "environment", "flaky", "out_of_scope"])
def test_other_words_are_answers(engine, status):
    answer = json.dumps(Result(Status(status)).to_json())
    assert repair.fix(executable=engine(f"print({answer!r}); sys.exit(3)")).status == status


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("print('broken', file=sys.stderr); sys.exit(9)", "exit status 9.*broken"),
        ("print('no json')", "no JSON"),
        ("print('[]')", "no object"),
        ("say(schema='repair.result/9', status='x')", "cannot be read"),
        ("say(type='phase')\nos.kill(os.getpid(), signal.SIGKILL)", "exit status -9"),
    ],
)
def test_an_engine_that_breaks_is_an_engine_error(engine, body, message):
    with pytest.raises(client.EngineError, match=message):
        repair.fix(executable=engine(body))


INTERRUPTIBLE = f"""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        say(type='phase', pid=os.getpid())
        time.sleep(30)
    except KeyboardInterrupt:
        print({json.dumps(Result(Status.INTERRUPTED).to_json())!r}); sys.exit(130)
"""


def test_a_run_can_be_cancelled(engine):
    asked = threading.Event()
    result = repair.fix(executable=engine(INTERRUPTIBLE), cancel=asked, on_event=lambda happened: asked.set())
    assert result.status is Status.INTERRUPTED


def test_a_handle_streams_and_cancels(engine):
    run = repair.start("fix", executable=engine(INTERRUPTIBLE))
    for happened in run:
        assert happened.type == "phase"
        run.cancel()
    assert run.result().status is Status.INTERRUPTED


def test_a_timeout_ends_the_run(engine):
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        repair.fix(executable=engine(INTERRUPTIBLE), timeout=0.2)
    assert time.monotonic() - started < 10


def test_an_engine_that_ignores_interruption_is_killed(engine):
    body = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsay(type='phase', pid=os.getpid())\ntime.sleep(30)"
    run, pids = repair.start("fix", executable=engine(body), grace=0.3), []
    for happened in run:
        pids.append(dict(happened.fields)["pid"])
        run.cancel()
    with pytest.raises(client.EngineError):
        run.result()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_listener_that_raises_ends_the_engine(engine):
    pids = []

    def listen(happened):
        pids.append(dict(happened.fields)["pid"])
        raise RuntimeError("host")

    with pytest.raises(RuntimeError, match="host"):
        repair.fix(executable=engine(INTERRUPTIBLE), on_event=listen)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_check_needs_one_change():
    with pytest.raises(client.UsageError):
        repair.check()
    with pytest.raises(client.UsageError):
        repair.check("diff", since="HEAD")


def test_the_real_engine_answers_a_usage_error(tmp_path):
    with pytest.raises(client.UsageError, match="--no-such-option"):
        repair.fix(root=tmp_path, no_such_option=True)
    with pytest.raises(client.UsageError, match="not a directory"):
        repair.explain(root=tmp_path / "none")


def test_importing_is_cheap_and_brings_nothing_along(tmp_path):
    code = "import sys, repair; repair.fix; repair.check; repair.Result; repair.Event; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    tops = {name.partition(".")[0] for name in done.stdout.split()}
    assert not tops & {
        "analysis",
        "transforms",
        "sandbox",
        "corpora",
        "pydantic",
        "libcst",
        "openai",
        "click",
        "rich",
        "pytest",
    }


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = repair.nothing
    assert {"fix", "check", "explain", "Result"} <= set(dir(repair))
    assert all(hasattr(repair, name) for name in repair.__all__)


def test_the_async_forms_give_the_same_and_call_back_in_the_loop(engine):
    script = engine(f"say(type='phase', name='search')\nprint({ANSWER!r})")

    async def run():
        heard, thread = [], threading.get_ident()
        listen = lambda event: heard.append((event.type, threading.get_ident() == thread))  # noqa: E731
        found = await asyncio.gather(
            repair.fix_async("t.py::t", executable=script, on_event=listen),
            repair.explain_async("t.py::t", executable=script),
            repair.check_async("--- a\n", executable=script),
        )
        return found, heard

    found, heard = asyncio.run(run())
    assert {each.status for each in found} == {Status.CERTIFIED}
    assert heard == [("phase", True)]


def test_to_cancel_a_task_is_to_cancel_its_run(engine, tmp_path):
    script = engine(
        f"""
        def stop(*_):
            open({str(tmp_path / "ended")!r}, 'w').write('cleaned up')
            sys.exit(130)
        signal.signal(signal.SIGTERM, stop)
        say(type='phase', name='search')
        time.sleep(60)
        """
    )

    async def run():
        begun = asyncio.Event()
        task = asyncio.create_task(repair.fix_async(executable=script, on_event=lambda event: begun.set()))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return (tmp_path / "ended").read_text()

    assert asyncio.run(run()) == "cleaned up", "the run has ended before the task has"


def test_an_awaited_check_of_nothing_is_refused():
    with pytest.raises(repair.UsageError, match="Give either"):
        asyncio.run(repair.check_async())


ASK_HOST = """
import urllib.request
base = os.environ['REPAIR_BASE_URL']
assert not [word for word in args if base in word]
def ask(path):
    body = json.dumps({'messages': [{'role': 'system', 'content': 'form'}, {'role': 'user', 'content': 'facts'}]})
    try:
        with urllib.request.urlopen(urllib.request.Request(path, body.encode(), method='POST')) as answer:
            return json.load(answer)['choices'][0]['message']['content']
    except urllib.error.HTTPError as refused:
        return refused.code
told = [ask(base + '/chat/completions'), ask(base.rsplit('/', 2)[0] + '/guessed/v1/chat/completions')]
open(%r, 'w').write(json.dumps([told, base, [word for word in args if word.startswith('--model')]]))
print(%r)
"""


@pytest.mark.parametrize("fails", [False, True])
def test_the_function_of_a_host_is_asked_as_a_model_is(engine, tmp_path, fails):
    asked = []

    def propose(question):
        asked.append(question)
        if fails:
            raise RuntimeError("no")
        return "a reply"

    script = engine(ASK_HOST % (str(tmp_path / "told"), ANSWER))
    assert repair.fix(executable=script, propose=propose).status is Status.CERTIFIED
    told, base, model = json.loads((tmp_path / "told").read_text())
    assert told == [500 if fails else "a reply", 404]
    assert asked == ["form\n\nfacts"]
    assert model == ["--model=host"]
    with pytest.raises(OSError):  # noqa: PT011 - refused, or reset
        urllib.request.urlopen(f"{base}/chat/completions", b"{}", timeout=5)
