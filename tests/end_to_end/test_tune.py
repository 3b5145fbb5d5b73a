"""A campaign on a stranger's script with a prompt in it, from the command line to the changed prompt."""

import json
import re
import sys

import pytest

from corpora.lab.benchmarks.own_campaign import PROMPT, bugs_and_model
from corpora.lab.benchmarks.own_campaign import RULE as OWN_RULE
from corpora.lab.benchmarks.scripted_endpoint import serve_answers, words_of
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


def model():
    """A model that forgets the empty case unless the prompt has the rule, and the name unless it is told to mind it.

    Asked for an edit, it first gives a task away, then proposes the rule.
    """
    proposals = iter((LEAK, EDIT))

    def answer(place, asked):
        if place == "v1":
            return json.dumps(next(proposals))
        system = words_of(asked, "system")
        name = re.search(r"half_of_\d+", words_of(asked, "user"))[0] if "Name it" in system else "f"
        empty = "if not n:\n        return 0\n    " if RULE in system else ""
        return f"def {name}(n):\n    {empty}return n / 2\n"

    return serve_answers(answer)


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


@pytest.mark.slow
def test_a_campaign_on_a_script_with_a_prompt_in_it(tmp_path, capsys):
    write_project(tmp_path)
    agent, out = tmp_path / "tool" / "agent.py", str(tmp_path / "tuned")
    with model() as url:
        named = ["--prompt", f"{agent}#PROMPT", "--tasks", str(tmp_path / "tasks.toml"), "--out", out]
        command = ["--command", f"{sys.executable} -I {agent} {{task}} {url}/agent"]
        asked = ["tune", "run", *command, *named, "--samples", "1", "--reflect", "m", "--base-url", f"{url}/v1"]
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


@pytest.mark.slow
def test_sentences_of_our_own_prompts_have_a_worth(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with bugs_and_model(tmp_path, 3) as words:
        place = tmp_path / "prompts" / PROMPT
        others = place.read_text().partition("## elsewhere")
        place.write_text(f"## task\nYou mend a function.\n{OWN_RULE}\n\n{''.join(others[1:])}")
        words[words.index("--own") + 1] = "flat:bugs"
        asked = ["tune", "ablate", *words, "--out", "worth"]
        assert cli.main(asked) == 0
        first = capsys.readouterr().out
    assert cli.main(asked) == 0  # from what is kept: nobody answers any more
    assert capsys.readouterr().out == first
    worths = {line.split("  ")[-1].strip(): float(line.split()[1]) for line in first.splitlines()[1:]}
    assert worths["You mend a function."] == 0
    assert worths[OWN_RULE] > 0.3
    kept = [json.loads(line) for line in (tmp_path / "worth" / "attempts.jsonl").read_text().splitlines()]
    assert all(each["outcome"]["tokens"] for each in kept)
    known = json.loads((tmp_path / "worth" / "tasks.json").read_text())
    assert {"priceinshop0", "testprices"} <= set(known["names"])
    assert cli.main(["tune", "replay", "worth"]) == 2  # nothing was decided
    assert "The log ends after step 0" in capsys.readouterr().err
    place.write_text(place.read_text().replace("You mend", "You always mend"))
    capsys.readouterr()
    assert cli.main(asked) == 2
    assert "an older text of it" in capsys.readouterr().err
