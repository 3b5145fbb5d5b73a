"""What would mend the tests of a file, before anything runs: names, calls, quotes and claims follow the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis.changed_signature import ChangedParameters, changed_parameters
from analysis.moved_definitions import NotFound, new_place
from repair.records.healed import HealKind
from repair.survey.growing.claim import Claim, ClaimKind
from repair.survey.growing.printing import assertion_lines
from repair.survey.healing.followed_facts import FollowedWords, follow_words
from repair.survey.healing.generated_file import NOTE, GeneratedFile, GeneratedTest, used_names
from repair.survey.healing.program_version import NamedProgram, subject_of
from repair.survey.healing.test_edits import (
    Imports,
    MovedNames,
    Span,
    claim_span,
    followed_expression,
    imports_after,
    name_spans,
    note_span,
    quote_span,
    replaced,
    row_call,
    table_claim_spans,
    table_of,
)

FAR = 12
"""So many lines may lie between a quote's named line and its words before the place is named anew."""


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """A test with the version that it fits, and what would mend it; ``why`` says why nothing would."""

    test: GeneratedTest
    was: NamedProgram | None = None
    why: str = ""
    words: FollowedWords | None = None


@dataclass(frozen=True, slots=True)
class FilePlan:
    """All tests of a file, and what is called otherwise now."""

    file: GeneratedFile
    now: NamedProgram
    planned: tuple[PlannedTest, ...]
    homes: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, ChangedParameters] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TestMending:
    """The spans of one test, with what they change, in words."""

    __test__ = False

    spans: tuple[Span, ...] = ()
    kinds: tuple[HealKind, ...] = ()
    changes: tuple[str, ...] = ()
    why: str = ""


def plan_file(
    file: GeneratedFile, now: NamedProgram, fitting: Sequence[tuple[GeneratedTest, NamedProgram | None, str]]
) -> FilePlan:
    """What follows the program in each test, which comes with the version that it fits or with why it is left."""
    homes: dict[str, str] = {}
    signatures: dict[str, ChangedParameters] = {}
    planned = []
    for test, was, why in fitting:
        if was is None:
            planned.append(PlannedTest(test, None, why))
            continue
        own, moved_why = _moved(test, file, was, now)
        homes |= own
        changed, why = _changed(test, file, was, now)
        signatures |= changed
        planned.append(PlannedTest(test, was, moved_why or why))
    plan = FilePlan(file, now, tuple(planned), homes, signatures)
    return replace(plan, planned=tuple(_with_words(each, plan) for each in planned))


def _moved(
    test: GeneratedTest, file: GeneratedFile, was: NamedProgram, now: NamedProgram
) -> tuple[dict[str, str], str]:
    homes: dict[str, str] = {}
    why = ""
    for dotted in used_names(test, file, was.names):
        if now.has(dotted):
            continue
        place = new_place(dotted, was.names, now.names)
        if isinstance(place, NotFound):
            why = why or place.why
        else:
            homes[dotted] = place
    return homes, why


def _changed(
    test: GeneratedTest, file: GeneratedFile, was: NamedProgram, now: NamedProgram
) -> tuple[dict[str, ChangedParameters], str]:
    found: dict[str, ChangedParameters] = {}
    why = ""
    for dotted in used_names(test, file, was.names):
        place = new_place(dotted, was.names, now.names)
        if dotted not in was.names.definitions or isinstance(place, NotFound):
            continue
        changed = changed_parameters(was.names.definitions[dotted], now.names.definitions[place])
        if isinstance(changed, ChangedParameters):
            found[dotted] = changed
        elif changed is not None:
            why = why or f"{dotted}: {changed}"
    return found, why


def _with_words(planned: PlannedTest, plan: FilePlan) -> PlannedTest:
    """With where its quote is now, and what that claims."""
    cited, was = planned.test.cited, planned.was
    if planned.why or was is None or cited is None:
        return planned
    subject = subject_of(planned.test, plan.file, was)
    place = new_place(subject[0], was.names, plan.now.names) if subject is not None else NotFound("")
    if subject is None or isinstance(place, NotFound):
        return replace(planned, why="nobody can tell which function its quote speaks of")
    then, now = was.cited_function(subject[0]), plan.now.cited_function(place)
    if then is None or now is None:
        return replace(planned, why="its quote speaks of no function")
    moved, imports = names_of(plan), imports_of(plan)
    call, problem = followed_expression(subject[1], plan.file, moved, imports)
    table = table_of(planned.test)
    if problem or not isinstance(call, ast.Call):
        return replace(planned, why=problem or "its call cannot be told")
    calls = [call] if table is None else [row_call(call, table, row) for row in table.rows]
    words = follow_words(cited, then, now, calls)
    return replace(planned, why=words) if isinstance(words, str) else replace(planned, words=words)


def names_of(plan: FilePlan, *, calls: bool = True) -> MovedNames:
    """What the names of the file are now, and with ``calls`` what became of parameters."""
    was = next((each.was for each in plan.planned if each.was is not None), plan.now)
    return MovedNames(was.names, plan.now.names, plan.homes, plan.signatures if calls else {})


def imports_of(plan: FilePlan) -> Imports:
    """What the file has to import."""
    return imports_after(plan.file, plan.homes, plan.now.names)


def mending(planned: PlannedTest, plan: FilePlan, *, only_names: bool = False) -> TestMending:
    """The spans that mend a test, without its note; with ``only_names`` what it needs to be collected."""
    moved, imports = names_of(plan, calls=not only_names), imports_of(plan)
    if planned.was is not None:
        moved = replace(moved, old=planned.was.names)
    spans, why = name_spans(planned.test, plan.file, moved, imports)
    if why:
        return TestMending(why=why)
    if only_names or planned.was is None:
        return TestMending(tuple(spans))
    changes = [*_describe_names(planned, plan)] if spans else []
    found = TestMending(tuple(spans), (HealKind.UPDATE,) if spans else (), tuple(changes))
    return _with_claim(found, planned, plan, moved, imports)


def _describe_names(planned: PlannedTest, plan: FilePlan) -> Iterator[str]:
    was = planned.was or plan.now
    for dotted in used_names(planned.test, plan.file, was.names):
        if dotted in plan.homes:
            yield f"{dotted} is {plan.homes[dotted]} now"
        if dotted in plan.signatures:
            renamed = {old: new for old, new in plan.signatures[dotted].names.items() if old != new}
            said = ", ".join(f"{old} is {new}" if new else f"{old} is gone" for old, new in renamed.items())
            yield f"parameters of {dotted.rpartition('.')[2]} changed{f': {said}' if said else ''}"


def _with_claim(
    found: TestMending, planned: PlannedTest, plan: FilePlan, moved: MovedNames, imports: Imports
) -> TestMending:
    words, cited, test, file = planned.words, planned.test.cited, planned.test, plan.file
    if words is None or cited is None:
        return found
    if not words.claims:
        if found.spans or not _is_near(words.said, cited.path, cited.line):
            spans = (*found.spans, quote_span(test, file, words.said))
            return TestMending(spans, (HealKind.UPDATE,), found.changes or ("its quote stands elsewhere now",))
        return found
    said = f'"{cited.quote}" became "{words.said.partition(" says ")[2].strip(chr(34))}"'
    changes = (*found.changes, said)
    table = table_of(test)
    if table is not None:
        rows = table_claim_spans(test, file, table, words.claims)
        if rows is None:
            return TestMending(why="the new words do not fit into its table")
        spans = (*found.spans, *rows, quote_span(test, file, words.said))
        return TestMending(spans, (*found.kinds, HealKind.PATCH), changes)
    subject = subject_of(test, file, planned.was or plan.now)
    assert subject is not None, "words were followed for its call"
    call, _ = followed_expression(subject[1], file, moved, imports)
    one, kind = claim_span(test, file, ast.unparse(call), words.claims[0]), _kind_of(test, words.claims[0])
    within = [span for span in found.spans if one[0] <= span[0] < one[1]]
    same = one[2] == replaced(file.text, within, one[0], one[1])
    others = [span for span in found.spans if same or span not in within]
    spans = (*others, *(() if same else (one,)), quote_span(test, file, words.said))
    return TestMending(spans, tuple(dict.fromkeys((*found.kinds, HealKind.UPDATE if same else kind))), changes)


def _is_near(said: str, path: str, line: int) -> bool:
    place, _, number = said.partition(" says ")[0].rpartition(":")
    return place == path and number.isdigit() and abs(int(number) - line) <= FAR


def _kind_of(test: GeneratedTest, claim: Claim) -> HealKind:
    """A patch where the claim has the form of the old one, else a rewrite."""
    new = ast.parse("\n".join(assertion_lines("f()", claim, unittest="::" in test.name))).body
    old = test.node.body
    same = len(new) == len(old) and all(type(a) is type(b) for a, b in zip(new, old, strict=True))
    return HealKind.PATCH if same else HealKind.REWRITE


def compose_note(found: TestMending, planned: PlannedTest, plan: FilePlan, day: str) -> Span:
    """The note on what was changed in a test, when and why."""
    commit = planned.was.commit if planned.was is not None else ""
    kinds = ", ".join(found.kinds)
    said = f"{NOTE[2:]}{day} ({kinds}): {'; '.join(found.changes)}; it held at commit {commit}."
    return note_span(planned.test, plan.file, said)


def claims_exactly(planned: PlannedTest) -> bool:
    """Whether changed words name the very value or exception that each call of the test ends in."""
    claims = planned.words.claims if planned.words is not None else ()
    return bool(claims) and all(claim.kind in (ClaimKind.EQUALS, ClaimKind.RAISES) for claim in claims)
