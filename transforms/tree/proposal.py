"""What a proposer may hand back: replacement nodes for one function, and where they came from."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import libcst as cst

from analysis.facts import FunctionId
from transforms.tree.node_path import NodePath
from transforms.tree.proposers import SEARCHED


class EditKind(enum.Enum):
    """The three sizes of an edit, smallest first."""

    UPDATE = "update"
    PATCH = "patch"
    REWRITE = "rewrite"


@dataclass(frozen=True, slots=True)
class Replacement:
    """New nodes for the node at one path.

    An expression is replaced by exactly one node; a statement of a block by any number of
    statements (none deletes it; ``(new, old)`` inserts before it).
    """

    at: NodePath
    nodes: tuple[cst.CSTNode, ...]


FOREIGN = "foreign"
"""The proposer of a change that somebody else made."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who proposed an edit, and by which operator or in which round."""

    proposer: str
    operator: str
    detail: str = ""

    @property
    def is_searched(self) -> bool:
        """Whether the search alone made the edit; one may be joined of several proposers' edits."""
        return set(self.proposer.split("+")) <= set(SEARCHED)


@dataclass(frozen=True, slots=True)
class Proposal:
    """One edit of one function. Holds live nodes, so it never leaves its process.

    Replacements never nest and all address the original tree. ``imports`` are plain import
    statements that the edit needs; the engine places them, never the proposer. ``weight`` is the share
    of the proposer's hopes for this function that the edit carries, 0 where it has no opinion. ``ended`` are families
    of edits that had come to their end by then, each told once.
    """

    function: FunctionId
    replacements: tuple[Replacement, ...]
    origin: Origin
    explanation: str = ""
    imports: tuple[str, ...] = ()
    weight: float = 0.0
    ended: tuple[str, ...] = ()
