import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from repair import cli
from repair.front import doctor
from repair.front.doctor import State, checks_json, checks_text, examine, is_able
from repair.records.config import Options
from sandbox.jail import Kind
from sandbox.jail_protocol import NO_JAIL
from sandbox.probe_catalog import ProbeResult


class Models(BaseHTTPRequestHandler):
    def do_GET(self):
        answered = 200 if self.headers.get("Authorization") == "Bearer k" else 401
        self.send_response(answered)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def endpoint():
    server = HTTPServer(("127.0.0.1", 0), Models)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def check(root, name, env=None, **options):
    found = {c.name: c for c in examine(Options(root=str(root), isolation="none", **options), env or {})}
    return found[name]


def test_a_machine_that_can_repair(tmp_path):
    checks = examine(Options(root=str(tmp_path), isolation="none"), {})
    assert is_able(checks)
    assert [c.name for c in checks] == [
        "engine",
        "target",
        "pytest",
        "coverage",
        "isolation",
        "state",
        "git",
        "ruff",
        "model",
    ]
    assert "The main job can run here." in checks_text(checks)
    assert json.loads(json.dumps(checks_json(checks)))["able"] is True


def test_without_an_interpreter_it_cannot(tmp_path):
    checks = examine(Options(root=str(tmp_path), python="/no/python", isolation="none"), {})
    assert not is_able(checks)
    assert "no such interpreter" in checks_text(checks)


@pytest.mark.parametrize(("found", "state"), [("/bin/ruff", State.OK), ("", State.LIMITED)])
def test_without_ruff_one_gate_is_not_asked(tmp_path, monkeypatch, found, state):
    monkeypatch.setattr(doctor, "find_ruff", lambda root, path: found)
    assert check(tmp_path, "ruff").state is state


def test_no_isolation_is_said(tmp_path):
    assert check(tmp_path, "isolation").state is State.LIMITED


def test_isolation_says_what_it_leaves_open_and_which_acts_were_tried(tmp_path):
    bare = check(tmp_path, "isolation")
    assert "the network" in bare.opens
    assert "leaves open: the user's files and processes; the network" in checks_text([bare])
    found = next(c for c in examine(Options(root=str(tmp_path)), {}) if c.name == "isolation")
    if found.state is not State.OK:
        pytest.skip(found.detail)
    listed = checks_json([found])["checks"][0]
    assert listed["opens"] == list(found.opens) != []
    assert {"name": "tcp", "tries": "connect to a local port", "works_outside": True, "stopped": True} in listed[
        "probes"
    ]


def test_all_probes_on_all_kinds_when_asked(tmp_path, monkeypatch):
    results = (ProbeResult("tcp", "connect", True, True), ProbeResult("disk", "fill the disk", True, False))
    monkeypatch.setattr("repair.front.doctor.run_probes", lambda jail: results)
    kinds = (
        Kind("none", "Nothing", lambda: NO_JAIL, automatic=False),
        Kind("far", "Faraway", lambda: "it is not installed", automatic=False),
    )
    monkeypatch.setattr("repair.front.doctor.KINDS", kinds)
    checks = examine(Options(root=str(tmp_path), isolation="none"), {}, probes=True)
    limited, missing = (c for c in checks if c.name == "probes")
    assert (limited.state, limited.detail) == (State.LIMITED, "none stops 1 of 2; not: fill the disk")
    assert limited.probes == results
    assert (missing.state, missing.detail) == (State.MISSING, "far: it is not installed")
    assert is_able(checks)
    broken = (ProbeResult("file", "write a big file", True, False),)
    monkeypatch.setattr("repair.front.doctor.run_probes", lambda jail: broken)
    assert (
        next(c for c in examine(Options(root=str(tmp_path)), {}, probes=True) if c.name == "probes").state
        is State.MISSING
    )


def test_an_endpoint_is_asked_only_by_its_url(tmp_path, endpoint):
    assert check(tmp_path, "model", base_url=endpoint, env={"REPAIR_API_KEY": "k"}).state is State.OK
    refused = check(tmp_path, "model", base_url=endpoint, env={"OPENAI_API_KEY": "secret"})
    assert refused.state is State.LIMITED
    assert "refuses the key" in refused.detail
    assert "secret" not in str(refused)
    assert "not asked" in check(tmp_path, "model", model="m", env={"OPENAI_API_KEY": "k"}).detail
    assert "no key" in check(tmp_path, "model", model="m").detail


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "file:///etc/passwd", "nonsense"])
def test_an_endpoint_that_does_not_answer(tmp_path, url):
    found = check(tmp_path, "model", base_url=url)
    assert found.state is State.LIMITED
    assert "does not answer" in found.detail


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["doctor", "--json"], env={"REPAIR_ISOLATION": "none"}) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "repair.doctor/1"
    assert cli.main(["doctor", "--python", "/no/python"], env={"REPAIR_ISOLATION": "none"}) == 3
    assert "cannot run here" in capsys.readouterr().out
