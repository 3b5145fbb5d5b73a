"""A sandbox whose project has some files replaced: how an earlier state of a working tree is run."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.calls import CallInput, CallResult
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Point, Ran, Recording, TestId, TestRun
from repair.records.ports import Sandbox, WarmSession


def laid_over(base: Files, files: Files) -> Files:
    """Both sets of files; where they name the same path, the second wins."""
    return tuple(sorted({**dict(base), **dict(files)}.items()))


class LayeredSandbox:
    """Conforms to ``Sandbox``: every run has the layer under the files that it is given."""

    def __init__(self, sandbox: Sandbox, layer: Files) -> None:
        self._sandbox = sandbox
        self._layer = layer

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
        laid = laid_over(self._layer, files)
        return self._sandbox.run(tests, laid, limits=limits, trace=trace, shuffle=shuffle)

    def warm(
        self,
        tests: Sequence[TestId],
        files: Files = (),
        *,
        limits: Limits | None = None,
        fresh_import: bool = False,
    ) -> WarmSession | InvalidRun:
        """A warm server on the layered project."""
        return self._sandbox.warm(tests, laid_over(self._layer, files), limits=limits, fresh_import=fresh_import)

    def record_points(
        self, tests: Sequence[TestId], points: Sequence[Point], files: Files = (), *, limits: Limits | None = None
    ) -> Recording | InvalidRun:
        """Values at points of the layered project."""
        return self._sandbox.record_points(tests, points, laid_over(self._layer, files), limits=limits)

    def apart(
        self,
        function: FunctionId,
        calls: Sequence[CallInput],
        files: Files = (),
        *,
        limits: Limits | None = None,
        like_tests: bool = False,
    ) -> tuple[CallResult | None, ...] | InvalidRun:
        """Calls of a function of the layered project in a process of its own."""
        laid = laid_over(self._layer, files)
        return self._sandbox.apart(function, calls, laid, limits=limits, like_tests=like_tests)

    def compiles(self, files: Files) -> str:
        """As the sandbox below says."""
        return self._sandbox.compiles(files)

    def importable(self, modules: Sequence[str]) -> tuple[str, ...]:
        """As the sandbox below says."""
        return self._sandbox.importable(modules)

    def module(
        self, name: str, args: Sequence[str], files: Files = (), *, limits: Limits | None = None
    ) -> Ran | InvalidRun:
        """Run a module on the layered project."""
        return self._sandbox.module(name, args, laid_over(self._layer, files), limits=limits)

    def sources(self) -> Files:
        """The project's Python files with the layer's over them."""
        python = tuple((path, content) for path, content in self._layer if path.endswith(".py"))
        return laid_over(self._sandbox.sources(), python)

    def close(self) -> None:
        """Close the sandbox below."""
        self._sandbox.close()
