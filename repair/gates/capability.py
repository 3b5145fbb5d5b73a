"""Capability: does the new text reach further than the old one, or answer the tests instead of their meaning?"""

from __future__ import annotations

from collections.abc import Callable

from analysis.capability import CapabilityFinding, new_capabilities
from analysis.danger import DangerLevel
from analysis.diagnosis import is_test_path
from analysis.expected_values import TestValues, join_values, values_of_tests
from analysis.functions import source_encoding
from analysis.literals import texts_of
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence


class Capability:
    """Rejects what no fix needs; leaves open, with the place as witness, what a person should look at."""

    name = "capability"

    def judge(self, submission: Submission) -> Evidence:
        """Compare the two texts, knowing the failing tests' values."""
        found = _findings(submission, _values(submission))
        numbers = (("findings", len(found)),)
        grave = [f for f in found if f.severity is DangerLevel.REJECT]
        if grave:
            claim = " ".join(_describe_finding(f, submission) for f in grave)
            return Evidence(self.name, Decision.REJECT, claim, numbers, witness=_describe_finding(grave[0], submission))
        if found:
            witness = " ".join(_describe_finding(f, submission) for f in found)
            question = "Is that what this function is meant to do?"
            return Evidence(self.name, Decision.UNKNOWN, found[0].claim, numbers, witness=witness, question=question)
        claim = "the new text uses nothing that the old one did not, and repeats no value of the failing tests"
        return Evidence(self.name, Decision.ACCEPT, claim, numbers)


def _values(submission: Submission) -> TestValues:
    """What the failing tests mention, all of them together."""
    failing = submission.baseline.failing
    return join_values(
        values_of_tests(source, [t for t in failing if str(t).split("::")[0] == path])
        for path, source in submission.test_sources
    )


def _findings(submission: Submission, values: TestValues) -> tuple[CapabilityFinding, ...]:
    candidate = submission.candidate
    path = candidate.function.path
    whole = dict(submission.whole).get(path, b"")
    # What the change defines beside this function is there for it to use.
    patched = whole if candidate.text in whole else dict(candidate.files)[path]
    encoding = source_encoding(patched)
    original = dict(submission.sources).get(path, patched.replace(candidate.text, candidate.before, 1))
    return new_capabilities(
        candidate.before.decode(encoding, "replace"),
        candidate.text.decode(encoding, "replace"),
        original.decode(source_encoding(original), "replace"),
        values.expected,
        test_inputs=values.inputs,
        raises=values.raises,
        # With the old function in it: what the new one binds or imports itself is not there for it to find.
        module_now=patched.replace(candidate.text, candidate.before, 1).decode(encoding, "replace"),
        project=_modules(submission),
        test_names=_names(submission),
        mentions=_mentions(submission),
    )


def _mentions(submission: Submission) -> Callable[[str], bool]:
    """Whether a text occurs in the program's files, or in a string of a file with failing tests.

    What these tests and their functions are called is no reason to ask for it.
    """
    failing = {str(test).split("::")[0] for test in submission.baseline.failing}
    own = [source for path, source in submission.test_sources if path in failing]
    others = [source for path, source in submission.sources if path not in failing]
    written = "\n".join(text for source in own for text in texts_of(source))

    def mentions(text: str) -> bool:
        return text in written or any(text.encode() in source for source in others)

    return mentions


def _modules(submission: Submission) -> frozenset[str]:
    """The top names of the project's own modules."""
    paths = [path for path, _ in submission.sources if not is_test_path(path)]
    return frozenset(part.removesuffix(".py") for path in paths for part in path.split("/")[:2])


def _names(submission: Submission) -> frozenset[str]:
    """What the failing tests and their files are called; names that could be any word are left out."""
    parts = [str(test).partition("[")[0].split("::") for test in submission.baseline.failing]
    names = {name for path, *inner in parts for name in (path.rsplit("/", 1)[-1].removesuffix(".py"), *inner)}
    return frozenset(name for name in names if "_" in name)


def _describe_finding(finding: CapabilityFinding, submission: Submission) -> str:
    function = submission.candidate.function
    return f"{function.path}:{function.first_line + finding.line - 1}: {finding.claim}"
