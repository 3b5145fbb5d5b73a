"""Cold runs of many kinds of tests give right records; bad targets give one clear sentence."""

from __future__ import annotations

import hashlib
import itertools
import os
import sys
from pathlib import Path

import pytest
from fakes.bare import bare_target

from analysis.errors import TargetError
from analysis.facts import InvalidRun, Limits, Outcome, Phase, RunFault, TestRun
from sandbox.sandbox import LocalSandbox

ZOO = {
    "pyproject.toml": """
        [tool.pytest.ini_options]
        addopts = "-n 2 -x --cov=shop --cov-fail-under=99 -p randomly -rA -vv --strict-markers --import-mode=prepend"
        testpaths = ["tests"]
        markers = ["slow: slow"]
        """,
    "src/shop/__init__.py": "",
    "src/shop/price.py": '''
        """Line 1 is this."""
        def half(value):
            return value / 2

        class Shop:
            def total(self, *, größe=None):
                name = "größe"; return name + half(größe)
        ''',
    "tests/conftest.py": """
        import pytest

        @pytest.fixture
        def broken():
            raise RuntimeError("no set-up")

        @pytest.fixture
        def leaking():
            yield 1
            raise RuntimeError("no tear-down")
        """,
    "tests/test_broken_import.py": "import no_such_module\n\ndef test_never():\n    pass\n",
    "tests/test_syntax.py": "def test_never(:\n",
    "tests/test_zoo.py": """
        import sys
        import unittest

        import pytest

        from shop.price import Shop, half


        @pytest.mark.parametrize("value", [2, 3, "ä/b::c"])
        def test_half(value):
            assert half(value) == 1

        class TestClass:
            def test_method(self):
                assert Shop().total() is None

        class TestCase(unittest.TestCase):
            def test_equal(self):
                self.assertEqual(half(4), 3)

            @unittest.expectedFailure
            def test_expected(self):
                self.fail("as expected")

            def test_sub(self):
                for number in (1, 2):
                    with self.subTest(number=number):
                        self.assertEqual(number, 1)

        def test_setup(broken):
            pass

        def test_teardown(leaking):
            pass

        def test_chain():
            try:
                {}["key"]
            except KeyError as problem:
                raise ValueError("second") from problem

        def test_context():
            try:
                {}["key"]
            except KeyError:
                raise ValueError("second")

        def test_exit():
            sys.exit(3)

        @pytest.mark.xfail(reason="known")
        def test_xfail():
            assert 0

        @pytest.mark.xfail
        def test_xpass():
            pass

        @pytest.mark.xfail(strict=True)
        def test_xpass_strict():
            pass

        @pytest.mark.skip(reason="not today")
        def test_skip():
            pass

        def test_recursion():
            def again(n):
                return again(n + 1)
            again(0)

        def test_long_assertion():
            assert list(range(40)) == list(range(41))

        def test_bad_str():
            class Odd(Exception):
                def __str__(self):
                    raise RuntimeError("no words")
            raise Odd()

        def test_prints(capsys):
            print("to standard output")
            raise ValueError("after printing")

        def test_own_trace():
            sys.settrace(lambda *a: None)
            sys.settrace(None)
            assert half(2) == 1

        def test_zz_after_own_trace():
            assert half(2) == 1
        """,
}
EXPECTED = {
    "test_half[2]": Outcome.PASSED,
    "test_half[3]": Outcome.FAILED,
    "test_half[\\xe4/b::c]": Outcome.FAILED,
    "TestClass::test_method": Outcome.FAILED,
    "TestCase::test_equal": Outcome.FAILED,
    "TestCase::test_expected": Outcome.XFAILED,
    "TestCase::test_sub": Outcome.FAILED,
    "test_setup": Outcome.ERROR,
    "test_teardown": Outcome.ERROR,
    "test_chain": Outcome.FAILED,
    "test_context": Outcome.FAILED,
    "test_exit": Outcome.FAILED,
    "test_xfail": Outcome.XFAILED,
    "test_xpass": Outcome.XPASSED,
    "test_xpass_strict": Outcome.FAILED,
    "test_skip": Outcome.SKIPPED,
    "test_recursion": Outcome.FAILED,
    "test_long_assertion": Outcome.FAILED,
    "test_bad_str": Outcome.FAILED,
    "test_prints": Outcome.FAILED,
    "test_own_trace": Outcome.PASSED,
    "test_zz_after_own_trace": Outcome.PASSED,
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory, write) -> Path:
    return write(tmp_path_factory.mktemp("zoo") / "zoo", ZOO)


def run_zoo(root: Path, python: str, scratch: Path) -> TestRun:
    target = bare_target(root, python=python)
    with LocalSandbox(target, scratch=str(scratch)) as sandbox:
        run = sandbox.run([], trace=True)
    assert isinstance(run, TestRun), run
    return run


@pytest.fixture(scope="module")
def zoo_run(zoo, scratch) -> TestRun:
    return run_zoo(zoo, sys.executable, scratch)


def result(run: TestRun, name: str):
    return next(r for r in run.results if r.test == f"tests/test_zoo.py::{name}")


def check_zoo(run: TestRun) -> None:
    assert {r.test.split("::", 1)[1]: r.outcome for r in run.results} == EXPECTED
    assert {error.node for error in run.collection_errors} == {"tests/test_broken_import.py", "tests/test_syntax.py"}
    chains = {error.node: [raised.type_name for raised in error.exceptions] for error in run.collection_errors}
    assert "ModuleNotFoundError" in chains["tests/test_broken_import.py"]
    assert "SyntaxError" in chains["tests/test_syntax.py"]
    assert result(run, "test_setup").phase is Phase.SETUP
    assert result(run, "test_teardown").phase is Phase.TEARDOWN
    assert [(e.type_name, e.link) for e in result(run, "test_chain").exceptions] == [
        ("ValueError", ""),
        ("KeyError", "cause"),
    ]
    assert [e.link for e in result(run, "test_context").exceptions] == ["", "context"]
    assert result(run, "test_exit").exceptions[0].type_name == "SystemExit"
    assert result(run, "test_skip").message.endswith("not today")
    assert 20 < len(result(run, "test_recursion").exceptions[0].frames) < 100
    assert (
        "At index" in result(run, "test_long_assertion").message
        or "contains" in result(run, "test_long_assertion").message
    )
    assert "raised RuntimeError" in result(run, "test_bad_str").exceptions[0].message
    lines = dict(dict(run.line_map)["tests/test_zoo.py::test_half[2]"])
    assert lines["src/shop/price.py"] == {3}
    after = dict(dict(run.line_map)["tests/test_zoo.py::test_zz_after_own_trace"])
    assert after.keys() == {"tests/test_zoo.py", "src/shop/price.py"}


def test_many_kinds_of_tests_give_right_records(zoo_run):
    check_zoo(zoo_run)


def test_the_same_holds_for_other_interpreters(zoo, scratch, other_python):
    check_zoo(run_zoo(zoo, other_python, scratch))


def test_frames_name_function_columns_and_plain_locals(zoo_run):
    raised = result(zoo_run, "TestClass::test_method").exceptions[0]
    total, half = raised.frames[-2:]
    assert (total.path, total.line, total.first_line, total.name) == ("src/shop/price.py", 7, 6, "total")
    text = '        name = "größe"; return name + half(größe)'
    assert text[total.column : total.end_column] == "half(größe)"
    assert total.qualname == "Shop.total"
    kept = {local.name: (local.type_name, local.value) for local in total.locals}
    assert kept["name"] == ("str", "'größe'")
    assert kept["self"] == ("shop.price.Shop", None)
    assert (half.line, half.in_project) == (3, True)
    assert raised.bases[:2] == ("TypeError", "Exception")


def test_the_project_is_not_written_and_not_seen(zoo, zoo_run):
    assert not [p for p in zoo.rglob("*") if p.name in ("__pycache__", ".pytest_cache")]
    said = [e.message for e in (*zoo_run.results, *zoo_run.collection_errors)]
    said += [raised.message for r in zoo_run.results for raised in r.exceptions]
    assert not [text for text in said if "/w/zoo" in text]
    assert any(str(zoo) in text for text in said)
    frames = [f for r in zoo_run.results for raised in r.exceptions for f in raised.frames if f.in_project]
    assert {f.path for f in frames} == {"tests/test_zoo.py", "tests/conftest.py", "src/shop/price.py"}


def test_an_overlay_changes_the_run_and_nothing_else(project, open_sandbox):
    root = project({"mod.py": "X = 1\n", "test_mod.py": "import mod\ndef test_x():\n    assert mod.X == 2\n"})
    sandbox = open_sandbox(root)
    before = sandbox.run([])
    after = sandbox.run(["test_mod.py::test_x"], (("mod.py", b"X = 2\n"),))
    assert before.results[0].outcome is Outcome.FAILED
    assert after.results[0].outcome is Outcome.PASSED
    assert (root / "mod.py").read_text() == "X = 1\n"
    assert sandbox.snapshot.stale_files() == ()
    (root / "mod.py").write_text("X = 3\n")
    assert sandbox.snapshot.stale_files() == ("mod.py",)
    assert sandbox.run([]).results[0].message == before.results[0].message  # the snapshot stays


def test_shuffling_is_seeded_and_keeps_classes_together(project, open_sandbox):
    many = "\n".join(f"def test_{n}():\n    pass" for n in range(8))
    inside = "class TestC:\n" + "\n".join(f"    def test_{n}(self):\n        pass" for n in range(4))
    sandbox = open_sandbox(project({"test_a.py": many + "\n" + inside, "test_b.py": many}))
    orders = [[r.test for r in sandbox.run([], shuffle=seed).results] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])
    modules = [test.split("::")[0] for test in orders[0]]
    assert sum(a != b for a, b in itertools.pairwise(modules)) == 1
    classes = [i for i, test in enumerate(orders[0]) if "TestC" in test]
    assert classes == list(range(classes[0], classes[0] + 4))


@pytest.mark.parametrize(
    ("body", "fault", "said"),
    [
        ("import os\nos._exit(0)", RunFault.EXITED, "exit status 0"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", RunFault.SIGNAL, "SIGSEGV"),
        ("import pytest\npytest.exit('enough', returncode=0)", RunFault.EXITED, "enough"),
        ("raise KeyboardInterrupt", RunFault.EXITED, "KeyboardInterrupt"),
        ("import sys\nsys.stdout.write('x' * (3 << 20))\nsys.stdout.flush()\nraise ValueError", None, ""),
        ("x = bytearray(6 << 30)", None, ""),
    ],
)
def test_a_test_that_ends_the_run_or_eats_the_machine(project, open_sandbox, body, fault, said):
    code = "def test_first():\n    pass\n\ndef test_bad():\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    run = open_sandbox(project({"test_it.py": code}), limits=Limits(wall_seconds=30, file_bytes=8 << 20)).run([])
    if fault is None:
        assert run.outcome("test_it.py::test_bad") is Outcome.FAILED
        return
    assert isinstance(run, InvalidRun)
    assert run.fault is fault
    assert said in run.detail
    assert run.running == "test_it.py::test_bad"
    assert [r.test for r in run.partial] == ["test_it.py::test_first"]


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "import time; time.sleep(60)",
        "import threading; threading.Lock().acquire() and threading.Event().wait()",
    ],
)
def test_a_hang_is_reported_with_its_place_and_the_rest(project, open_sandbox, body):
    code = f"def test_first():\n    pass\n\ndef test_hangs():\n    {body}\n"
    run = open_sandbox(project({"test_it.py": code}), limits=Limits(wall_seconds=30, test_seconds=0.5)).run([])
    assert isinstance(run, InvalidRun)
    assert run.fault is RunFault.TIMEOUT
    assert (run.running, run.late) == ("test_it.py::test_hangs", False)
    assert [r.outcome for r in run.partial] == [Outcome.PASSED, Outcome.HANG]
    frames = [f for f in run.partial[1].exceptions[0].frames if f.in_project]
    assert (frames[-1].path, frames[-1].line) == ("test_it.py", 5)


def test_hangs_within_a_bound_of_processor_time_share_one_run(project, open_sandbox):
    code = """
import threading, unittest

def spin():
    while True:
        pass

def test_first():
    spin()

def test_caught():
    while True:
        try:
            spin()
        except BaseException:
            return

class TestCase(unittest.TestCase):
    def test_method(self):
        spin()

    def test_parts(self):
        for part in range(100_000):
            with self.subTest(part=part):
                assert part
                spin()

    def test_other_parts(self):
        for part in range(3):
            with self.subTest(part=part):
                pass

    def test_parts_elsewhere(self):
        def part():
            with self.subTest(part=1):
                pass
        thread = threading.Thread(target=part)
        thread.start()
        thread.join()
        spin()

def test_fixture_of_parts(subtests):
    for part in range(100_000):
        with subtests.test(part=part):
            assert part
            spin()

def test_last():
    assert sum(range(100)) == 4950
"""
    limits = Limits(wall_seconds=60, test_seconds=30.0, stuck_seconds=0.2)
    run = open_sandbox(project({"test_it.py": code}), limits=limits).run([], trace=True)
    assert isinstance(run, TestRun), run
    outcomes = {r.test.removeprefix("test_it.py::"): r.outcome for r in run.results}
    hung = ("test_first", "test_caught", *(f"TestCase::test_{name}" for name in ("method", "parts", "parts_elsewhere")))
    hung += ("test_fixture_of_parts",)
    passed = ("TestCase::test_other_parts", "test_last")
    assert outcomes == {**dict.fromkeys(hung, Outcome.HANG), **dict.fromkeys(passed, Outcome.PASSED)}
    (first,) = (r for r in run.results if r.test.endswith("test_first"))
    assert [f.qualname for f in first.exceptions[0].frames if f.in_project][-1] == "spin"
    assert dict(dict(run.line_map)[first.test])["test_it.py"] >= {4, 5}


def test_what_a_test_takes_does_not_hold_the_report_of_its_failure(project, open_sandbox):
    test = """
        import time

        class Slow(Exception):
            def __str__(self):
                work(0.3)
                return "slow to tell"

        def work(seconds):
            until = time.process_time() + seconds
            while time.process_time() < until:
                pass

        def test_quick():
            raise Slow

        def test_slow():
            work(0.3)
        """
    run = open_sandbox(project({"test_it.py": test})).run([])
    assert isinstance(run, TestRun), run
    quick, slow = run.results
    assert quick.cpu_seconds < 0.3 <= slow.cpu_seconds


def test_a_hang_while_collecting_hits_the_wall(project, open_sandbox):
    run = open_sandbox(project({"test_it.py": "while True:\n    pass\n"}), limits=Limits(wall_seconds=2.0)).run([])
    assert run.fault is RunFault.TIMEOUT
    assert run.running is None


def test_a_run_whose_whole_time_is_up_says_so(project, open_sandbox):
    code = "import time\ndef test_quick():\n    pass\ndef test_slow():\n    time.sleep(30)\n"
    run = open_sandbox(project({"test_it.py": code}), limits=Limits(wall_seconds=3.0, test_seconds=30.0)).run([])
    assert (run.fault, run.late) == (RunFault.TIMEOUT, True)


def test_a_hang_that_keeps_the_interpreter_busy_is_killed(project, open_sandbox):
    code = "import re\ndef test_hangs():\n    re.match('(a+)+$', 'a' * 40 + 'b')\n"
    run = open_sandbox(project({"test_it.py": code}), limits=Limits(wall_seconds=30, test_seconds=0.3)).run([])
    assert (run.fault, run.running) == (RunFault.TIMEOUT, "test_it.py::test_hangs")


def test_a_flood_of_standard_output_ends_the_run(project, open_sandbox):
    code = "import sys\ndef pytest_configure(config):\n    while True:\n        sys.__stderr__.write('x' * 100000)\n"
    limits = Limits(wall_seconds=30, output_bytes=1 << 20)
    run = open_sandbox(project({"conftest.py": code, "test_it.py": "def test_a(): pass\n"}), limits=limits).run([])
    assert run.fault is RunFault.OUTPUT
    assert len(run.output) < 5000


def test_a_captured_flood_fails_its_test_or_ends_the_run(project, open_sandbox):
    code = "def test_ok():\n    pass\n\ndef test_flood():\n    while True:\n        print('x' * 10000)\n"
    limits = Limits(wall_seconds=30, test_seconds=10, file_bytes=4 << 20)
    run = open_sandbox(project({"test_it.py": code}), limits=limits).run([])
    if isinstance(run, TestRun):
        assert run.outcome("test_it.py::test_flood") in (Outcome.FAILED, Outcome.ERROR)
    else:
        assert run.fault in (RunFault.OUTPUT, RunFault.EXITED), run


def test_daemons_do_not_outlive_the_run(project, open_sandbox, tmp_path):
    code = f"""
        import os, time
        def test_forks():
            for _ in range(3):
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        open({str(tmp_path)!r} + "/daemon-%d" % os.getpid(), "w").close()
                        time.sleep(600)
                    os._exit(0)
                os.wait()
            while len([n for n in os.listdir({str(tmp_path)!r}) if n.startswith("daemon-")]) < 3:
                time.sleep(0.01)
        """
    run = open_sandbox(project({"test_it.py": code})).run([])
    assert run.outcome("test_it.py::test_forks") is Outcome.PASSED
    pids = [int(path.name.partition("-")[2]) for path in tmp_path.glob("daemon-*")]
    assert len(pids) == 3
    assert not [pid for pid in pids if _alive(pid)]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("tests", "fault", "said"),
    [
        (["test_it.py::test_no"], RunFault.NO_SUCH_TEST, "test_it.py::test_no"),
        (["test_it.py::test_a", "test_it.py::TestNo::test_x"], RunFault.NO_SUCH_TEST, "test_it.py::TestNo::test_x"),
        (["no_file.py::test_a"], RunFault.NO_SUCH_TEST, "no_file.py::test_a"),
        (["--no-such-option"], RunFault.USAGE, "--no-such-option"),
    ],
)
def test_unknown_names_are_named(project, open_sandbox, tests, fault, said):
    run = open_sandbox(project({"test_it.py": "def test_a(): pass\n"})).run(tests)
    assert isinstance(run, InvalidRun)
    assert run.fault is fault
    assert said in run.detail


def test_a_named_test_of_a_module_that_does_not_import_is_an_observation(project, open_sandbox):
    run = open_sandbox(project({"test_it.py": "import nothing_here\ndef test_a(): pass\n"})).run(["test_it.py::test_a"])
    assert isinstance(run, TestRun)
    assert [error.node for error in run.collection_errors] == ["test_it.py"]
    assert run.outcome("test_it.py::test_a") is Outcome.MISSING


@pytest.mark.parametrize(
    "code", ["raise SystemExit(0)", "import os\nos._exit(0)", "import pytest\npytest.exit('no', returncode=0)"]
)
def test_a_module_that_ends_the_process_gives_no_verdict(project, open_sandbox, code):
    run = open_sandbox(project({"test_it.py": code + "\ndef test_a(): pass\n"})).run([])
    # Older pytest versions take SystemExit for an ordinary collection error.
    assert (isinstance(run, InvalidRun) and run.fault is RunFault.EXITED) or run.collection_errors


def test_an_empty_project_has_no_tests(tmp_path, open_sandbox):
    (tmp_path / "empty").mkdir()
    run = open_sandbox(tmp_path / "empty").run([])
    assert (run.results, run.exit_status) == ((), 5)


def test_a_plugin_that_crashes_pytest_is_named(project, open_sandbox):
    code = "def pytest_collection_modifyitems(items):\n    raise RuntimeError('bad plugin')\n"
    run = open_sandbox(project({"conftest.py": code, "test_it.py": "def test_a(): pass\n"})).run([])
    assert run.fault is RunFault.EXITED
    assert "bad plugin" in run.detail


def test_async_tests_run_with_the_targets_own_plugins(project, open_sandbox):
    code = """
        import anyio
        import pytest

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        @pytest.mark.anyio
        async def test_good():
            await anyio.sleep(0)

        @pytest.mark.anyio
        async def test_bad():
            await anyio.sleep(0)
            raise ValueError("after a while")
        """
    run = open_sandbox(project({"test_it.py": code}), plugins=True).run([])
    assert run.outcome("test_it.py::test_good") is Outcome.PASSED
    raised = next(r for r in run.results if "bad" in r.test).exceptions[0]
    assert (raised.type_name, raised.frames[-1].line) == ("ValueError", 15)


def test_exception_groups_show_their_members(project, open_sandbox):
    code = "def test_it():\n    raise ExceptionGroup('all', [ValueError('one'), KeyError('two')])\n"
    run = open_sandbox(project({"test_it.py": code})).run([])
    assert [(e.type_name, e.link) for e in run.results[0].exceptions] == [
        ("ExceptionGroup", ""),
        ("ValueError", "group"),
        ("KeyError", "group"),
    ]


def test_packages_named_like_ours_come_from_the_project(project, open_sandbox):
    names = ("analysis", "repair", "sandbox", "transforms", "corpora", "tests")
    files = {f"{name}/__init__.py": f"OWN = {name!r}\n" for name in names}
    imports = "".join(f"    import {name}\n    assert {name}.OWN == {name!r}\n" for name in names)
    root = project({**files, "tests/test_it.py": f"def test_names():\n{imports}"})
    run = open_sandbox(root, env={"PYTHONPATH": str(root)}).run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED], run


FINDER = """
    import sys
    from importlib.util import spec_from_file_location

    MAPPING = {{"mapped": {root!r} + "/code/mapped"}}
    NAMESPACES = {{}}

    class Finder:
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            return spec_from_file_location(name, MAPPING[name] + "/__init__.py") if name in MAPPING else None

    def install():
        sys.meta_path.append(Finder)
    """


def test_editable_installs_are_redirected_into_the_copy(project, open_sandbox, add_environment):
    code = """
        import os, subprocess, sys
        import by_path, mapped

        def test_places():
            for module in (by_path, mapped):
                assert module.__file__.startswith(os.getcwd()), module.__file__

        def test_places_in_a_child(tmp_path):
            ask = "import by_path, mapped; print(by_path.__file__, mapped.__file__)"
            said = subprocess.check_output([sys.executable, "-c", ask], cwd=tmp_path, text=True)
            assert said.count(os.getcwd()) == 2, said
        """
    root = project({"tests/test_it.py": code, "lib/by_path.py": "", "code/mapped/__init__.py": ""})
    site = {
        "__editable___demo_finder.py": FINDER.format(root=str(root)),
        "demo.pth": f"{root}/lib\nimport __editable___demo_finder; __editable___demo_finder.install()\n",
    }
    add_environment(root, site)
    run = open_sandbox(root, python="").run([])
    assert [r.outcome for r in run.results] == [Outcome.PASSED] * 2, run


def test_code_of_the_original_is_told(project, open_sandbox):
    root = project({"mod.py": "X = 1\n", "test_it.py": "def test_it(): pass\n"})
    conftest = f"import sys\nsys.path.insert(0, {str(root)!r})\nimport mod\n"
    run = open_sandbox(root).run([], (("conftest.py", conftest.encode()),))
    assert run.fault is RunFault.INCONSISTENT
    assert "original project" in run.detail
    assert "mod (" in run.detail


def test_the_environment_is_cleared_but_for_what_is_passed(project, open_sandbox, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("UNRELATED", "1")
    code = """
        import os
        def test_env():
            assert "UNRELATED" not in os.environ
            assert "OPENAI_API_KEY" not in os.environ
            assert "REPAIR_MODEL" not in os.environ
            assert os.environ["WANTED"] == "yes"
            assert os.path.isdir(os.environ["HOME"]) and os.listdir(os.environ["HOME"]) == []
        """
    env = {"WANTED": "yes", "REPAIR_MODEL": "m", "OPENAI_API_KEY": "secret"}
    sandbox = open_sandbox(project({"test_it.py": code}), env=env, pass_env=("WANTED", "REPAIR_MODEL", "ABSENT"))
    assert sandbox.run([]).results[0].outcome is Outcome.PASSED


def test_forking_tests_see_no_thread_of_ours(project, open_sandbox):
    code = """
        import os, threading, warnings
        def test_fork():
            assert threading.active_count() == 1
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                if os.fork() == 0:
                    os._exit(0)
                os.wait()
        """
    assert open_sandbox(project({"test_it.py": code})).run([]).results[0].outcome is Outcome.PASSED


def test_compiles_and_importable_answer_for_the_target(project, open_sandbox):
    sandbox = open_sandbox(project({"own.py": "", "broken.py": "import nothing_here\n", "json.py": "1/0\n"}))
    assert sandbox.compiles((("own.py", b"x = 1\n"), ("new/file.py", b"y = 2\n"))) == ""
    assert "own.py: SyntaxError" in sandbox.compiles((("own.py", b"x = = 1\n"),))
    assert "null bytes" in sandbox.compiles((("own.py", b"x = 1\0\n"),))
    assert sandbox.find_importable(["own", "broken", "no_such_module", "os.path", "pytest"]) == (
        "own",
        "os.path",
        "pytest",
    )
    assert sandbox.find_importable([]) == ()


def test_a_read_only_project_is_run_and_its_copies_are_deleted(project, open_sandbox, scratch):
    code = "import os, pathlib\ndef test_w():\n    d = pathlib.Path('sub/locked'); d.mkdir(); d.chmod(0)\n"
    root = project({"sub/test_it.py": code})
    os.chmod(root / "sub", 0o555)
    try:
        sandbox = open_sandbox(root)
        assert sandbox.run([]).results[0].outcome is Outcome.PASSED
        sandbox.close()
    finally:
        os.chmod(root / "sub", 0o755)


def test_source_digests_are_those_of_the_files(project, open_sandbox):
    root = project({"a.py": "A = 1\n", "b/c.py": "C = 1\n", "data.txt": "no source"})
    sandbox = open_sandbox(root)
    assert sandbox.sources() == (("a.py", b"A = 1\n"), ("b/c.py", b"C = 1\n"))
    assert dict(sandbox.snapshot.digests)["a.py"] == hashlib.sha256(b"A = 1\n").hexdigest()


def test_a_place_that_cannot_be_made_is_the_machines_fault(project, open_sandbox):
    sandbox = open_sandbox(project({"a.py": ""}))
    sandbox.snapshot = type(sandbox.snapshot)(
        sandbox.snapshot.root, sandbox.snapshot.master + "/gone", sandbox.snapshot.entries, ()
    )
    with pytest.raises(TargetError, match="copy of the project cannot be made"):
        sandbox.run([])


@pytest.mark.parametrize("times", [1, 2])
def test_a_run_that_was_killed_is_done_once_more(project, open_sandbox, tmp_path, times):
    code = f"""
        import os
        def test_a():
            with open({str(tmp_path / "runs")!r}, "a") as file:
                file.write("x")
            if os.path.getsize({str(tmp_path / "runs")!r}) <= {times}:
                os.kill(os.getpid(), 9)
        """
    run = open_sandbox(project({"test_it.py": code})).run([])
    assert (tmp_path / "runs").read_text() == "xx"
    if times == 1:
        assert [r.outcome for r in run.results] == [Outcome.PASSED]
    else:
        assert run.fault is RunFault.MEMORY
