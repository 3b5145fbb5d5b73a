"""What a person can do with the patches of a run, whatever it is shown on: one at a time, each deed with its sentence.

Nothing is written into the project but by ``apply``. Each deed is recorded before its effect is: whoever is killed
between the two finds the decision, and the project as it was. Deeds that need a judge give what to ask the engine.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import ConflictError, UsageError
from repair.agents.jobs import RunRequest, run_to_end
from repair.commands.review.brief import expert_brief
from repair.records.events import Event
from repair.records.result import PatchView, Result, Status
from repair.records.wording import count_noun
from repair.show.lines import Line, clean
from repair.show.patch_lines import asked_first
from repair.show.screen import screen_lines
from repair.show.whole import whole_lines
from repair.store.apply import apply_run
from repair.store.atomic import replace_file
from repair.store.decisions import (
    ANOTHER,
    APPROVED,
    EDITED,
    HANDED_ON,
    REJECTED,
    PersonsDecision,
    decide,
    decisions_of,
    needs_approval,
)
from repair.store.journal import safe_path
from repair.store.rested import rest_question
from repair.store.store import RunStore
from repair.store.stored_run import StoredRun
from transforms.patch.diff import as_bytes, unified_diff

BY_REVIEW = "review"
"""The way of an answer that was given in a review."""

BRIEF = "brief.md"
"""What the brief for an expert is called, beside the record of its run."""

MINE, OTHER = "mine", "other"
"""The two readings of a question: this patch is right, or the other program."""


@dataclass(frozen=True, slots=True)
class EngineQuestion:
    """What the engine is asked next, and ``why``, for people.

    ``of_edit`` says that the answer is about a patch that a person has edited.
    """

    request: RunRequest
    why: str
    of_edit: bool = False


class Review:
    """The review of one run at a time; another run takes its place where a patch is judged again.

    ``way`` says whether somebody sits at a terminal (see ``repair.store.decisions``).
    """

    def __init__(
        self,
        store: RunStore,
        run: StoredRun,
        root: Path,
        env: Mapping[str, str],
        *,
        way: str,
        state_dir: str = "",
        require_approval: bool = False,
    ) -> None:
        if run.is_foreign:
            raise UsageError(
                f"Run {run.id} is foreign: your repair did not record it", remedy=f"`repair replay {run.id}` proves it."
            )
        self._store, self._root, self._env, self._way = store, root, env, way
        self._state_dir, self._require = state_dir, require_approval
        self._seen: set[str] = set()
        self._take(run)

    def _take(self, run: StoredRun) -> None:
        self.run, self.result = run, run.ended_result()
        self.patches = tuple(sorted(self.result.patches, key=lambda patch: (patch.cause, patch.rank)))
        self.position = 0

    @property
    def patch(self) -> PatchView | None:
        """The patch that is looked at; ``None`` where the run has none."""
        return self.patches[self.position] if self.patches else None

    def move(self, steps: int) -> None:
        """Look at the patch so many places further on, or before; at an end it stays."""
        self.position = max(0, min(len(self.patches) - 1, self.position + steps))

    def heading(self) -> str:
        """Which run and patch this is, and what was decided of it."""
        count = f"patch {self.position + 1} of {len(self.patches)}" if self.patches else "no patch"
        words = [*self._last_decision()]
        words += ["applied"] if self.run.is_applied else []
        words += ["approval is required here"] if self._is_held() else []
        return "; ".join((f"run {self.run.id}", count, *words))

    def _last_decision(self) -> Iterator[str]:
        try:
            said = [each for each in decisions_of(self.run) if self.patch and self.patch.digest in each.patches]
        except UsageError as problem:  # who reviews reads the patch all the same
            yield f"what was decided cannot be read: {problem}"
            return
        if said:
            yield f"{said[-1].said.replace('_', ' ')} by {said[-1].by or 'somebody'}"

    def _is_held(self) -> bool:
        return needs_approval(self.result, self._root, is_set=self._require)

    def lines(self, width: int, *, whole: bool = False) -> Iterator[Line]:
        """The patch that is looked at as one screen, or with all that is known; safe for a terminal."""
        shown = Result.from_json(clean(self._alone().to_json()))
        return iter(whole_lines(shown, 1, 0)) if whole else screen_lines(shown, 0, width)

    def _alone(self) -> Result:
        """The run as if the patch that is looked at were its only one."""
        patch = self.patch
        if patch is None:
            return self.result
        single = replace(patch, rank=1)
        tests = {test for cause in self.result.causes if cause.number == patch.cause for test in cause.tests}
        failures = tuple(each for each in self.result.failures if not tests or each.test in tests)
        bare = replace(self.result, patches=(single,), failures=failures, causes=(), stacks=(), messages=())
        return replace(bare, status=patch.status, next_action="", run="")

    def list_lines(self) -> tuple[str, ...]:
        """One line for each patch of the run."""
        return tuple(
            str(clean(f"{number:>3}  {patch.status}  {patch.file}:{patch.line} {patch.function}  {_risk(patch)}"))
            for number, patch in enumerate(self.patches, 1)
        )

    def do(self, key: str, text: str = "") -> str | EngineQuestion | None:
        """The deed of a key of ``repair.commands.review.keys``; ``None`` for a key that only shows something."""
        match key:
            case "a" | "c":
                return self.apply(commit=key == "c")
            case "r":
                return self.reject(text)
            case "h":
                return self.hand_on(text)
            case "n":
                return self.another()
            case "1" | "2":
                return self.answer(MINE if key == "1" else OTHER)
        return None

    def approve(self, note: str = "") -> str:
        """The patch is right."""
        self._decide(APPROVED, note)
        return f"Approved (run {self.run.id})"

    def apply(self, *, commit: bool = False) -> str:
        """The patch is right, and is written into the project."""
        patch = self._patch()
        if patch.status is Status.REJECTED:
            raise UsageError("A rejected patch is not written", remedy="Edit it (e), or look for another one (n).")
        self._decide(APPROVED, "")
        applied = apply_run(
            self._store,
            self.run,
            self._root,
            patch.rank,
            cause=patch.cause if len(self.result.causes) > 1 else 0,
            commit=commit,
            require_approval=self._require,
        )
        done = f"Committed as {applied.commit[:12]}" if applied.commit else "Applied"
        said = " ".join(applied.warnings)
        return f"{done}: {', '.join(applied.files)}. `repair undo {applied.run}` takes it out. {said}".rstrip()

    def reject(self, reason: str) -> str:
        """The patch is wrong; the reason is kept for whoever learns from it."""
        if not reason.strip():
            raise UsageError("It is not said why the patch is wrong", remedy="Give a reason.")
        self._decide(REJECTED, reason.strip())
        return f"Rejected (run {self.run.id}): {reason.strip()}"

    def rest(self, reason: str) -> str:
        """The question that the run asks is not asked again in this project."""
        rest_question(self._store.directory, self.run, reason)
        return f"Rested (run {self.run.id})"

    def hand_on(self, to: str = "") -> str:
        """Write down all that an expert needs to go on, and say where it lies."""
        decide(self._store, self.run, PersonsDecision(HANDED_ON, self._digests(), to.strip(), way=self._way))
        text = expert_brief(self.result, self.patch, decisions_of(self.run))
        replace_file(self.run.path / BRIEF, text.encode("utf-8", "replace"))
        return f"Handed on{f' to {to.strip()}' if to.strip() else ''}: {self.run.path / BRIEF}"

    def another(self) -> str | EngineQuestion:
        """Another patch than this one: the next of the run that nobody has sent back, or what to ask the engine."""
        patch = self._patch()
        self._decide(ANOTHER, "")
        self._seen.add(patch.digest)
        left = [number for number, each in enumerate(self.patches) if each.digest not in self._seen]
        if left:
            self.position = next((number for number in left if number > self.position), left[0])
            return f"Patch {self.position + 1} of {len(self.patches)}"
        tests = tuple(failure.test for failure in self.result.failures)
        if not tests:
            raise UsageError("No failing test asks for this change, so there is no other one", remedy="Edit it (e).")
        options = {"alternatives": len(self._seen) + 2, "seed": self.result.seed + 1, "no_cache": True}
        return self._question("fix", tests, "Looking for another patch", options)

    def answer(self, reading: str) -> EngineQuestion:
        """What judges the patch again with a person's answer to its question."""
        asked = asked_first(self._patch())
        text = "" if asked is None else asked[0].answer if reading == MINE else asked[0].otherwise
        if not text:
            raise UsageError("There is no question that one word answers", remedy="Reject or edit the patch.")
        answers = (*self.result.answers, text)
        tests = tuple(failure.test for failure in self.result.failures)
        why = f"Judging again with {text}"
        options = {"answer": answers, "answered_by": BY_REVIEW}
        if self._is_searched():
            return self._question("fix", tests, why, options)
        return self._question("check", ("-", *tests), why, options, self._diff({}))

    @contextmanager
    def editing(self) -> Iterator[tuple[Path, ...]]:
        """The patched files as copies outside of the project, for an editor; they go when the block ends."""
        patch = self._patch()
        if not patch.files or not all(file.before and file.after for file in patch.files):
            raise UsageError("The run holds no whole files of this patch", remedy="Edit the diff by hand.")
        with tempfile.TemporaryDirectory(prefix="repair-review-") as folder:
            copies = []
            for file in patch.files:
                safe_path(self._root, file.path)
                copy = Path(folder) / file.path
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(self.run.content(file.after))
                copies.append(copy)
            yield tuple(copies)

    def edited(self, copies: Sequence[Path]) -> EngineQuestion | None:
        """What judges the files as they were left by the editor; ``None`` where nothing was changed."""
        patch = self._patch()
        texts = {file.path: copy.read_bytes() for file, copy in zip(patch.files, copies, strict=True)}
        if all(self.run.content(file.after) == texts[file.path] for file in patch.files):
            return None
        diff = self._diff(texts)
        if not diff:
            raise UsageError("Nothing is left of the change", remedy="Reject the patch (r), if that is meant.")
        tests = tuple(failure.test for failure in self.result.failures)
        return replace(self._question("check", ("-", *tests), "Judging the edited patch", {}, diff), of_edit=True)

    def ask(
        self, question: EngineQuestion, listen: Callable[[Event], None], cancelled: threading.Event | None = None
    ) -> str:
        """Ask the engine and look at its run from now on; what it came to, in a sentence. It takes its time."""
        result = run_to_end(question.request, self._env, listen, cancelled)
        if not result.run:
            return f"{result.status}: {' '.join(result.messages)}"
        judged = self._store.load_run(result.run)
        if question.of_edit:
            self._decide(EDITED, judged.id)
        if not result.patches:
            return f"{result.status} (run {judged.id}): {' '.join(result.messages[:1])}"
        self._take(judged)
        fresh = [number for number, patch in enumerate(self.patches) if patch.digest not in self._seen]
        if question.request.command == "fix" and not fresh:
            return f"No other patch was found (run {judged.id})"
        self.position = fresh[0] if fresh else 0
        return f"{result.status} (run {judged.id}): {count_noun(len(self.patches), 'patch', 'patches')}"

    def _question(
        self, command: str, words: tuple[str, ...], why: str, options: Mapping[str, Any], stdin: bytes = b""
    ) -> EngineQuestion:
        kept = {"state_dir": self._state_dir} if self._state_dir else {}
        return EngineQuestion(RunRequest(command, self._root, words, stdin, {**kept, **options}), why)

    def _is_searched(self) -> bool:
        return self._patch().proposer != "foreign"

    def _diff(self, texts: Mapping[str, bytes]) -> bytes:
        """The change from the program before to these texts, else to the patch's own, as a unified diff."""
        parts = []
        for file in self._patch().files:
            before = self._before(file.path, file.before)
            after = texts[file.path] if file.path in texts else self.run.content(file.after)
            parts.append(unified_diff(file.path, before, after))
        return as_bytes("".join(parts))

    def _before(self, path: str, digest: str) -> bytes:
        try:
            return self.run.content(digest)
        except UsageError:  # the run keeps what it would write; the text before stands in the project
            return safe_path(self._root, path).read_bytes()

    def _patch(self) -> PatchView:
        if self.patch is None:
            raise UsageError(f"Run {self.run.id} has no patch", remedy="Hand it on (h), or look at another run.")
        return self.patch

    def _digests(self) -> tuple[str, ...]:
        """What a decision is about: the patch, or for a checked change all its functions."""
        patch = self.patch
        if patch is None:
            return ()
        alike = [each.digest for each in self.patches if each.cause == patch.cause and each.rank == patch.rank]
        return tuple(dict.fromkeys(alike))

    def _decide(self, said: str, note: str) -> None:
        self._patch()
        decide(self._store, self.run, PersonsDecision(said, self._digests(), note, way=self._way))


def open_editor(copies: Sequence[Path], env: Mapping[str, str]) -> None:
    """Let the user's own editor have the files, and wait for it; raises ``UsageError`` where that does not work."""
    command = env.get("VISUAL") or env.get("EDITOR") or "vi"
    try:
        ended = subprocess.run([*shlex.split(command), *map(str, copies)], env=dict(env), check=False).returncode
    except (OSError, ValueError) as problem:
        raise UsageError(f"The editor {command!r} cannot be started: {problem}", remedy="Set EDITOR.") from problem
    if ended:
        raise ConflictError(f"The editor ended with {ended}, so nothing was judged", remedy="Edit again (e).")


def _risk(patch: PatchView) -> str:
    return f"risk {patch.risk.value:.1%}".replace("%", " %") if patch.risk is not None else ""
