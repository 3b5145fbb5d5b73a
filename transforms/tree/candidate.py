"""A patched program that nobody has judged yet, or the reason why there is none."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from analysis.facts import Digest, Files, FunctionId
from analysis.functions import source_encoding
from transforms.tree.proposal import EditKind, Origin


@dataclass(frozen=True, slots=True)
class Candidate:
    """One patched function as text; what is stored, run, judged and certified.

    ``files`` holds the whole patched file; ``before`` and ``text`` are the old and the new bytes of the function
    itself. ``size`` counts changed AST nodes. ``imports`` lists module-level imports that the engine added as a named
    exemption.
    """

    digest: Digest
    function: FunctionId
    files: Files
    before: bytes
    text: bytes
    diff: str
    size: int
    edit_kind: EditKind
    origin: Origin
    explanation: str = ""
    imports: tuple[str, ...] = ()

    @property
    def encoding(self) -> str:
        """The encoding that the patched file declares."""
        return source_encoding(dict(self.files).get(self.function.path, self.text))


class RejectReason(enum.Enum):
    """Why a proposal gives no candidate."""

    NO_CHANGE = "no_change"
    NOT_FOUND = "not_found"
    NOT_UNIQUE = "not_unique"
    SYNTAX = "syntax"
    OUTSIDE = "outside"
    SIGNATURE = "signature"
    IMPORT = "import"
    ENCODING = "encoding"
    UNPARSEABLE = "unparseable"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A proposal that was refused before any test ran."""

    reason: RejectReason
    detail: str
