"""SWE-bench and its likes: issues of real projects as JSON lines, over local clones of the projects.

An instance becomes the files of its base commit with the test patch applied, and no history. Its ``patch`` is held out.
``FAIL_TO_PASS`` and ``PASS_TO_PASS`` name the tests: node ids of pytest, or bare function names that one file of the
test patch defines. Tests of other runners (Django's) set the instance aside.

Clones lie in the folder ``clones`` beside the file, or in the one that ``?clones=FOLDER`` names, as ``OWNER__NAME``,
``OWNER/NAME`` or ``NAME``. Two keys of our own may stand in a line: ``python`` and ``requirements``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.diagnosis import is_test_module, is_test_path
from analysis.errors import TargetError
from corpora.bug import Bug, Environment, Oracle, Provenance, SetAside
from corpora.loaders.clone import apply_patch, files_of_patch, needed_clone, needed_day
from corpora.loaders.layout import CorpusLine, Layout, read_rows, single_fault
from corpora.mining.repository import Repository

FAIL, PASS = "FAIL_TO_PASS", "PASS_TO_PASS"
TEXTS = ("repo", "base_commit", "patch", "test_patch")
LAYOUT = Layout(
    "SWE-bench's JSON lines",
    f"an object a line with instance_id, {', '.join(TEXTS)} and {FAIL}, and clones beside the file",
    "python -c \"import datasets; datasets.load_dataset('princeton-nlp/SWE-bench_Lite', split='test')"
    ".to_json('lite.jsonl')\"",
)
OPTIONS = ("clones",)


class SweBench:
    """The instances of one file."""

    def __init__(self, file: Path, options: Mapping[str, str]) -> None:
        given = "".join(f"?{key}={value}" for key, value in options.items())
        self.name = f"swebench:{file}{given}"
        if not file.is_file():
            raise LAYOUT.refusal("it is no file", file)
        self._clones = Path(options.get("clones", file.parent / "clones"))
        self._rows = read_rows(file, "instance_id", TEXTS, LAYOUT)
        self._by_id = {row.id: row.values for row in self._rows if isinstance(row, CorpusLine)}

    def bugs(self) -> Iterator[Bug | SetAside]:
        """The instances in their order; one without its clone, or with tests that pytest cannot run, is set aside."""
        for row in self._rows:
            if isinstance(row, SetAside):
                yield row
                continue
            try:
                with self._clone(row.values) as clone:
                    yield self._bug(row, clone)
            except TargetError as problem:
                yield SetAside(row.id, f"Line {row.number}: {problem}")

    def write_tree(self, bug: Bug, root: Path) -> None:
        """The base commit with the test patch."""
        values = self._by_id[bug.id]
        with self._clone(values) as clone:
            clone.write_tree(values["base_commit"], root.absolute())
        apply_patch(values["test_patch"], root)

    def oracle(self, bug: Bug) -> Oracle:
        """The files that the patch touches, as it leaves them; one that it deletes is not among them."""
        values = self._by_id[bug.id]
        with self._clone(values) as clone:
            return Oracle(files_of_patch(clone, values["base_commit"], values["patch"])[1])

    def _bug(self, row: CorpusLine, clone: Repository) -> Bug:
        values = row.values
        texts = dict(files_of_patch(clone, values["base_commit"], values["test_patch"])[1])
        failing = tuple(_node_id(name, texts) for name in _names(values, FAIL))
        passing = tuple(_node_id(name, texts) for name in _names(values, PASS)) if PASS in values else None
        if not failing:
            raise TargetError(f"{FAIL} names no test")
        modules = tuple(path for path in texts if is_test_module(path.rpartition("/")[2]))
        before, after = files_of_patch(clone, values["base_commit"], values["patch"])
        return Bug(
            id=row.id,
            failing=failing,
            passing=passing,
            provenance=Provenance(
                project=values["repo"],
                kind="published",
                version=values["base_commit"],
                date=str(values.get("created_at") or needed_day(clone, values["base_commit"]))[:10],
                source=f"https://github.com/{values['repo']}",
            ),
            fault=single_fault(_program(before), _program(after)),
            environment=Environment(
                python=str(values.get("python", "")),
                requirements=_names(values, "requirements"),
                tests=tuple(sorted({name.partition("::")[0] for name in (*failing, *(passing or modules))})),
            ),
            description=str(values.get("problem_statement") or ""),
            group=values["repo"],
        )

    def _clone(self, values: Mapping[str, Any]) -> Repository:
        repo, commit = values["repo"], values["base_commit"]
        if not re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", repo) or not re.fullmatch(r"[0-9a-f]{7,64}", commit):
            raise TargetError(f"{repo!r} at {commit!r} is no repository and commit")
        owner, _, name = repo.partition("/")
        names = (f"{owner}__{name}", repo, name)
        with needed_clone(names, self._clones, f"https://github.com/{repo}") as clone:
            needed_day(clone, commit)
        return clone


def _names(values: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of texts, which may itself be written as JSON in a text."""
    found = values.get(key, [])
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except ValueError as problem:
            raise TargetError(f"{key} is no list: {problem}") from problem
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise TargetError(f"{key} is no list of texts")
    return tuple(found)


def _node_id(name: str, tests: Mapping[str, bytes]) -> str:
    """The node id as pytest has it; ``tests`` are the files of the test patch."""
    if name.partition("::")[0].endswith(".py"):
        return name
    pattern = re.compile(rb"^[ \t]*def " + re.escape(name).encode() + rb"\b", re.MULTILINE)
    found = [path for path, text in tests.items() if name.isidentifier() and pattern.search(text)]
    if len(found) != 1:
        raise TargetError(f"{name!r} is no test of pytest")
    return f"{found[0]}::{name}"


def _program(files: Sequence[tuple[str, bytes]]) -> tuple[tuple[str, bytes], ...]:
    return tuple((path, text) for path, text in files if not is_test_path(path))
