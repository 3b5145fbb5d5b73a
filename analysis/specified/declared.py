"""What types declare, read from trees and never imported: signatures, TypedDict, dataclasses, enums, pydantic."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.function_text import last_name
from analysis.specified.fact_record import Extractor, Fact, Predicate, QuotePlace
from analysis.specified.kinds_text import annotation_text, literals_text
from analysis.stated.fact import FactSource
from analysis.stated.function import StatedFunction

_BOUNDS: Mapping[str, tuple[Predicate, str]] = {
    "ge": (Predicate.RANGE, ">="),
    "gt": (Predicate.RANGE, ">"),
    "le": (Predicate.RANGE, "<="),
    "lt": (Predicate.RANGE, "<"),
    "min_length": (Predicate.LENGTH, ">="),
    "max_length": (Predicate.LENGTH, "<="),
    "min_items": (Predicate.LENGTH, ">="),
    "max_items": (Predicate.LENGTH, "<="),
}
"""What pydantic's ``Field`` and ``Query``, and ``annotated_types``, call bounds."""
_NAMED_BOUNDS: Mapping[str, tuple[Predicate, str]] = {
    "Ge": (Predicate.RANGE, ">="),
    "Gt": (Predicate.RANGE, ">"),
    "Le": (Predicate.RANGE, "<="),
    "Lt": (Predicate.RANGE, "<"),
    "MinLen": (Predicate.LENGTH, ">="),
    "MaxLen": (Predicate.LENGTH, "<="),
}
_CONSTRAINED = {
    "PositiveInt": ("int", "> 0"),
    "NonNegativeInt": ("int", ">= 0"),
    "NegativeInt": ("int", "< 0"),
    "NonPositiveInt": ("int", "<= 0"),
    "PositiveFloat": ("float", "> 0"),
    "NonNegativeFloat": ("float", ">= 0"),
}
_FIELDS = frozenset(("Field", "Query", "Path", "Body", "Header", "Cookie", "Form"))
_MODELS = frozenset(("BaseModel", "BaseSettings", "RootModel", "SQLModel"))
_ENUMS = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))
_MOST_LETTERS = 400


@dataclass(frozen=True, slots=True)
class _Said:
    """One thing that an annotation with its default says."""

    predicate: Predicate
    value: str


def signature_facts(path: str, function: StatedFunction) -> Iterator[Fact]:
    """Kinds, bounds and values of annotated parameters, defaults that are literals, and the kinds of the result."""
    node, subject = function.node, f"{path}:{function.qualname}"
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    values: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    pairs = [*zip(plain, [*values, *arguments.defaults], strict=True)]
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    if function.is_method and pairs and pairs[0][0].arg in ("self", "cls"):
        pairs = pairs[1:]
    for each, default in pairs:
        place = QuotePlace(path, each.lineno, each.end_lineno or each.lineno)
        quote = _quote(each) + (f" = {_quote(default)}" if default is not None else "")
        if each.annotation is not None:
            for said in _annotation_says(each.annotation):
                yield Fact(subject, said.predicate, said.value, place, quote, Extractor.ANNOTATION, each.arg)
        for said in _default_says(default):
            yield Fact(subject, said.predicate, said.value, place, quote, Extractor.SIGNATURE, each.arg)
    if node.returns is not None and (text := annotation_text(node.returns)):
        place = QuotePlace(path, node.returns.lineno)
        means = next((each for each in function.stated.facts if each.source is FactSource.ANNOTATION), None)
        quote = f"-> {_quote(node.returns)}"
        yield Fact(subject, Predicate.TYPE, text, place, quote, Extractor.ANNOTATION, means=means)


def class_facts(path: str, tree: ast.Module) -> Iterator[Fact]:
    """What the classes of a file that only hold values say of their fields."""
    classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for name, node in _classes(tree.body, ""):
        kind = _kind_of(node, classes)
        if kind is Extractor.ENUMERATION:
            yield from _enum_facts(path, name, node)
        elif kind is not None:
            yield from _field_facts(path, name, node, kind)


def _classes(body: list[ast.stmt], around: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield around + node.name, node
            yield from _classes(node.body, f"{around}{node.name}.")


def _kind_of(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], depth: int = 0) -> Extractor | None:
    """What sort of record the class is, by its bases and those of the file's own classes among them."""
    decorated = {last_name(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list}
    bases = {last_name(base) for base in node.bases}
    if bases & _MODELS:
        return Extractor.PYDANTIC
    if bases & {"TypedDict", "NamedTuple"}:
        return Extractor.TYPED_DICT if "TypedDict" in bases else Extractor.DATACLASS
    if bases & _ENUMS:
        return Extractor.ENUMERATION
    if decorated & {"dataclass", "define", "frozen", "attrs"}:
        return Extractor.DATACLASS
    above = [classes[name] for name in bases if name in classes and classes[name] is not node]
    return next((kind for each in above if depth < 5 and (kind := _kind_of(each, classes, depth + 1))), None)


def _enum_facts(path: str, name: str, node: ast.ClassDef) -> Iterator[Fact]:
    values = [each.value for each in node.body if isinstance(each, ast.Assign)]
    literals = [value.value for value in values if isinstance(value, ast.Constant)]
    if literals and len(literals) == len(values):
        place = QuotePlace(path, node.lineno, node.end_lineno or node.lineno)
        quote = f"class {node.name}: {'; '.join(_quote(each) for each in node.body if isinstance(each, ast.Assign))}"
        yield Fact(f"{path}:{name}", Predicate.ENUM, literals_text(literals), place, quote, Extractor.ENUMERATION)


def _field_facts(path: str, name: str, node: ast.ClassDef, kind: Extractor) -> Iterator[Fact]:
    total = not any(k.arg == "total" and _is_false(k.value) for k in node.keywords)
    for each in node.body:
        if not (isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)):
            continue
        if last_name(_base(each.annotation)) in ("ClassVar", "InitVar"):
            continue
        place = QuotePlace(path, each.lineno, each.end_lineno or each.lineno)
        said = [*_annotation_says(each.annotation), *_default_says(each.value)]
        needed = _is_needed(each, kind, total=total)
        for one in (*said, _Said(Predicate.REQUIRED, str(needed))):
            yield Fact(f"{path}:{name}", one.predicate, one.value, place, _quote(each), kind, each.target.id)


def _is_needed(field: ast.AnnAssign, kind: Extractor, *, total: bool) -> bool:
    if kind is Extractor.TYPED_DICT:
        marked = last_name(_base(field.annotation))
        return marked == "Required" or (total and marked != "NotRequired")
    return field.value is None or _default_of(field.value) is None


def _annotation_says(annotation: ast.expr) -> Iterator[_Said]:
    """Kinds; the values of a ``Literal``; the bounds that stand in an ``Annotated``."""
    if isinstance(annotation, ast.Subscript):
        name = last_name(annotation.value)
        inside = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        if name in ("Required", "NotRequired", "Final", "ReadOnly", "Mapped"):
            yield from _annotation_says(inside[0])
            return
        if name == "Literal":
            values = [each.value for each in inside if isinstance(each, ast.Constant)]
            if len(values) == len(inside):
                yield _Said(Predicate.ENUM, literals_text(values))
            return
        if name == "Annotated":
            yield from _annotation_says(inside[0])
            for each in inside[1:]:
                yield from _bounds(each)
            return
    constrained = _CONSTRAINED.get(last_name(annotation))
    if constrained is not None:
        yield _Said(Predicate.TYPE, constrained[0])
        yield _Said(Predicate.RANGE, constrained[1])
        return
    text = annotation_text(annotation)
    if text and len(text) <= _MOST_LETTERS:
        yield _Said(Predicate.TYPE, text)


def _bounds(call: ast.expr | None) -> Iterator[_Said]:
    """The bounds in ``Field(ge=0)``, and in ``Ge(0)``."""
    if not isinstance(call, ast.Call):
        return
    named = _NAMED_BOUNDS.get(last_name(call.func))
    if named is not None and call.args and (bound := _literal(call.args[0])):
        yield _Said(named[0], f"{named[1]} {bound}")
    for keyword in call.keywords:
        known = _BOUNDS.get(keyword.arg or "")
        if known is not None and (bound := _literal(keyword.value)):
            yield _Said(known[0], f"{known[1]} {bound}")


def _default_says(value: ast.expr | None) -> Iterator[_Said]:
    if value is None:
        return
    if isinstance(value, ast.Call) and last_name(value.func) in (*_FIELDS, "field"):
        yield from _bounds(value)
    default = _default_of(value)
    if default is not None and (text := _literal(default)):
        yield _Said(Predicate.DEFAULT, text)


def _default_of(value: ast.expr) -> ast.expr | None:
    """What stands for a value that is not given; ``None`` where it has to be given."""
    if not (isinstance(value, ast.Call) and last_name(value.func) in (*_FIELDS, "field")):
        return value
    for keyword in value.keywords:
        if keyword.arg in ("default", "default_factory"):
            return keyword.value
    first = value.args[0] if value.args else None
    return None if first is None or (isinstance(first, ast.Constant) and first.value is ...) else first


def _literal(node: ast.expr) -> str:
    """The literal as source; empty for anything else."""
    try:
        text = repr(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ""
    return text if len(text) <= _MOST_LETTERS else ""


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _base(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


def _quote(node: ast.AST) -> str:
    try:
        return ast.unparse(node)[:_MOST_LETTERS]
    except RecursionError:
        return ""
