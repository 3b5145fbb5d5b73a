"""``repair tests grow``: the suite is observed once, functions are grown one by one, and each new file is verified."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from analysis.errors import OutOfTimeError, UsageError
from analysis.facts import Files
from analysis.mutation_score import MutationScore
from analysis.quality.vouching import VouchedFunction
from repair.compare.answers import module_of
from repair.front.input_proposer import input_proposer_of
from repair.front.opening import versions_of
from repair.records.config import Options
from repair.records.events import Listener, phase
from repair.records.grown import Contradiction, GrownFunction, GrownReport, GrownTest, GrowRequest, SaidBy
from repair.records.wording import count_noun, list_names
from repair.store.git_history import histories
from repair.survey.growing.asked import answer_by_facts, load_answers
from repair.survey.growing.claim import CallCase
from repair.survey.growing.file_maker import FileMaker, MadeFiles
from repair.survey.growing.function_growth import FunctionGrower, Grown
from repair.survey.growing.new_files import folder_below, write_new
from repair.survey.growing.stated_elsewhere import facts_elsewhere
from repair.survey.growing.verified import Verifier
from repair.survey.safety import find_far_reach
from repair.survey.specified.fact_store import open_facts
from repair.survey.survey import changed_meanwhile, open_surveyor
from repair.survey.survey_report import SurveyRequest, SurveySeen, prioritize_function
from repair.trials.run_time import RunTime, TimeIsUp

MOST_FUNCTION_SECONDS, LEAST_FUNCTION_SECONDS = 60.0, 20.0
"""What a function may take, and what it gets at least while there is time."""

LEAST_REWRITINGS = 3
"""A test held on few rewritings of its function where there are fewer: then that is said."""

VERIFYING_SHARE, VERIFYING_SECONDS = 0.15, 9.0
"""The share of the time that is kept for the last runs of the new files, and what each file gets at least."""


def grow(
    asked: GrowRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> GrownReport:
    """Grow tests; nothing is written but new files, and these only where a folder is named."""
    started = (timing or RunTime(time.monotonic())).started
    folder = folder_below(options.root, asked.folder, Path(asked.cwd)) if asked.folder else ""
    known = load_answers(options, asked.runs)
    alone = bool(asked.runs or known.answers) and not (asked.paths or asked.functions)
    proposer = input_proposer_of(options, env, listen)
    with open_surveyor(options, listen, env, started) as (sandbox, surveyor, warnings):
        look = SurveyRequest(
            asked.paths,
            mutants=0,
            seconds=options.max_seconds,
            seed=options.seed,
            histories=partial(histories, Path(sandbox.target.root)),
        )
        seen = surveyor.look(look)
        wanted = () if alone else choose_functions(seen, asked.functions)
        maker = FileMaker.of(seen, folder, failing=asked.failing)
        answers = [maker.asked_case(answer, said) for answer, said in known.answers]
        elsewhere = facts_elsewhere(sandbox.snapshot, open_facts(options.root, options.state_dir))
        stated, questions = answer_by_facts(known.questions, seen.sources, dict(maker.constructors).get, elsewhere)
        answers += [maker.asked_case(answer, said, SaidBy.REQUIRED) for answer, said in stated]
        grower = FunctionGrower(
            sandbox,
            seen,
            surveyor.limits,
            maker.printer,
            maker.constructors,
            maker.path,
            options.seed,
            options.mutants,
            time.monotonic,
            proposer=proposer,
            elsewhere=elsewhere,
        )
        left = max(0.0, started + options.max_seconds - time.monotonic())
        names = list_names([each.function.qualname for each in wanted], "function")
        listen(phase("growing", f"growing tests of {names or 'what people answered'}", left))
        grown: list[Grown] = []
        with contextlib.suppress(OutOfTimeError, TimeIsUp):
            _grow_each(grower, wanted, time.monotonic() + left, grown)
        cases = [(each.function.file, case) for each in grown for case in each.cases]
        broken = [(each.function.file, one.test) for each in grown for one in each.broken if one.test is not None]
        made = maker.make(Verifier(sandbox, surveyor.limits, maker.printer), answers, cases, broken)
        if asked.folder:
            for each in made.files:
                write_new(options.root, each.path, each.text)
        return GrownReport(
            root=options.root,
            versions=versions_of(sandbox.target),
            seed=options.seed,
            functions=tuple(_told(each, made) for each in grown),
            asked=tuple(_test_of(case, made) for _, case in answers if case in made.tests),
            questions=questions,
            files=tuple(replace(each, written=bool(asked.folder)) for each in made.files),
            findings=(*(one.finding for each in grown for one in each.broken), *_denied(answers, made, seen)),
            checked=(*_list_checked(grown, made), *proposer.report()),
            not_checked=tuple(say_late(len(wanted) - len(grown), len(wanted), made.late)),
            warnings=(*warnings, *_far_answers(answers, made, seen.sources), *changed_meanwhile(sandbox)),
            seconds=round(time.monotonic() - started, 3),
            isolation=sandbox.jail.kind,
            isolation_opens=sandbox.jail.opens,
        )


def _grow_each(grower: FunctionGrower, wanted: Sequence[VouchedFunction], ends: float, into: list[Grown]) -> None:
    """Each function in its turn, with an even share of the time that is left beside that of the last runs."""
    spare = VERIFYING_SHARE * (ends - time.monotonic())
    for number, vouched in enumerate(wanted):
        files = {each.function.file for each in into if each.cases}
        until = ends - max(spare, VERIFYING_SECONDS * len(files))
        now = time.monotonic()
        if now >= until:
            return
        share = max(LEAST_FUNCTION_SECONDS, (until - now) / (len(wanted) - number))
        into.append(grower.grow(vouched, now + min(MOST_FUNCTION_SECONDS, share)))


def say_late(late: int, wanted: int, unrun: int) -> Iterator[str]:
    """What came to nothing since the time was over: functions without a turn, tests that nobody verified."""
    if late:
        yield f"{late} of {wanted} functions had no turn: the time was over"
    if unrun:
        tests = count_noun(unrun, "test")
        yield f"{tests} left out, not run as they would lie in the project: the time was over"


def choose_functions(seen: SurveySeen, names: Sequence[str]) -> tuple[VouchedFunction, ...]:
    """The named functions; without names all public ones, those first that deserve a test most.

    Raises ``UsageError`` for a name that is none, or several.
    """
    if not names:
        scores = {each: prioritize_function(each, seen, MutationScore()).score for each in seen.public}
        return tuple(sorted(seen.public, key=lambda each: -scores[each]))
    return tuple(dict.fromkeys(each for name in names for each in _named(seen, name)))


def _named(seen: SurveySeen, name: str) -> list[VouchedFunction]:
    """The function; several only where a file gives one name to all of them, as to a property and its setter."""
    path, _, qualname = name.replace("::", ":").rpartition(":")
    found = [
        each
        for each in seen.functions
        if (not path or each.function.path == path) and f".{_dotted(each, seen)}".endswith(f".{qualname}")
    ]
    found = [each for each in found if each.function.qualname == qualname] or found
    if len({(each.function.path, each.function.qualname) for each in found}) == 1:
        return found
    places = list_names([f"{each.function.path}:{each.function.qualname}" for each in found], "function", 5)
    said = f"Several functions are called {name!r}: {places}" if found else f"There is no path and no function {name!r}"
    raise UsageError(said, remedy="Name a path, or a function as NAME or PATH:NAME.")


def _dotted(each: VouchedFunction, seen: SurveySeen) -> str:
    return f"{module_of(each.function.path, seen.sources)}.{each.function.qualname}"


def _told(each: Grown, made: MadeFiles) -> GrownFunction:
    kept = [case for case in each.cases if case in made.tests]
    counts = Counter(each.function.dropped)
    counts.update(made.dropped[case] for case in each.cases if case in made.dropped)
    killed = len({kill for case in kept for kill in case.kills})
    tests = tuple(_test_of(case, made) for case in kept)
    return replace(each.function, killed=killed, dropped=dict(counts), tests=tests)


def _test_of(case: CallCase, made: MadeFiles) -> GrownTest:
    return GrownTest(made.tests[case], case.standing, case.call, str(case.claim), case.said, case.kills)


def _list_checked(grown: Sequence[Grown], made: MadeFiles) -> tuple[str, ...]:
    """What each layer looked at, in words; nothing of one that looked at nothing."""
    required = sum(case.standing is SaidBy.REQUIRED for case in made.tests)
    cases = count_noun(len(made.tests), "test")
    every = (
        (grown, f"security: {count_noun(len(grown), 'function')} read for files, network, processes, clock and chance"),
        (made.tests, f"static: the rules of `repair tests` on {cases}"),
        (
            required,
            f"citation: each value, exception and relation of {count_noun(required, 'required claim')}"
            " stands in its quote",
        ),
        (any(each.cases for each in grown), f"rewritings: {describe_rewritings(grown)}"),
        (
            made.runs,
            f"runs: {count_noun(made.runs, 'cold run')}, shuffled, with two seeds of hashes, and with claims ruined",
        ),
    )
    return tuple(said for is_done, said in every if is_done)


def describe_rewritings(grown: Sequence[Grown]) -> str:
    """On how many other texts of their functions the tests held; which functions have hardly any."""
    functions = [each.function for each in grown if each.cases]
    few = [f"{each.function} ({each.rewritings})" for each in functions if each.rewritings < LEAST_REWRITINGS]
    said = f"the tests held on {LEAST_REWRITINGS} or more texts of their function that do the same"
    return f"{said}, but for {list_names(few, 'function', 5)}, of which there are not so many" if few else said


def _far_answers(answers: Sequence[tuple[str, CallCase]], made: MadeFiles, sources: Files) -> Iterator[str]:
    """Answers about functions that may reach out of the program: their tests are kept, and do so each time they run."""
    known = dict(sources)
    for program, case in answers:
        reach = find_far_reach(program, sources, case.function) if case in made.tests and program in known else ""
        if reach:
            yield f"the test of {case.call} may reach out of the program each time it runs: {reach}"


def _denied(answers: Sequence[tuple[str, CallCase]], made: MadeFiles, seen: SurveySeen) -> tuple[Contradiction, ...]:
    """The answers that the program does not give."""
    return tuple(
        Contradiction(program, case.function, 0, case.call, f"does not: {made.dropped[case]}", case.said)
        for program, case in answers
        if case in made.dropped
    )
