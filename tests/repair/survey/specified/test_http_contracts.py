"""Requests over HTTP: what schemathesis is called with, and what is read of its report."""

import ast
import json
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import pytest
from fakes.stating import scanned

from analysis.facts import InvalidRun, Limits
from repair.survey.specified import http_contracts as contracts
from repair.survey.specified.http_contracts import applications_in, read_report, read_run, try_operations
from sandbox.wire import Ran

REPORT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites errors="0" failures="2" skipped="0" tests="2" time="35.7">
  <testsuite name="schemathesis" hostname="vm" errors="0" failures="2" skipped="0" tests="2" time="35.7">
    <testcase name="POST /orders" time="9.0">
      <failure type="failure" message="ST103">1. Test Case ID: vIWm9B

- ST103 Undocumented status code

    Received: 400
    Documented: 201, 422

[400] Bad Request:

    `{"detail":"There was an error parsing the body"}`

Reproduce with:

    curl -X POST -H 'Content-Type: application/json' -d '{' http://127.0.0.1:50065/orders</failure>
    </testcase>
    <testcase name="GET /orders/{number}" time="26.7">
      <failure type="failure" message="ST101, ST103">1. Test Case ID: hqpvS1

- ST101 Server error

- ST103 Undocumented status code

    Received: 500
    Documented: 200, 422

[500] Internal Server Error:

    `Internal Server Error`

Reproduce with:

    curl -X GET http://127.0.0.1:50065/orders/0</failure>
    </testcase>
    <testcase name="GET /health" time="0.1"><skipped type="skipped">Time limit reached</skipped></testcase>
  </testsuite>
</testsuites>"""
"""What schemathesis 4.32.5 wrote of a small application, shortened."""

APP = """
from flask import Flask

app = Flask(__name__)


@app.get("/orders/<int:number>")
def order(number):
    return {"count": 10 // number}
"""
OPENAPI = {
    "openapi": "3.0.0",
    "info": {"title": "Orders", "version": "1"},
    "paths": {"/orders/{number}": {"get": {"responses": {"200": {"description": "It."}}}}},
}


def test_the_report_of_a_real_run_is_read():
    broken, tried = read_report(REPORT)
    assert tried == 2
    assert [(each.operation, each.code, each.title, each.status, each.request) for each in broken] == [
        (
            "POST /orders",
            "ST103",
            "Undocumented status code",
            "400",
            "curl -X POST -H 'Content-Type: application/json' -d '{' /orders",
        ),
        ("GET /orders/{number}", "ST101", "Server error", "500", "curl -X GET /orders/0"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no XML"),
        ("no XML", "no XML"),
        (REPORT[: len(REPORT) // 2], "no XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "names entities"),
        ("<a>" * 3_000_000, "too long"),
        ("<testsuites/>", "names no operation"),
        ('<testsuites><testcase name="rm -rf /"><failure>- ST101 x</failure></testcase></testsuites>', "no operation"),
        ("<a>" * 2_000 + "</a>" * 2_000, "names no operation"),
    ],
)
def test_a_bad_report_is_told(text, said):
    assert said in read_report(text)


def test_a_report_cut_at_any_place_is_no_half_report():
    for end in range(0, len(REPORT), 41):
        assert isinstance(read_report(REPORT[:end]), str)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("", "wrote no report"),
        ("repair-contract-report:{", "wrote no report"),
        ("repair-contract-report:[]", "wrote no report"),
        ('repair-contract-report:{"report": 7}', "wrote no report"),
        ('repair-contract-report:{"report": "", "said": "Schema Error"}', "that can be read: Schema Error"),
        ('repair-contract-report:{"problem": "shop cannot be imported: KeyError"}', "cannot be imported"),
    ],
)
def test_a_run_without_a_report_says_why(output, said):
    assert said in read_run(output)


def test_what_the_application_prints_is_passed_over():
    told = "repair-contract-report:" + json.dumps({"report": REPORT})
    assert read_run(f"repair-contract-report:nonsense\n{told}\n")[1] == 2


def test_applications_stand_at_the_top_of_modules():
    tree = ast.parse("app = FastAPI()\nother = make()\nweb: Flask = Flask(1)\nsite = flask.Flask(__name__)\n")
    found = [(each.name, each.kind) for each in applications_in({"a.py": tree})]
    assert found == [("app", "asgi"), ("site", "wsgi")]


class Confined:
    """A sandbox that has these packages, and in which a script prints this."""

    def __init__(self, project, output="", packages=("schemathesis", "uvicorn"), kind="bwrap"):
        self.jail = SimpleNamespace(kind=kind)
        self.snapshot = SimpleNamespace(entries=[SimpleNamespace(path=path) for path in project.trees])
        self.output, self.packages, self.words = output, packages, ()

    def find_importable(self, modules):
        return tuple(each for each in modules if each in self.packages)

    def script(self, code, args, *, limits=None):
        self.words = tuple(args)
        if isinstance(self.output, InvalidRun):
            return self.output
        return Ran(0, "repair-contract-report:" + json.dumps({"report": self.output}))


@pytest.fixture
def shop(tmp_path):
    return scanned(tmp_path, {"shop.py": APP, "openapi.json": json.dumps(OPENAPI)})


def test_findings_stand_at_the_function_that_answers(shop):
    sandbox = Confined(shop, REPORT)
    looked = try_operations(shop, sandbox, Limits(), 100.0)
    assert sandbox.words[:5] == (".", "shop", "app", "wsgi", "openapi.json")
    (other, own) = looked.findings
    assert (own.subject, own.file, own.witness) == ("shop.py:order", "shop.py", "curl -X GET /orders/0")
    assert own.said == ("GET /orders/{number}: curl -X GET /orders/0 answers 500: Server error (schemathesis ST101)")
    assert "openapi.json" in own.quotes[0]
    assert (other.subject, other.file) == ("POST /orders", "")
    assert looked.checked == ("operations over HTTP: schemathesis tried 2 operations of shop.py",)


def test_a_code_that_the_interface_lists_is_no_finding(shop):
    said = REPORT.replace("[500]", "[200]").replace("- ST101 Server error\n", "")
    found = try_operations(shop, Confined(shop, said), Limits(), 100.0).findings
    assert [each.subject for each in found] == ["POST /orders"]


@pytest.mark.parametrize(
    ("more", "seconds", "why"),
    [
        ({"packages": ()}, 100.0, "schemathesis is not installed in the project's environment"),
        ({"kind": "none"}, 100.0, "nothing confines the application here"),
        ({}, 20.0, "there is no time for them (--max-seconds): they take 35 s at least"),
        ({"output": InvalidRun("lost", "the process was killed")}, 100.0, "the process was killed"),
        ({"output": "nonsense"}, 100.0, "no XML"),
    ],
)
def test_what_is_not_tried_is_one_sentence(shop, more, seconds, why):
    looked = try_operations(shop, Confined(shop, **more), Limits(), seconds)
    (said,) = looked.not_checked
    assert said.startswith("operations over HTTP: ")
    assert why in said
    assert (looked.findings, looked.checked) == ((), ())


def test_a_program_without_operations_is_not_spoken_of(tmp_path):
    plain = scanned(tmp_path, {"shop.py": "def f(n):\n    return n\n"})
    assert try_operations(plain, Confined(plain), Limits(), 100.0) == contracts.LookedAt()


FAKE = """
import sys, urllib.request


def schemathesis():
    words = sys.argv[1:]
    base = words[words.index("--url") + 1]
    with urllib.request.urlopen(base + "/orders/5") as answer:
        text = answer.read().decode()
    with open(words[words.index("--report-junit-path") + 1], "w") as file:
        file.write("<testsuites><testcase name='GET /orders'/>" + text + "</testsuites>")
"""
SERVED = """
def app(environ, start):
    print("served")
    start("200 OK", [("content-type", "text/plain")])
    return [b"it came"]
"""


def test_the_script_serves_the_application_to_what_is_installed(tmp_path):
    """schemathesis itself is no part of our environment: one of the same name stands for it."""
    (tmp_path / "schemathesis").mkdir()
    (tmp_path / "schemathesis" / "cli.py").write_text(textwrap.dedent(FAKE))
    (tmp_path / "web.py").write_text(textwrap.dedent(SERVED))
    code = contracts.SCRIPT.replace('"-I", ', '"-X", "utf8", ')
    words = (".", "web", "app", "wsgi", "openapi.json", "5", contracts.CHECKS, "repair-contract-report:", "9999")
    env = {"PYTHONPATH": str(tmp_path), "PATH": ""}
    assert "it came" in run_script(tmp_path, code, words, env)["report"]
    lost = run_script(tmp_path, code, (".", "nowhere", *words[2:]), env)
    assert lost["problem"].startswith("nowhere cannot be imported: ModuleNotFoundError")


def run_script(folder, code, words, env):
    command = [sys.executable, "-c", code, *words]
    ran = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout.rpartition("repair-contract-report:")[2])
