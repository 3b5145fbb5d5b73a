"""Shapes of edits that pass tests more often than they mend faults.

They follow the anti-patterns of Tan et al. (2016) and the deletions of Kali (Qi et al., 2015). Such a candidate is
tried and judged like any other. It ranks last, and is no rival to one without them.
"""

from __future__ import annotations

import ast
import functools
import textwrap
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from analysis.function_text import FunctionNode, last_name
from analysis.functions import syntax_tree
from transforms.rules.guard_rules import parameters_of

_TRUE_CALLS = ("type", "object", "iter", "super")
_PREDICATES = (
    *("all", "any", "bool", "callable", "endswith", "exists", "hasattr", "is_dir", "is_file", "isalnum", "isalpha"),
    *("isdecimal", "isdigit", "isdisjoint", "isfile", "isidentifier", "isinstance", "islower", "isnumeric", "isspace"),
    *("issubclass", "issubset", "issuperset", "istitle", "isupper", "startswith"),
)
"""Functions and methods of the language that answer yes or no, never ``None``."""
_NO_EFFECT = frozenset((*_PREDICATES, "abs", "int", "len", "max", "min", "round", "sorted", "str", "sum", "tuple"))
"""Those that are called for what they give."""
_FOR_EFFECT = ("shuffle", "sleep")
"""Functions and methods of the language that give nothing, whatever has them."""
_SAME_TRUTH = frozenset(("capitalize", "casefold", "lower", "swapcase", "title", "upper"))
"""Methods of texts whose result is empty where the text is: a condition on it asks nothing of the method."""
_TEXT_OF = ("repr", "str")
"""Functions that give a text which hardly ever is empty: nothing is asked of what they are given."""
_SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete, ast.Assert)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_PLAIN = (
    *(ast.Constant, ast.Name, ast.expr_context, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop),
    *(ast.UnaryOp, ast.unaryop, ast.BinOp, *_ARITHMETIC),
)
_CALLING = (ast.Call, ast.Await, ast.NamedExpr)
EXITS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


@functools.lru_cache(maxsize=1 << 12)
def antipatterns(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[str, ...]:
    """Names of the anti-patterns that the edit shows; ``()`` where either text cannot be read by this Python."""
    old, new = trees_of(before, after, encoding)
    defined = {node.name for node in ast.walk(new) if isinstance(node, FunctionNode)}
    checks = (
        ("deleted functionality", _only_deletes(old, new)),
        ("hard-coded value", _hard_codes(old, new)),
        ("unconditional exit", len(_cut_off(new)) > len(_cut_off(old))),
        ("trivial condition", len(_trivial_tests(new)) > len(_trivial_tests(old))),
        ("trivial condition", len(_absorbed_operands(new)) > len(_absorbed_operands(old))),
        ("text as a condition", len(_texts_asked(new)) > len(_texts_asked(old))),
        ("idle statement", len(_idle_statements(new)) > len(_idle_statements(old))),
        ("repeated statement", len(_repeated_in(new)) > len(_repeated_in(old))),
        ("emptied block", len(_emptied(new)) > len(_emptied(old))),
        ("name for nothing", len(_bound_to_nothing(new)) > len(_bound_to_nothing(old))),
        ("dropped result", bool(_dropped_results(old, new))),
        ("dropped recursion", bool(_recursive_calls(old) & defined - _recursive_calls(new))),
    )
    return tuple(dict.fromkeys(name for name, found in checks if found))


def dead_code(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[str, ...]:
    """What the edit leaves standing that can no longer run or decide anything, a sentence each."""
    old, new = trees_of(before, after, encoding)
    absorbed = _news(_absorbed_operands, old, new)
    return (
        *(f"`{_first_line(node)}` can never run any more" for node in _news(_cut_off, old, new)),
        *(f"the condition `{_first_line(node)}` {_triviality(node)}" for node in _news(_trivial_tests, old, new)),
        *(f"`{_first_line(node)}` decides nothing beside what stands next to it" for node in absorbed),
        *(f"the statement `{_first_line(node)}` does nothing" for node in _news(_idle_statements, old, new)),
        *(f"nothing is left in `{_first_line(node)}`" for node in _news(_emptied, old, new)),
        *(f"`{_first_line(node)}` always binds None" for node in _news(_bound_to_nothing, old, new)),
    )


def repeated_statements(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[str, ...]:
    """Statements that the edit has stand twice in a row, each text once."""
    return tuple(map(_first_line, _news(_repeated_in, *trees_of(before, after, encoding))))


def unread_parameters(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[str, ...]:
    """Parameters that the old function reads and the new one, which still has them, does not."""
    old, new = trees_of(before, after, encoding)
    functions = [next((n for n in ast.walk(tree) if isinstance(n, FunctionNode)), None) for tree in (old, new)]
    had, has = (parameters_of(function) if function is not None else [] for function in functions)
    kept = [name for name in had if name in has and name not in ("self", "cls")]
    read, reads = _read_names(old), _read_names(new)
    return tuple(name for name in kept if name in read and name not in reads)


def _read_names(tree: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def trees_of(before: bytes, after: bytes, encoding: str) -> tuple[ast.AST, ast.AST]:
    """Both texts as trees; two empty ones, which nothing parts, where either cannot be read by this Python."""
    try:
        old, new = (syntax_tree(textwrap.dedent(text.decode(encoding)).encode()) for text in (before, after))
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        return ast.Module([], []), ast.Module([], [])
    return old, new


def _news(find: Callable[[ast.AST], list[ast.AST]], old: ast.AST, new: ast.AST) -> list[ast.AST]:
    """What is found in the new tree more often than in the old one, each text once."""
    found = find(new)
    more = Counter(map(ast.unparse, found)) - Counter(map(ast.unparse, find(old)))
    return [node for text, node in {ast.unparse(node): node for node in found}.items() if text in more]


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def _triviality(test: ast.AST) -> str:
    """What is wrong with the condition. Few things differ from themselves, but some do (``nan``)."""
    itself = isinstance(test, ast.Compare) and not _is_none(test.comparators[0])
    return "compares a thing with itself" if itself else "always has the same answer"


def _leaves(tree: ast.AST) -> tuple[Counter[str], Counter[str]]:
    """Names and attributes read, and constants."""
    nodes = list(ast.walk(tree))
    names = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    names.update(node.attr for node in nodes if isinstance(node, ast.Attribute))
    return names, Counter(repr(node.value) for node in nodes if isinstance(node, ast.Constant))


def _statements(tree: ast.AST) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


def _only_deletes(old: ast.AST, new: ast.AST) -> bool:
    """Whether there are fewer statements, and no simple one that the old function had not: ``a()`` of ``a(); b()``."""
    before, after = _statements(old), _statements(new)
    had, has = (Counter(ast.dump(n) for n in nodes if not hasattr(n, "body")) for nodes in (before, after))
    return len(after) < len(before) and not has - had


def _hard_codes(old: ast.AST, new: ast.AST) -> bool:
    """Whether a new constant stands for what names computed, and no new name: ``return 3`` for ``return len(x)``."""
    (old_names, old_constants), (new_names, new_constants) = _leaves(old), _leaves(new)
    lost, gained = old_names - new_names, new_names - old_names
    same_length = len(_statements(old)) == len(_statements(new))
    return bool(lost) and not gained and bool(new_constants - old_constants) and same_length


def _cut_off(tree: ast.AST) -> list[ast.AST]:
    """The statements that stand behind an exit which no condition guards, the first of each block."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                found += [behind for before, behind in pairwise(block) if _leaves_block(before)]
    return found


def _leaves_block(statement: ast.stmt) -> bool:
    """Whether nothing behind it is reached, whatever it asks: ``return``, or ``if`` and ``else`` that both return."""
    if isinstance(statement, ast.If):
        return bool(statement.orelse) and _leaves_block(statement.body[-1]) and _leaves_block(statement.orelse[-1])
    return isinstance(statement, EXITS)


def _trivial_tests(tree: ast.AST) -> list[ast.AST]:
    return [test for test in _conditions(tree) if _is_trivial(test)]


def _conditions(tree: ast.AST) -> list[ast.expr]:
    """Each condition, and what is joined in it."""
    tests = [node.test for node in ast.walk(tree) if isinstance(node, (ast.If, ast.IfExp, ast.While))]
    return [*tests, *(operand for test in tests for operand in _operands(test))]


def _texts_asked(tree: ast.AST) -> list[ast.AST]:
    """Conditions on a text that is made of something: ``if name.upper():``, ``if not str(n):``."""
    bare = (t.operand if isinstance(t, ast.UnaryOp) and isinstance(t.op, ast.Not) else t for t in _conditions(tree))
    called = [(test, test.func) for test in bare if isinstance(test, ast.Call)]
    return [
        test
        for test, func in called
        if (last_name(func) in _SAME_TRUTH if isinstance(func, ast.Attribute) else last_name(func) in _TEXT_OF)
    ]


def _operands(test: ast.expr) -> list[ast.expr]:
    """What ``and`` and ``or`` join in a condition, at any depth."""
    if not isinstance(test, ast.BoolOp):
        return []
    return [part for value in test.values for part in (value, *_operands(value)) if not isinstance(part, ast.BoolOp)]


def _absorbed_operands(tree: ast.AST) -> list[ast.AST]:
    """Operands that say nothing beside another: ``a and b`` in ``a and b or b``, and what stands there twice.

    What calls something may say something else the second time.
    """
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        said: set[str] = set()
        values = node.values if isinstance(node, ast.BoolOp) else []
        for value in sorted(values, key=lambda each: isinstance(each, ast.BoolOp)):
            parts = value.values if isinstance(value, ast.BoolOp) else [value]
            still = [part for part in parts if not any(isinstance(node, _CALLING) for node in ast.walk(part))]
            if any(ast.dump(part) in said for part in still):
                found.append(value)
            said.add(ast.dump(value))
    return found


def _idle_statements(tree: ast.AST) -> list[ast.AST]:
    """Statements that are a plain value which nobody looks at.

    Texts may say something, names in a ``try`` may be asked for, and ``a << b`` and the like build things in some
    libraries: these are none.
    """
    tried = {id(node) for each in ast.walk(tree) if isinstance(each, ast.Try) for node in each.body}
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and id(node) not in tried]
    found: list[ast.AST] = []
    for each in statements:
        value = each.value.value if isinstance(each.value, ast.Constant) else None
        is_text = value is ... or isinstance(value, (str, bytes))
        if not is_text and all(isinstance(node, _PLAIN) for node in ast.walk(each.value)):
            found.append(each)
    return found


def _dropped_results(old: ast.AST, new: ast.AST) -> Counter[str]:
    """What the old text returned or bound, and the new one computes for nobody: ``min(a)`` for ``return min(a)``."""
    kept = Counter(_values(old, ast.Return, ast.Assign)) - Counter(_values(new, ast.Return, ast.Assign))
    return kept & (Counter(_values(new, ast.Expr)) - Counter(_values(old, ast.Expr)))


def _values(tree: ast.AST, *kinds: type[ast.Return] | type[ast.Assign] | type[ast.Expr]) -> list[str]:
    """The calls without an effect that are the values of statements of these kinds, each in full."""
    found = (node.value for node in ast.walk(tree) if isinstance(node, kinds))
    return [ast.dump(each) for each in found if isinstance(each, ast.Call) and last_name(each.func) in _NO_EFFECT]


def _emptied(tree: ast.AST) -> list[ast.AST]:
    """Loops, conditions and ``with`` blocks with nothing in them; a condition whose ``else`` does something is none."""
    compound = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith)
    blocks = [node for node in ast.walk(tree) if isinstance(node, compound)]
    empty = (node for node in blocks if not getattr(node, "orelse", ()) and all(map(_is_pass, node.body)))
    return [node for node in empty if not (isinstance(node, ast.While) and _asks_by_call(node.test))]


def _asks_by_call(test: ast.expr) -> bool:
    """Whether the condition may do the work itself: ``while queue.step(): pass``."""
    return any(isinstance(node, _CALLING) for node in ast.walk(test))


def _is_pass(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and statement.value.value is ...
    )


def _bound_to_nothing(tree: ast.AST) -> list[ast.AST]:
    """Names for what a call gives that is made for its effect: ``wait = self.sleep(wait)``."""
    assigned = [node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr))]
    return [n for n in assigned if isinstance(n.value, ast.Call) and last_name(n.value.func) in _FOR_EFFECT]


def _repeated_in(tree: ast.AST) -> list[ast.AST]:
    """Simple statements that stand twice in a row."""
    blocks = [block for node in ast.walk(tree) for _, block in ast.iter_fields(node) if isinstance(block, list)]
    pairs = [pair for block in blocks for pair in pairwise(block)]
    simple = [(one, two) for one, two in pairs if isinstance(two, _SIMPLE) and type(one) is type(two)]
    return [two for one, two in simple if ast.dump(one) == ast.dump(two)]


def _recursive_calls(tree: ast.AST) -> set[str]:
    """The names of functions that call themselves, by name or as a method of ``self`` or ``cls``."""
    functions = [node for node in ast.walk(tree) if isinstance(node, FunctionNode)]
    return {f.name for f in functions if any(_calls_itself(node, f.name) for node in ast.walk(f))}


def _calls_itself(node: ast.AST, name: str) -> bool:
    """Whether it calls the function of that name: ``f(n)`` or ``self.f(n)``, not ``other.f(n)``."""
    if not isinstance(node, ast.Call) or last_name(node.func) != name:
        return False
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return owner is None or (isinstance(owner, ast.Name) and owner.id in ("self", "cls"))


def _is_trivial(test: ast.expr) -> bool:
    """Whether it always has one answer: ``x == x``, ``any(x) is None``, ``False``. Loops may ask for ``True``."""
    if isinstance(test, ast.Constant):
        return not (test.value is True or test.value == 1)
    if isinstance(test, ast.Compare) and len(test.comparators) == 1:
        left, right = test.left, test.comparators[0]
        asks = isinstance(left, ast.Call) and last_name(left.func) in _PREDICATES
        return ast.dump(left) == ast.dump(right) or (_is_none(right) and asks)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return isinstance(test.operand, ast.Constant) or _is_trivial(test.operand)
    # True whatever its names hold: a type, a function, a display with something in it.
    if isinstance(test, ast.Call):
        return isinstance(test.func, ast.Name) and test.func.id in _TRUE_CALLS and not test.keywords
    if isinstance(test, (ast.Tuple, ast.List, ast.Set)):
        return any(not isinstance(each, ast.Starred) for each in test.elts)
    return isinstance(test, ast.Lambda)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
