"""What the command line and an embedding host call: one function a command, a result each.

What a run works with takes most of a second to load. It is loaded inside these functions, after the first word on what
is done. So whoever asks about nothing never waits for it, and everybody else sees at once what is under way.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import UnparseableError, UsageError
from analysis.facts import Files, TestId
from analysis.failure import find_code_fence
from repair.front.changes import answer_unchanged, change_asked_about, is_in_place, reader
from repair.front.earlier_answers import add_earlier_answers, keep_given_answers
from repair.front.grounds import recall
from repair.front.opening import Place, open_place
from repair.records.change import Change, program_layer
from repair.records.config import SECOND_MAX_REQUESTS, Options, refuse_changed_settings
from repair.records.events import Listener, phase
from repair.records.result import Result, Status
from repair.store.git import is_ancestor, is_known
from repair.store.run_lock import hold_run
from repair.store.stored_run import StoredRun
from repair.trials.run_time import RunTime

if TYPE_CHECKING:
    from analysis.priority import Priority
    from repair.front.asked_runs import AskedRun
    from repair.front.composition import RunContext
    from repair.records.grown import GrownReport, GrowRequest
    from repair.records.healed import HealReport, HealRequest
    from repair.records.made import MadeReport, MakeRequest
    from repair.records.outcome import Cause, RunOutcome
    from repair.records.specified import FactsReport, SpecReport, SpecRequest, TraceReport
    from repair.records.tests_report import TestsReport
    from repair.store.store import RunStore


def fix(
    tests: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> Result:
    """Mend one function so that the failing tests pass; changes no file of the project.

    The time of this run, as of each below, counts from the call, or as ``timing`` says. Where the answer was recorded,
    and nothing that it rests on has changed, it is given again.
    """
    timing = timing or RunTime(time.monotonic())
    _say_what_is_opened(options, listen)
    with open_place(options, env) as place:
        given, options = options, add_earlier_answers(options, tests, place, listen)
        recorded, grounds = recall("fix", tests, None, options, place, env, timing)
        if recorded is not None:
            return recorded
        with _load_run()(options, listen, env, timing, place, grounds) as context:
            wanted = context.task(tests).tests
            context.keep_asked("fix", wanted)
            result = context.finish(context.in_time(lambda: _mend(context, wanted)))
        return _keep_answers(given, result, place)


def _keep_answers(options: Options, result: Result, place: Place) -> Result:
    """The result, once the answers that were given are kept for later runs; where they cannot be, it says so."""
    said = keep_given_answers(options, result, place)
    return replace(result, warnings=(*result.warnings, said)) if said else result


def _mend(context: RunContext, tests: Sequence[str]) -> RunOutcome:
    """The failing tests mended, a person's answers among them."""
    task = context.task(tests)
    answered = context.add_answers(context.sandbox, task.tests)
    named = tuple(dict.fromkeys((*task.tests, *answered.demanded))) if task.tests else ()
    return context.engine(answered.sandbox, answers=answered.ids).fix(replace(task, tests=named))


def show_packet(
    tests: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> tuple[str, Result]:
    """What a model would be told of the failing tests, and nothing is asked; empty where there is nothing to mend.

    More than the first packet is told where the options ask for more words.
    """
    from repair.front.run_memories import neighbour_for_model
    from repair.model.packet import PacketKeeper

    alone = replace(options, proposers=("search",), model="", agent="")
    with _open(alone, listen, env, timing) as context:
        neighbour = neighbour_for_model(options, context.store, context.remembered, context.listen)
        keeper = PacketKeeper(all_stages=options.verbosity > 0, neighbour=neighbour)
        engine = context.engine(context.sandbox)
        engine = replace(engine, search=replace(engine.search, proposers=(keeper,)))
        result = context.finish(context.in_time(lambda: engine.fix(context.task(tests))), has_tried=False)
    return "\n\n".join(packet.to_text() for packet in keeper.packets), result


def fix_by_tests(
    tests: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], *, at_random: bool = False
) -> Result:
    """What a repair that trusts its tests would answer, for comparisons only: at most ``plausible``.

    Of the candidates that pass all tests the most promising comes first, or with ``at_random`` one drawn by the seed.
    """
    from repair.engine.engine import UNJUDGED, trust_tests

    with _open(options, listen, env) as context:
        engine = trust_tests(context.engine(context.sandbox), options.seed if at_random else None)
        ending = context.in_time(lambda: engine.fix(context.task(tests)))
        return context.finish(replace(ending, warnings=(*ending.warnings, UNJUDGED)))


def explain(
    tests: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> Result:
    """Diagnose the failing tests: class, constraints, suspects, and the plan that a fix would be held to."""
    with _open(options, listen, env, timing) as context:
        engine = context.engine(context.sandbox)
        return context.finish(context.in_time(lambda: engine.explain(context.task(tests))))


def check(
    patch: bytes | None,
    since: str | None,
    tests: Sequence[str],
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    timing: RunTime | None = None,
) -> Result:
    """Judge a change from anywhere: a unified diff, or what the working tree changed since a revision.

    A change of nothing is answered without a run; so is one whose verdict was recorded on the same grounds.
    """
    timing = timing or RunTime(time.monotonic())
    options = replace(options, max_requests=options.max_requests or SECOND_MAX_REQUESTS)
    _say_what_is_opened(options, listen)
    root, read = Path(options.root), reader(Path(options.root))
    change = change_asked_about(root, patch, since)
    unchanged = answer_unchanged(options.root, change, since)
    if unchanged is not None:
        return unchanged
    with open_place(options, env) as place:
        given, options = options, add_earlier_answers(options, tests, place, listen, change)
        recorded, grounds = recall("check", tests, change, options, place, env, timing)
        if recorded is not None:
            return recorded
        with _load_run()(options, listen, env, timing, place, grounds) as context:
            _admit_change(context, change, since, read)
            wanted = context.task(tests).tests
            context.keep_asked("check", wanted, change, since)
            result = _finish_check(context, change, wanted, read)
        return _keep_answers(given, result, place)


def _admit_change(context: RunContext, change: Change, since: str | None, read: Callable[[str], bytes | None]) -> None:
    """Raise where code from elsewhere would run unconfined, or the change cannot be judged."""
    root = Path(context.options.root)
    if since is None and not (is_in_place(change, read) and is_known(root, change.before)):
        context.refuse_stranger("A patch from elsewhere")
    if since is not None and not is_ancestor(root, since):
        context.refuse_stranger(f"The program of {since}, which is no ancestor of this commit,")
    _refuse_unsafe(change)
    refuse_changed_settings(change.before, change.after, read)


def _finish_check(
    context: RunContext, change: Change, tests: Sequence[TestId], read: Callable[[str], bytes | None]
) -> Result:
    """The change judged, and the run written down."""
    ending = context.in_time(lambda: _judge_change(context, change, tests, context.options.seed))
    return context.finish(replace(ending, in_place=is_in_place(change, read)))


def resume(
    run: StoredRun,
    asked: AskedRun,
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    timing: RunTime | None = None,
) -> Result:
    """Do again what a run was asked that did not come to its end, as a new run that names it.

    What its model has replied is not asked again, and outcomes of trials are remembered. So it comes quickly to where
    that one was ended. ``asked`` is what the run was asked, with these ``options``.
    """
    from repair.front.asked_runs import refuse_other_tree
    from repair.front.model_runs import replies_so_far, tell_resumed

    timing = timing or RunTime(time.monotonic())
    _say_what_is_opened(options, listen)
    replies, read = replies_so_far(run, asked), reader(Path(options.root))
    with hold_run(run.path), open_place(options, env) as place:
        refuse_other_tree(run, place.sandbox.snapshot)
        with _load_run()(options, listen, env, timing, place, recorded=replies, resumed_from=run.id) as context:
            if asked.change is not None:
                _admit_change(context, asked.change, asked.since, read)
            context.keep_asked(asked.command, asked.tests, asked.change, asked.since)
            if asked.change is None:
                result = context.finish(context.in_time(lambda: _mend(context, asked.tests)))
            else:
                result = _finish_check(context, asked.change, asked.tests, read)
            return tell_resumed(result, run, replies)


def replay(
    run: StoredRun,
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    timing: RunTime | None = None,
    cause: int = 0,
) -> Result:
    """Prove a run's certificate again, without a model.

    Of several causes all are proved; with a ``cause`` its own, and those that it stands on.
    """
    from repair.engine.combining import combine_causes, stack_proved
    from repair.front.trust import is_ours, was_searched
    from repair.store.certificate import certified_change, layer_of, restore_options

    certificates = _certificates(run, cause)
    first = restore_options(certificates[0], options, is_foreign=run.is_foreign)
    first = replace(first, model="", agent="", proposers=("search",))  # nobody is asked, whatever is set elsewhere
    with _open(first, listen, env, timing) as context:
        read = reader(Path(context.target.root))
        foreign = run.is_foreign
        layers = [layer_of(written, read, run.content, is_foreign=foreign) for written in certificates]
        changes = [certified_change(written, read, run.content, is_foreign=foreign) for written in certificates]
        recorded = None if foreign else run.result()
        searched = [was_searched(recorded, str(written.get("digest", ""))) for written in certificates]
        if not (_is_programs_own(run, changes, Path(context.target.root)) or is_ours(recorded)):
            context.refuse_stranger("A recorded patch of a model or from elsewhere")
        for change in changes:
            _refuse_unsafe(change)

        def prove() -> RunOutcome:
            parts = zip(certificates, changes, layers, searched, strict=True)
            proved = [_prove(context, *part) for part in parts]
            stacks, beside = stack_proved(proved, read)
            return combine_causes(proved, stacks, said=beside)

        return context.finish(context.in_time(prove))


def replay_model(
    run: StoredRun, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> Result:
    """Mend or judge once more with the replies that a recorded run got from its model: nobody is asked, by no network.

    The result says which questions were byte for byte as recorded, and whether the patch is.
    """
    from repair.front.model_runs import asked_again, tell_replayed

    timing = timing or RunTime(time.monotonic())
    _say_what_is_opened(options, listen)
    asked, replies = asked_again(run, options)
    then, tests, change = asked.options, asked.tests, asked.change
    with _load_run()(then, listen, env, timing, recorded=replies) as context:
        context.keep_asked(asked.command, tests, change, asked.since)

        def again() -> RunOutcome:
            return _mend(context, tests) if change is None else _judge_change(context, change, tests, then.seed)

        result = context.finish(context.in_time(again))
        return tell_replayed(result, run.result(), run, replies)


def _certificates(run: StoredRun, cause: int) -> tuple[Mapping[str, Any], ...]:
    """All of the run's; with a cause those of the patches that its own stands on, and then its own."""
    from repair.store.certificate import numbers_of

    own = run.certificate(cause) if cause else None
    numbers = (*(numbers_of(own)[1] if own is not None else ()), cause)
    found = [run.certificate(number) for number in numbers] if cause else run.certificates()
    missing = [number for number, each in zip(numbers, found, strict=False) if each is None]
    if missing or not found:
        which = f" for cause {missing[0]}" if missing else ""
        raise UsageError(
            f"Run {run.id} holds no certificate{which}", remedy="Only runs that judged a patch can be replayed."
        )
    return tuple(found)


def _is_programs_own(run: StoredRun, changes: Sequence[Change], root: Path) -> bool:
    """Whether the project holds what is replayed. What a foreign record says of the program before, git has to know."""
    known = not run.is_foreign or all(is_known(root, change.before) for change in changes)
    return known and all(is_in_place(change, reader(root)) for change in changes)


def _prove(context: RunContext, written: Mapping[str, Any], change: Change, layer: Files, is_searched: bool) -> Cause:
    """How the judging of a certificate's change ends now, on the program of the patches that it stands on."""
    from repair.records.outcome import Cause
    from repair.store.certificate import compare_verdicts, numbers_of, seed_of, tell_differences, tests_of

    wanted, seed = tests_of(written), seed_of(written)
    ending = _judge_change(context, change, wanted, seed, layer, is_searched=is_searched)
    if ending.status is not Status.UNREPAIRED:  # else it is no word of a judge: its time was up
        status, message = compare_verdicts(written, ending.status)
        ending = replace(
            ending, status=status, messages=(*ending.messages, message, *tell_differences(written, ending.judged))
        )
    number, under = numbers_of(written)
    return Cause(number, wanted, ending, under, base=layer)


def _open(
    options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> AbstractContextManager[RunContext]:
    """The run, opened after the first word on it."""
    timing = timing or RunTime(time.monotonic())
    _say_what_is_opened(options, listen)
    return _load_run()(options, listen, env, timing)


def _load_run() -> Callable[..., AbstractContextManager[RunContext]]:
    """What opens a run, with all that it loads."""
    from repair.front.composition import open_run

    return open_run


def _say_what_is_opened(options: Options, listen: Listener) -> None:
    listen(phase("opening", f"looking at the project in {options.root}"))


def _judge_change(
    context: RunContext,
    change: Change,
    tests: Sequence[TestId],
    seed: int,
    layer: Files = (),
    *,
    is_searched: bool = False,
) -> RunOutcome:
    """The change judged against the program without it, a person's answers among the tests of both.

    That program has the files of ``layer`` laid under the change. A search of ours found one that ``is_searched``.
    """
    from repair.engine.checking import CHANGE, Checker
    from repair.trials.layered import LayeredSandbox, lay_over
    from transforms.tree.proposal import Origin

    laid = LayeredSandbox(context.sandbox, lay_over(layer, program_layer(change)))
    answered = context.add_answers(laid, tests)
    engine = context.engine(answered.sandbox, change, answers=answered.ids)
    origin = Origin("search", "replayed") if is_searched else CHANGE
    return Checker(engine, change, answered.demanded, origin=origin).check(tests, seed)


def tests(
    paths: Sequence[str],
    options: Options,
    listen: Listener,
    env: Mapping[str, str],
    timing: RunTime | None = None,  # noqa: PT028 - no test, but a command
) -> TestsReport:
    """How good the project's tests are; ``paths`` restrict what is told. Writes nothing."""
    _say_what_is_opened(options, listen)
    from repair.survey.survey import survey

    return survey(paths, options, listen, env, timing)


def grow(
    asked: GrowRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> GrownReport:
    """Tests that close what the project's tests leave open. Writes new files only, where a folder is named."""
    _say_what_is_opened(options, listen)
    from repair.survey.growing.growth import grow as grow_tests

    return grow_tests(asked, options, listen, env, timing)


def heal(
    asked: HealRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> HealReport:
    """What became of generated tests. Writes their own files only, where that is asked for."""
    _say_what_is_opened(options, listen)
    from repair.survey.healing.healing import heal as heal_tests

    return heal_tests(asked, options, listen, env, timing)


def scan_facts(
    asked: SpecRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> FactsReport:
    """What the project states of itself, with sources; kept for the next scan. None of its code runs, unless asked."""
    _say_what_is_opened(options, listen)
    from repair.survey.specified.scanning import scan

    return scan(asked, options, listen, env, timing)


def check_facts(
    asked: SpecRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> SpecReport:
    """Where what is stated contradicts itself, the program or the tests. Writes nothing in the project."""
    _say_what_is_opened(options, listen)
    from repair.survey.specified.spec_check import check_facts as check_what_is_stated

    return check_what_is_stated(asked, options, listen, env, timing)


def trace_requirements(
    asked: SpecRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> TraceReport:
    """Which tests are for which requirements, each link proved by a killed mutant or only claimed."""
    _say_what_is_opened(options, listen)
    from repair.survey.specified.spec_trace import trace

    return trace(asked, options, listen, env, timing)


def make(
    asked: MakeRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> MadeReport:
    """A program and its tests from the text of a task, in a new folder. Nothing of it is certified."""
    listen(phase("opening", f"making {asked.out} of {asked.name}"))
    from repair.survey.making.making import make as make_program

    return make_program(asked, options, listen, env, timing or RunTime(time.monotonic()), fix)


def _refuse_unsafe(change: Change) -> None:
    """Raise where a changed Python file cannot be parsed safely: nothing in it could be judged."""
    from repair.observe.parsing import check_sources

    python = [(path, content) for path, content in (*change.before, *change.after) if path.endswith(".py")]
    problems = check_sources(python)
    if problems:
        first = problems[0]
        texts = [content for path, content in (*change.after, *change.before) if path == first.path]
        fences = (find_code_fence(first.path, text) for text in texts if "`" in first.detail)
        fence = next(filter(None, fences), "")
        said = f"{first.detail}{fence}"
        raise UnparseableError(f"{first.path} cannot be parsed: {said}", remedy="Mend the syntax first.")


def priorities(stored: StoredRun, store: RunStore, result: Result) -> tuple[tuple[Priority, ...], str]:
    """What deserves a test in the project as this run saw it, most of all first, or why nobody knows.

    The record of a stranger asks for no look at a project.
    """
    from repair.store.line_maps import LineMaps
    from repair.survey.project_priorities import find_priorities

    if stored.is_foreign:
        return (), "the run is foreign"
    changed = {each.path: each.before for patch in result.patches for each in patch.files if each.before}
    before = []
    for path, digest in sorted(changed.items()):
        with contextlib.suppress(UsageError):  # then the project's own text counts
            before.append((path, stored.content(digest)))
    failing = frozenset(each.test for each in (*result.failures, *result.set_aside))
    maps = LineMaps(store.directory, store.seals, str(store.root))
    found = find_priorities(str(store.root), maps, failing, tuple(before))
    return found.found, found.gap
