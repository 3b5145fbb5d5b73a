"""The questions that a recorded verdict leaves open in a file as it stands now, each with a test for either answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import RepairError
from repair.compare.ready_answers import write_as_test
from repair.records.result import EvidenceView, PatchView, Result
from repair.show.lines import clean
from repair.store.atomic import sha256
from repair.store.rested import list_questions, name_question, read_rested
from repair.store.store import RunStore

MOST_LOOKED_AT = 20
"""So many of the newest runs are looked through for one that judged a patch."""


@dataclass(frozen=True, slots=True)
class AnswerTest:
    """One reading of a question: the ``answer``, as ``--answer`` takes it, and the lines of a test that holds it."""

    answer: str
    imports: tuple[str, ...]
    body: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlacedQuestion:
    """A question at lines ``first`` to ``last`` of a file, from 1 on; ``test_file`` is where its answers may go."""

    run: str
    status: str
    first: int
    last: int
    text: str
    answers: tuple[AnswerTest, ...]
    test_file: str


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text to put before a line, counted from 0."""

    line: int
    text: str


def questions_in(store: RunStore, relative: str, content: bytes) -> tuple[PlacedQuestion, ...]:
    """The open questions of the last verdict about this file.

    None where the file is not what was judged: neither the text before the patch nor the one after it. None either of
    questions that a person has put to rest.
    """
    result = _last_verdict(store)
    if result is None:
        return ()
    rested = read_rested(store.directory)
    return tuple(
        _placed(result, *asked)
        for asked in list_questions(result)
        if asked[0].file == relative and name_question(*asked) not in rested and _is_about(asked[0], relative, content)
    )


def _last_verdict(store: RunStore) -> Result | None:
    """What the newest run said that judged a patch; runs that are foreign, damaged or under way say nothing."""
    for name in store.run_ids()[:MOST_LOOKED_AT]:
        run = store.run_named(name)
        try:
            result = None if run.is_foreign else run.result()
        except RepairError:
            continue
        if result is not None and result.patches:
            return result
    return None


def _is_about(patch: PatchView, relative: str, content: bytes) -> bool:
    digest = sha256(content)
    return any(file.path == relative and digest in (file.before, file.after) for file in patch.files)


def _placed(result: Result, patch: PatchView, evidence: EvidenceView) -> PlacedQuestion:
    asked = evidence.asked
    assert asked is not None, "only questions are listed"
    lines = (patch.region.first, patch.region.last) if patch.region is not None else (patch.line, patch.line)
    said = f"{asked.question}\nthis patch: {asked.mine}\notherwise: {asked.other}" if asked.call else asked.question
    answers = tuple(filter(None, map(_answer_test, (evidence.answer, evidence.otherwise))))
    return PlacedQuestion(result.run, str(patch.status), *lines, str(clean(said)), answers, _test_file(result, patch))


def _answer_test(answer: str) -> AnswerTest | None:
    """The answer as a test; ``None`` for what cannot be written as one."""
    try:
        lines = write_as_test(answer) if answer else ()
    except RepairError:
        return None
    if not lines:
        return None
    at = lines.index("")
    return AnswerTest(answer, tuple(lines[:at]), tuple(lines[at + 1 :]))


def _test_file(result: Result, patch: PatchView) -> str:
    """Where a test of the function belongs: with the test that failed, else in a file of its own."""
    failing = next((failure.test.partition("::")[0] for failure in result.failures), "")
    return failing or f"test_{Path(patch.file).stem}_answers.py"


def insert_test(text: str, test: AnswerTest) -> tuple[Insertion, ...]:
    """What to put into a file of tests so that it holds this one; nothing where it cannot be parsed.

    Its imports go behind those that stand there, where they are missing, and the test to the end, under a new name.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    lines = text.splitlines()
    known = {line.strip() for line in lines}
    imports = "".join(f"{line}\n" for line in test.imports if line not in known)
    body = "\n".join(_under_new_name(test.body, text)) + "\n"
    end, top = len(lines), _below_imports(tree)
    lead = "" if not text or text.endswith("\n") else "\n"
    if imports and top == end:
        return (Insertion(end, f"{lead}{imports}\n\n{body}"),)
    found = (Insertion(top, imports),) if imports else ()
    return (*found, Insertion(end, f"{lead}\n\n{body}" if lines else body))


def _below_imports(tree: ast.Module) -> int:
    """The line below the last import at the top, else below the docstring, else the first."""
    ends = [node.end_lineno or 0 for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    first = tree.body[0] if tree.body else None
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return max(ends, default=(first.end_lineno or 0) if first is not None and is_docstring else 0)


def _under_new_name(body: tuple[str, ...], text: str) -> Iterator[str]:
    name = re.match(r"def (\w+)", body[0])
    assert name is not None, "a test is a function"
    free, number = name[1], 2
    while re.search(rf"\bdef {free}\b", text):
        free, number = f"{name[1]}_{number}", number + 1
    yield body[0].replace(name[1], free, 1)
    yield from body[1:]
