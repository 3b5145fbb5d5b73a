"""What people said in earlier runs: answers, which are laid under a run, and rejections, which are told in one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.errors import RepairError, UsageError
from repair.compare.answers import PersonsAnswer, answer_file, read_answer
from repair.front.opening import Place
from repair.memory.kept_answers import (
    MOST_RUNS,
    KeptAnswer,
    KeptRejection,
    find_answers,
    fingerprint_of,
    keep_answers,
    keep_rejections,
    read_answers,
    read_rejections,
)
from repair.records.change import Change
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.records.result import Result
from repair.store.state import KEY_FILE
from repair.store.store import RunStore, open_store


def add_earlier_answers(
    options: Options, tests: Sequence[str], place: Place, listen: Listener, change: Change | None = None
) -> Options:
    """The options with the answers of earlier runs that hold still, behind those that are given now.

    They count as these do, so that a certificate lists them. A change meets those about files that it changes. Where a
    function has another text by now, its answer is told alone, so that it can be given again.
    """
    if not options.old_answers:
        return options
    try:
        store = open_store(place.target.root, options.state_dir)
    except (RepairError, OSError):  # whoever records the run says so
        return options
    kept = read_answers(store.directory, store.key)
    if change is not None:
        changed = {path for path, _ in (*change.before, *change.after)}
        kept = tuple(each for each in kept if each.file in changed)
    snapshot = place.sandbox.snapshot
    found = find_answers(kept, lambda path: snapshot.read([path]).get(path), tests, options.function)
    given = [read_answer(text) for text in options.answers]
    calls = {each.call for each in given}
    holding = [each.text for each in found.holding if each.call not in calls and _can_be_laid(each.text, place, tests)]
    if holding:
        said = (
            f"laid under this run, as people said it in earlier ones (--no-answers leaves it out): {'; '.join(holding)}"
        )
        listen(event("warning", message=said))
    for each in (each for each in found.outdated if each.call not in calls):
        asked = (
            f"{each.function} has changed since somebody said `{each.text}`: if that holds still, give it with --answer"
        )
        listen(event("warning", message=asked))
    return replace(options, answers=(*options.answers, *holding)) if holding else options


def _can_be_laid(text: str, place: Place, tests: Sequence[str]) -> bool:
    """Whether the program still has what the answer names."""
    try:
        answer_file([read_answer(text)], place.sandbox.sources(), tests)
    except UsageError:
        return False
    return True


def keep_given_answers(options: Options, result: Result, place: Place) -> str:
    """Keep what people said in this run for later ones; a sentence where that fails, else nothing.

    ``options`` hold the answers that were given now, without those of earlier runs. One that names no function of this
    run is not kept.
    """
    patched = [(each.file, each.function) for each in result.patches]
    functions = [*patched, *((each.file, each.function) for each in result.suspects)]
    if not options.answers or not result.run or not functions:
        return ""
    snapshot, tests = place.sandbox.snapshot, tuple(failure.test for failure in result.failures)
    made = []
    for answer in map(read_answer, options.answers):
        about = _find_named(answer, functions)
        if about is None:  # nobody knows whose text it hangs on
            continue
        file, function = about
        mark = fingerprint_of(snapshot.read([file]).get(file), function)
        told = (answer.call, str(answer), file, function, mark, tests, options.answered_by, result.run)
        made += [KeptAnswer(*told)] if mark else []
    try:
        store = open_store(place.target.root, options.state_dir)
        if not store.is_kept:
            return (
                f"the answers are not kept for later runs: your key ({KEY_FILE} in your state directory) cannot be kept"
            )
        keep_answers(Path(store.directory), store.key, made)
    except (RepairError, OSError) as problem:
        return f"the answers are not kept for later runs: {problem}"
    return ""


def _find_named(answer: PersonsAnswer, functions: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """The function of the run that the answer's call names, if any."""
    words = set(re.findall(r"\w+", answer.call))
    return next((each for each in functions if each[1].rpartition(".")[2] in words), None)


def rejected_before(options: Options, store: RunStore, *, is_asked: bool) -> tuple[KeptRejection, ...]:
    """What people rejected in earlier runs of the project, those of deleted runs among them; nothing where it is off.

    It is told to people and to models, and changes no word of a run.
    """
    if not is_asked or options.memory == "off":
        return ()
    try:
        return keep_rejections(store.directory, store.key, store.stored_runs()[:MOST_RUNS])
    except (OSError, RepairError):  # a full disk: what was kept before is told all the same
        return read_rejections(store.directory, store.key)


def add_rejections(
    earlier: Mapping[str, Sequence[str]], rejected: Sequence[KeptRejection]
) -> Mapping[str, Sequence[str]]:
    """What models are told of earlier attempts, by test, with what people rejected of patches for these tests."""
    found = {test: tuple(lines) for test, lines in earlier.items()}
    for each in rejected:
        for test in each.tests:
            found[test] = (*found.get(test, ()), each.claim)
    return found


def warn_of_rejected(result: Result, rejected: Sequence[KeptRejection]) -> tuple[str, ...]:
    """A sentence for each patch of the result that a person has rejected before, byte for byte."""
    digests = {each.digest for each in result.patches if each.digest}
    return tuple(
        f"{each.function}: this very patch was rejected{f' by {each.by}' if each.by else ''} in run {each.run}"
        f"{f': {each.note}' if each.note else ''}"
        for each in rejected
        if each.digest in digests
    )
