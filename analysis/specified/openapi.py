"""What an OpenAPI 3 document says: codes of operations, their parameters, and the fields of schemas.

An operation is bound to the function that answers it, by the decorators of FastAPI and Flask or by its ``operationId``.
References within the document are followed; others are not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.specified.asserted import Named
from analysis.specified.fact_record import Extractor, Fact, Predicate, QuotePlace
from analysis.specified.kinds_text import OF_OPENAPI, kinds_text, literals_text
from analysis.specified.routes import METHODS, WebRoute, find_route

_BOUNDS = (
    ("minimum", Predicate.RANGE, ">="),
    ("maximum", Predicate.RANGE, "<="),
    ("minLength", Predicate.LENGTH, ">="),
    ("maxLength", Predicate.LENGTH, "<="),
    ("minItems", Predicate.LENGTH, ">="),
    ("maxItems", Predicate.LENGTH, "<="),
)
_EXCLUSIVE = (("exclusiveMinimum", "minimum", ">"), ("exclusiveMaximum", "maximum", "<"))
_MOST_ROAD = 20
_MOST_LETTERS = 400
_MOST_FACTS = 20_000


@dataclass(frozen=True, slots=True)
class InterfaceDocument:
    """A document as data, with the text that it was read from."""

    path: str
    data: Mapping[str, Any]
    text: str

    @property
    def problem(self) -> str:
        """Why it is no OpenAPI 3 document; empty where it is one."""
        version = self.data.get("openapi")
        if "swagger" in self.data:
            return f"it is Swagger {self.data['swagger']}, and only OpenAPI 3.x is read"
        if not isinstance(version, str):
            return "it has no key `openapi` with a version"
        if not version.startswith("3."):
            return f"it is OpenAPI {version}, and only 3.x is read"
        if not isinstance(self.data.get("paths", {}), Mapping):
            return "its `paths` are no mapping"
        return ""

    def follow(self, node: Any) -> Mapping[str, Any]:
        """The mapping itself, or what its reference within the document leads to; empty where that is nothing."""
        for _ in range(_MOST_ROAD):
            if not isinstance(node, Mapping):
                return {}
            reference = node.get("$ref")
            if not isinstance(reference, str):
                return node
            if not reference.startswith("#/"):
                return {}
            node = self.data
            for step in reference[2:].split("/"):
                step = step.replace("~1", "/").replace("~0", "~")
                node = node.get(step) if isinstance(node, Mapping) else None
        return {}

    def line_of(self, *words: str) -> int:
        """The line in which these words follow one another, each at or behind the one before."""
        at = 0
        for word in words:
            pattern = re.compile(rf"(?<![\w/]){re.escape(word)}(?![\w/])")
            found = pattern.search(self.text, at)
            if found is None:
                break
            at = found.start()
        return self.text.count("\n", 0, at) + 1


def dead_references(document: InterfaceDocument) -> Iterator[tuple[str, int]]:
    """References within the document that lead nowhere, with their lines."""
    seen = set()
    for found in re.finditer(r"""\$ref['"]?\s*:\s*['"]?(?P<to>#/[^'"\s,}]+)""", document.text):
        if found["to"] not in seen and not document.follow({"$ref": found["to"]}):
            yield found["to"], document.text.count("\n", 0, found.start()) + 1
        seen.add(found["to"])


def interface_facts(
    document: InterfaceDocument, routes: Sequence[WebRoute], named: Named, classes: Mapping[str, str]
) -> Iterator[Fact]:
    """The facts of a document; ``classes`` are the program's records by name, as far as one name means one class."""
    for number, fact in enumerate(_facts(document, routes, named, classes)):
        if number >= _MOST_FACTS:
            return
        yield fact


def _facts(
    document: InterfaceDocument, routes: Sequence[WebRoute], named: Named, classes: Mapping[str, str]
) -> Iterator[Fact]:
    for road, item in document.data.get("paths", {}).items():
        whole = document.follow(item)
        for method in METHODS:
            operation = document.follow(whole.get(method))
            if operation:
                yield from _operation_facts(document, str(road), method, whole, operation, routes, named)
    schemas = document.follow(document.follow(document.data.get("components")).get("schemas"))
    for name, schema in schemas.items():
        subject = classes.get(str(name), f"schema {name}")
        yield from _schema_facts(document, subject, str(name), document.follow(schema))


def bound_subject(document: InterfaceDocument, road: str, method: str, routes: Sequence[WebRoute], named: Named) -> str:
    """The function that answers an operation; empty where nobody can tell."""
    operation = document.follow(document.follow(document.data.get("paths", {}).get(road)).get(method.lower()))
    name = str(operation.get("operationId") or "").rpartition(".")[2]  # ``api.pets.search`` names a function, too
    route = find_route(routes, method.upper(), road, name)
    if route is not None:
        return route.subject
    known = named.get(name) or named.get(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    return known.subject if known is not None else ""


def _operation_facts(
    document: InterfaceDocument,
    road: str,
    method: str,
    item: Mapping[str, Any],
    operation: Mapping[str, Any],
    routes: Sequence[WebRoute],
    named: Named,
) -> Iterator[Fact]:
    own = f"{method.upper()} {road}"
    bound = bound_subject(document, road, method, routes, named)
    for code, answer in document.follow(operation.get("responses")).items():
        if re.fullmatch(r"[1-5]\d\d", str(code)):
            place = QuotePlace(document.path, document.line_of(road, method, str(code)))
            quote = f"{own}: {code} {_quote(document.follow(answer).get('description', ''))}"
            yield Fact(own, Predicate.STATUS, str(code), place, quote, Extractor.OPENAPI)
    for listed in (item.get("parameters"), operation.get("parameters")):
        for each in listed if isinstance(listed, list) else ():
            parameter = document.follow(each)
            name = parameter.get("name")
            if isinstance(name, str):
                place = QuotePlace(document.path, document.line_of(road, method, name))
                quote = f"{own}: {name}: {_quote(parameter)}"
                needed = bool(parameter.get("required")) or parameter.get("in") == "path"
                schema = document.follow(parameter.get("schema"))
                for predicate, value in (*_says(document, schema), (Predicate.REQUIRED, str(needed))):
                    yield Fact(bound or own, predicate, value, place, quote, Extractor.OPENAPI, name)

    yield from _body_facts(document, road, method, bound or own, document.follow(operation.get("requestBody")))


def _body_facts(
    document: InterfaceDocument, road: str, method: str, subject: str, body: Mapping[str, Any]
) -> Iterator[Fact]:
    """The fields of what is sent, where the operation lists them itself; a schema with a name has facts of its own."""
    for form in document.follow(body.get("content")).values():
        node = document.follow(form).get("schema")
        if isinstance(node, Mapping) and "$ref" not in node:
            own = f"{method.upper()} {road}"
            yield from _field_facts(document, subject, (road, method, "requestBody"), own, node)
            return  # other kinds of content say the same


def _schema_facts(document: InterfaceDocument, subject: str, name: str, schema: Mapping[str, Any]) -> Iterator[Fact]:
    if "enum" in schema:
        place = QuotePlace(document.path, document.line_of("schemas", name))
        for predicate, value in _says(document, schema):
            if predicate is Predicate.ENUM:
                yield Fact(subject, predicate, value, place, f"{name}: {_quote(schema)}", Extractor.OPENAPI)
    yield from _field_facts(document, subject, ("schemas", name), name, schema)


def _field_facts(
    document: InterfaceDocument, subject: str, road: Sequence[str], name: str, schema: Mapping[str, Any]
) -> Iterator[Fact]:
    """What a schema says of its fields; ``road`` are the words that lead to it."""
    required = schema.get("required")
    needed = set(map(str, required)) if isinstance(required, list) else set()
    for part, node in document.follow(schema.get("properties")).items():
        own = document.follow(node)
        place = QuotePlace(document.path, document.line_of(*road, str(part)))
        quote = f"{name}.{part}: {_quote(own)}"
        for predicate, value in (*_says(document, own), (Predicate.REQUIRED, str(part in needed))):
            yield Fact(subject, predicate, value, place, quote, Extractor.OPENAPI, str(part))


def _says(document: InterfaceDocument, schema: Mapping[str, Any]) -> Iterator[tuple[Predicate, str]]:
    """Kinds, bounds, values and default of a schema of a plain value."""
    kinds = _kinds(document, schema)
    if kinds:
        yield Predicate.TYPE, kinds_text(kinds)
    for key, predicate, sign in _BOUNDS:
        value = schema.get(key)
        strict = schema.get(f"exclusive{key[:1].upper()}{key[1:]}") is True
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield predicate, f"{sign.rstrip('=') if strict else sign} {value}"
    for key, _, sign in _EXCLUSIVE:
        value = schema.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield Predicate.RANGE, f"{sign} {value}"
    values = schema.get("enum")
    if isinstance(values, list) and values:
        yield Predicate.ENUM, literals_text(value for value in values if value is not None)
    if "default" in schema:
        yield Predicate.DEFAULT, repr(schema["default"])[:_MOST_LETTERS]


def _kinds(document: InterfaceDocument, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The kinds of Python's that the schema allows; none where it does not say."""
    said = schema.get("type")
    names = said if isinstance(said, list) else [said] if isinstance(said, str) else []
    found = [OF_OPENAPI.get(str(name), ()) for name in names]
    for key in ("anyOf", "oneOf"):
        inner = schema.get(key)
        if isinstance(inner, list):
            found += [
                _kinds(document, document.follow(each)) if isinstance(each, Mapping) and "$ref" not in each else ()
                for each in inner
            ]
    if not found or not all(found):
        return ()
    null = ("NoneType",) if schema.get("nullable") is True else ()
    return tuple(dict.fromkeys(kind for kinds in (*found, null) for kind in kinds))


def _quote(node: Any) -> str:
    if isinstance(node, str):
        return node[:_MOST_LETTERS]
    return json.dumps(node, sort_keys=True, default=str)[:_MOST_LETTERS]


def route_facts(routes: Sequence[WebRoute]) -> Iterator[Fact]:
    """The codes that decorators name."""
    for each in routes:
        if each.status:
            path = each.subject.partition(":")[0]
            operation = f"{each.method} {each.path}"
            place = QuotePlace(path, each.line)
            yield Fact(operation, Predicate.STATUS, each.status, place, each.quote, Extractor.ANNOTATION)
