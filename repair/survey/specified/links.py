"""Which tests claim to be for which requirements, and of which functions a requirement speaks; nothing runs here."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.specified.citations import TestText, read_tests
from analysis.specified.fact_record import Extractor, Fact, Predicate, requirement_ids
from repair.survey.specified.scan import ScannedProject


@dataclass(frozen=True, slots=True)
class ClaimedLink:
    """A test that names a requirement, or says what it says; ``functions`` are those that the requirement is about."""

    requirement: str
    test: str
    functions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Requirements:
    """The requirements of a project, the tests that claim them, and what is named that nobody states."""

    stated: Mapping[str, Fact] = field(default_factory=dict)
    links: tuple[ClaimedLink, ...] = ()
    unknown: tuple[tuple[TestText, str], ...] = ()
    """Tests with an id that no requirement has, where others with its prefix are stated."""
    tests: tuple[TestText, ...] = ()

    def tests_of(self, requirement: str) -> tuple[str, ...]:
        """The tests that claim it."""
        return tuple(each.test for each in self.links if each.requirement == requirement)


def find_links(scanned: ScannedProject, sources: Mapping[str, bytes]) -> Requirements:
    """Who claims what, by ids in tests' texts and names, by scenarios, and by a test that says the same of a call."""
    stated: dict[str, Fact] = {}
    for fact in scanned.facts:
        if fact.predicate is Predicate.STATES and fact.requirement and fact.extractor is not Extractor.COMMIT:
            stated.setdefault(fact.requirement, fact)
    tests = tuple(
        test
        for path in scanned.test_paths
        for test in read_tests(path, scanned.trees[path], sources[path].decode("utf-8", "replace"))
    )
    about = _functions_about(scanned, stated)
    named = dict.fromkeys((*_by_id(tests, stated), *_by_scenario(tests, stated), *_by_claim(scanned.facts, tests)))
    called = _by_last_name(scanned)
    by_name = {test.name: test for test in tests}
    links = tuple(
        ClaimedLink(requirement, test, about.get(requirement) or _called_by(by_name[test], called))
        for requirement, test in named
    )
    prefixes = {name.rpartition("-")[0] for name in stated}
    unknown = tuple(
        (test, name)
        for test in tests
        for name in test.requirements
        if name not in stated and name.rpartition("-")[0] in prefixes
    )
    return Requirements(stated, links, unknown, tests)


def _functions_about(scanned: ScannedProject, stated: Mapping[str, Fact]) -> dict[str, tuple[str, ...]]:
    """The functions that a requirement's facts are of, and those whose docstring names its id."""
    found: dict[str, list[str]] = defaultdict(list)
    for fact in scanned.facts:
        if fact.requirement in stated and fact.subject in scanned.functions and fact.extractor is not Extractor.COMMIT:
            found[fact.requirement].append(fact.subject)
    for subject, function in scanned.functions.items():
        body = function.node.body
        words = getattr(getattr(body[0], "value", None), "value", "") if body else ""
        for name in requirement_ids(words) if isinstance(words, str) else ():
            if name in stated:
                found[name].append(subject)
    return {name: tuple(dict.fromkeys(subjects)) for name, subjects in found.items()}


def _by_id(tests: Sequence[TestText], stated: Mapping[str, Fact]) -> Iterator[tuple[str, str]]:
    for test in tests:
        yield from ((name, test.name) for name in test.requirements if name in stated)


def _by_scenario(tests: Sequence[TestText], stated: Mapping[str, Fact]) -> Iterator[tuple[str, str]]:
    """Tests that pytest-bdd runs a scenario by."""
    titles = {
        match[1].strip(): name
        for name, fact in stated.items()
        if fact.extractor is Extractor.GHERKIN and (match := re.match(r"[\w ]+:(.*)", fact.quote))
    }
    for test in tests:
        if test.scenario in titles:
            yield titles[test.scenario], test.name


def _by_claim(facts: Sequence[Fact], tests: Sequence[TestText]) -> Iterator[tuple[str, str]]:
    """Tests that assert of a call what a requirement says of the same call."""
    required: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for fact in facts:
        if fact.requirement and fact.means is not None:
            required[_said(fact)].append(fact.requirement)
    for fact in facts:
        if fact.extractor is Extractor.TEST:
            owner = [t for t in tests if t.path == fact.place.path and t.line <= fact.place.line]
            test = max(owner, key=lambda each: each.line, default=None)
            if test is not None:
                yield from ((name, test.name) for name in required.get(_said(fact), ()))


def _said(fact: Fact) -> tuple[str, str, str, str]:
    return fact.subject, fact.predicate.value, fact.when, fact.value


def _by_last_name(scanned: ScannedProject) -> dict[str, str]:
    found: dict[str, str] = {}
    for subject in scanned.functions:
        owner, _, name = subject.rpartition(":")[2].rpartition(".")
        name = owner.rpartition(".")[2] if name == "__init__" else name  # a call names the class alone
        found[name] = "" if name in found else subject
    return {name: subject for name, subject in found.items() if subject}


def _called_by(test: TestText, called: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted(called[name] for name in test.calls & called.keys()))
