"""What a target finds of the user's secrets, nobody reads in what it says."""

import sys

import pytest

from analysis.facts import InvalidRun, TestId, TestRun
from sandbox.process import blot_secrets
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target

KEY = "sk-canary-0123456789"
TEST = """
import os

def test_tells():
    raise ValueError("found " + open("key.txt").read() + os.environ["TOKEN"])
"""


@pytest.fixture
def sandbox(tmp_path):
    (tmp_path / "test_it.py").write_text(TEST)
    (tmp_path / "key.txt").write_text(KEY)
    environ = {"OPENAI_API_KEY": KEY, "TOKEN": "a-long-token", "PATH": "/usr/bin:/bin"}
    target = open_target(str(tmp_path), python=sys.executable, pass_env=["TOKEN"], environ=environ)
    with LocalSandbox(target) as made:
        yield made


def test_a_report_is_free_of_the_key_and_of_passed_values(sandbox):
    run = sandbox.run([TestId("test_it.py::test_tells")])
    assert isinstance(run, TestRun)
    (result,) = run.results
    assert "found ***" in result.exceptions[0].message
    assert KEY not in repr(run)
    assert "a-long-token" not in repr(run)


def test_a_warm_server_tells_no_secrets_either(sandbox):
    session = sandbox.warm([TestId("test_it.py::test_tells")])
    assert not isinstance(session, InvalidRun)
    try:
        assert KEY not in session._queue.console
    finally:
        session.close()


def test_the_longest_secret_goes_first():
    assert blot_secrets(b"abcdefghij abcdefgh", (b"abcdefghij", b"abcdefgh")) == b"*** ***"
