"""What an edit operator is, what it sees, and what it gives.

An operator looks at one ``Site`` (a node with its surroundings) and yields ``Edit``s, likeliest first.
Edits are text pieces or nodes for a place; ``transforms.enumerate.proposals`` turns those that are drawn into
proposals, adding the parentheses that the place needs. An operator never looks at other operators,
never at tests, and knows nothing of order beyond the weight of its own edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import libcst as cst

from analysis.facts import Constraint, ConstraintKind, FailureClass
from transforms.ingredients.value_kinds import kind_of_text
from transforms.ingredients.within_reach import NOTHING, Ingredients
from transforms.tree.code_text import Piece
from transforms.tree.node_path import NodePath

_Node = TypeVar("_Node", bound=cst.CSTNode)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is known around the function: ingredients, and what the failure says."""

    ingredients: Ingredients = NOTHING
    constraints: tuple[Constraint, ...] = ()
    failure_class: FailureClass = FailureClass.LOGIC
    subclass: str = ""
    raised: tuple[str, ...] = ()
    """What ended failing tests, and what was handled just then; what tests raise themselves left out."""

    def constraints_of(self, *kinds: ConstraintKind) -> tuple[Constraint, ...]:
        """The constraints of these kinds."""
        return tuple(c for c in self.constraints if c.kind in kinds)


@dataclass(frozen=True, slots=True)
class NodeChange:
    """New pieces for the node at one path: exactly one for an expression, any number for a statement."""

    at: NodePath
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit. ``weight`` is the share of the operator's hopes at this site that it carries."""

    changes: tuple[NodeChange, ...]
    weight: float
    detail: str


@dataclass(frozen=True, slots=True)
class Site:
    """One node of the function with all that an operator may want to know about its place.

    ``role`` is ``value`` for an expression that is evaluated, and ``target`` for one that is assigned to. It is
    ``label`` for a name that is no expression, ``statement`` for a line of a block, else ``part``. ``code`` is the text
    of an expression or a statement as it stands, parentheses and comments included.
    """

    path: NodePath
    node: cst.CSTNode
    role: str
    line: int
    code: str
    up: Site | None
    near: Neighbourhood
    tree: cst.Module

    def node_as(self, kind: type[_Node]) -> _Node:
        """The node, for an operator that is listed for this one type."""
        assert isinstance(self.node, kind), "operators are shown nodes of their types only"
        return self.node

    @property
    def above(self) -> cst.CSTNode | None:
        """The node that this one is a part of."""
        return self.up.node if self.up is not None else None

    @property
    def field(self) -> str:
        """The field of the parent that holds the node."""
        steps = [s for s in self.path[-2:] if isinstance(s, str)]
        return steps[-1] if steps else ""

    @property
    def words(self) -> Ingredients:
        """The ingredients within reach."""
        return self.near.ingredients

    @property
    def kind(self) -> str:
        """What kind of value the expression gives, or nothing where its text does not tell."""
        return kind_of_text(self.code, self.words.kinds)

    def ancestors(self) -> Iterator[Site]:
        """The sites around this one, innermost first."""
        site = self.up
        while site is not None:
            yield site
            site = site.up

    def enclosing(self, *kinds: type[cst.CSTNode]) -> Site | None:
        """The innermost site around this one of one of these types."""
        return next((s for s in self.ancestors() if isinstance(s.node, kinds)), None)

    @property
    def statement(self) -> Site:
        """The statement that this node is part of, itself if it is one."""
        if self.role == "statement":
            return self
        return next((s for s in self.ancestors() if s.role == "statement"), self)

    @property
    def in_loop(self) -> bool:
        """Whether ``continue`` and ``break`` may stand here: in the body of ``for x in xs:``, not in its ``else:``."""
        for site in self.ancestors():
            if isinstance(site.node, (cst.FunctionDef, cst.ClassDef)):
                return False
            if isinstance(site.node, (cst.For, cst.While)) and self.path[len(site.path)] == "body":
                return True  # what stands behind the loop's ``else`` is not in it
        return False

    @property
    def small_statement(self) -> cst.BaseSmallStatement | None:
        """The one simple statement of this line."""
        if isinstance(self.node, cst.SimpleStatementLine) and len(self.node.body) == 1:
            return self.node.body[0]
        return None

    @property
    def leaves_block(self) -> bool:
        """Whether nothing behind it in its block is reached: ``return``, ``raise``, ``continue``, ``break``."""
        return isinstance(self.small_statement, (cst.Return, cst.Raise, cst.Continue, cst.Break))

    @property
    def is_last(self) -> bool:
        """Whether this statement is the last of its block: a final ``return x``, for instance."""
        return self.place is not None and self.place[1] == len(self.siblings) - 1

    @property
    def is_own_value(self) -> bool:
        """Whether any value can stand here: not for ``f`` of ``f(x)``, ``self`` of ``self.x``, ``True`` or ``None``."""
        held = self.field == "value" and isinstance(self.above, cst.Attribute)
        if self.field == "func" or (held and self.code in ("self", "cls", "super()")):
            return False
        return self.code not in ("True", "False", "None")

    @property
    def is_plain_value(self) -> bool:
        """Whether any value can stand here, and it is not the object or class of the method: ``x``, not ``self``."""
        return self.is_own_value and self.code not in ("self", "cls")

    @property
    def is_first(self) -> bool:
        """Whether the function's work begins with this statement: the first one, or that behind a docstring."""
        block = self.place
        if block is None or block[0] != ("body",):
            return False
        head = self.siblings[0]
        small = head.body[0] if isinstance(head, cst.SimpleStatementLine) else None
        text = (cst.SimpleString, cst.ConcatenatedString)
        return block[1] == (1 if isinstance(small, cst.Expr) and isinstance(small.value, text) else 0)

    @property
    def height(self) -> int:
        """How many lines a simple statement takes; a compound one counts by its head."""
        if not isinstance(self.node, cst.SimpleStatementLine):
            return 1
        return self.code.count("\n") - len(self.node.leading_lines)

    def is_on(self, constraint: Constraint) -> bool:
        """Whether the constraint speaks of this node's line, or of its statement's: lines 2 to 4, for instance."""
        whole = self.statement
        return constraint.line == self.line or whole.line <= constraint.line < whole.line + whole.height

    @property
    def place(self) -> tuple[NodePath, int] | None:
        """The path of the block that this statement stands in, and its index there."""
        last = self.path[-1] if self.path else None
        return (self.path[:-2], last) if self.role == "statement" and isinstance(last, int) else None

    @property
    def is_near_top(self) -> bool:
        """Whether this is one of the first two statements of the function; a docstring counts as one."""
        return self.place is not None and self.place[0] == ("body",) and self.place[1] <= 1

    @property
    def siblings(self) -> tuple[cst.BaseStatement, ...]:
        """All statements of the block that this statement stands in."""
        return tuple(self.above.body) if isinstance(self.above, cst.IndentedBlock) else ()

    @property
    def next_statement(self) -> cst.BaseStatement | None:
        """The statement behind this one in its block."""
        following = self.siblings[self.place[1] + 1 :] if self.place is not None else ()
        return following[0] if following else None

    def beside(self, places: int) -> NodePath:
        """The path of the statement that stands so many places behind this one."""
        assert self.place is not None, "only statements have neighbours"
        return (*self.path[:-1], self.place[1] + places)

    def block(self) -> cst.IndentedBlock:
        """This statement alone in a block of its own, without the comments above it."""
        assert isinstance(self.node, cst.BaseStatement), "only statements stand in blocks"
        return cst.IndentedBlock([self.node.with_changes(leading_lines=())])

    def print(self, node: cst.CSTNode) -> str:
        """The text of any node, dedented."""
        return self.tree.code_for_node(node)

    def put(self, piece: Piece, weight: float, detail: str) -> Edit:
        """This node replaced."""
        return Edit((NodeChange(self.path, (piece,)),), weight, detail)

    def add(self, text: str, weight: float, *, behind: bool = True) -> Iterator[Edit]:
        """The text before this statement and, where the block ends here, behind it; in place of a lone ``pass``."""
        if isinstance(self.small_statement, cst.Pass):
            yield self.lines((text,), weight, f"does `{clip_text(text)}` instead of nothing")
            return
        if self.leaves_block and text.strip() == self.code.strip():
            return
        yield self.lines((text, self.node), weight, f"inserts `{clip_text(text)}`")
        if behind and self.is_last and not self.leaves_block:
            yield self.lines((self.node, text), weight, f"appends `{clip_text(text)}`")

    def lines_with_next(self, pieces: Iterable[Piece], weight: float, detail: str) -> Edit:
        """This statement and the one behind it replaced."""
        return Edit((NodeChange(self.path, tuple(pieces)), NodeChange(self.beside(1), ())), weight, detail)

    def lines(self, pieces: Iterable[Piece], weight: float, detail: str) -> Edit:
        """This statement replaced by several, or by none."""
        return Edit((NodeChange(self.path, tuple(pieces)),), weight, detail)


VALUES = (
    cst.Name,
    cst.Attribute,
    cst.Subscript,
    cst.Call,
    cst.BinaryOperation,
    cst.ListComp,
    cst.GeneratorExp,
    cst.IfExp,
)
"""Expressions that are worth wrapping or combining."""


STATEMENT = ("statement",)
"""The one role of operators that look at lines of a block."""


@dataclass(frozen=True, slots=True)
class Example:
    """A function before and after; an empty ``after`` means that the operator leaves it alone.

    ``said`` are constraints as (kind, expression, detail, line).
    """

    before: str
    after: str = ""
    said: tuple[tuple[ConstraintKind, str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Operator:
    """One kind of tree edit; its row in a family names it, and ``with_examples`` shows what it does.

    ``on`` are the node types that it looks at, ``roles`` the roles; ``mends``, ``mutates`` and ``loosens`` say
    what it is used for. Its edits come likeliest first, and their weights at one site sum to about one. A
    ``choosy`` operator has nothing for most sites of its types, and says so quickly.
    """

    name: str
    family: str
    on: tuple[type[cst.CSTNode], ...]
    edits: Callable[[Site], Iterator[Edit]]
    examples: tuple[Example, ...] = ()
    roles: tuple[str, ...] = ("value",)
    mends: bool = True
    mutates: bool = False
    choosy: bool = False
    loosens: bool = False

    def with_examples(self, *examples: Example) -> Operator:
        """The operator with examples, three or more that it changes and one that it leaves alone."""
        return replace(self, examples=examples)


def edits_at(operator: Operator, site: Site) -> Iterator[Edit]:
    """The operator's edits of one site; a tree or text that the library refuses ends them, and not the search."""
    try:
        yield from operator.edits(site)
    except (cst.CSTValidationError, cst.ParserSyntaxError):
        return


def weigh_by_rank(items: Iterable[str], share: float = 1.0) -> Iterator[tuple[str, float]]:
    """Each distinct item with a weight that falls with its rank; the first dozen sum to about ``share``."""
    seen: set[str] = set()
    for item in items:
        if item not in seen:
            yield item, share * 0.36 / (len(seen) + 1.2)
            seen.add(item)


def clip_text(text: str, most: int = 60) -> str:
    """The text on one line, cut short for a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def clip_change(before: str, after: str, most: int = 40) -> tuple[str, str]:
    """Both texts on one line each, cut short so that what differs is seen."""
    first, second = " ".join(before.split()), " ".join(after.split())
    if max(len(first), len(second)) > most:
        same = next(
            (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
        )
        start = max(0, same - most // 3)
        first, second = (f"…{line[start:]}" if start else line for line in (first, second))
    return clip_text(first, most), clip_text(second, most)
