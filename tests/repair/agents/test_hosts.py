"""What hosts have to read before they call our hooks, and how it comes into their files."""

import json
import os

import pytest

from analysis.errors import UsageError
from repair.agents.hosts import HOST_SECONDS, HOSTS, INSTRUCTIONS, NAMES, calls_us, host_named, joined, text_of
from repair.agents.installing import check_hooks, find_installed, hosts_in_use, install, plan_installation
from repair.agents.stop_hook import DEADLINE_SECONDS
from repair.front.doctor import State

COMMANDS = ("repair hook start", "repair hook stop")


def commands_in(value):
    """Every command in the settings."""
    if isinstance(value, dict):
        return [found for each in value.values() for found in commands_in(each)]
    if isinstance(value, list):
        return [found for each in value for found in commands_in(each)]
    return [value] if isinstance(value, str) and value.startswith("repair ") and " hook" in value else []


@pytest.mark.parametrize("host", HOSTS, ids=NAMES)
def test_each_host_calls_both_hooks_by_texts_that_never_change(host):
    assert sorted(set(commands_in(host.settings))) == [*COMMANDS]
    assert calls_us(json.loads(text_of(host.settings)))


def test_a_host_waits_five_seconds_longer_than_a_hook_takes():
    assert HOST_SECONDS - DEADLINE_SECONDS == 5
    text = text_of(host_named("gemini").settings)
    assert f'"timeout": {HOST_SECONDS * 1000}' in text, "this host counts in milliseconds"


@pytest.mark.parametrize("host", HOSTS, ids=NAMES)
def test_what_stands_in_a_file_stays(host):
    event = next(iter(host.settings["hooks"]))
    present = {"model": "x", "hooks": {event: [{"command": "mine"}], "Other": [1]}}
    merged = joined(present, host.settings)
    assert merged["model"] == "x"
    assert merged["hooks"]["Other"] == [1]
    assert merged["hooks"][event] == [{"command": "mine"}, *host.settings["hooks"][event]]
    assert present["hooks"][event] == [{"command": "mine"}]


@pytest.mark.parametrize("present", [{"hooks": []}, {"hooks": {"Stop": {}}}])
def test_settings_of_another_form_are_refused(present):
    with pytest.raises(ValueError, match="its hooks"):
        joined(present, host_named("claude-code").settings)


def test_hosts_in_use_are_those_with_a_folder(tmp_path):
    assert hosts_in_use(tmp_path) == ()
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".cursor").write_text("no folder")
    assert [host.name for host in hosts_in_use(tmp_path)] == ["codex"]


def test_files_are_written_once(tmp_path):
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text('{"model": "x"}')
    hosts = [host_named("claude-code"), host_named("codex")]
    planned = plan_installation(tmp_path, hosts)
    assert [each.is_new for each in planned] == [False, True]
    assert install(tmp_path, planned) == (".claude/settings.json", ".codex/hooks.json")
    written = json.loads((tmp_path / ".claude" / "settings.json").read_text())
    assert written["model"] == "x"
    assert calls_us(written)
    again = plan_installation(tmp_path, hosts)
    assert [each.text for each in again] == ["", ""]
    assert install(tmp_path, again) == ()


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b'{"hooks": 3}', b"[" * 100_000, b" " * (2 << 20)])
def test_a_file_that_cannot_be_read_is_named_and_left(tmp_path, content):
    path = tmp_path / ".codex" / "hooks.json"
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"The settings of Codex cannot be read.*hooks\.json"):
        plan_installation(tmp_path, [host_named("codex")])
    assert path.read_bytes() == content


def test_a_link_out_of_the_project_is_not_written_through(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    root = tmp_path / "project"
    root.mkdir()
    os.symlink(tmp_path / "elsewhere", root / ".codex")
    with pytest.raises(UsageError, match="A link leads elsewhere"):
        plan_installation(root, [host_named("codex")])


def test_the_doctor_says_which_host_calls_our_hooks(tmp_path):
    root, home = tmp_path / "project", tmp_path / "home"
    (root / ".codex").mkdir(parents=True)
    none = check_hooks(tmp_path, home)
    assert (none.state, none.detail) == (State.OK, "no host of agents is in use here")
    lacking = check_hooks(root, home)
    assert lacking.state is State.LIMITED
    assert "repair init" in lacking.remedy
    install(root, plan_installation(root, [host_named("codex")]))
    found = check_hooks(root, home)
    assert found.state is State.OK
    assert "/hooks" in found.detail, "it has to be trusted there"


def test_settings_of_the_user_count_too(tmp_path):
    own = tmp_path / "home" / ".claude" / "settings.json"
    own.parent.mkdir(parents=True)
    own.write_text(text_of(host_named("claude-code").settings))
    assert [path for _, path in find_installed(tmp_path / "project", tmp_path / "home")] == [own]


def test_instructions_are_short_and_name_the_command():
    assert len(INSTRUCTIONS) < 800
    assert "repair check --since HEAD" in INSTRUCTIONS
