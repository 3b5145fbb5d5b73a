"""Our line maps agree with coverage's, on a real library and for every tracer of the interpreter."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

TESTS = """
    import threading
    import pytest
    from sortedlist import SortedKeyList, SortedList

    @pytest.fixture
    def numbers():
        yield SortedList(range(100))

    @pytest.mark.parametrize("load", [2, 4, 1000])
    def test_add(numbers, load):
        numbers._reset(load)
        for n in range(50):
            numbers.add(n)
        assert len(numbers) == 150

    def test_slices(numbers):
        assert list(numbers[3:9:2]) == [3, 5, 7]
        del numbers[10:20]
        assert numbers.bisect_left(15) == 10

    def test_keys():
        keyed = SortedKeyList([3, -1, 2], key=abs)
        assert keyed.pop() == 3
        with pytest.raises(ValueError):
            keyed.remove(7)

    def test_generator(numbers):
        assert next(numbers.irange(5, 8)) == 5

    def test_thread(numbers):
        thread = threading.Thread(target=numbers.discard, args=(5,))
        thread.start()
        thread.join()
        assert 5 not in numbers
    """


@pytest.fixture
def library(project) -> Path:
    root = project({"test_sorted.py": TESTS})
    found = importlib.util.find_spec("sortedcontainers.sortedlist")
    shutil.copy(found.origin, root / "sortedlist.py")
    return root


def maps(sandbox, tracer: str):
    run = sandbox.run([], trace=tracer)
    assert {r.outcome.value for r in run.results} == {"passed"}, run
    return {test: dict(files) for test, files in run.line_map}


@pytest.mark.parametrize("tracer", ["settrace", "auto"])
def test_ours_agrees_with_coverage(library, open_sandbox, tracer):
    sandbox = open_sandbox(library)
    ours = maps(sandbox, tracer)
    assert ours == maps(sandbox, "coverage")
    assert len(ours) == 7
    assert len(ours["test_sorted.py::test_add[2]"]["sortedlist.py"]) > 20
    assert ours["test_sorted.py::test_slices"] != ours["test_sorted.py::test_keys"]
    assert len(ours["test_sorted.py::test_thread"]["sortedlist.py"]) > 5


def test_code_that_tests_load_by_themselves_is_seen(project, open_sandbox):
    root = project(
        {
            "late.py": "def one():\n    return 1\n",
            "script.py": "found = []\nfor n in (1, 2):\n    found.append(n)\n",
            "test_late.py": """
                import importlib
                import runpy
                import sys

                def test_import():
                    assert importlib.import_module("late").one() == 1

                def test_script():
                    assert runpy.run_path(__file__.replace("test_late", "script"))["found"] == [1, 2]

                def test_own_tracer():
                    seen = []
                    sys.settrace(lambda *event: seen.append(event[1]))
                    try:
                        from late import one
                        one()
                    finally:
                        sys.settrace(None)
                    assert "call" in seen
                """,
        }
    )
    ours = maps(open_sandbox(root), "auto")
    assert ours["test_late.py::test_import"]["late.py"] == {1, 2}
    assert ours["test_late.py::test_script"]["script.py"] == {1, 2, 3}
    assert ours["test_late.py::test_own_tracer"].keys() >= {"test_late.py", "late.py"}


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="stamps are for code of Python 3.11")
def test_what_cannot_be_stamped_is_traced(library, open_sandbox):
    refuse = "def refuse(code, lines):\n    raise RecursionError\n\nstamp_lines.stamped = refuse\n"
    (library / "conftest.py").write_text(f"from _repair_probe import stamp_lines\n\n{refuse}")
    sandbox = open_sandbox(library)
    assert maps(sandbox, "stamps") == maps(sandbox, "coverage")


def test_the_reference_is_coverages_c_tracer(library, open_sandbox, tmp_path):
    """Its ``sysmon`` core loses pairs where it is asked for contexts."""
    (library / "test_core.py").write_text(
        "import sys\n\ndef test_core():\n"
        "    from coverage import Coverage\n"
        "    assert Coverage.current()._collector.tracer_name() == 'CTracer'\n"
    )
    sandbox = open_sandbox(library, env={"COVERAGE_CORE": "sysmon"})
    assert "test_core.py::test_core" in maps(sandbox, "coverage")


@pytest.mark.slow
def test_monitoring_agrees_too(library, open_sandbox, other_python):
    sandbox = open_sandbox(library, python=other_python)
    tracers = ["auto", "settrace", "coverage"]
    first, *others = (maps(sandbox, tracer) for tracer in tracers)
    assert all(other == first for other in others)


def test_nothing_is_traced_unasked(library, open_sandbox):
    run = open_sandbox(library).run(["test_sorted.py::test_slices"])
    assert run.line_map == ()


def test_lines_that_no_file_has_are_left_out(project, open_sandbox) -> None:
    root = project(
        {
            "made.py": """
                import ast

                def run():
                    tree = ast.parse("def made():\\n    return 1\\n")
                    for node in ast.walk(tree):
                        if hasattr(node, "lineno"):
                            node.lineno = node.end_lineno = node.col_offset = 0
                    scope = {}
                    exec(compile(tree, __file__, "exec"), scope)
                    return scope["made"]()
                """,
            "test_made.py": "from made import run\n\ndef test_made():\n    assert run() == 1\n",
        }
    )
    (files,) = maps(open_sandbox(root), "auto").values()
    assert "made.py" in files
    assert all(line > 0 for lines in files.values() for line in lines)
