import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from fakes.model_server import Choosy, Fails, Raw, Says, Stops, model_server

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
    assert "no key" in check(tmp_path, "model", model="m").detail


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "file:///etc/passwd", "nonsense"])
def test_an_endpoint_that_does_not_answer(tmp_path, url):
    found = check(tmp_path, "model", base_url=url)
    assert found.state is State.LIMITED
    assert "does not answer" in found.detail


HELD = Says('{"answer": "ready"}')
KEY = "sk-canary-6f1c0d7e42"
MODELS = Raw(b'{"data": [{"id": "m"}, {"id": "small"}]}')

PROBED = {
    "working": ((Says("ready"), HELD), State.OK, "m answers, and keeps to a JSON Schema", ("plain", "json")),
    "ignores the schema": ((Says("ready"), Says("ready")), State.OK, "plain blocks alone", ("plain",)),
    "rejects the schema": ((Choosy(Says("ready"), rejects=["response_format"]),), State.OK, "plain blocks", ("plain",)),
    "takes no temperature": ((Choosy(HELD, rejects=["temperature"]),), State.OK, "without temperature",
                             ("plain", "json")),
    "thinks aloud": ((Says("<think>hm</think>ready"), HELD), State.OK, "keeps to", ("plain", "json")),
    "wrong model": ((Choosy(HELD, model="another"), MODELS), State.LIMITED, "not exist; the endpoint lists m, small",
                    ()),
    "wrong key": ((Choosy(HELD, key="another"),), State.LIMITED, "m does not answer: (authentication) HTTP 401", ()),
    "down": ((Fails(503),), State.LIMITED, "(server) HTTP 503", ()),
    "no completion": ((Raw(b"<html>"),), State.LIMITED, "(reply) the answer is no completion", ()),
    "empty": ((Says("", "length"),), State.LIMITED, "is empty (length)", ()),
    "refuses": ((Says(None, refusal="no"),), State.LIMITED, "refuses: no", ()),
    "never answers": ((Stops(HELD, 0),), State.LIMITED, "(timeout) not a byte of an answer came in 1 s", ()),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "state", "words", "forms"), PROBED.values(), ids=PROBED.keys())
def test_a_named_model_is_asked(tmp_path, steps, state, words, forms):
    given = {"model": "m", "request_seconds": 1.0 if "timeout" in words else 30.0}
    with model_server(*steps) as server:
        found = check(tmp_path, "model", base_url=server.url, env={"REPAIR_API_KEY": KEY}, **given)
    assert (found.state, found.forms) == (state, forms)
    assert words in found.detail
    assert KEY not in found.detail
    assert bool(found.remedy) == (state is not State.OK)


def test_a_model_on_a_dead_endpoint_and_one_without_a_key(tmp_path):
    dead = check(tmp_path, "model", model="m", base_url="http://127.0.0.1:9/v1")
    assert (dead.state, dead.detail) == (State.LIMITED, "m does not answer: (network) no connection (ConnectError)")
    keyless = check(tmp_path, "model", model="m", base_url="https://models.example/v1")
    assert keyless.detail == "m: There is no key for the model endpoint (models.example)"
    assert "REPAIR_API_KEY" in keyless.remedy


def test_a_local_model_needs_no_key(tmp_path):
    with model_server(HELD) as server:
        assert check(tmp_path, "model", model="m", base_url=server.url).state is State.OK
    assert server.asked[0].key == "local"


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["doctor", "--json"], env={"REPAIR_ISOLATION": "none"}) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "repair.doctor/1"
    assert cli.main(["doctor", "--python", "/no/python"], env={"REPAIR_ISOLATION": "none"}) == 3
    assert "cannot run here" in capsys.readouterr().out
