"""A sandbox whose project has some files replaced, and whose servers may remember: how an earlier state is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.calls import CallInput, PlainAnswer
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Point, Ran, Recording, TestId, TestRun
from repair.records.ports import Sandbox, TrialServer
from repair.trials.remembered import Remembering


def lay_over(base: Files, files: Files) -> Files:
    """Both sets of files; where they name the same path, the second wins."""
    return tuple(sorted({**dict(base), **dict(files)}.items()))


@dataclass(eq=False)
class LayeredSandbox:
    """Conforms to ``Sandbox``: every run has the layer under the files that it is given.

    With ``remembering`` its warm servers answer known trials from memory; cold runs never do.
    """

    sandbox: Sandbox
    layer: Files
    remembering: Remembering | None = None

    def for_purpose(self, purpose: str) -> LayeredSandbox:
        """The same layer over the sandbox under that name."""
        return LayeredSandbox(self.sandbox.for_purpose(purpose), self.layer, self.remembering)

    def run(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        trace: bool | str = False,
        shuffle: int | None = None,
        steady: bool = True,
    ) -> TestRun | InvalidRun:
        """One cold run on a fresh copy of the layered project."""
        laid = lay_over(self.layer, files)
        return self.sandbox.run(tests, laid, limits=limits, trace=trace, shuffle=shuffle, steady=steady)

    def warm(
        self, tests: Sequence[TestId], files: Files = (), *, limits: Limits | None = None, fresh_import: bool = False
    ) -> TrialServer | InvalidRun:
        """A warm server on the layered project."""
        laid = lay_over(self.layer, files)
        server = self.sandbox.warm(tests, laid, limits=limits, fresh_import=fresh_import)
        if self.remembering is None or isinstance(server, InvalidRun):
            return server
        return self.remembering.wrap(server, tests, laid, limits, fresh_import=fresh_import)

    def record_points(
        self, tests: Sequence[TestId], points: Sequence[Point], files: Files = (), *, limits: Limits | None = None
    ) -> Recording | InvalidRun:
        """Values at points of the layered project."""
        return self.sandbox.record_points(tests, points, lay_over(self.layer, files), limits=limits)

    def call_apart(
        self,
        function: FunctionId,
        calls: Sequence[CallInput],
        files: Files = (),
        *,
        limits: Limits | None = None,
        like_tests: bool = False,
    ) -> tuple[PlainAnswer | None, ...] | InvalidRun:
        """Calls of a function of the layered project in a process of its own."""
        laid = lay_over(self.layer, files)
        return self.sandbox.call_apart(function, calls, laid, limits=limits, like_tests=like_tests)

    def compiles(self, files: Files) -> str:
        """As the sandbox below says."""
        return self.sandbox.compiles(files)

    def find_importable(self, modules: Sequence[str]) -> tuple[str, ...]:
        """As the sandbox below says."""
        return self.sandbox.find_importable(modules)

    def module(
        self, name: str, args: Sequence[str], files: Files = (), *, limits: Limits | None = None
    ) -> Ran | InvalidRun:
        """Run a module on the layered project."""
        return self.sandbox.module(name, args, lay_over(self.layer, files), limits=limits)

    def sources(self) -> Files:
        """The project's Python files with the layer's over them."""
        python = tuple((path, content) for path, content in self.layer if path.endswith(".py"))
        return lay_over(self.sandbox.sources(), python)
