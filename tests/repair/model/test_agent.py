"""An agent is a program that works in a copy: of what it leaves there one function counts, whatever it does."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fakes.failing_function import MODULE, PATH, TESTS, context_of, plan_of, scope_of

from analysis.errors import UsageError
from analysis.facts import Suspect
from repair.model.agent import AgentProposer
from repair.model.agent_command import AgentCommand, agent_command
from repair.model.agent_copy import copy_for_agent
from repair.proposers.edits import text_of
from repair.records.events import Event
from repair.records.ports import Context
from repair.records.task import Pause
from sandbox.workspace import take_snapshot
from transforms.tree.proposal import Proposal

GUARD = "edit('greet.py', 'name.lower()\\n        if', '(name or str()).lower()\\n        if')"

HEAD = """\
import os, pathlib, signal, subprocess, sys, time
def edit(path, old, new):
    text = pathlib.Path(path).read_text()
    assert old in text
    pathlib.Path(path).write_text(text.replace(old, new))
"""


@dataclass
class Agents:
    """Makes agents of Python lines, for one project."""

    folder: Path
    root: Path
    heard: list[Event] = field(default_factory=list)

    def command(self, *lines: str, env: dict[str, str] | None = None) -> AgentCommand:
        script = self.folder / "agent.py"
        script.write_text("\n".join([HEAD, *lines]))
        own = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **(env or {})}
        return agent_command(shlex.join([sys.executable, str(script)]), own)

    def proposer(self, command: AgentCommand, seconds: float = 60.0) -> AgentProposer:
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        snapshot = take_snapshot(str(self.root), self.folder / f"master-{len(list(self.folder.iterdir()))}")
        return AgentProposer(command, partial(copy_for_agent, snapshot), scratch, seconds, self.heard.append)

    def context(self, qualname: str = "Greeter.greet", **more: Any) -> Context:
        return replace(context_of(scope_of(qualname), **more), sources=SOURCES)

    def ask(self, *lines: str, seconds: float = 60.0, **env: str) -> Proposal | str:
        (made,) = self.proposer(self.command(*lines, env=env), seconds).propose(plan_of(scope_of()), self.context())
        return made.said if isinstance(made, Pause) else made

    def told(self, kind: str) -> dict[str, Any]:
        return dict(next(happened.fields for happened in self.heard if happened.type == kind))

    @property
    def warnings(self) -> str:
        return "\n".join(str(dict(happened.fields)["message"]) for happened in self.heard if happened.type == "warning")


SOURCES = (("greet.py", MODULE), ("tests/test_greet.py", TESTS.encode()))


@pytest.fixture
def agents(tmp_path: Path) -> Agents:
    files = {PATH: MODULE.decode(), "tests/test_greet.py": TESTS, "data.txt": "one\n", "CLAUDE.md": "obey\n"}
    files |= {".claude/settings.json": "{}", "pkg/AGENTS.md": "obey\n"}
    for name, text in files.items():
        place = tmp_path / "project" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return Agents(tmp_path, tmp_path / "project")


def test_what_it_makes_of_the_function_is_an_edit(agents):
    made = agents.ask(GUARD)
    assert isinstance(made, Proposal)
    assert "(name or str()).lower()" in text_of(scope_of(), made)
    assert (made.origin.proposer, made.explanation) == ("agent", "")
    assert (agents.root / PATH).read_bytes() == MODULE
    assert agents.warnings == ""
    assert not list((agents.folder / "scratch").iterdir())


def test_the_brief_comes_by_a_file_and_by_standard_input_and_holds_packet_and_task(agents):
    told = "assert pathlib.Path(os.environ['AGENT_BRIEF']).read_text() == sys.stdin.read()"
    proposer = agents.proposer(agents.command(told, "print(os.getcwd())", GUARD))
    context = agents.context(description="Nobody must be greeted politely", seconds=300)
    assert len(list(proposer.propose(plan_of(scope_of()), context))) == 1
    brief = agents.told("agent_started")["brief"]
    assert "`Greeter.greet` in `greet.py`" in brief
    assert "You have 60 seconds" in brief
    assert "'NoneType' object has no attribute 'lower'" in brief
    assert "Nobody must be greeted politely" in brief
    assert agents.told("agent_ended")["trouble"] == ""
    assert "/tree" in agents.told("agent_ended")["said"]


def test_it_is_asked_once_for_all_suspects(agents):
    both = agents.proposer(agents.command(GUARD, "edit('greet.py', 'return name.lower()', 'return str(name).lower()')"))
    one, other = (
        list(both.propose(plan_of(scope_of(name)), agents.context(name))) for name in ("Greeter.greet", "other")
    )
    assert "(name or str())" in text_of(scope_of(), one[0])
    assert "str(name).lower()" in text_of(scope_of("other"), other[0])
    assert both.runs == 1
    assert one[0].explanation == "changed elsewhere, and dropped: greet.py:other"


def test_where_it_mended_another_suspect_that_one_comes_next(agents):
    other = "edit('greet.py', 'return name.lower()', 'return str(name).lower()')"
    proposer = agents.proposer(agents.command(other))
    suspects = tuple(Suspect(scope_of(name).function, 0.5, ()) for name in ("Greeter.greet", "other"))
    (made,) = proposer.propose(plan_of(scope_of()), replace(agents.context(), suspects=suspects))
    assert isinstance(made, Pause)
    assert made.elsewhere == scope_of("other").function
    (made,) = proposer.propose(plan_of(scope_of()), agents.context())
    assert isinstance(made, Pause)
    assert made.elsewhere is None


def test_what_it_changes_elsewhere_is_dropped_and_said(agents):
    made = agents.ask(
        GUARD,
        "edit('tests/test_greet.py', 'hello a', 'hello b')",
        "pathlib.Path('new.py').write_text('X = 1')",
        "edit('data.txt', 'one', 'two')",
    )
    assert isinstance(made, Proposal)
    for place in ("tests/test_greet.py", "new.py", "data.txt"):
        assert place in made.explanation
        assert place in agents.warnings
    assert agents.told("agent_ended")["diff"].startswith("--- a/greet.py")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["pass"], "it changed nothing"),
        (["os.remove('greet.py')"], "it deleted greet.py"),
        (["os.remove('greet.py')", "os.symlink('/etc/passwd', 'greet.py')"], "it deleted greet.py"),
        (["os.remove('greet.py')", "os.mkfifo('greet.py')"], "it deleted greet.py"),
        (["pathlib.Path('greet.py').write_bytes(os.urandom(5000))"], "what it left of greet.py"),
        (["pathlib.Path('greet.py').write_bytes(b'(' * 5000)"], "what it left of greet.py"),
        (["pathlib.Path('greet.py').write_bytes(b'x' * (3 << 20))"], "greet.py"),
        (["edit('greet.py', 'name, times=1', 'name, times=1, strict=True')"], "what callers rely on changes"),
        (["edit('greet.py', 'def greet', 'def hail')"], "no longer in greet.py"),
        (["edit('greet.py', 'return name.lower()', 'return name')"], "changed elsewhere, and dropped: greet.py:other"),
        (["edit('data.txt', 'one', 'two')"], "changed elsewhere, and dropped: data.txt"),
        (["sys.exit(3)"], "it ended with status 3; it changed nothing"),
        (["os.kill(os.getpid(), signal.SIGKILL)"], "it ended with status -9"),
        (["pathlib.Path('greet.py').write_text('KEY = %r' % os.environ['MY_API_KEY'])"], "may be a secret"),
    ],
)
def test_what_gives_no_edit_is_said(agents, lines, said):
    made = agents.ask(*lines, MY_API_KEY="sk-canary-0123")
    assert isinstance(made, str)
    assert said in made
    assert "sk-canary" not in repr(agents.heard) + made


def test_the_change_of_one_that_fails_in_the_end_is_judged_all_the_same(agents):
    made = agents.ask(GUARD, "print('out of credit'); sys.exit(2)")
    assert isinstance(made, Proposal)
    assert agents.warnings == "the agent python3: it ended with status 2".replace("python3", Path(sys.executable).name)
    assert agents.told("agent_ended")["said"] == "out of credit\n"


def test_one_that_hangs_is_ended_with_all_that_it_started(agents):
    child = f"import time; time.sleep(600)  # {agents.folder}"
    lines = [f"subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)", GUARD, "time.sleep(600)"]
    seen = []
    watch = threading.Thread(target=lambda: seen.extend(wait_for(lambda: at_work(child))))
    watch.start()
    made = agents.ask(*lines, seconds=5.0)
    watch.join()
    assert isinstance(made, Proposal)
    assert "it was ended after 5 s" in agents.warnings
    assert seen, "it did start one"
    assert wait_for(lambda: not at_work(child))


def at_work(word: str) -> list[str]:
    """The processes with this word on their command line; one that is dead has none."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if word.encode() in place.read_bytes().split(b"\0"):
                found.append(place.parent.name)
    return found


def wait_for(look: Callable[[], Any], seconds: float = 30.0) -> Any:
    """What it gives once that is something, or at the end."""
    until = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def test_one_that_prints_without_end_is_ended(agents):
    made = agents.ask("while True: print('x' * 100000)")
    assert isinstance(made, str)
    assert "it was ended, since it printed more than 16 MiB" in made


def test_its_own_keys_are_handed_to_it_and_ours_are_not(agents):
    made = agents.ask(
        "assert os.environ['AGENTS_OWN_KEY'] == 'sk-agent-77'",
        "assert not [name for name in os.environ if name.startswith('REPAIR_')]",
        "print(os.environ['AGENTS_OWN_KEY'])",
        GUARD,
        AGENTS_OWN_KEY="sk-agent-77",
        REPAIR_API_KEY="sk-endpoint",
        REPAIR_AGENT="itself",
    )
    assert isinstance(made, Proposal), agents.told("agent_ended")
    assert agents.told("agent_ended")["said"] == "***\n"


def test_settings_for_agents_that_came_with_the_project_are_not_in_the_copy(agents):
    made = agents.ask(
        "assert sorted(os.listdir('.')) == ['data.txt', 'greet.py', 'pkg', 'tests'], os.listdir('.')", GUARD
    )
    assert isinstance(made, Proposal), agents.told("agent_ended")
    left_out = agents.told("agent_started")["left_out"]
    assert left_out == [".claude", ".claude/settings.json", "CLAUDE.md", "pkg/AGENTS.md"]


def test_it_is_ended_once_nobody_waits_for_its_work(agents):
    began = time.monotonic()
    context = replace(agents.context(), is_over=lambda: bool(agents.heard))
    (made,) = agents.proposer(agents.command("time.sleep(600)")).propose(plan_of(scope_of()), context)
    assert isinstance(made, Pause)
    assert time.monotonic() < began + 30
    assert agents.told("agent_ended")["trouble"] == "it was ended, since nobody waited for it any more"
    assert agents.warnings == ""


def test_closing_ends_it_and_it_is_not_asked_again(agents):
    proposer = agents.proposer(agents.command("time.sleep(600)"))
    asked = threading.Thread(target=lambda: list(proposer.propose(plan_of(scope_of()), agents.context())))
    asked.start()
    while not agents.heard:
        time.sleep(0.05)
    proposer.close()
    asked.join(20)
    assert not asked.is_alive()
    assert [event.type for event in agents.heard] == ["agent_started", "agent_ended"]
    (made,) = proposer.propose(plan_of(scope_of("other")), replace(agents.context("other"), sources=()))
    assert isinstance(made, Pause)
    assert proposer.runs == 1


def test_where_others_search_it_lets_them_have_a_part_of_the_time(agents):
    left = [100.0]
    scratch = agents.folder / "scratch"
    scratch.mkdir()
    snapshot = take_snapshot(str(agents.root), agents.folder / "master")

    def pause(seconds: float) -> None:
        assert not agents.heard
        left[0] -= 10

    proposer = AgentProposer(
        agents.command(GUARD),
        partial(copy_for_agent, snapshot),
        scratch,
        50.0,
        agents.heard.append,
        waits=True,
        pause=pause,
    )
    (made,) = proposer.propose(plan_of(scope_of()), replace(agents.context(), seconds_left=lambda: left[0]))
    assert isinstance(made, Proposal)
    assert left[0] == 70.0
    assert "You have 50 seconds" in agents.told("agent_started")["brief"]


def test_with_no_time_left_it_is_not_started(agents):
    proposer = agents.proposer(agents.command("sys.exit(1)"))
    (made,) = proposer.propose(plan_of(scope_of()), agents.context(seconds=2))
    assert isinstance(made, Pause)
    assert made.said == "there was no time left to ask it"
    assert proposer.runs == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no-such-agent --now", "The agent's command is not there (no-such-agent)"),
        ("'unclosed", "cannot be read"),
        ("  ", "names no program"),
    ],
)
def test_a_command_that_is_none_is_a_usage_error(text, said):
    with pytest.raises(UsageError) as caught:
        agent_command(text, {"PATH": os.environ["PATH"]})
    assert said in str(caught.value)


def test_places_in_the_command_are_filled_in(agents):
    script = agents.folder / "places.py"
    script.write_text(
        f"{HEAD}\nassert sys.argv[1:] == ['--file=' + os.environ['AGENT_BRIEF'], os.getcwd(), '{{x}}']\n{GUARD}"
    )
    words = [sys.executable, str(script), "--file={brief}", "{tree}", "{x}"]
    proposer = agents.proposer(agent_command(shlex.join(words), {"PATH": os.environ["PATH"]}))
    (made,) = proposer.propose(plan_of(scope_of()), agents.context())
    assert isinstance(made, Proposal), agents.told("agent_ended")
