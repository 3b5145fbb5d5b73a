"""Wrong patches of real libraries that an earlier judge certified: none of them may be certified again.

Each is the old text of one function with one line replaced, in the tree of the release that mended it. It passes every
test there. Where the patch was first found on a commit, the two releases around that commit stand in.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.errors import TargetError
from corpora.lab.cases import PYTEST, Case
from corpora.lab.pinned import SourcePackage
from corpora.lab.release_pair import BugTree, ReleasePair
from transforms.patch.diff import unified_diff


@dataclass(frozen=True, slots=True)
class WrongCertificate:
    """A patch that was certified. ``line`` of the old text becomes ``by``; ``fault`` says what the patch does wrong."""

    case: Case
    line: str
    by: str
    fault: str

    def diff(self, tree: BugTree) -> str:
        """The wrong patch as a unified diff against the tree.

        Raises ``TargetError`` where the line does not stand there exactly once.
        """
        old = tree.before
        if old.count(self.line.encode()) != 1:
            raise TargetError(f"{self.line!r} does not stand there exactly once", where=tree.pair.path)
        return unified_diff(tree.pair.path, old, old.replace(self.line.encode(), self.by.encode()))


METRIC = WrongCertificate(
    Case(
        "humanize-metric",
        ReleasePair(
            SourcePackage("humanize", "4.16.0", "7dc2244a2f84a4bfb1d36c37bac80cd78e35cdc5c119206d87b018e1445f3a3f"),
            SourcePackage("humanize", "4.15.0", "1dd098483eb1c7ee8e32eb2e99ad1910baefa4b75c3aff3a82f4d78688993b10"),
            "src/humanize/number.py",
            "metric",
        ),
        (
            "tests/test_number.py::test_metric[test_args7-1.00 kV]",
            "tests/test_number.py::test_metric[test_args8-1.00 kV]",
            "tests/test_number.py::test_metric[test_args9-1.00 MV]",
            "tests/test_number.py::test_metric[test_args10-1.00 mV]",
        ),
        (*PYTEST, "freezegun==1.5.5", "python-dateutil==2.9.0.post0", "six==1.17.0"),
        "metric(999.99, 'V') prints '1000 V' where '1.00 kV' is meant",
    ),
    "int(math.floor(math.log10(abs(value))))",
    "int(math.floor(round(math.log10(abs(value)))))",
    "metric(400, 'V') would be '0.400 kV'",
)

IMAGE = WrongCertificate(
    Case(
        "mistune-image",
        ReleasePair(
            SourcePackage("mistune", "3.2.1", "7c8e5501d38bac1582e067e46c8343f17d57ea1aaa735823f3aba1fd59c88a28"),
            SourcePackage("mistune", "3.2.0", "708487c8a8cdd99c9d90eb3ed4c3ed961246ff78ac82f03418f5183ab70e398a"),
            "src/mistune/renderers/html.py",
            "HTMLRenderer.image",
        ),
        ("tests/test_misc.py::TestMiscCases::test_image_alt_no_double_encoding",),
        PYTEST,
        "the alternative text of an image is escaped twice",
    ),
    "alt = escape_text(striptags(text))",
    "alt = safe_entity(striptags(text))",
    "entities that a reader wrote stay as they are, where the plain text is meant",
)

WRONG_CERTIFICATES = (METRIC, IMAGE)
