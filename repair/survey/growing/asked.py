"""Answers as tests: of people, from a recorded run or as they are given now, and of sentences of the project.

Questions that neither answers stay open.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from analysis.behaviour import Call, Raised, Returned
from analysis.errors import UnparseableError, UsageError
from analysis.facts import Files, FunctionId
from analysis.functions import functions_of
from analysis.stated.citation import uncited
from analysis.stated.fact import Gives, Raises, StatedFact
from analysis.stated.function import stated_of
from repair.compare.answers import module_of, read_answer
from repair.compare.made_values import MADE
from repair.records.config import Options
from repair.records.grown import SaidBy, UnansweredQuestion
from repair.records.result import Result
from repair.store.store import open_store
from repair.survey.constructors import Constructor, constructed
from repair.survey.growing.claim import CallCase, Claim, ClaimKind


@dataclass(frozen=True, slots=True)
class PersonsAnswers:
    """What people answered, each with who says so, and what nobody has answered yet."""

    answers: tuple[tuple[str, str], ...] = ()
    questions: tuple[UnansweredQuestion, ...] = ()


def load_answers(options: Options, runs: Sequence[str]) -> PersonsAnswers:
    """What people answered in these runs and now, and what is open in the runs.

    Raises ``UsageError`` for an answer that is none, and for a run of somebody else or without a result.
    """
    store = open_store(options.root, options.state_dir)
    answers = given_now(options.answers)
    questions: list[UnansweredQuestion] = []
    for name in runs:
        run = store.load_run(name)
        result = run.result()
        if run.is_foreign or result is None:
            why = "was not recorded by your repair" if run.is_foreign else "has no result"
            raise UsageError(f"Run {run.id} {why}", remedy="Name another run: `repair runs` lists them.")
        found = answers_of(result, run.id, options.answers)
        answers += found.answers
        questions += found.questions
    return PersonsAnswers(tuple(dict(answers).items()), tuple(questions))


def answers_of(result: Result, run: str, given: Sequence[str] = ()) -> PersonsAnswers:
    """The answers that a run was made with, and those ``given`` now; its questions that none of them answers.

    Raises ``UsageError`` for an answer that is none.
    """
    recorded = [(each, f'a person answered "{each}" in run {run}') for each in result.answers]
    return _without_answered([*recorded, *given_now(given)], list(_questions(result)))


def given_now(given: Sequence[str]) -> list[tuple[str, str]]:
    """The answers with who says so."""
    return [(str(read_answer(each)), f'a person answered "{read_answer(each)}"') for each in given]


def _without_answered(answers: list[tuple[str, str]], questions: list[UnansweredQuestion]) -> PersonsAnswers:
    answered = {_call_of(each) for each, _ in answers}
    own = [each for each in questions if not {_call_of(form) for form in each.forms if form} & answered]
    return PersonsAnswers(tuple(dict(answers).items()), tuple(dict.fromkeys(own)))


def _call_of(answer: str) -> str:
    try:
        return ast.unparse(ast.parse(read_answer(answer).call, mode="eval"))
    except UsageError:
        return ""


def _questions(result: Result) -> Iterator[UnansweredQuestion]:
    for patch in result.patches:
        for seen in patch.evidence:
            if seen.decision == "unknown" and seen.asked is not None and (seen.answer or seen.otherwise):
                yield UnansweredQuestion(seen.asked.question, seen.answer, seen.otherwise)


def asked_case(
    answer: str,
    said: str,
    constructor_of: Callable[[str], Constructor | None],
    standing: SaidBy = SaidBy.ASKED,
) -> CallCase | None:
    """The test that holds the answer; ``None`` for one about an instance that no constructor makes."""
    read = read_answer(answer)
    call = constructed(read.call, constructor_of)
    expected = read.expected if read.raises else constructed(read.expected, constructor_of)
    if not call or not expected:
        return None
    claim = Claim(ClaimKind.RAISES if read.raises else ClaimKind.EQUALS, expected)
    return CallCase(_name_in(call), call, claim, standing, said)


def answer_by_facts(
    questions: Sequence[UnansweredQuestion],
    sources: Files,
    constructor_of: Callable[[str], Constructor | None],
    elsewhere: Mapping[str, tuple[StatedFact, ...]] = MappingProxyType({}),
) -> tuple[tuple[tuple[str, str], ...], tuple[UnansweredQuestion, ...]]:
    """The readings that a sentence of the project requires, each with its quote; and the questions that none answers.

    ``elsewhere`` is what other files state of functions, by ``path:name``. A sentence answers where it keeps to one
    reading and to no other, and holds all that the reading claims.

    Example: "Returns 0 for an empty list" answers whether ``shop.total([])`` should give 0 or raise ``IndexError``.
    """
    answers: list[tuple[str, str]] = []
    left: list[UnansweredQuestion] = []
    for question in questions:
        required = [each for form in question.forms if form and (each := _required(form, sources, elsewhere))]
        if len(required) == 1 and asked_case(*required[0], constructor_of) is not None:
            answers += required
        else:
            left.append(question)
    return tuple(answers), tuple(left)


def _required(form: str, sources: Files, elsewhere: Mapping[str, tuple[StatedFact, ...]]) -> tuple[str, str] | None:
    """The reading with the sentence that requires it."""
    read = read_answer(form)
    called = ast.parse(read.call, mode="eval").body
    function = _function_of(called, sources) if isinstance(called, ast.Call) else None
    if function is None or not isinstance(called, ast.Call):
        return None
    more = elsewhere.get(f"{function.path}:{function.qualname}", ())
    stated = stated_of(function, dict(sources)[function.path]).with_facts(more)
    given = ast.unparse(ast.Call(ast.Name("f"), called.args, called.keywords))
    call = Call(function.qualname, given[1:])
    does = Raised(read.expected.rpartition(".")[2]) if read.raises else Returned(read.expected)
    kind = ClaimKind.RAISES if read.raises else ClaimKind.EQUALS
    for fact in stated.kept_by(call, does):
        claimed = isinstance(fact.end, Gives | Raises)
        if claimed and not uncited(kind.name, read.expected, fact.quote):
            return form, stated.cite(fact)
    return None


def _function_of(call: ast.Call, sources: Files) -> FunctionId | None:
    """The function that is called by its dotted name, or as a method of an instance that is made."""
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id=made), args=[kind, *_]), attr=name) if made == MADE:
            dotted = f"{ast.unparse(kind)}.{name}"
        case _:
            dotted = ast.unparse(call.func)
    for path, text in sources:
        module = module_of(path, sources)
        if module and dotted.startswith(f"{module}."):
            wanted = dotted.removeprefix(f"{module}.")
            with contextlib.suppress(UnparseableError):
                named = [each.function for each in functions_of(path, text) if each.function.qualname == wanted]
                if len(named) == 1:
                    return named[0]
    return None


def _name_in(call: str) -> str:
    """The last name of what is called: ``postage`` of ``post.postage(49)``."""
    for node in ast.walk(ast.parse(call, mode="eval")):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name != "list":
                return name
            case ast.Attribute(attr=name):
                return name
    return "answer"
