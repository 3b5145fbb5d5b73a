"""A campaign on a stranger's script with a prompt in it, from the command line to the changed prompt."""

import json
import re
import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from repair import cli

AGENT = '''\
"""A small agent: it sends its prompt and the task to an endpoint, and writes what comes back."""
import json, sys, urllib.request

PROMPT = """You write one Python function.
Think of the colour of the sky.
Name it as you are told."""

task = open(sys.argv[1]).read()
body = json.dumps({"messages": [{"role": "system", "content": PROMPT}, {"role": "user", "content": task}]}).encode()
with urllib.request.urlopen(urllib.request.Request(sys.argv[2], body), timeout=30) as answer:
    said = json.load(answer)["choices"][0]["message"]["content"]
open("answer.py", "w").write(said)
print("tokens: 12")
'''
RULE = "Say what happens when there is nothing at all."
LEAK = {"kind": "insert", "sentence": 1, "text": "Call it half_of_3.", "why": "it knows the task"}
EDIT = {"kind": "insert", "sentence": 1, "text": RULE, "why": "empty inputs fail", "predicted": "all"}
TASKS = 30


@contextmanager
def endpoint():
    """A model that forgets the empty case unless the prompt has the rule, and the name unless it is told to mind it."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            system, user = (turn["content"] for turn in asked["messages"])
            name = re.search(r"half_of_\d+", user)[0] if "Name it" in system else "f"
            empty = "if not n:\n        return 0\n    " if RULE in system else ""
            text = f"def {name}(n):\n    {empty}return n / 2\n"
            content = json.dumps({"choices": [{"message": {"content": text}}]}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def write_project(folder):
    """The agent, and tasks of ten projects whose hidden tests want the empty case."""
    (folder / "tool").mkdir()
    (folder / "tool" / "agent.py").write_text(AGENT)
    rows = []
    for number in range(TASKS):
        name = f"half_of_{number}"
        (folder / f"task{number}.txt").write_text(f"Write {name}(n), which halves n.\n")
        check = f"from answer import {name}; assert {name}(4) == 2"
        rows.append(
            f'[[task]]\nid = "t{number}"\nproject = "p{number % 10}"\nargv = ["task{number}.txt"]\n'
            f'functions = ["answer.py:{name}"]\n'
            f'test = ["{{python}}", "-c", "{check}"]\nhidden_test = ["{{python}}", "-c", "{check}; {name}(None)"]\n'
        )
    (folder / "tasks.toml").write_text("[defaults]\nseconds = 20.0\n" + "\n".join(rows))
    (folder / "edits.jsonl").write_text(f"{json.dumps(LEAK)}\n\n{json.dumps(EDIT)}\n")


@pytest.mark.slow
def test_a_campaign_on_a_script_with_a_prompt_in_it(tmp_path, capsys):
    write_project(tmp_path)
    agent, out = tmp_path / "tool" / "agent.py", str(tmp_path / "tuned")
    with endpoint() as url:
        named = ["--prompt", f"{agent}#PROMPT", "--tasks", str(tmp_path / "tasks.toml"), "--out", out]
        command = ["--command", f"{sys.executable} -I {agent} {{task}} {url}"]
        asked = ["tune", "run", *command, *named, "--edits", str(tmp_path / "edits.jsonl"), "--samples", "1"]
        assert cli.main(asked) == 2
        assert "--yes" in capsys.readouterr().err
        assert cli.main([*asked, "--iterations", "3", "--yes"]) == 0
    told = capsys.readouterr()
    assert "guard: it names what a task names" in told.err
    assert "1 accepted of 3" in told.out
    assert agent.read_text() == AGENT.replace("function.\n", f"function.\n{RULE}\n")
    first = (tmp_path / "tuned" / "attempts.jsonl").read_text().splitlines()[0]
    assert json.loads(first)["outcome"]["word"] == "wrong"
    assert json.loads(first)["outcome"]["tokens"] == 12
    assert cli.main(["tune", "replay", out]) == 0
    assert cli.main(["tune", "status", out]) == 0
    assert cli.main(["tune", "log", out]) == 0
    assert cli.main(["tune", "show", out, "3"]) == 0
    told = capsys.readouterr()
    assert "the same in every bit" in told.err
    assert f"+{RULE}" in told.out
    assert cli.main(["tune", "revert", out]) == 0
    assert agent.read_text() == AGENT
