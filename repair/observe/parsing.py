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
import json
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

SECONDS = 60.0
MOST_LINES = 20_000
MOST_BYTES = 2 << 20
_MEMORY = 3 << 30
_RECURSION = 800


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """One source that cannot be worked on; ``detail`` is a readable clause."""

    path: str
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
        lines = source.count(b"\n")
        if lines > MOST_LINES:
            problems.append(ParseProblem(path, f"{lines} lines are more than the {MOST_LINES} that are parsed"))
        elif len(source) > MOST_BYTES:
            problems.append(ParseProblem(path, f"{len(source)} bytes are more than the {MOST_BYTES} that are parsed"))
        else:
            waiting.append((path, source))
    while waiting:
        answers = _ask(waiting, seconds)
        problems += [ParseProblem(path, said) for (path, _), said in zip(waiting, answers, strict=False) if said]
        waiting = waiting[len(answers) :]
    order = {path: index for index, (path, _) in enumerate(sources)}
    return tuple(sorted(problems, key=lambda p: order[p.path]))


def _ask(sources: Sources, seconds: float) -> list[str]:
    """What is wrong with each source that the child got through (``""`` where nothing is), and where it was lost.

    The child's lines are taken only as far as they are whole and in order.
    """
    request = json.dumps([base64.b64encode(source).decode("ascii") for _, source in sources])
    command = [sys.executable, "-E", "-P", "-X", "utf8", "-m", "repair.observe.parsing"]
    try:
        done = subprocess.run(command, input=request.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        output, loss = late.stdout or b"", f"was not parsed within {seconds:g} seconds"
    else:
        output, loss = done.stdout, "got no answer from the parser"
        if done.returncode < 0:
            loss = f"makes the parser crash (signal {-done.returncode})"
        elif done.returncode:
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            loss = f"makes the parser give up (status {done.returncode}) {' '.join(last)}".strip()
    answers: list[str] = []
    for line in output.split(b"\n")[:-1]:
        try:
            answer = json.loads(line)
        except ValueError:
            break
        if not isinstance(answer, str):
            break
        answers.append(answer)
    return [*answers, loss][: len(sources)]


def examine(source: bytes) -> str:
    """What is wrong with one source, parsed in this very process; empty for nothing."""
    try:
        printed = cst.parse_module(source).bytes
    except cst.ParserSyntaxError as problem:
        return f"does not parse: {problem.message[:200]}"
    except (UnicodeError, SyntaxError, LookupError) as problem:
        return f"cannot be decoded: {problem}"
    except RecursionError:
        return "is nested too deeply"
    except MemoryError:
        return "takes too much memory to parse"
    except ValueError as problem:
        return f"does not parse: {problem}"
    if printed == source:
        return ""
    pairs = enumerate(zip(source, printed, strict=False))
    same = next((i for i, (old, new) in pairs if old != new), min(len(source), len(printed)))
    line = len(re.findall(rb"\r\n|\n|\r", source[:same])) + 1
    return f"does not survive parse and print (line {line}: form feed or lone carriage return?)"


def _main() -> None:
    """The child: answers line by line, each written before the next source is touched."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(_RECURSION)
    for encoded in json.load(sys.stdin):
        sys.stdout.write(json.dumps(examine(base64.b64decode(encoded))) + "\n")
        sys.stdout.flush()


_TEXT_SECONDS, _TEXT_WAIT = 10, 30.0
"""What the child may take of a processor, and on the wall: a busy machine makes no text unreadable."""

_CHILD = f"""
import json, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({_TEXT_SECONDS}, {_TEXT_SECONDS}))
_, most = resource.getrlimit(resource.RLIMIT_STACK)
wanted = 4 << 20
resource.setrlimit(resource.RLIMIT_STACK, (wanted if most < 0 else min(wanted, most), most))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
from transforms.tree.fragments import parse_expression, parse_statements
import libcst
texts = json.load(sys.stdin)
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

    A text that is no Python is harmless, three thousand open brackets are not. Starts one short process.
    """
    with ReadyParser() as survives:
        return survives(texts)


class ReadyParser:
    """The child of ``survives_parsing``, started before there is a text: to load a parser takes longer than to parse.

    A context that says once whether texts survive; its child ends with it. Who waits for a reply begins it meanwhile.
    """

    def __enter__(self) -> ReadyParser:
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        command = [sys.executable, "-I", "-c", _CHILD]
        self._child = subprocess.Popen(command, stdin=pipe, stdout=nothing, stderr=nothing)
        return self

    def __exit__(self, *_: object) -> None:
        if self._child.poll() is None:
            self._child.kill()
        self._child.communicate()

    def __call__(self, texts: Sequence[str]) -> bool:
        """Whether each of the texts can be read and printed without harm."""
        assert self._child.poll() is None or self._child.returncode, "a child answers once"
        try:
            self._child.communicate(json.dumps(list(texts)).encode(), timeout=_TEXT_WAIT)
        except subprocess.TimeoutExpired:
            return False
        return self._child.returncode == 0


if __name__ == "__main__":
    _main()
