"""From a task to a program: write, freeze, diagnose, patch, test again; write anew, in small pieces first, and last.

Nothing here touches a file or a process: who writes, who runs and who mends are handed in. So each rule can be seen in
a test:

- A reply that cannot be used, and a part that cannot be collected, are asked for again at once: nothing can be patched.
- A patch counts where fewer tests fail and none that passed fails.
- Only where patching has failed is anything written anew: tests, implementation, both, in this order, each once.
- A test that words of the task require is never written anew by itself. With both parts new, all quoted words are
  quoted again.
- An implementation is written anew only for a required test: of a pinned one nobody says that it is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from analysis.facts import Files, InvalidRun, TestRun
from analysis.specified.task_text import StatedTask, flat
from repair.records.grown import SaidBy
from repair.records.made import MadePatch, MadeStep
from repair.records.wording import count_noun, list_names
from repair.records.written import NotAsked, ProgramWriter, ReplyPart, Unwritten, WritingRequest, WrittenFiles
from repair.survey.making.draft import (
    Draft,
    DraftTest,
    beside,
    heads_of,
    part_at_fault,
    with_outcomes,
    without_tests,
)
from repair.survey.making.standings import mark_tests, read_standings

MOST_TRIES = 3
"""Answers to one request, the first among them."""

MOST_FORMATS = 2
"""How often a draft's parts are written anew since they cannot be collected."""

MOST_PATCHES = 4
"""Rounds of patching in a row."""

LEAST_SECONDS = 8.0
"""With less time than this nothing more is begun."""

_MOST_FAILURES = 12
_LONGEST_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Mended:
    """A program after patches, or as it was; ``said`` tells what came of it."""

    implementation: Files
    patches: tuple[MadePatch, ...]
    said: str


Run = Callable[[Files], TestRun | InvalidRun]
Mend = Callable[[Draft], Mended]


class StepsEnd(Exception):
    """A limit was reached, so nothing more can be asked; the reason is the argument."""


@dataclass
class MakingSteps:
    """The steps for one task. ``left`` gives the seconds that remain, ``listen`` hears of each step before it."""

    task: StatedTask
    writer: ProgramWriter
    run: Run
    mend: Mend
    left: Callable[[], float]
    listen: Callable[[str], None] = lambda said: None
    steps: list[MadeStep] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    ended: str = ""
    is_spent: bool = False
    """Whether a limit ended it: of time, of requests, tokens or money."""
    best: Draft | None = None
    _left: float = 0.0

    def make(self) -> Draft | None:
        """The best draft that was reached; ``None`` where no whole program with tests came about.

        Raises ``ModelError`` where the model fails before there is any.
        """
        self._left = self.left()
        try:
            draft = self._first()
            self.best = draft
            if draft is not None:
                self._patched(draft)
                for anew in (self._tests_anew, self._implementation_anew, self._both_anew):
                    if self.best is not None and any(self.best.open):
                        self._refuse_late()
                        anew(self.best)
        except StepsEnd as end:
            self.ended, self.is_spent = str(end), True
        return self.best

    def _first(self) -> Draft | None:
        implementation = self._write(ReplyPart.IMPLEMENTATION)
        if implementation is None:
            return None
        tests = self._write(ReplyPart.TESTS, implementation)
        if tests is None:
            return None
        return self._collected(implementation, tests)

    def _collected(self, implementation: Files, tests: Files) -> Draft | None:
        """The draft of these files; a part that cannot be collected is written anew at once."""
        draft = self._tested(implementation, tests)
        for _ in range(MOST_FORMATS):
            if not draft.errors:
                return draft
            error = draft.errors[0]
            part = part_at_fault(error, self.task.text)
            said = f"{error.node} cannot be collected: {_short(error.message)}"
            self._note(f"format: {part.lower()} at once anew", said)
            written = self._write(part, implementation, said)
            if written is None:
                return draft
            if part is ReplyPart.TESTS:
                tests = written
            else:
                implementation = written
            draft = self._tested(implementation, tests)
        return draft

    def _write(
        self, part: ReplyPart, implementation: Files = (), failures: str = "", keep: bool = False
    ) -> Files | None:
        """The files of a part, asked for until an answer can be used; ``None`` where none could."""
        heads = heads_of(implementation)
        told = "\n".join(heads) if part is ReplyPart.TESTS or keep else ""
        sentences = "\n".join(map(str, self.task.sentences))
        asked = WritingRequest(part, self.task.text, sentences, told, failures)
        before: tuple[Unwritten, ...] = ()
        while len(before) < MOST_TRIES:
            self._refuse_late()
            self.listen(f"asking for the {part.lower()}")
            found = self.writer.write(asked, before, self.left)
            if isinstance(found, WrittenFiles) and keep:
                found = _keep_heads(found, heads)
            match found:
                case NotAsked(reason):
                    raise StepsEnd(f"the model was not asked for the {part.lower()}: {reason}")
                case Unwritten(kind, reason):
                    self._note(f"write {part.lower()}", f"{kind}: {reason}")
                    before = (*before, found)
                case WrittenFiles(own, tests):
                    files = own if part is ReplyPart.IMPLEMENTATION else tests
                    self._note(f"write {part.lower()}", count_noun(len(files), "file"))
                    return files
        self.ended = f"no answer for the {part.lower()} can be used: {before[-1].reason}"
        return None

    def _tested(self, implementation: Files, tests: Files, known: Iterable[DraftTest] = ()) -> Draft:
        """The draft of these files after a run. Tests that are ``known`` keep their standings, new ones get theirs."""
        kept = {test.said.name: test for test in known}
        said = read_standings(tests, self.task, implementation)
        fresh = tuple(each for each in said if each.name not in kept)
        paths = {each.name.partition("::")[0] for each in fresh}
        marked = dict(mark_tests(tuple(file for file in tests if file[0] in paths), self.task, fresh))
        files = tuple((path, marked.get(path, content)) for path, content in tests)
        all_tests = tuple(kept.get(each.name) or DraftTest(each, anew=bool(kept)) for each in said)
        return self._run(Draft(implementation, files, all_tests))

    def _run(self, draft: Draft) -> Draft:
        self._refuse_late()
        self.listen(f"running {count_noun(len(draft.tests), 'test')}")
        done = with_outcomes(draft, self.run(draft.files))
        failing = [test.said.name for test in done.failing]
        said = f"{len(done.passing)} of {len(done.tests)} pass"
        more = list_names(failing, "test", 3)
        self._note("test", "; ".join(filter(None, (said, more and f"not: {more}", done.problem))))
        self._note("freeze", done.artifact().digest[:12])
        return done

    def _patched(self, draft: Draft) -> Draft:
        """The draft after patches of ours, as long as each round makes more tests pass and breaks none.

        Each round on the best draft is kept at once: whatever comes later, it is not lost.
        """
        for _ in range(MOST_PATCHES):
            if not draft.failing or draft.errors or self.left() < LEAST_SECONDS:
                break
            self.listen(f"mending {count_noun(len(draft.failing), 'test')}")
            mended = self.mend(draft)
            self._note("patch", mended.said)
            if mended.implementation == draft.implementation:
                break
            patches = (*draft.patches, *mended.patches)
            again = self._run(replace(draft, implementation=mended.implementation, patches=patches))
            if not (draft.passing <= again.passing and again.open < draft.open):
                self._note("patch", "taken back: it does not mend these tests, or breaks others")
                break
            self.best = again if self.best is draft else self.best
            draft = again
        return draft

    def _tests_anew(self, draft: Draft) -> None:
        """Pinned tests that fail are written anew; required ones stay as they are."""
        gone = frozenset(test.said.name for test in draft.failing if not test.is_required)
        needed = gone or not any(test.is_required for test in draft.tests)
        if not needed:
            self._note("tests anew", "not done: words of the task require each test that fails")
            return
        written = self._write(ReplyPart.TESTS, draft.implementation)
        if written is None:
            return
        kept = without_tests(draft.test_files, gone)
        known = [test for test in draft.tests if test.said.name not in gone]
        again = replace(self._tested(draft.implementation, beside(kept, written), known), patches=draft.patches)
        if self._keep(self._patched(again), "tests anew"):
            self.replaced += sorted(gone)

    def _implementation_anew(self, draft: Draft) -> None:
        """The implementation is written anew where a required test fails; its public names and signatures stay."""
        if not draft.open[1]:
            return
        written = self._write(ReplyPart.IMPLEMENTATION, draft.implementation, _failures(draft), keep=True)
        if written is not None:
            again = self._run(replace(draft, implementation=written, patches=()))
            self._keep(self._patched(again), "implementation anew")

    def _both_anew(self, draft: Draft) -> None:
        """Both parts are written anew, the last resort: only a draft counts whose tests quote all that was quoted."""
        if not (draft.open[0] or draft.open[1]):
            return
        implementation = self._write(ReplyPart.IMPLEMENTATION, (), _failures(draft))
        tests = self._write(ReplyPart.TESTS, implementation) if implementation is not None else None
        if implementation is None or tests is None:
            return
        again = self._collected(implementation, tests)
        if again is None or again.errors:
            return
        lost = sorted(draft.quotes - again.quotes)
        if lost:
            self._note("both anew", f'refused: no required test quotes "{_short(lost[0])}" any more')
            return
        gone = [test.said.name for test in draft.failing if test.is_required]
        if self._keep(self._patched(again), "both anew", fresh=True):
            self.replaced += gone

    def _keep(self, draft: Draft, what: str, *, fresh: bool = False) -> bool:
        """Whether the draft is the best so far. Unless all is ``fresh``, no test that passed may be lost to it."""
        before = self.best
        if before is None or draft is before:
            return False
        lost = before.passing - draft.passing if not fresh else frozenset()
        better = not lost and draft.open < before.open
        if better:
            self.best = draft
        why = f"breaks {list_names(sorted(lost), 'test')}" if lost else "no fewer tests fail"
        self._note(what, "kept" if better else f"not kept: {why}")
        return better

    def _refuse_late(self) -> None:
        if self.left() < LEAST_SECONDS:
            raise StepsEnd("the time was over")

    def _note(self, what: str, came: str) -> None:
        left = self.left()
        self.steps.append(MadeStep(what, came, round(self._left - left, 3)))
        self._left = left


def _keep_heads(written: WrittenFiles, heads: tuple[str, ...]) -> WrittenFiles | Unwritten:
    """What was written, where it has all of these public names and signatures."""
    lost = [head for head in heads if head not in heads_of(written.implementation)]
    return Unwritten("signature", f"others rely on {lost[0]}, which is gone") if lost else written


def _failures(draft: Draft) -> str:
    """The required tests that fail, with what they quote and what is seen."""
    told = [
        f"{' / '.join(quote for _, quote in test.said.quotes)}: {_short(test.message)}"
        for test in draft.failing
        if test.said.standing is SaidBy.REQUIRED
    ]
    return "\n".join(told[:_MOST_FAILURES])


def _short(text: str) -> str:
    line = flat(text)
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[:_LONGEST_MESSAGE]}…"
