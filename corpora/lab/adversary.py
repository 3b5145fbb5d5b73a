"""Replacements of one function that cheat their tests, and honest ones that look as if they did.

One folder a subject::

    SUBJECT/
      subject.toml       shape, failing; function, or for a real library case, the name of one of ``corpora.lab.cases``
      tree/              the program with its fault and its tests; a case has its own
      fix.py             the right text of the function; a case has its own
      cheats/*.py        texts of the function that make the failing tests look green and mend nothing
      legitimate/*.py    texts that mend the fault, by means that cheats use as well

Each text begins with comments ``# key: value``. Of a cheat the keys are ``family``, ``needs runs`` and ``fools``.
``needs runs`` names the gate that stops it where its text alone does not. ``fools`` says that a run of the whole suite
by plain pytest is not fooled but something weaker is. Of an honest one: ``looks like``, and ``doubt`` where doubt is
due.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import textwrap
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import FunctionId
from analysis.functions import find_function, functions_of
from corpora.environment import environment
from corpora.lab.cases import CASES, Case
from corpora.lab.release_pair import make_bug_tree
from corpora.source_package import case_cache
from repair.engine.diagnosing import Diagnosed
from repair.engine.engine import Engine
from repair.front.composition import open_run
from repair.observe.baseline import observe
from repair.observe.observation import NothingToMend
from repair.records.config import Options
from repair.records.functions import edit_scope
from repair.records.plan import localize
from repair.records.result import Seconds
from repair.records.verdict import Decision, Evidence, Verdict
from transforms.patch.apply import complete
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Origin

FOLDER = Path(__file__).with_name("adversarial")
_NOTE = re.compile(r"# ([a-z ]+): (.+)\n")


@dataclass(frozen=True, slots=True)
class Patch:
    """A text of the subject's function. ``notes`` are its opening comments."""

    name: str
    text: str
    notes: tuple[tuple[str, str], ...] = ()

    def note(self, key: str) -> str:
        """What the text says about itself under this key, ``""`` where it says nothing."""
        return dict(self.notes).get(key, "")


@dataclass(frozen=True, slots=True)
class Subject:
    """One function with its failing tests, and the texts to judge in its place.

    ``home`` is the subject's folder; ``case`` is set for a real library.
    """

    name: str
    shape: str
    path: str
    qualname: str
    failing: tuple[str, ...]
    cheats: tuple[Patch, ...]
    legitimate: tuple[Patch, ...]
    home: Path
    case: Case | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A subject on disk: its tree, the interpreter for it (``""`` for our own), and the right text of its function."""

    root: Path
    python: str
    fix: Patch


def subjects(folder: Path = FOLDER) -> tuple[Subject, ...]:
    """All subjects in the order of their names."""
    found = tuple(_subject(path.parent) for path in sorted(folder.glob("*/subject.toml")))
    if not found:
        raise TargetError(
            "No subject is there", where=str(folder), remedy="Give each one a folder with a subject.toml."
        )
    return found


def _subject(folder: Path) -> Subject:
    settings = tomllib.loads((folder / "subject.toml").read_text(encoding="utf-8"))
    case = next((c for c in CASES if c.name == settings.get("case")), None)
    path, qualname = (case.pair.path, case.pair.qualname) if case else settings["function"].split(":")
    return Subject(
        name=folder.name,
        shape=settings["shape"],
        path=path,
        qualname=qualname,
        failing=case.tests if case else tuple(settings["failing"]),
        cheats=_patches(folder / "cheats"),
        legitimate=_patches(folder / "legitimate"),
        home=folder,
        case=case,
    )


def _patches(folder: Path) -> tuple[Patch, ...]:
    return tuple(read_patch(path) for path in sorted(folder.glob("*.py")))


def read_patch(path: Path) -> Patch:
    """The text of one file, its notes taken off."""
    text = path.read_text(encoding="utf-8")
    notes = []
    while (note := _NOTE.match(text)) is not None:
        notes.append((note[1], note[2]))
        text = text[note.end() :]
    return Patch(path.stem, text.lstrip("\n"), tuple(notes))


def lay(subject: Subject, root: Path) -> Laid:
    """Put the subject's tree at ``root``, which must not exist. A case may raise ``IndexUnreachableError``."""
    if subject.case is None:
        shutil.copytree(subject.home / "tree", root)
        return Laid(root, "", read_patch(subject.home / "fix.py"))
    tree = make_bug_tree(subject.case.pair, root, case_cache())
    span = find_function(functions_of(subject.path, tree.after), subject.qualname)
    assert span is not None, "the tree was made from this function"
    fix = textwrap.dedent(tree.after[span.start : span.end].decode())
    return Laid(root, environment(subject.case.requirements, case_cache()), Patch("fix", fix))


@dataclass(frozen=True, slots=True)
class Placed:
    """A patch in the file of its function: ``text`` is indented as the function is there, ``file`` holds it."""

    function: FunctionId
    text: bytes
    file: bytes


def place_patch(source: bytes, subject: Subject, patch: Patch) -> Placed:
    """The patch's text in the place of the subject's function."""
    span = find_function(functions_of(subject.path, source), subject.qualname)
    if span is None:
        raise TargetError(f"There is no function {subject.qualname}", where=subject.path)
    old = source[span.start : span.end]
    indentation = old[: len(old) - len(old.lstrip(b" "))].decode()
    text = textwrap.indent(patch.text.rstrip("\n"), indentation).encode() + old[len(old.rstrip()) :]
    return Placed(span.function, text, source[: span.start] + text + source[span.end :])


@dataclass(frozen=True, slots=True)
class Bench:
    """One subject whose unpatched program was observed once, for all texts to be judged by."""

    subject: Subject
    engine: Engine
    seen: Diagnosed

    def judge(self, patch: Patch, only: Collection[str] = ()) -> Verdict:
        """The verdict of all gates on one text of the function, or of those that are named."""
        new = place_patch(dict(self.engine.sources)[self.subject.path], self.subject, patch)
        made = complete(edit_scope(self.engine.sources, new.function), new.text, Origin("foreign", "change"))
        if not isinstance(made, Candidate):
            return Verdict((Evidence("shape", Decision.REJECT, f"{made.reason.value}: {made.detail}"),))
        gates = [gate for gate in self.engine.judging.gates if gate.name in only or not only]
        judging = replace(self.engine.judging, gates=tuple(gates))
        return judging.judge(judging.submit(made, self.seen)).verdict


@contextlib.contextmanager
def bench(subject: Subject, laid: Laid, state: Path) -> Iterator[Bench]:
    """The subject ready for judging, with all of the gates as they are for `repair check`."""
    options = Options(root=str(laid.root), python=laid.python, state_dir=str(state), cache=False)
    with open_run(options, lambda event: None, {}) as context:
        engine = context.engine(context.sandbox)
        baseline = observe(context.sandbox, context.task(subject.failing).tests, engine.limits, 0)
        if isinstance(baseline, NothingToMend):
            raise TargetError(f"{subject.name}: {baseline.message}")
        yield Bench(subject, engine, Diagnosed(baseline, localize(baseline, engine.sources), Seconds()))


def stopped_by(verdict: Verdict) -> str:
    """The first gate that did not accept; ``""`` where all did."""
    return next((e.gate for e in verdict.evidence if e.decision is not Decision.ACCEPT), "")
