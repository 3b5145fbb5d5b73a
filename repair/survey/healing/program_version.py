"""A program as a generated test sees it, of today or of a commit: which names it has, how calls fit, what it states."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.changed_signature import CallParameters, parameters_to_fill
from analysis.errors import UnparseableError
from analysis.facts import Files, FunctionId
from analysis.functions import find_function, functions_of
from analysis.moved_definitions import Definition, ProgramNames, read_names
from analysis.stated.sentence import plain_text
from repair.compare.answers import module_of
from repair.survey.healing.followed_facts import CitedFunction, normal_words
from repair.survey.healing.generated_file import GeneratedFile, GeneratedTest, meaning, used_names


@dataclass(frozen=True, slots=True)
class NamedProgram:
    """The Python files of one version, and their names; ``commit`` is "" for what lies there today."""

    files: Files
    names: ProgramNames
    commit: str = ""

    @classmethod
    def of(cls, files: Files, commit: str = "") -> NamedProgram:
        """The program of these files."""
        return cls(files, read_names(files, {path: module_of(path, files) for path, _ in files}), commit)

    def has(self, dotted: str) -> bool:
        """Whether the name can be reached there: as a definition, by an import, or inherited."""
        names = self.names
        if dotted in names.definitions or dotted in names.bound or dotted in names.modules:
            return True
        owner = names.definitions.get(dotted.rpartition(".")[0])
        if owner is None:
            return dotted.rpartition(".")[0] in names.bound
        return isinstance(owner.node, ast.ClassDef) and bool(owner.node.bases)

    def parameters(self, dotted: str) -> CallParameters | None:
        """What a call of that name fills, where it is a definition."""
        known = self.names.definitions.get(dotted)
        return parameters_to_fill(known) if known is not None else None

    def cited_function(self, dotted: str) -> CitedFunction | None:
        """The function or method of that name, for what is stated of it."""
        known = self.names.definitions.get(dotted)
        if known is None or known.is_class:
            return None
        source = dict(self.files)[known.path]
        function = function_id(known, source)
        return CitedFunction(function, source, known) if function is not None else None


def function_id(known: Definition, source: bytes) -> FunctionId | None:
    """The address of a definition's function."""
    try:
        span = find_function(functions_of(known.path, source), known.qualname)
    except UnparseableError:
        return None
    return span.function if span is not None else None


def calls_in(test: GeneratedTest, file: GeneratedFile, names: ProgramNames) -> Iterator[tuple[str, ast.Call]]:
    """The calls of definitions in a test, outermost first, each with the dotted name of what is called."""
    for node in ast.walk(test.node):
        if isinstance(node, ast.Call):
            dotted = meaning(node.func, file, names)
            if dotted in names.definitions:
                yield dotted, node


def subject_of(test: GeneratedTest, file: GeneratedFile, program: NamedProgram) -> tuple[str, ast.Call] | None:
    """The function that a test is about, with its call: the outermost one; a class only where it calls nothing else."""
    calls = list(calls_in(test, file, program.names))
    functions = [each for each in calls if not program.names.definitions[each[0]].is_class]
    return next(iter((*functions, *calls)), None)


def why_unfit(test: GeneratedTest, file: GeneratedFile, program: NamedProgram) -> str:
    """Why a test does not fit a program, before it is run; ``""`` where it does."""
    for dotted in used_names(test, file, program.names):
        if not program.has(dotted):
            return f"there is no {dotted}"
    for dotted, call in calls_in(test, file, program.names):
        why = _why_unbound(call, program.parameters(dotted))
        if why:
            return f"{dotted} {why}"
    cited, subject = test.cited, subject_of(test, file, program)
    about = program.cited_function(subject[0]) if subject is not None else None
    source = (
        about.text
        if about is not None
        else dict(program.files).get(cited.path, b"").decode("utf-8", "replace")
        if cited
        else ""
    )
    if cited is not None and not _is_stated(cited.quote, source):
        return f"{cited.path} does not say what the test quotes"
    return ""


def _why_unbound(call: ast.Call, parameters: CallParameters | None) -> str:
    if parameters is None or parameters.takes_more:
        return ""
    if any(isinstance(each, ast.Starred) for each in call.args) or any(k.arg is None for k in call.keywords):
        return ""
    if len(call.args) > len(parameters.by_position):
        return "takes fewer arguments"
    given = [*parameters.by_position[: len(call.args)], *(str(k.arg) for k in call.keywords)]
    strange = [name for name in given if name not in parameters.names]
    if strange:
        return f"takes no {strange[0]}"
    missing = parameters.needed - set(given)
    return f"needs {', '.join(sorted(missing))}" if missing else ""


def _is_stated(quote: str, text: str) -> bool:
    return normal_words(quote) in normal_words(plain_text(text))


def have_like_parameters(dotted: Sequence[str], one: NamedProgram, other: NamedProgram) -> bool:
    """Whether calls of all these names are filled alike in both programs."""
    return all(_filled(one, name) == _filled(other, name) for name in dotted)


def _filled(program: NamedProgram, dotted: str) -> tuple[object, ...]:
    found = program.parameters(dotted)
    return () if found is None else (found.by_position, found.by_name, found.only_by_position)
