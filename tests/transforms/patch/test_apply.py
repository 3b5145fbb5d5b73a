"""Edits land in the one function, and nowhere else."""

from __future__ import annotations

import ast
from textwrap import dedent

import libcst as cst
import pytest

from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from transforms.patch.apply import apply_patch, apply_rewrite, apply_update, complete, place, render
from transforms.tree.candidate import Candidate, Rejected, RejectReason
from transforms.tree.node_path import NodePath, walk
from transforms.tree.proposal import EditKind, Origin, Proposal, Replacement
from transforms.tree.scope import EditScope, open_scope

ORIGIN = Origin("scripted", "example")

SOURCE = dedent(
    '''\
    """A module."""
    import os


    def before():
        return 0


    class Shop:
        rate = 2

        def price(self, amount, *, tax=0):
            """Price of an amount."""
            # the usual rate
            total = amount * self.rate  # no tax yet
            if tax:
                total += tax

            return total

        def after(self):
            return (yield)


    def last(x):
        return x'''
)


def opened(source: str | bytes, qualname: str) -> EditScope:
    content = source.encode() if isinstance(source, str) else source
    span = find_function(functions_of("shop.py", content), qualname)
    assert span is not None
    scope = open_scope(content, span)
    assert isinstance(scope, EditScope), scope
    return scope


def path_of(scope: EditScope, code: str) -> NodePath:
    """The path of the innermost expression, else of the outermost node, that prints as the code."""
    found = [
        (at, node)
        for at, node in walk(scope.node)
        if at and not isinstance(node, cst.BaseSuite) and cst.Module([]).code_for_node(node).strip() == code
    ]
    expressions = [at for at, node in found if isinstance(node, cst.BaseExpression)]
    return expressions[-1] if expressions else found[0][0]


def rendered(scope: EditScope, *edits: tuple[str, tuple[cst.CSTNode, ...]]) -> str:
    replacements = tuple(Replacement(path_of(scope, old), new) for old, new in edits)
    trial = render(scope, Proposal(scope.function, replacements, ORIGIN))
    assert isinstance(trial, Trial), trial
    ast.parse(place(scope, trial.text))
    return trial.text.decode(scope.encoding)


def made(proposal: Proposal | Rejected, scope: EditScope) -> Candidate:
    assert isinstance(proposal, Proposal), proposal
    trial = render(scope, proposal)
    assert isinstance(trial, Trial), trial
    candidate = complete(scope, trial.text, ORIGIN)
    assert isinstance(candidate, Candidate), candidate
    return candidate


def refused(outcome: object) -> RejectReason:
    assert isinstance(outcome, Rejected), outcome
    assert outcome.detail
    return outcome.reason


# -- parentheses -------------------------------------------------------------------------------------

PARENTHESES = [
    ("return a * b", "a", "x + y", "return (x + y) * b"),
    ("return a * b", "b", "x * y", "return a * (x * y)"),
    ("return a * b", "a", "x * y", "return x * y * b"),
    ("return a + b", "b", "x * y", "return a + x * y"),
    ("return a - b", "b", "x - y", "return a - (x - y)"),
    ("return a ** b", "a", "-x", "return (-x) ** b"),
    ("return a ** b", "b", "-x", "return a ** -x"),
    ("return -a", "a", "x + y", "return -(x + y)"),
    ("return not a", "a", "x and y", "return not (x and y)"),
    ("return not a", "a", "x == y", "return not x == y"),
    ("return not(a)", "(a)", "x", "return not(x)"),
    ("return(a)", "(a)", "x", "return(x)"),
    ("return a and b", "b", "x or y", "return a and (x or y)"),
    ("return a or b", "b", "x and y", "return a or x and y"),
    ("return a == b", "b", "x == y", "return a == (x == y)"),
    ("return a.b", "a", "x or y", "return (x or y).b"),
    ("return a.b", "a", "1", "return (1).b"),
    ("return a[b]", "a", "x + y", "return (x + y)[b]"),
    ("return a[b]", "b", "x, y", "return a[(x, y)]"),
    ("return a(b)", "b", "x if y else z", "return a(x if y else z)"),
    ("return a(b)", "b", "x, y", "return a((x, y))"),
    ("return a(k=b)", "b", "(x := y)", "return a(k=(x := y))"),
    ("return a(b)", "a", "lambda: x", "return (lambda: x)(b)"),
    ("return a if b else c", "b", "x if y else z", "return a if (x if y else z) else c"),
    ("return a if b else c", "c", "x if y else z", "return a if b else x if y else z"),
    ("return [a for a in b]", "b", "x if y else z", "return [a for a in (x if y else z)]"),
    ("return a, b", "b", "x, y", "return a, (x, y)"),
    ("return a", "a", "x, y", "return x, y"),
    ("a = b", "b", "yield x", "a = yield x"),
    ("return [a]", "a", "yield x", "return [(yield x)]"),
    ("return f'{a}'", "a", "lambda: 1", "return f'{(lambda: 1)}'"),
    ("return f'{a}'", "a", "{1: 2}", "return f'{({1: 2})}'"),
    ("return [*a]", "a", "x or y", "return [*(x or y)]"),
    ("return a", "a", "(x\n + y)", "return (x\n     + y)"),
]


@pytest.mark.parametrize(("old", "target", "new", "expected"), PARENTHESES)
def test_a_compound_expression_gets_parentheses_where_it_needs_them(
    old: str, target: str, new: str, expected: str
) -> None:
    scope = opened(f"def f():\n    {old}\n", "f")
    node = cst.parse_expression(new if new != "yield x" else f"({new})")
    if new == "yield x":
        node = node.with_changes(lpar=[], rpar=[])
    assert rendered(scope, (target, (node,))) == f"def f():\n    {expected}\n"


def test_a_part_that_was_inside_brackets_keeps_its_line_end_legal() -> None:
    scope = opened("def f():\n    a = b\n    return (a +\n        b)\n", "f")
    inner = cst.parse_expression("(a +\n b)").with_changes(lpar=[], rpar=[])
    at = ("body", "body", 0, "body", 0, "value")
    trial = render(scope, Proposal(scope.function, (Replacement(at, (inner,)),), ORIGIN))
    assert isinstance(trial, Trial)
    assert b"a = (a +\n     b)\n" in trial.text
    inside = render(
        scope,
        Proposal(scope.function, (Replacement(("body", "body", 1, "body", 0, "value", "left"), (inner,)),), ORIGIN),
    )
    assert isinstance(inside, Trial)
    assert b"return (a +\n     b +\n        b)\n" in inside.text


def test_parentheses_are_put_inside_new_nodes_too() -> None:
    scope = opened("def f(a, b):\n    return a\n", "f")
    both = cst.ensure_type(cst.parse_expression("a or b"), cst.BooleanOperation)
    negated = cst.UnaryOperation(cst.Not(), both)
    statement = cst.SimpleStatementLine([cst.Return(negated)])
    assert rendered(scope, ("return a", (statement,))).endswith("return not (a or b)\n")


# -- render ------------------------------------------------------------------------------------------


def test_a_replaced_statement_keeps_the_comments_above_and_behind_it() -> None:
    scope = opened(SOURCE, "Shop.price")
    new = cst.parse_statement("total = amount")
    assert "# the usual rate\n        total = amount  # no tax yet\n" in rendered(scope, (path_code(scope, 1), (new,)))


def path_code(scope: EditScope, index: int) -> str:
    body = scope.node.body
    assert isinstance(body, cst.IndentedBlock)
    return cst.Module([]).code_for_node(body.body[index]).strip()


def test_an_inserted_statement_leaves_the_comment_with_the_old_one() -> None:
    scope = opened(SOURCE, "Shop.price")
    body = scope.node.body
    assert isinstance(body, cst.IndentedBlock)
    guard = cst.parse_statement("if amount is None:\n    return 0")
    text = rendered(scope, (path_code(scope, 1), (guard, body.body[1])))
    assert '"""\n        if amount is None:\n            return 0\n        # the usual rate\n' in text


def test_several_replacements_all_address_the_original_tree() -> None:
    scope = opened("def f(a):\n    a += 1\n    b = a\n    return b\n", "f")
    text = rendered(
        scope, ("a += 1", ()), ("b = a", (cst.parse_statement("b = 2"), cst.parse_statement("c = 3"))), ("return b", ())
    )
    assert text == "def f(a):\n    b = 2\n    c = 3\n"


def test_an_emptied_block_says_pass() -> None:
    scope = opened("def f(a):\n    if a:\n        b()\n    return 1\n", "f")
    at = ("body", "body", 0, "body", "body", 0)
    trial = render(scope, Proposal(scope.function, (Replacement(at, ()),), ORIGIN))
    assert isinstance(trial, Trial)
    assert trial.text == b"def f(a):\n    if a:\n        pass\n    return 1\n"


def test_comments_left_behind_at_the_end_go_with_the_last_statement() -> None:
    scope = opened("def f(a):\n    if a:\n        b()\n        # done\n    return 1\n\n\nx = 1\n", "f")
    text = rendered(scope, ("return 1", ()))
    assert text == "def f(a):\n    if a:\n        b()\n"
    assert isinstance(complete(scope, text.encode(), ORIGIN), Candidate)


def test_replacements_that_overlap_are_refused() -> None:
    scope = opened("def f(a):\n    return a + 1\n", "f")
    edits = (Replacement(path_of(scope, "a + 1"), (cst.Name("b"),)), Replacement(path_of(scope, "1"), (cst.Name("c"),)))
    assert refused(render(scope, Proposal(scope.function, edits, ORIGIN))) is RejectReason.NOT_UNIQUE


BAD_REPLACEMENTS = [
    (("body", "body", 7), (cst.Pass(),), RejectReason.NOT_FOUND),
    (("body", "nowhere"), (cst.Pass(),), RejectReason.NOT_FOUND),
    (("body", "body"), (cst.Pass(),), RejectReason.NOT_FOUND),
    (("body", "body", 0, "body", 0, "value"), (), RejectReason.SYNTAX),
    (("body", "body", 0, "body", 0, "value"), (cst.Name("a"), cst.Name("b")), RejectReason.SYNTAX),
    (("body", "body", 0, "body", 0, "value"), (cst.Pass(),), RejectReason.SYNTAX),
    ((), (cst.Pass(),), RejectReason.OUTSIDE),
    ((), (), RejectReason.OUTSIDE),
]


@pytest.mark.parametrize(("at", "nodes", "reason"), BAD_REPLACEMENTS)
def test_bad_replacements_are_refused(at: NodePath, nodes: tuple[cst.CSTNode, ...], reason: RejectReason) -> None:
    scope = opened("def f(a):\n    return a + 1\n", "f")
    assert refused(render(scope, Proposal(scope.function, (Replacement(at, nodes),), ORIGIN))) is reason


def test_a_part_of_a_joined_string_stays_a_string() -> None:
    scope = opened("def f(a):\n    return 'x' 'y'\n", "f")
    edit = Replacement(path_of(scope, "'y'"), (cst.Name("a"),))
    assert refused(render(scope, Proposal(scope.function, (edit,), ORIGIN))) is RejectReason.SYNTAX


def test_no_change_is_refused() -> None:
    scope = opened(SOURCE, "last")
    edit = Replacement(path_of(scope, "return x"), (cst.parse_statement("return x"),))
    assert refused(render(scope, Proposal(scope.function, (edit,), ORIGIN))) is RejectReason.NO_CHANGE


def test_a_file_without_final_newline_stays_without() -> None:
    scope = opened(SOURCE, "last")
    edit = Replacement(path_of(scope, "return x"), (cst.parse_statement("return 1"),))
    trial = render(scope, Proposal(scope.function, (edit,), ORIGIN))
    assert isinstance(trial, Trial)
    assert place(scope, trial.text).endswith(b"    return 1")


def test_new_lines_follow_the_file() -> None:
    scope = opened("def f(a):\r\n\tif a:\r\n\t\treturn 1\r\n\treturn 2\r\n", "f")
    new = cst.parse_statement("if a:\n    return '''x\n    y'''")
    text = rendered(scope, ("return 2", (new,)))
    assert text == "def f(a):\r\n\tif a:\r\n\t\treturn 1\r\n\tif a:\r\n\t\treturn '''x\r\n    y'''\r\n"


def test_mixed_line_ends_are_left_alone() -> None:
    source = b"def f(a):\n    b = 1\r\n    return a\n"
    scope = opened(source, "f")
    assert rendered(scope, ("1", (cst.Integer("2"),))) == "def f(a):\n    b = 2\r\n    return a\n"


def test_what_the_encoding_lacks_is_refused() -> None:
    scope = opened("# -*- coding: latin-1 -*-\ndef f():\n    return 'é'\n".encode("latin-1"), "f")
    assert rendered(scope, ("'é'", (cst.SimpleString("'ü'"),))) == "def f():\n    return 'ü'\n"
    edit = Replacement(path_of(scope, "'é'"), (cst.SimpleString("'€'"),))
    assert refused(render(scope, Proposal(scope.function, (edit,), ORIGIN))) is RejectReason.ENCODING


def test_the_digest_of_a_trial_depends_on_place_and_text_only() -> None:
    scope = opened("def f(a):\n    return a + 1\n", "f")
    edit = Replacement(path_of(scope, "1"), (cst.Integer("2"),))
    one = render(scope, Proposal(scope.function, (edit,), ORIGIN))
    other = render(scope, Proposal(scope.function, (edit,), Origin("model", "update", "round 2")))
    assert isinstance(one, Trial)
    assert isinstance(other, Trial)
    assert one.digest == other.digest
    assert (one.label, other.label) == ("scripted:example", "model:update round 2")


# -- complete ----------------------------------------------------------------------------------------


def test_a_candidate_carries_file_text_diff_and_kind() -> None:
    scope = opened(SOURCE, "Shop.price")
    candidate = complete(scope, scope.text.replace(b"amount * self", b"amount + self"), ORIGIN, "adds")
    assert isinstance(candidate, Candidate)
    ((path, content),) = candidate.files
    assert (path, content) == ("shop.py", SOURCE.replace("amount * self", "amount + self").encode())
    assert (candidate.edit_kind, candidate.size, candidate.explanation) == (EditKind.UPDATE, 2, "adds")
    assert "-        total = amount * self.rate  # no tax yet\n+        total = amount + self.rate" in candidate.diff


SMUGGLED = {
    "a statement behind it": b"    def price(self):\n        return 1\n    rate = 3\n",
    "a statement before it": b"    rate = 3\n    def price(self):\n        return 1\n",
    "another function": b"    def price(self):\n        return 1\n    def more(self):\n        return 2\n",
    "another function in front": b"    def more(self):\n        return 2\n    def price(self):\n        return 1\n",
    "another name": b"    def cost(self):\n        return 1\n",
    "module level": b"def price(self):\n    return 1\n",
    "a closed class": b"    def price(self):\n        return 1\nimport sys\nclass Other:\n",
    "a guard round it": b"    if True:\n        def price(self):\n            return 1\n",
    "nothing": b"",
    "no function": b"    price = 1\n",
    "a comment behind it": b"    def price(self):\n        return 1\n    # behind\n",
    "a blank line behind it": b"    def price(self):\n        return 1\n\n",
    "a statement on its line": b"    price = 1; rate = 3\n",
    "a string that goes on": b"    def price(self):\n        return '''\n",
    "a line that goes on": b"    def price(self):\n        return 1 \\\n",
    "the rest of the file in a string": b'    def price(self):\n        return """',
}


@pytest.mark.parametrize("name", SMUGGLED)
def test_nothing_is_smuggled_past_the_function(name: str) -> None:
    outcome = complete(opened(SOURCE, "Shop.price"), SMUGGLED[name], ORIGIN)
    allowed = {RejectReason.OUTSIDE, RejectReason.SYNTAX}
    assert name == "a line that goes on" or refused(outcome) in allowed


def test_smuggling_between_equal_names_is_seen() -> None:
    source = "def f():\n    return 1\n\n\nx = 1\n\n\ndef f():\n    return 2\n"
    spans = functions_of("m.py", source.encode())
    scope = open_scope(source.encode(), spans[0])
    assert isinstance(scope, EditScope)
    smuggled = b"def f():\n    return 3\nx = 2\ndef f():\n    return 4\n"
    assert refused(complete(scope, smuggled, ORIGIN)) is RejectReason.OUTSIDE


@pytest.mark.parametrize(
    "body", ["return 1\n    break", "nonlocal a", "from __future__ import annotations", "await x", "return *a", "x = ="]
)
def test_trees_that_are_no_programs_are_refused(body: str) -> None:
    scope = opened("def f(a):\n    return a\n", "f")
    assert refused(complete(scope, f"def f(a):\n    {body}\n".encode(), ORIGIN)) is RejectReason.SYNTAX


def test_bytes_that_are_not_in_the_encoding_are_refused() -> None:
    scope = opened("def f(a):\n    return a\n", "f")
    assert refused(complete(scope, b"def f(a):\n    return '\xff'\n", ORIGIN)) is RejectReason.ENCODING


def test_nested_functions_may_change_inside() -> None:
    source = "def f():\n    def g():\n        return 1\n    return g\n\n\ndef h():\n    pass\n"
    assert isinstance(complete(opened(source, "f"), b"def f():\n    return 2\n", ORIGIN), Candidate)
    inner = complete(opened(source, "f.g"), b"    def g():\n        return 2\n", ORIGIN)
    assert isinstance(inner, Candidate)
    assert inner.files[0][1].decode() == source.replace("return 1", "return 2")


def test_a_file_newer_than_the_engine_can_still_be_patched() -> None:
    source = "type Pair[T] = tuple[T, T]\n\n\ndef f[T](a: T) -> T:\n    return a\n"
    scope = opened(source, "f")
    assert isinstance(complete(scope, b"def f[T](a: T) -> T:\n    return (a)\n", ORIGIN), Candidate)


def test_an_import_at_module_level_is_a_named_exemption() -> None:
    scope = opened(SOURCE, "last")
    candidate = complete(scope, b"def last(x):\n    return math.floor(x)", ORIGIN, imports=("import math",))
    assert isinstance(candidate, Candidate)
    assert candidate.imports == ("import math",)
    assert candidate.files[0][1].decode() == SOURCE.replace("import os\n", "import os\nimport math\n").replace(
        "return x", "return math.floor(x)"
    )


def test_imports_of_a_proposal_go_inside_the_function() -> None:
    scope = opened(SOURCE, "Shop.price")
    edit = Replacement(path_of(scope, "return total"), (cst.parse_statement("return math.floor(total)"),))
    trial = render(scope, Proposal(scope.function, (edit,), ORIGIN, imports=("import math",)))
    assert isinstance(trial, Trial)
    assert b'amount."""\n        import math\n        # the usual rate\n' in trial.text


# -- edits as text -----------------------------------------------------------------------------------


def test_update_replaces_the_one_expression_however_it_is_laid_out() -> None:
    scope = opened(SOURCE, "Shop.price")
    candidate = made(apply_update(scope, "( amount*self.rate )", "amount + 1"), scope)
    assert b"total = amount + 1  # no tax yet\n" in candidate.text
    assert candidate.edit_kind is EditKind.UPDATE


UPDATES = [
    ("total", "x", RejectReason.NOT_UNIQUE),
    ("missing", "x", RejectReason.NOT_FOUND),
    ("rate", "x", RejectReason.NOT_FOUND),
    ("return total", "x", RejectReason.SYNTAX),
    ("tax", "x", RejectReason.NOT_UNIQUE),
    ("self.rate", "x =", RejectReason.SYNTAX),
    ("", "x", RejectReason.SYNTAX),
    ("self.rate", "1\nimport os", RejectReason.SYNTAX),
    ("self.rate", "1)\nimport os\n(2", RejectReason.SYNTAX),
]


@pytest.mark.parametrize(("target", "replacement", "reason"), UPDATES)
def test_update_refuses_what_is_not_one_place(target: str, replacement: str, reason: RejectReason) -> None:
    assert refused(apply_update(opened(SOURCE, "Shop.price"), target, replacement)) is reason


def test_update_reads_an_expression_over_several_lines() -> None:
    scope = opened(SOURCE, "Shop.price")
    assert (
        b"total = (amount *\n          2)"
        in made(apply_update(scope, "amount * self.rate", "amount *\n  2"), scope).text
    )


PATCHES = [
    "if tax:\n    total += tax\nreturn total",
    "        if tax:\n            total += tax\n        return total\n",
    "if tax:\n            total += tax\n        return total",
    "\n\nif tax:\n\ttotal += tax\n\nreturn total  # done\n",
    "if tax: total += tax\nreturn total",
    "if tax:\r\n    total += tax\r\nreturn total",
]


@pytest.mark.parametrize("old", PATCHES)
def test_patch_finds_the_statements_at_any_indentation(old: str) -> None:
    scope = opened(SOURCE, "Shop.price")
    candidate = made(apply_patch(scope, old, "  for t in [tax]:\n     total += t\n  return total * 2"), scope)
    assert candidate.text.endswith(b"            total += t\n        return total * 2\n")
    assert candidate.edit_kind is EditKind.PATCH


def test_patch_may_delete_and_keeps_multi_line_strings() -> None:
    scope = opened(SOURCE, "Shop.price")
    assert b"total += tax" not in made(apply_patch(scope, "if tax:\n    total += tax", ""), scope).text
    text = made(apply_patch(scope, "return total", "    return '''a\n  b\nc'''"), scope).text
    assert text.endswith(b"        return '''a\n  b\nc'''\n")


def test_patch_refuses_what_is_not_one_place() -> None:
    scope = opened("def f(a):\n    a()\n    b()\n    a()\n    return 1\n", "f")
    assert refused(apply_patch(scope, "a()", "c()")) is RejectReason.NOT_UNIQUE
    assert refused(apply_patch(scope, "b()\nreturn 1", "c()")) is RejectReason.NOT_FOUND
    assert refused(apply_patch(scope, "", "c()")) is RejectReason.SYNTAX
    assert refused(apply_patch(scope, "b()", "c(")) is RejectReason.SYNTAX


REWRITES = [
    "def price(self, amount, *, tax=0):\n    if tax:\n        return 1\n    return 2\n",
    "    def price(self, amount, *, tax=0):\n        if tax:\n            return 1\n        return 2\n    # end\n",
    "\tdef price(self, amount, *, tax=0):\n\t\tif tax:\n\t\t\treturn 1\n\t\treturn 2",
    "def price(self, amount, *, tax=0):\n        if tax:\n            return 1\n        return 2\n",
    "# here it is\ndef price(self, amount, *, tax=0):\r\n  if tax:\r\n    return 1\r\n  return 2\r\n",
]


@pytest.mark.parametrize("text", REWRITES)
def test_rewrite_takes_a_function_at_any_indentation(text: str) -> None:
    scope = opened(SOURCE, "Shop.price")
    expected = b"    def price(self, amount, *, tax=0):\n        if tax:\n            return 1\n        return 2\n"
    candidate = made(apply_rewrite(scope, text), scope)
    assert candidate.text == expected


def test_rewrite_keeps_tabs_line_ends_and_decorators() -> None:
    source = "class A:\r\n\t@property\r\n\t# why\r\n\tdef f(self):\r\n\t\treturn 1\r\n"
    candidate = made(
        apply_rewrite(opened(source, "A.f"), "def f(self):\n    if self:\n        return 2\n"), opened(source, "A.f")
    )
    assert candidate.text == b"\t@property\r\n\t# why\r\n\tdef f(self):\r\n\t\tif self:\r\n\t\t\treturn 2\r\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def cost(self):\n    return 1\n", RejectReason.SIGNATURE),
        ("def price(self):\n    return 1\ndef price(self):\n    return 2\n", RejectReason.OUTSIDE),
        ("import os\ndef price(self):\n    return 1\n", RejectReason.OUTSIDE),
        ("class Shop:\n    def price(self):\n        return 1\n", RejectReason.OUTSIDE),
        ("return 1", RejectReason.OUTSIDE),
        ("", RejectReason.OUTSIDE),
        ("def price(self:\n    return 1\n", RejectReason.SYNTAX),
    ],
)
def test_rewrite_refuses_all_but_the_one_function(text: str, reason: RejectReason) -> None:
    assert refused(apply_rewrite(opened(SOURCE, "Shop.price"), text)) is reason
