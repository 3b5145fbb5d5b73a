"""What a project's own history earns as a source of edits: walked forward by date, and on twin faults. Nothing is run.

Of a fix only earlier commits are known. It is *reached* where one of the first edits of the memory gives the tree of
the function after it. The control is taught by another project.

A *twin* is the same mistake planted in two functions alike. The first one's mend is learned. It is counted at which
candidate the second one's mend comes.
"""

from __future__ import annotations

import ast
import copy
import itertools
import random
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.change_history import CommittedChange
from analysis.diagnosis import is_test_path
from analysis.errors import RepairError
from analysis.facts import Diagnosis, Suspect
from analysis.functions import FunctionSpan, functions_of
from analysis.same_flaw import LEAST_NODES, bound_names, find_siblings
from analysis.trials import Trial
from corpora.lab.benchmarks.words_reach import tree_of
from repair.memory.learning import MOST_EDITS, MOST_TEMPLATES, MOST_WORDS, taught_by
from repair.proposers.memory import SHARE, MemoryProposer
from repair.proposers.search import SearchProposer
from repair.records.functions import edit_scope
from repair.records.ports import Context, Proposer
from repair.records.task import PatchPlan
from repair.store.git_history import CommittedText, committed_texts
from transforms.ingredients.edit_templates import EditTemplate, PieceEdit, learn_templates, piece_edit
from transforms.ingredients.history_words import HistoryWord, merge_words
from transforms.patch.printer import Printer
from transforms.tree.proposal import Proposal
from transforms.tree.scope import EditScope

MOST_COMMITS, SECONDS = 3_000, 120.0
MOST_CANDIDATES = 200
"""Edits of the memory among which a fix has to be."""

MOST_SEARCHED = 1_000
"""Edits of the search that are drawn to see whether it has the same one."""


@dataclass(frozen=True, slots=True)
class SmallFix:
    """A commit that mends one function of one file: the function before it, and the tree and text that are wanted."""

    day: int
    scope: EditScope
    module: bytes
    wanted: str
    after: bytes = b""


@dataclass(frozen=True, slots=True)
class Known:
    """What was learned by some moment."""

    words: tuple[HistoryWord, ...] = ()
    templates: tuple[EditTemplate, ...] = ()


def walk_forward(root: Path, most: int, leave: int = 0) -> list[tuple[SmallFix, Known]]:
    """The latest fixes of a history, at most so many, each with what all earlier commits teach.

    The last ones, so many as ``leave`` says, are not among them.
    """
    texts = [each for part in committed_texts(root, MOST_COMMITS, SECONDS) for each in part]
    texts = [each for each in reversed(texts) if not is_test_path(each.path)]
    fixes = {number: fix for number, text in enumerate(texts) if (fix := small_fix(text)) is not None}
    asked = set(list(fixes)[: len(fixes) - leave][-most:])
    words: list[HistoryWord] = []
    edits: list[PieceEdit] = []
    found = []
    for number, text in enumerate(texts):
        if number in asked:
            found.append((fixes[number], known_of(words, edits)))
        is_fix = text.alone and CommittedChange(text.subject, ()).is_fix
        taught = taught_by(text.path, text.before, text.after, is_fix=is_fix)
        words += [HistoryWord(word, text.path, text.day) for word in taught.words]
        edits += [taught.edit] if taught.edit is not None else []
    return found


def known_of(words: Iterable[HistoryWord], edits: Sequence[PieceEdit]) -> Known:
    """What words and edits teach, the edits given oldest first."""
    newest = list(reversed(edits))[:MOST_EDITS]
    return Known(merge_words(words, MOST_WORDS), learn_templates(newest, MOST_TEMPLATES))


def small_fix(text: CommittedText) -> SmallFix | None:
    """The fix that the changed file is; ``None`` where it is none, or changes more than one function."""
    if not text.alone or not CommittedChange(text.subject, ()).is_fix:
        return None
    try:
        old, new = (_by_name(text.path, content) for content in (text.before, text.after))
        changed = [
            name
            for name in old.keys() & new.keys()
            if tree_of(_own(text.before, old[name])) != tree_of(_own(text.after, new[name]))
        ]
        if len(changed) != 1 or old.keys() != new.keys():
            return None
        scope = edit_scope(((text.path, text.before),), old[changed[0]].function)
        after = edit_scope(((text.path, text.after),), new[changed[0]].function).text
    except RepairError:
        return None
    wanted = tree_of(after)
    return SmallFix(text.day, scope, text.before, wanted, after) if wanted else None


def _by_name(path: str, content: bytes) -> dict[str, FunctionSpan]:
    return {each.function.qualname: each for each in functions_of(path, content)}


def _own(content: bytes, span: FunctionSpan) -> bytes:
    line = content.rfind(b"\n", 0, span.start) + 1
    return content[line : span.end]


def place_of(fix: SmallFix, proposer: Proposer, most: int, diagnoses: tuple[Diagnosis, ...] = ()) -> int | None:
    """At which edit of the proposer the fix is made; ``None`` where it is not among so many."""
    plan = PatchPlan(Suspect(fix.scope.function, 1.0, ("it is at fault",)), diagnoses, (), "")
    context = Context(fix.scope, fix.module, (), "", 0, tuple, lambda: 60.0)
    printer = Printer(fix.scope)
    made = (each for each in proposer.propose(plan, context) if isinstance(each, Proposal))
    for number, proposal in enumerate(itertools.islice(made, most), 1):
        text = printer.render(proposal)
        if isinstance(text, Trial) and tree_of(text.text) == fix.wanted:
            return number
    return None


def reach_figures(histories: Sequence[Path], most: int) -> dict[str, Any]:
    """How many of the latest fixes of each history its own earlier commits reach, and another project's."""
    walked = {root.name: walk_forward(root, most) for root in histories}
    last = {name: walk[-1][1] if walk else Known() for name, walk in walked.items()}
    names = list(walked)
    found = {}
    for number, name in enumerate(names):
        other = last[names[number - 1]]
        counts = {"fixes": len(walked[name]), "words": 0, "templates": 0, "either": 0, "by_search_too": 0, "control": 0}
        for fix, known in walked[name]:
            worded = place_of(fix, MemoryProposer(known.words, (), fix.day), MOST_CANDIDATES)
            templated = place_of(fix, MemoryProposer((), known.templates, fix.day), MOST_CANDIDATES)
            control = place_of(fix, MemoryProposer(other.words, other.templates, fix.day), MOST_CANDIDATES)
            either = worded is not None or templated is not None
            counts["words"] += worded is not None
            counts["templates"] += templated is not None
            counts["either"] += either
            counts["control"] += control is not None and len(names) > 1
            counts["by_search_too"] += either and place_of(fix, SearchProposer(), MOST_SEARCHED) is not None
        found[name] = counts
    return found


@dataclass(frozen=True, slots=True)
class TwinPair:
    """The same mistake in two functions: how the first was mended, and the second one as it is and as it should be."""

    learned: PieceEdit
    second: SmallFix


def twins_of(root: Path, most: int) -> Iterator[TwinPair]:
    """Twins in a project's functions that share a piece of code but for local names; the same for the same files."""
    pairs = (
        (group[0], other)
        for group in _alike(root)
        for other in group[1:]
        if (other[0], other[2].function) != (group[0][0], group[0][2].function)
    )
    seen: set[tuple[str, str]] = set()
    given = 0
    for one, other in pairs:
        key = (other[0], other[2].function.qualname)
        pair = _twin(one, other) if key not in seen and given < most else None
        if pair is not None:
            seen.add(key)
            given += 1
            yield pair


def planted_fixes(root: Path, most: int, seed: int) -> list[SmallFix]:
    """So many mistakes in as many functions of the project, chosen by the seed, each with the function as it was."""
    found = (_fix_of(piece) for piece in _chosen(root, seed))
    return list(itertools.islice((each for each in found if each is not None), most))


def planted_edits(root: Path, most: int, seed: int) -> list[PieceEdit]:
    """How so many of these mistakes are mended."""
    found = (_edit_of(piece) for piece in _chosen(root, seed))
    return list(itertools.islice((each for each in found if each is not None), most))


def _chosen(root: Path, seed: int) -> list[_Piece]:
    pieces = {(piece[0], piece[2].function.qualname): piece for group in _alike(root) for piece in group}
    return [pieces[key] for key in random.Random(f"{root.name} {seed}").sample(sorted(pieces), len(pieces))]


_Piece = tuple[str, bytes, FunctionSpan, ast.AST]

MOST_SITES = 5
"""Places at which one flaw is planted."""


def siblings_figures(roots: Sequence[Path], most: int) -> dict[str, Any]:
    """One flaw planted at two to five places, and mended at one: how many of the others are listed."""
    planted = found = listed = flaws = 0
    for root in roots:
        groups = ({(p[0], p[2].function): p for p in reversed(group)} for group in _alike(root))
        for group in itertools.islice((g for g in groups if len(g) > 1), most):
            flaw = plant_flaw(list(group.values())[:MOST_SITES])
            if flaw is not None:
                places, told = flaw
                flaws, planted, listed = flaws + 1, planted + len(places), listed + len(told)
                found += len(places & told)
    return {
        "flaws": flaws,
        "planted": planted,
        "recall": round(found / planted, 3) if planted else None,
        "precision": round(found / listed, 3) if listed else None,
    }


def plant_flaw(pieces: Sequence[_Piece]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]] | None:
    """The functions with the flaw but for the first, which is mended, and those that are listed for its mend."""
    files = {path: content.split(b"\n") for path, content, _, _ in pieces}
    lines = {(path, getattr(node, "lineno", 0)) for path, _, _, node in pieces}
    made = [_planted(piece) for piece in pieces]
    if len(lines) < len(pieces) or any(each is None for each in made):
        return None
    for (path, _, _, node), each in zip(pieces, made, strict=True):
        number = getattr(node, "lineno", 0) - 1
        files[path][number] = each[0].split(b"\n")[number] if each is not None else b""
    sources = {path: b"\n".join(content) for path, content in files.items()}
    path, content, span, node = pieces[0]
    number = getattr(node, "lineno", 0) - 1
    after = [*files[path][:number], content.split(b"\n")[number], *files[path][number + 1 :]]
    _, places = find_siblings(sources[path], b"\n".join(after), span.function.qualname, sources, path)
    wanted = {(piece[0], piece[2].function.qualname) for piece in pieces[1:]}
    return wanted, {(each.file, each.function) for each in places}


def _alike(root: Path) -> list[list[_Piece]]:
    """Pieces of the project's functions by what they have in common but for local names."""
    shapes: dict[str, list[_Piece]] = {}
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root).as_posix()
        if not is_test_path(relative) and path.is_file() and not path.is_symlink():
            for content, span, (function, node) in _pieces(relative, path.read_bytes()):
                shapes.setdefault(_shape(node, bound_names(function)), []).append((relative, content, span, node))
    return list(shapes.values())


def _pieces(path: str, content: bytes) -> Iterator[tuple[bytes, FunctionSpan, tuple[ast.FunctionDef, ast.AST]]]:
    try:
        tree, spans = ast.parse(content), _by_name(path, content)
    except (RepairError, SyntaxError, ValueError):
        return
    by_line = {span.def_line: span for span in spans.values()}
    for function in (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)):
        span = by_line.get(function.lineno)
        for node in ast.walk(function) if span is not None else ():
            if (
                isinstance(node, (ast.Compare, ast.BinOp, ast.Subscript))
                and len(list(ast.walk(node))) >= LEAST_NODES + 3
            ):
                assert span is not None, "it is looked at only where there is one"
                if _mistaken(node) is not None:
                    yield content, span, (function, node)


def _mistaken(node: ast.AST) -> ast.AST | None:
    """The piece with one mistake; ``None`` where there is none to make."""
    made = copy.deepcopy(node)
    for each in ast.walk(made):
        if isinstance(each, ast.Compare) and type(each.ops[0]) in _OTHER:
            each.ops[0] = _OTHER[type(each.ops[0])]()
            return made
        if isinstance(each, ast.BinOp) and isinstance(each.op, (ast.Add, ast.Sub)):
            each.op = ast.Sub() if isinstance(each.op, ast.Add) else ast.Add()
            return made
    return None


_OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def _shape(node: ast.AST, bound: frozenset[str]) -> str:
    made = copy.deepcopy(node)
    holes: dict[str, str] = {}
    for each in ast.walk(made):
        if isinstance(each, ast.Name) and each.id in bound:
            each.id = holes.setdefault(each.id, f"?{len(holes)}")
    return ast.dump(made)


def _planted(piece: _Piece) -> tuple[bytes, str] | None:
    """The file with the mistake planted, by its text; ``None`` where the piece is not one line."""
    _, content, _, node = piece
    wrong = _mistaken(node)
    line, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    if wrong is None or line != end:
        return None
    lines = content.split(b"\n")
    first, last = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
    text = ast.unparse(ast.fix_missing_locations(wrong))
    lines[line - 1] = lines[line - 1][:first] + text.encode() + lines[line - 1][last:]
    return b"\n".join(lines), text


def _twin(one: _Piece, other: _Piece) -> TwinPair | None:
    learned, second = _edit_of(one), _fix_of(other)
    return TwinPair(learned, second) if learned is not None and second is not None else None


def _edit_of(piece: _Piece) -> PieceEdit | None:
    """How the mistake planted in the piece's function is mended."""
    path, content, span, _ = piece
    planted = _planted(piece)
    if planted is None:
        return None
    try:
        old, new = (edit_scope(((path, text),), span.function) for text in (planted[0], content))
    except RepairError:
        return None
    return piece_edit(old.text.decode("utf-8", "replace"), new.text.decode("utf-8", "replace"))


def _fix_of(piece: _Piece) -> SmallFix | None:
    """The mistake planted in the piece's function, with the function as it was."""
    path, content, span, _ = piece
    planted = _planted(piece)
    if planted is None:
        return None
    try:
        scope = edit_scope(((path, planted[0]),), span.function)
        wanted = tree_of(edit_scope(((path, content),), span.function).text)
    except RepairError:
        return None
    return SmallFix(0, scope, planted[0], wanted) if wanted and wanted != tree_of(scope.text) else None


def place_beside(alone: int, known: int | None, edits: int) -> int:
    """Where a mend comes that the search has at the place ``alone`` and the memory, of so many edits, at ``known``."""
    by_search = alone + min(edits, 1 + alone // SHARE)
    return by_search if known is None else min(by_search, 1 + (known - 1) * (SHARE + 1))


def twin_figures(roots: Sequence[Path], most: int) -> dict[str, Any]:
    """At which candidate the second mend comes with the search alone, and with the memory at its share beside it."""
    found: list[tuple[int, int]] = []
    missed = 0
    for pair in itertools.chain.from_iterable(twins_of(root, most) for root in roots):
        alone = place_of(pair.second, SearchProposer(), MOST_SEARCHED)
        taught = learn_templates([pair.learned], MOST_TEMPLATES)
        known = place_of(pair.second, MemoryProposer((), taught, 0), MOST_CANDIDATES)
        missed += known is None
        if alone is not None:
            found.append((alone, place_beside(alone, known, MOST_CANDIDATES if known is not None else 0)))
    return {
        "pairs": len(found),
        "search_does_not_reach": most * len(roots) - len(found),
        "memory_does_not_reach": missed,
        "median_alone": statistics.median(alone for alone, _ in found) if found else None,
        "median_with_memory": statistics.median(beside for _, beside in found) if found else None,
        "sooner": sum(beside < alone for alone, beside in found),
        "later": sum(beside > alone for alone, beside in found),
    }
