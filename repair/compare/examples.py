"""The examples in a function's docstring as tests: evidence of the project's that no test holds and no patch wrote.

An example is what the standard library's doctest reads. The old function's examples count that name it, whatever the
change does to the docstring. Each becomes a test of its own: what stands before it, then what it says.

- Examples that hold with the candidate stand beside the tests that vouch when mutants are run.
- Another patch that breaks one of those is no rival.
- An example that does not hold is a doubt. If the change takes it out of the docstring, it is one only where it held
  before.

Examples see the names of the function's module and of the package around it, which is what a reader imports.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from analysis.behaviour import CallResult, Returned
from analysis.errors import RepairError
from analysis.facts import Digest, Files, FunctionId, InvalidRun, Limits, Outcome, TestId, TestResult, TestRun
from repair.compare.answers import module_of
from repair.records.functions import edit_scope
from repair.records.ports import Sandbox, Submission
from repair.trials.layered import lay_over
from transforms.tree.candidate import Candidate

NAME = "test_repair_examples.py"
MOST = 20
"""Examples of one docstring that are tried."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Tests of examples that hold with the candidate, the file of all of them, and the texts of those that do not."""

    tests: tuple[TestId, ...] = ()
    files: Files = ()
    broken: tuple[str, ...] = ()


MOST_KEPT = 8
"""Patches whose examples are kept: several of a search are weighed before one is judged."""


class ExampleRun:
    """Runs the examples of the candidate's function on the patched program, cold. Kept for the latest few patches."""

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox = sandbox.for_purpose("examples")
        self._limits = limits
        self._kept: dict[tuple[Digest, Files], Examples] = {}

    def of(self, submission: Submission) -> Examples:
        """The examples of the old docstring; none where there are none to run."""
        asked = (submission.candidate.digest, submission.whole)
        if asked not in self._kept:
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[asked] = self._run(submission)
        return self._kept[asked]

    def speak_against(self, submission: Submission, rival: Candidate) -> bool:
        """Whether the rival breaks an example that holds with the candidate: then nobody means what it does.

        Example: the docstring says that ``f(1)`` gives 2. So it does with the candidate, and the rival gives 3.
        """
        known = self.of(submission)
        if not known.tests:
            return False
        files = lay_over(lay_over(submission.whole, rival.files), known.files)
        run = self._sandbox.run(known.tests, files, limits=self._limits)
        return isinstance(run, TestRun) and any(run.outcome(test) is Outcome.FAILED for test in known.tests)

    def _run(self, submission: Submission) -> Examples:
        function = submission.candidate.function
        names = _modules(function.path, submission.sources)
        asked = tuple(
            each for each in read_examples(docstring_of(submission.sources, function)) if each.names(function)
        )
        if not (submission.vouching and names and asked):
            return Examples()
        place = PurePosixPath(str(submission.vouching[0]).split("::")[0]).parent / NAME
        files = ((str(place), _module_text(function.path, names, asked[:MOST])),)
        tests = {TestId(f"{place}::test_example_{number}"): each for number, each in enumerate(asked[:MOST], 1)}
        run = self._sandbox.run(tuple(tests), lay_over(submission.whole, files), limits=self._limits)
        if isinstance(run, InvalidRun):
            return Examples()
        failed = [r.test for r in run.results if r.test in tests and _says_otherwise(r, tests[r.test], function)]
        now = docstring_of(lay_over(submission.sources, submission.whole), function, submission.candidate.text)
        broken = self._find_still_meant(failed, tests, {each.text for each in read_examples(now)}, files)
        holding = [test for test in tests if run.outcome(test) is Outcome.PASSED]
        return Examples(tuple(holding), files, tuple(tests[test].text for test in broken))

    def _find_still_meant(
        self, failed: Sequence[TestId], tests: Mapping[TestId, AskedExample], stay: Collection[str], files: Files
    ) -> list[TestId]:
        """Without those that the change takes out of the docstring and that did not hold before it either."""
        gone = tuple(test for test in failed if tests[test].text not in stay)
        before = self._sandbox.run(gone, files, limits=self._limits) if gone else None
        held = [t for t in gone if isinstance(before, TestRun) and before.outcome(t) is Outcome.PASSED]
        return [test for test in failed if test not in gone or test in held]


def _says_otherwise(result: TestResult, asked: AskedExample, function: FunctionId) -> bool:
    """Whether the function gave something else than the example says, 3 for 2; not where the example does not run."""
    if result.outcome is not Outcome.FAILED or not result.exceptions:
        return False
    raised = result.exceptions[0]
    itself = "AssertionError" in raised.bases or any(frame.path == function.path for frame in raised.frames)
    return itself and _name(function) in asked.text


def _name(function: FunctionId) -> str:
    """What a call of the function names: for a method like ``__init__`` its class."""
    *outer, name = function.qualname.split(".")
    return outer[-1] if outer and name.startswith("__") and name.endswith("__") else name


def docstring_of(sources: Files, function: FunctionId, text: bytes = b"") -> str:
    """The docstring of a function as its file has it, or of its new text; ``""`` where there is none."""
    with contextlib.suppress(RepairError, SyntaxError):
        return edit_scope(sources, function, text).node.get_docstring() or ""
    return ""


def _modules(path: str, sources: Files) -> tuple[str, ...]:
    """Names under which the file may be imported: from the first folder that is no package, and from the root."""
    place = PurePosixPath(path)
    dotted = ".".join(place.with_suffix("").parts)
    names = (module_of(path, sources), dotted if dotted.replace(".", "").isidentifier() else "")
    return tuple(dict.fromkeys(name for name in names if name))


@dataclass(frozen=True, slots=True)
class AskedExample:
    """One example of a docstring.

    - ``text`` is what it says, on one line.
    - ``lines`` are those of a test: they run what stands before the example, and look at what it gives.
    - ``code`` is the code in these lines.
    """

    text: str
    lines: tuple[str, ...]
    code: str

    def names(self, function: FunctionId) -> bool:
        """Whether it speaks of the function, in its own code or in what leads to it: ``x = f(1)`` does of ``f``."""
        return re.search(rf"\b{_name(function)}\b", self.code) is not None


def find_example(docstring: str, call: CallResult) -> str:
    """The example that makes this very call and gives what it gives here; ``""`` where there is none.

    Example: ``>>> half(3)`` with ``1`` below it says so of ``half(3)``, which returns 1.
    """
    if call.call.context or not isinstance(call.mine, Returned):
        return ""
    made = dump_call(f"{call.call.name.rpartition('.')[2]}{call.call.arguments}")
    for asked in read_examples(docstring):
        source, _, want = asked.text.partition(" gives ")
        if made and want == call.mine.value and dump_call(source) == made:
            return asked.text
    return ""


def dump_call(source: str) -> str:
    """A call as text by which equal ones are equal, whatever its function's name is reached by; ``""`` for no call."""
    try:
        called = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if not isinstance(called, ast.Call):
        return ""
    for each in ast.walk(called):
        if isinstance(each, ast.Constant):
            each.kind = None  # u"" is ""
    name = ast.unparse(called.func).rpartition(".")[2]
    return f"{name}{[ast.unparse(each) for each in called.args]}{sorted(map(ast.unparse, called.keywords))}"


def read_examples(docstring: str) -> Iterator[AskedExample]:
    """The examples of a docstring that wait for something. What doctest cannot read has none."""
    try:
        examples = doctest.DocTestParser().get_examples(docstring)
    except ValueError:
        return
    before: list[str] = []
    for example in (each for each in examples if doctest.SKIP not in each.options):
        line = _write_check(example)
        if line:
            text = " ".join(f"{example.source.strip()} gives {example.want.strip()}".split())
            lines = (*(f"exec({source!r}, names)" for source in before), line)
            yield AskedExample(
                text if example.want else example.source.strip(), lines, "".join((*before, example.source))
            )
        if example.exc_msg is None:  # one that raises ends what is run with it
            before.append(example.source)


def _write_check(example: doctest.Example) -> str:
    """The line that runs one example and looks at it; empty for a statement and for what it says in part."""
    source, want = example.source.strip(), example.want.rstrip("\n")
    try:
        parsed = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if example.exc_msg is not None:
        kind = example.exc_msg.partition(":")[0].strip().rpartition(".")[2]
        return f"raises({source!r}, names, {kind!r})"
    if not want:  # ``f(1) == 2`` with nothing below is meant to hold
        return f"assert eval({source!r}, names)" if isinstance(parsed, ast.Compare) else ""
    partly = "..." in want or doctest.NORMALIZE_WHITESPACE in example.options
    return "" if partly else f"assert gives({source!r}, names, {want.replace('<BLANKLINE>', '')!r})"


def _module_text(path: str, names: Sequence[str], every: Sequence[AskedExample]) -> bytes:
    tests = [
        "\n".join([f"def test_example_{number}():", *(f"    {line}" for line in (_NAMES, *asked.lines))])
        for number, asked in enumerate(every, 1)
    ]
    head = _HEAD.replace("NAMES", repr(tuple(names))).replace("FILE", repr(f"/{path}"))
    return "\n\n\n".join([head, *tests, ""]).encode()


_NAMES = "names = names_of_the_module()"
_HEAD = '''"""Examples of a docstring."""

import ast
import contextlib
import importlib
import io
import os


def names_of_the_module():
    for name in NAMES:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if os.path.realpath(getattr(module, "__file__", None) or "").endswith(FILE):
            outer = name.rpartition(".")[0]
            around = vars(importlib.import_module(outer)) if outer else {}
            return {**around, **vars(module)}
    raise LookupError("the module is not there")


def gives(source, names, want):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        value = eval(source, names)
    if printed.getvalue():
        return (printed.getvalue() + ("" if value is None else repr(value))).rstrip("\\n") == want
    if repr(value) == want:
        return True
    try:
        wanted = ast.literal_eval(want)
    except (ValueError, SyntaxError):
        return False
    return type(value) is type(wanted) and value == wanted


def raises(source, names, kind):
    try:
        eval(source, names)
    except Exception as problem:
        if isinstance(problem, NameError) and problem.__traceback__.tb_next.tb_next is None:
            raise  # by the example itself: it says nothing of the function
        assert type(problem).__name__ == kind
    else:
        raise AssertionError("nothing was raised")'''
