"""The healing of one file: what fits is run, what does not is planned, and what was planned has to hold.

A test counts as healed only where it passed in the version that it fits, and passes now. It kills all mutants that it
killed then, as far as the program still has them. Names follow the program in each test, since a file that cannot be
imported has no tests. A claim follows nothing but changed words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Files, InvalidRun, Limits, Outcome, TestId, TestResult, TestRun
from repair.records.grown import SaidBy
from repair.records.healed import HealedTest, HealState
from repair.survey.growing.kills import KillSets, MutantKey, MutatedFunction, kill_sets
from repair.survey.growing.new_files import marked
from repair.survey.healing.generated_file import GeneratedFile, GeneratedTest
from repair.survey.healing.healing_plan import (
    FilePlan,
    PlannedTest,
    TestMending,
    claims_exactly,
    compose_note,
    imports_of,
    mending,
    plan_file,
)
from repair.survey.healing.program_version import NamedProgram, function_id, have_like_parameters, subject_of, why_unfit
from repair.survey.healing.test_edits import edited
from sandbox.sandbox import LocalSandbox

RUNS: tuple[tuple[int | None, bool], ...] = ((None, True), (1, False))
"""Cold runs of a healed file: the seed of their order, and whether hashes have the usual seed."""

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class FileHealer:
    """Heals files of one project. ``versions`` are the programs that git shows, the newest first."""

    sandbox: LocalSandbox
    now: NamedProgram
    versions: Callable[[], Iterator[NamedProgram]]
    limits: Limits
    day: str
    in_time: Callable[[], bool]

    def heal(self, file: GeneratedFile) -> tuple[str, tuple[HealedTest, ...]]:
        """The file's new text, which may be the old one, and what came of each test."""
        ends = self._ends(self.sandbox, (), file, file.text)
        fitting = {test.name: self._version_of(test, file, ends) for test in file.tests}
        broken = [test for test in file.tests if fitting[test.name] is not None]
        plan = plan_file(file, self.now, [(test, *self._known(fitting[test.name])) for test in broken])
        held = self._held_then(plan)
        mendings = {each.test.name: self._mending(each, plan, held) for each in plan.planned}
        text = self._compose(plan, mendings)
        after = self._ends(self.sandbox, (), file, text)
        good = {name for name, each in mendings.items() if each.kinds and _passed(after.get(name))}
        kills = self._kills(plan, good, text)
        results = [self._told(test, plan, mendings, ends, after, kills) for test in file.tests]
        healed = {each.name.partition("::")[2] for each in results if each.state is HealState.HEALED}
        final = self._compose(plan, {n: m if n in healed else self._bare(n, plan) for n, m in mendings.items()})
        if final != text:
            last = self._ends(self.sandbox, (), file, final)
            if not all(_passed(last.get(name)) for name in healed):
                why = "it does not hold beside tests that could not be healed"
                lost = (e.state is HealState.HEALED for e in results)
                return file.text, tuple(
                    replace(e, state=HealState.LEFT, why=why) if bad else e
                    for e, bad in zip(results, lost, strict=True)
                )
        return final, tuple(results)

    def _version_of(
        self, test: GeneratedTest, file: GeneratedFile, ends: Mapping[str, _End]
    ) -> NamedProgram | str | None:
        """``None`` for a test that is fine; the version that it fits, or why there is none."""
        why = why_unfit(test, file, self.now)
        if not why and _passed(ends.get(test.name)):
            return None
        for version in self.versions():
            if why_unfit(test, file, version):
                continue
            if why or not have_like_parameters(_called(test, file, version), version, self.now):
                return version
        return f"{why}, and git shows no version that it fits" if why else ""

    @staticmethod
    def _known(found: NamedProgram | str | None) -> tuple[NamedProgram | None, str]:
        return (found, "") if isinstance(found, NamedProgram) else (None, found or "")

    def _held_then(self, plan: FilePlan) -> frozenset[str]:
        """The tests that passed in the version that they fit."""
        held: set[str] = set()
        for version in _versions(plan):
            sandbox, files = self._then(version)
            ends = self._ends(sandbox, files, plan.file, plan.file.text)
            own = {each.test.name for each in plan.planned if each.was is version}
            held |= {name for name in own if _passed(ends.get(name))}
        return frozenset(held)

    def _then(self, version: NamedProgram) -> tuple[LocalSandbox, Files]:
        """The project as a version had it: with its files, and without those that came later."""
        was, now = dict(version.files), dict(self.now.files)
        later = [path for path in now if path not in was]
        return self.sandbox.without(later), tuple((p, text) for p, text in version.files if now.get(p) != text)

    def _mending(self, each: PlannedTest, plan: FilePlan, held: frozenset[str]) -> TestMending:
        if each.why or each.was is None or each.test.name not in held:
            return self._bare(each.test.name, plan)
        found = mending(each, plan)
        return found if not found.why else replace(self._bare(each.test.name, plan), why=found.why)

    @staticmethod
    def _bare(name: str, plan: FilePlan) -> TestMending:
        """What a test needs so that the file can be imported, and no more."""
        each = next(each for each in plan.planned if each.test.name == name)
        return mending(each, plan, only_names=True)

    def _compose(self, plan: FilePlan, mendings: Mapping[str, TestMending]) -> str:
        spans = []
        for each in plan.planned:
            found = mendings[each.test.name]
            spans += [*found.spans, *([compose_note(found, each, plan, self.day)] if found.kinds else [])]
        modules = (*plan.now.names.modules, *(name for v in _versions(plan) for name in v.names.modules))
        return edited(plan.file, spans, imports_of(plan), modules) if spans else plan.file.text

    def _ends(self, sandbox: LocalSandbox, files: Files, file: GeneratedFile, text: str) -> dict[str, _End]:
        """How each test ended in the runs: its worst end of all of them."""
        found: dict[str, _End] = {}
        laid = (*((path, old) for path, old in files if path != file.path), (file.path, marked(text).encode()))
        for shuffle, steady in RUNS:
            run = sandbox.run((TestId(file.path),), laid, limits=self.limits, shuffle=shuffle, steady=steady)
            for test in file.tests:
                end = _end_of(run, f"{file.path}::{test.name}")
                found[test.name] = max(found.get(test.name, end), end, key=lambda each: _WORSE.index(each.passed))
            if isinstance(run, InvalidRun) or run.collection_errors:
                break
        return found

    def _kills(self, plan: FilePlan, good: set[str], text: str) -> dict[str, _Kills | str]:
        """The mutants that each of the good tests killed then and kills now."""
        found: dict[str, _Kills | str] = {}
        for version in _versions(plan):
            own = [each.test for each in plan.planned if each.was is version and each.test.name in good]
            if own:
                found |= self._kills_since(version, own, plan, text)
        return found

    def _kills_since(
        self, was: NamedProgram, tests: Sequence[GeneratedTest], plan: FilePlan, text: str
    ) -> Mapping[str, _Kills | str]:
        sandbox, files = self._then(was)
        file = plan.file
        laid_then = (*((p, old) for p, old in files if p != file.path), (file.path, marked(file.text).encode()))
        laid_now = ((file.path, marked(text).encode()),)
        then, now = self._rows(sandbox, laid_then, file), self._rows(self.sandbox, laid_now, file)
        groups: dict[str, list[GeneratedTest]] = {}
        found: dict[str, _Kills | str] = {test.name: "its function cannot be mutated" for test in tests}
        for test in tests:
            subject = subject_of(test, file, was)
            groups.setdefault(subject[0] if subject is not None else "", []).append(test)
        pairs = [(_mutated(*each, plan, was, then, now), each[1]) for each in groups.items()]
        known = [(pair, own) for pair, own in pairs if pair is not None]
        olds = kill_sets(sandbox, was.files, laid_then, [old for (old, _), _ in known], self.limits, self.in_time)
        news = kill_sets(self.sandbox, self.now.files, laid_now, [n for (_, n), _ in known], self.limits, self.in_time)
        for (_, own), old, new in zip(known, olds, news, strict=True):
            for test in own:
                if isinstance(old, str) or isinstance(new, str):
                    found[test.name] = old if isinstance(old, str) else str(new)
                else:
                    found[test.name] = _Kills.of(old, new, then.get(test.name, ()), now.get(test.name, ()))
        return found

    def _rows(self, sandbox: LocalSandbox, files: Files, file: GeneratedFile) -> dict[str, tuple[TestId, ...]]:
        """The node ids of each test: several for a table."""
        run = sandbox.run((TestId(file.path),), files, limits=self.limits)
        found: dict[str, tuple[TestId, ...]] = {}
        for result in () if isinstance(run, InvalidRun) else run.results:
            name = str(result.test).removeprefix(f"{file.path}::").partition("[")[0]
            found[name] = (*found.get(name, ()), result.test)
        return found

    def _told(
        self,
        test: GeneratedTest,
        plan: FilePlan,
        mendings: Mapping[str, TestMending],
        ends: Mapping[str, _End],
        after: Mapping[str, _End],
        kills: Mapping[str, _Kills | str],
    ) -> HealedTest:
        bare = HealedTest(f"{plan.file.path}::{test.name}", test.standing, HealState.FINE, said=test.said)
        planned = next((each for each in plan.planned if each.test is test), None)
        if planned is None:
            return bare
        bare = replace(bare, commit=planned.was.commit if planned.was is not None else "")
        end, found = after.get(test.name) or ends.get(test.name), mendings[test.name]
        says_now = planned.words.said if planned.words is not None else ""
        bare = replace(bare, says_now=says_now)
        if planned.was is None and not planned.why:  # it fits, and fails
            return bare if _passed(end) else _failed(bare, test, end, test.said)
        if planned.why or planned.was is None or found.why:
            return replace(bare, state=HealState.LEFT, why=planned.why or found.why)
        if not found.kinds and _passed(end) and not mending(planned, plan).kinds:
            return bare
        if not found.kinds and _passed(end):
            return replace(bare, state=HealState.LEFT, why=f"it did not pass at {planned.was.commit}, which it fits")
        if not _passed(end):
            return _failed(bare, test, end, says_now)
        told = replace(bare, kinds=found.kinds, changes=found.changes)
        return _weighed(told, kills.get(test.name, "nothing ran"), exact=claims_exactly(planned))


@dataclass(frozen=True, slots=True)
class _End:
    """How a test ended, and the first line of what it said; ``passed`` is ``None`` where the run gave no outcome."""

    passed: bool | None
    said: str = ""


_WORSE = (True, None, False)
"""Of several runs of a test, what comes later here counts."""


@dataclass(frozen=True, slots=True)
class _Kills:
    """How many mutants a test killed then and kills now, those that it lost, and those that are gone."""

    before: int
    after: int
    lost: tuple[str, ...]
    gone: int

    @classmethod
    def of(cls, then: KillSets, now: KillSets, tests_then: Sequence[TestId], tests_now: Sequence[TestId]) -> _Kills:
        """The kills of one test, all of its rows together."""
        none = frozenset[MutantKey]()
        old = none.union(*(then.killed.get(test, none) for test in tests_then))
        new = none.union(*(now.killed.get(test, none) for test in tests_now))
        lost = (old & now.tried) - new
        return cls(len(old), len(new), tuple(each[1] for each in sorted(lost)), len(old - now.tried))


def _weighed(healed: HealedTest, kills: _Kills | str, *, exact: bool) -> HealedTest:
    """Healed where nothing is lost; left where it is, or nobody knows.

    Where words changed and name the ``exact`` end of the call, no claim about the call could kill what the test lost.
    """
    if isinstance(kills, str):
        return replace(healed, state=HealState.LEFT, why=kills, kinds=(), changes=())
    gone = kills.gone + (len(kills.lost) if exact else 0)
    told = replace(healed, kills_before=kills.before, kills_after=kills.after, not_comparable=gone)
    why = ""
    if kills.lost and not exact:
        why = f"it would no longer kill a mutant that {kills.lost[0]}"
    elif not kills.after:
        why = "it would kill no mutant of its function"
    if why:
        return replace(told, state=HealState.LEFT, why=why, kinds=(), changes=())
    return replace(told, state=HealState.HEALED)


def _failed(bare: HealedTest, test: GeneratedTest, end: _End | None, says_now: str) -> HealedTest:
    if end is None or end.passed is None:
        said = end.said if end is not None else "it was not run"
        return replace(bare, state=HealState.LEFT, why=f"the run gave no outcome: {said}", says_now=says_now)
    state = HealState.OTHERWISE if test.standing is SaidBy.PINNED else HealState.FINDING
    return replace(bare, state=state, why=end.said, says_now=says_now)


def _passed(end: _End | None) -> bool:
    return end is not None and end.passed is True


def _end_of(run: TestRun | InvalidRun, name: str) -> _End:
    if isinstance(run, InvalidRun):
        return _End(None, _first_line(run.detail))
    own = [result for result in run.results if result.test == name or result.test.startswith(f"{name}[")]
    if not own:
        problem = run.collection_errors[0].message if run.collection_errors else "it was not collected"
        return _End(None, _first_line(problem, last=True))
    ends = (_End(_has_passed(result), _said(result)) for result in own)
    return max(ends, key=lambda each: _WORSE.index(each.passed))


def _has_passed(result: TestResult) -> bool | None:
    """``None`` for a test that did not come to its own end: it was skipped, say, or could not be set up."""
    if result.outcome in (Outcome.FAILED, Outcome.XFAILED):
        return False
    return True if result.outcome is Outcome.PASSED else None


def _said(result: TestResult) -> str:
    if result.exceptions:
        raised = result.exceptions[0]
        return _first_line(f"{raised.type_name.rpartition('.')[2]}: {raised.message}")
    said, kind = _first_line(result.message), str(result.outcome.value)
    return said if said and _has_passed(result) is not None else ": ".join(filter(None, (kind, said)))


def _first_line(text: str, *, last: bool = False) -> str:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()] or [""]
    return lines[-1 if last else 0][:_LONGEST]


def _called(test: GeneratedTest, file: GeneratedFile, program: NamedProgram) -> tuple[str, ...]:
    subject = subject_of(test, file, program)
    return (subject[0],) if subject is not None else ()


def _versions(plan: FilePlan) -> tuple[NamedProgram, ...]:
    found = {each.was.commit: each.was for each in plan.planned if each.was is not None}
    return tuple(found.values())


def _mutated(
    dotted: str,
    tests: Sequence[GeneratedTest],
    plan: FilePlan,
    was: NamedProgram,
    then: Mapping[str, tuple[TestId, ...]],
    now: Mapping[str, tuple[TestId, ...]],
) -> tuple[MutatedFunction, MutatedFunction] | None:
    """A function of then and of now with the tests that are about it; ``None`` where it is none."""
    place = plan.homes.get(dotted, dotted)
    functions = [
        function_id(known, dict(program.files)[known.path])
        for program, name in ((was, dotted), (plan.now, place))
        if (known := program.names.definitions.get(name)) is not None
    ]
    if len(functions) != 2 or functions[0] is None or functions[1] is None:
        return None
    old, new = ([row for test in tests for row in rows.get(test.name, ())] for rows in (then, now))
    return MutatedFunction(functions[0], tuple(old)), MutatedFunction(
        functions[1], tuple(new), _old_words(plan, dotted, place)
    )


def _old_words(plan: FilePlan, dotted: str, place: str) -> dict[str, str]:
    """The old word for each new one of the function: its parameters, its own name and its class's."""
    changed = plan.signatures.get(dotted)
    words = {new: old for old, new in changed.names.items() if new} if changed is not None else {}
    pairs = zip(reversed(place.split(".")), reversed(dotted.split(".")), strict=False)
    return words | {new: old for new, old in pairs if new != old}
