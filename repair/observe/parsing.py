"""Whether sources can be parsed at all, found out in a process that may die of it.

Nested parentheses by the thousand end the process that hands them to the parser, and some sources
only hang it. So everything that we did not write is parsed here first. A short-lived child of its own
interpreter, under limits, says for one source after the other what became of it. Where the child is
lost, the source that it was at is the culprit, and a new child goes on behind it.

What passed here may be parsed in the engine's own process: the child allows less recursion than the
engine has left when it parses.
"""

from __future__ import annotations

import base64
import enum
import json
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

SECONDS = 60.0
MOST_LINES = 20_000
MOST_BYTES = 2 << 20
_MEMORY = 3 << 30
_RECURSION = 800


class ParseFault(enum.Enum):
    """Why a source cannot be worked on."""

    SYNTAX = "syntax"
    ENCODING = "encoding"
    ROUND_TRIP = "round_trip"
    SIZE = "size"
    RECURSION = "recursion"
    MEMORY = "memory"
    CRASH = "crash"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """One source that cannot be worked on; ``detail`` is a readable clause."""

    path: str
    kind: ParseFault
    detail: str

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}"


Sources = Sequence[tuple[str, bytes]]


def check_sources(sources: Sources, seconds: float = SECONDS) -> tuple[ParseProblem, ...]:
    """The sources that do not parse, or do not print back byte for byte, in their order. Never raises for them.

    ``seconds`` bounds the time up to the next problem: each source that is lost starts the clock anew.
    """
    problems: list[ParseProblem] = []
    waiting = []
    for path, source in sources:
        oversize = _oversize(source)
        if oversize:
            problems.append(ParseProblem(path, ParseFault.SIZE, oversize))
        else:
            waiting.append((path, source))
    while waiting:
        answers, loss = _ask(waiting, seconds)
        problems += [answer for answer in answers if answer is not None]
        if loss is not None and len(answers) < len(waiting):
            problems.append(ParseProblem(waiting[len(answers)][0], *loss))
        waiting = waiting[len(answers) + 1 :]
    order = {path: index for index, (path, _) in enumerate(sources)}
    return tuple(sorted(problems, key=lambda p: order[p.path]))


def _oversize(source: bytes) -> str:
    lines = source.count(b"\n")
    if lines > MOST_LINES:
        return f"{lines} lines are more than the {MOST_LINES} that are parsed"
    if len(source) > MOST_BYTES:
        return f"{len(source)} bytes are more than the {MOST_BYTES} that are parsed"
    return ""


_Loss = tuple[ParseFault, str]
_Answers = list[ParseProblem | None]


def _ask(sources: Sources, seconds: float) -> tuple[_Answers, _Loss | None]:
    """One answer for each source that the child got through, and how it was lost where it was."""
    request = json.dumps([[path, base64.b64encode(source).decode("ascii")] for path, source in sources])
    command = [sys.executable, "-E", "-P", "-X", "utf8", "-m", "repair.observe.parsing"]
    try:
        done = subprocess.run(command, input=request.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        return _answers(sources, late.stdout or b""), (ParseFault.TIMEOUT, f"was not parsed within {seconds:g} seconds")
    answers = _answers(sources, done.stdout)
    if done.returncode < 0:
        return answers, (ParseFault.CRASH, f"makes the parser crash (signal {-done.returncode})")
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return answers, (
            ParseFault.CRASH,
            f"makes the parser give up (status {done.returncode}) {' '.join(last)}".strip(),
        )
    return answers, (ParseFault.CRASH, "got no answer from the parser")


def _answers(sources: Sources, output: bytes) -> _Answers:
    """The child's lines, taken only as far as they are whole and in order."""
    answers: _Answers = []
    for (path, _), line in zip(sources, output.split(b"\n")[:-1], strict=False):
        answer = _answer(path, line)
        if answer is False:
            break
        answers.append(answer)
    return answers


def _answer(path: str, line: bytes) -> Any:
    try:
        kind, detail = json.loads(line)
        return ParseProblem(path, ParseFault(kind), str(detail)) if kind else None
    except (ValueError, TypeError):
        return False


def examine(source: bytes) -> tuple[ParseFault, str] | None:
    """What is wrong with one source, parsed in this very process."""
    try:
        module = cst.parse_module(source)
        printed = module.bytes
    except cst.ParserSyntaxError as problem:
        return ParseFault.SYNTAX, f"does not parse: {problem.message[:200]}"
    except (UnicodeError, SyntaxError, LookupError) as problem:
        return ParseFault.ENCODING, f"cannot be decoded: {problem}"
    except RecursionError:
        return ParseFault.RECURSION, "is nested too deeply"
    except MemoryError:
        return ParseFault.MEMORY, "takes too much memory to parse"
    except ValueError as problem:
        return ParseFault.SYNTAX, f"does not parse: {problem}"
    if printed != source:
        line = _first_difference(source, printed)
        return (
            ParseFault.ROUND_TRIP,
            f"does not survive parse and print (line {line}: form feed or lone carriage return?)",
        )
    return None


def _first_difference(source: bytes, printed: bytes) -> int:
    same = next(
        (i for i, (a, b) in enumerate(zip(source, printed, strict=False)) if a != b), min(len(source), len(printed))
    )
    return len(re.findall(rb"\r\n|\n|\r", source[:same])) + 1


def _serve(request: str) -> Iterator[str]:
    for _, encoded in json.loads(request):
        found = examine(base64.b64decode(encoded))
        yield json.dumps([found[0].value, found[1]] if found else ["", ""])


def _main() -> None:
    """The child: answers line by line, each written before the next source is touched."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(_RECURSION)
    for line in _serve(sys.stdin.read()):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


_TEXT_SECONDS = 10.0
_CHILD = """
import json, resource, sys
_, most = resource.getrlimit(resource.RLIMIT_STACK)
wanted = 4 << 20
resource.setrlimit(resource.RLIMIT_STACK, (wanted if most < 0 else min(wanted, most), most))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
texts = json.load(sys.stdin)
from transforms.tree.fragments import parse_expression, parse_statements
import libcst
sys.setrecursionlimit(700)
for text in texts:
    node = parse_expression(text)
    nodes = parse_statements(text) or ()
    for found in (*nodes, *([node] if node is not None else [])):
        libcst.Module([]).code_for_node(found)
        found.deep_clone()
"""


def survives_parsing(texts: Sequence[str]) -> bool:
    """Whether each of the texts can be read and printed, as an expression and as statements, without harm.

    A text that is no Python is harmless. Starts one short process.
    """
    command = [sys.executable, "-I", "-c", _CHILD]
    try:
        done = subprocess.run(
            command, input=json.dumps(list(texts)).encode(), capture_output=True, timeout=_TEXT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    _main()
