"""What was started that imports pytest is counted by what it was started for."""

from __future__ import annotations

import textwrap

from fakes.bare import bare_target

from analysis.facts import FunctionId, TestId, TestRun
from repair.trials.layered import LayeredSandbox
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

TEST = TestId("test_half.py::test_half")


def test_runs_and_servers_count_and_questions_without_pytest_do_not(tmp_path):
    (tmp_path / "half.py").write_text("def half(n):\n    return n // 2\n")
    test = """
        from half import half

        def test_half():
            assert half(4) == 2
        """
    (tmp_path / "test_half.py").write_text(textwrap.dedent(test))
    with LocalSandbox(bare_target(tmp_path)) as sandbox:
        assert not sandbox.cold_starts.by_purpose()
        layered = LayeredSandbox(sandbox, ())
        assert isinstance(layered.for_purpose("suite").run([]), TestRun)
        assert isinstance(sandbox.for_purpose("suite").run([TEST], shuffle=1), TestRun)
        server = sandbox.for_purpose("trials").warm([TEST])
        assert isinstance(server, WarmServer)
        server.close()
        assert not sandbox.compiles((("half.py", b"half = 1"),))
        assert sandbox.find_importable(["half"]) == ("half",)
        sandbox.for_purpose("apart").call_apart(FunctionId("half.py", "half", 1), ())
        assert sandbox.cold_starts.by_purpose() == {"suite": 2, "trials": 1}
