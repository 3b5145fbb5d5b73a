"""Failures made in this process: snippets run under invented file names, frames built from their tracebacks."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Mapping
from types import TracebackType

import pytest

from analysis.facts import Failure, Frame, Local, Outcome, Phase, SeenError, TestId, TestResult
from analysis.failure import failure_of

PRODUCT = "shop/price.py"
TEST = "tests/test_price.py"


@dataclasses.dataclass(frozen=True)
class Scene:
    """A failure with the sources that it arose from."""

    failure: Failure
    sources: tuple[tuple[str, bytes], ...]

    @property
    def without_columns(self) -> Failure:
        """The failure as a target before 3.11 reports it."""
        bare = [dataclasses.replace(e, frames=tuple(_bare(f) for f in e.frames)) for e in self.failure.exceptions]
        return dataclasses.replace(self.failure, exceptions=tuple(bare))


def _bare(frame: Frame) -> Frame:
    return dataclasses.replace(frame, end_line=None, column=None, end_column=None, qualname=frame.name)


def _frames(traceback: TracebackType | None, texts: Mapping[str, str]) -> tuple[Frame, ...]:
    found = []
    while traceback is not None:
        code, values = traceback.tb_frame.f_code, traceback.tb_frame.f_locals
        in_project = code.co_filename in texts
        _, end_line, column, end_column = list(code.co_positions())[traceback.tb_lasti // 2]
        line = traceback.tb_lineno
        row = texts[code.co_filename].split("\n")[line - 1].encode() if in_project else b""
        plain = [Local(n, type(v).__name__, repr(v)) for n, v in values.items() if not n.startswith("__")]
        found.append(
            Frame(
                code.co_filename,
                in_project,
                line,
                end_line,
                None if column is None else len(row[:column].decode()),
                None if end_column is None else len(row[:end_column].decode()) if end_line == line else end_column,
                code.co_qualname,
                code.co_name,
                code.co_firstlineno,
                tuple(plain) if in_project else (),
            )
        )
        traceback = traceback.tb_next
    return tuple(f for f in found if f.path != __file__)


def _chain(error: BaseException | None, link: str, texts: Mapping[str, str]) -> list[SeenError]:
    if error is None:
        return []
    bases = tuple(c.__name__ for c in type(error).__mro__)
    first = SeenError(type(error).__name__, bases, str(error), _frames(error.__traceback__, texts), link)
    members = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    found = [first, *(r for m in members for r in _chain(m, "group", texts))]
    if error.__cause__ is not None:
        return found + _chain(error.__cause__, "cause", texts)
    return found + _chain(None if error.__suppress_context__ else error.__context__, "context", texts)


@pytest.fixture
def stage() -> Callable[..., Scene]:
    """A function from product and test source to the failure of the test's first test function."""

    def play(product: str, test: str, *, path: str = PRODUCT) -> Scene:
        texts = {path: textwrap.dedent(product), TEST: textwrap.dedent(test)}
        space: dict[str, object] = {"__name__": "shop.price"}
        for file, text in texts.items():
            exec(compile(text, file, "exec"), space)
        name, run = next((n, v) for n, v in space.items() if n.startswith("test_") and callable(v))
        with pytest.raises(BaseException) as info:  # noqa: PT011
            run()
        caught = info.value
        result = TestResult(
            TestId(f"{TEST}::{name}"), Outcome.FAILED, Phase.CALL, 0.0, tuple(_chain(caught, "", texts)), str(caught)
        )
        return Scene(failure_of(result), tuple((p, t.encode()) for p, t in texts.items()))

    return play
