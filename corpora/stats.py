"""What a corpus is made of: kinds, classes of failures, sizes of changes, dates, shapes of functions.

Nothing is run. Classes are known where the corpus was verified and that was kept; sizes where there is a reference.
The picture of it is a self-contained SVG with panels of horizontal bars.
"""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from typing import Any
from xml.sax.saxutils import escape

import libcst as cst

from analysis.errors import RepairError
from analysis.functions import FunctionSpan, find_function, functions_of
from corpora.bug import Bug, Corpus, SetAside
from corpora.catalog import open_corpus
from corpora.verification import read_verification
from corpora.workers import work_each
from repair.records.json_records import to_plain
from sandbox.scratch import scratch_folder
from transforms.tree.scope import EditScope, open_scope
from transforms.tree.shape import changed_nodes

STEPS = ((1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, 50))
UNKNOWN = "unknown"

Count = tuple[tuple[str, int], ...]
"""Labels with how many bugs have them, in reading order."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One bug's measures; ``None`` where it has no reference, or one that cannot be compared."""

    lines: int | None = None
    nodes: int | None = None
    shapes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stats:
    """How many bugs have which label. A function may have several shapes."""

    corpus: str
    bugs: int
    set_aside: int
    refuse: int
    """Bugs that no patch of one function is right for, by what the corpus says."""
    kinds: Count
    classes: Count
    lines: Count
    nodes: Count
    dates: Count
    shapes: Count

    def to_json(self) -> dict[str, Any]:
        """Each count as an object."""
        plain = to_plain(self)
        return {key: dict(value) if isinstance(value, list) else value for key, value in plain.items()}


def stats_of(name: str, jobs: int) -> Stats:
    """The figures of the corpus of that name; sources are parsed in processes of their own."""
    corpus = open_corpus(name)
    found = list(corpus.bugs())
    bugs = [each_one for each_one in found if isinstance(each_one, Bug)]
    measures = list(work_each(partial(_measure_one, name), bugs, jobs, lambda bug: Measured()))
    kept = read_verification(name)
    classes = {v.id: f"{v.failure_class}/{v.subclass}".rstrip("/") for v in (kept.bugs if kept else ())}
    return Stats(
        corpus=name,
        bugs=len(bugs),
        set_aside=sum(isinstance(each_one, SetAside) for each_one in found),
        refuse=sum(bool(corpus.oracle(bug).expected) for bug in bugs),
        kinds=_count_labels(bug.provenance.kind or UNKNOWN for bug in bugs),
        classes=_count_labels(classes.get(bug.id, UNKNOWN) for bug in bugs),
        lines=_count_steps([measured.lines for measured in measures]),
        nodes=_count_steps([measured.nodes for measured in measures]),
        dates=tuple(sorted(Counter(bug.provenance.date[:4] or UNKNOWN for bug in bugs).items())),
        shapes=_count_labels(shape for measured in measures for shape in measured.shapes),
    )


def _measure_one(name: str, bug: Bug) -> Measured:
    try:
        return measure(open_corpus(name), bug)
    except (RepairError, OSError, ValueError, RecursionError, cst.ParserSyntaxError):
        return Measured()


def measure(corpus: Corpus, bug: Bug) -> Measured:
    """How large the change to the reference is, and what shape the function at fault has."""
    reference = dict(corpus.oracle(bug).reference)
    with scratch_folder() as scratch:
        root = scratch / "tree"
        corpus.write_tree(bug, root)
        wanted = {*reference, *([bug.fault.path] if bug.fault else [])}
        tree = {path: (root / path).read_bytes() for path in wanted if (root / path).is_file()}
    pairs = tuple(
        (path, tree.get(path, b""), text) for path, text in sorted(reference.items()) if tree.get(path) != text
    )
    span = None
    if bug.fault and bug.fault.path in tree:
        span = find_function(functions_of(bug.fault.path, tree[bug.fault.path]), bug.fault.qualname)
    shapes = shapes_of(span, tree[span.function.path]) if span else ()
    if not pairs:
        return Measured(shapes=shapes)
    nodes = sum(_nodes(path, old, new, span) for path, old, new in pairs if path.endswith(".py"))
    return Measured(sum(_lines(old, new) for _, old, new in pairs), nodes, shapes)


def _lines(old: bytes, new: bytes) -> int:
    """Changed lines: a replaced one counts once."""
    matcher = SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal")


def _nodes(path: str, old: bytes, new: bytes, span: FunctionSpan | None) -> int:
    """Changed nodes: of the function at fault where it is known and alone, else of the whole file."""
    if span is not None and span.function.path == path:
        after = find_function(functions_of(path, new), span.function.qualname)
        scopes = (open_scope(old, span), open_scope(new, after)) if after else ()
        match scopes:
            case (EditScope() as before, EditScope() as behind):
                return changed_nodes(before.node, behind.node)
    return changed_nodes(cst.parse_module(old), cst.parse_module(new))


def shapes_of(span: FunctionSpan, source: bytes) -> tuple[str, ...]:
    """Words for the form of a function, sorted."""
    text = textwrap.dedent(source[span.start : span.end].decode(span.encoding))
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef), "a span holds one function"
    return tuple(sorted(_shapes(span, node)))


_DECORATORS = {"property": "property", "staticmethod": "static method", "classmethod": "class method"}
_HOLDING = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _shapes(span: FunctionSpan, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    names = [ast.unparse(decorator).split("(")[0] for decorator in node.decorator_list]
    kinds = {_DECORATORS.get(n, "property" if n.endswith((".setter", ".deleter")) else "decorated") for n in names}
    yield from kinds
    if span.in_class:
        yield "operator" if node.name.startswith("__") and node.name != "__init__" else "method"
    else:
        yield "nested" if span.parent else "function"
    if span.is_async:
        yield "async"
    inner = [each_one for each_one in ast.walk(node) if each_one is not node]
    if any(isinstance(each_one, ast.Yield | ast.YieldFrom) for each_one in inner):
        yield "generator"
    if any(isinstance(each_one, _HOLDING) for each_one in inner):
        yield "comprehension"
    if any(isinstance(each_one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) for each_one in inner):
        yield "closure"
    called = [each_one.func for each_one in inner if isinstance(each_one, ast.Call)]
    named_so = [func for func in called if getattr(func, "id", getattr(func, "attr", "")) == node.name]
    if any(ast.unparse(func) != f"super().{node.name}" for func in named_so):
        yield "recursive"


def _count_labels(labels: Iterable[str]) -> Count:
    return tuple(sorted(Counter(labels).items(), key=lambda item: (-item[1], item[0])))


def _count_steps(sizes: Sequence[int | None]) -> Count:
    """Sizes in steps, the smallest first; what is unknown last."""
    found = [(f"{low}" if low == high else f"{low}-{high}", low, high) for low, high in STEPS]
    beyond = STEPS[-1][1]
    steps = [(label, sum(size is not None and low <= size <= high for size in sizes)) for label, low, high in found]
    steps.append((f"over {beyond}", sum(size is not None and size > beyond for size in sizes)))
    steps.append((UNKNOWN, sum(size is None for size in sizes)))
    return tuple((label, count) for label, count in steps if count)


Panel = tuple[str, Sequence[tuple[str, int]]]
"""A title and labelled counts."""

WIDTH, LABELS, ROW, GAP = 460, 190, 18, 34
MOST_ROWS = 16

_STYLE = """\
text { font: 12px sans-serif; fill: #222 } .title { font-weight: bold } .label { text-anchor: end }
rect { fill: #4a7a9c } .paper { fill: #fff }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .paper { fill: #1b1b1b } rect { fill: #6ea3c7 } }"""


def bar_chart(title: str, panels: Sequence[Panel]) -> str:
    """The SVG text. Panels stand in two columns; of a long one the tail is summed up."""
    heights = [0, 0]
    drawn = []
    for name, counts in panels:
        if counts:
            column = heights.index(min(heights))
            drawn.append(_panel(name, counts, column * WIDTH, GAP + heights[column]))
            heights[column] += GAP + ROW * min(len(counts), MOST_ROWS)
    height = 2 * GAP + max(heights)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{height}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<rect class="paper" width="{2 * WIDTH}" height="{height}"/>',
        _text(12, 22, title, "title"),
        *drawn,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _panel(name: str, counts: Sequence[tuple[str, int]], left: int, top: int) -> str:
    if len(counts) > MOST_ROWS:
        rest = counts[MOST_ROWS - 1 :]
        counts = [*counts[: MOST_ROWS - 1], (f"{len(rest)} others", sum(count for _, count in rest))]
    most = max(count for _, count in counts)
    room = WIDTH - LABELS - 60
    lines = [_text(left + LABELS, top + 20, name, "title")]
    for number, (label, count) in enumerate(counts):
        y = top + GAP + number * ROW
        width = round(room * count / most, 1) if most else 0
        lines.append(_text(left + LABELS - 6, y + 9, label[:30], "label"))
        lines.append(f'<rect x="{left + LABELS}" y="{y - 2}" width="{width}" height="{ROW - 5}"/>')
        lines.append(_text(left + LABELS + round(width) + 5, y + 9, str(count)))
    return "\n".join(lines)


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{name}>{escape(text)}</text>'
