"""A sandbox whose project has some files replaced, and whose servers may remember: how an earlier state is run."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.calls import CallInput, CallResult
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Point, Ran, Recording, TestId, TestRun
from repair.records.ports import Sandbox, TrialServer
from repair.trials.remembered import Remembering


def lay_over(base: Files, files: Files) -> Files:
    """Both sets of files; where they name the same path, the second wins."""
    return tuple(sorted({**dict(base), **dict(files)}.items()))


class LayeredSandbox:
    """Conforms to ``Sandbox``: every run has the layer under the files that it is given.

    With ``remembering`` its warm servers answer known trials from memory; cold runs never do.
    """

    def __init__(self, sandbox: Sandbox, layer: Files, remembering: Remembering | None = None) -> None:
        self._sandbox = sandbox
        self._layer = layer
        self._remembering = remembering

    def run(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        trace: bool | str = False,
        shuffle: int | None = None,
    ) -> TestRun | InvalidRun:
        """One cold run on a fresh copy of the layered project."""
        laid = lay_over(self._layer, files)
        return self._sandbox.run(tests, laid, limits=limits, trace=trace, shuffle=shuffle)

    def warm(
        self, tests: Sequence[TestId], files: Files = (), *, limits: Limits | None = None, fresh_import: bool = False
    ) -> TrialServer | InvalidRun:
        """A warm server on the layered project."""
        laid = lay_over(self._layer, files)
        server = self._sandbox.warm(tests, laid, limits=limits, fresh_import=fresh_import)
        if self._remembering is None or isinstance(server, InvalidRun):
            return server
        return self._remembering.wrap(server, tests, laid, limits, fresh_import=fresh_import)

    def record_points(
        self, tests: Sequence[TestId], points: Sequence[Point], files: Files = (), *, limits: Limits | None = None
    ) -> Recording | InvalidRun:
        """Values at points of the layered project."""
        return self._sandbox.record_points(tests, points, lay_over(self._layer, files), limits=limits)

    def call_apart(
        self,
        function: FunctionId,
        calls: Sequence[CallInput],
        files: Files = (),
        *,
        limits: Limits | None = None,
        like_tests: bool = False,
    ) -> tuple[CallResult | None, ...] | InvalidRun:
        """Calls of a function of the layered project in a process of its own."""
        laid = lay_over(self._layer, files)
        return self._sandbox.call_apart(function, calls, laid, limits=limits, like_tests=like_tests)

    def compiles(self, files: Files) -> str:
        """As the sandbox below says."""
        return self._sandbox.compiles(files)

    def find_importable(self, modules: Sequence[str]) -> tuple[str, ...]:
        """As the sandbox below says."""
        return self._sandbox.find_importable(modules)

    def module(
        self, name: str, args: Sequence[str], files: Files = (), *, limits: Limits | None = None
    ) -> Ran | InvalidRun:
        """Run a module on the layered project."""
        return self._sandbox.module(name, args, lay_over(self._layer, files), limits=limits)

    def sources(self) -> Files:
        """The project's Python files with the layer's over them."""
        python = tuple((path, content) for path, content in self._layer if path.endswith(".py"))
        return lay_over(self._sandbox.sources(), python)
