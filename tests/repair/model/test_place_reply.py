"""Edits of replies placed in a function: all kinds, anchors and mends, and what is refused with which sentence."""

from __future__ import annotations

import inspect
import json
import json.decoder
from textwrap import dedent

import pytest
from fakes.failing_function import scope_of
from hypothesis import given
from hypothesis import strategies as st

from repair.model.numbered import number_function
from repair.model.place_reply import place_reply, without_numbers
from repair.model.read_reply import read_reply
from repair.model.reply import ModelReply, Reply, ReplyEdit, Unusable, UnusableKind
from repair.observe.parsing import survives_parsing
from transforms.patch.apply import complete, place, render
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import Origin, Proposal
from transforms.tree.scope import EditScope

TOY = dedent('''\
    LIMIT = 3

    def walk(items, seen=None):
        """Walks."""
        if seen is None: seen = set()
        total = 0; count = 0  # both
        for item in items:
            # once each
            if item in seen:
                continue
            elif item > LIMIT:
                total += LIMIT
            else:
                total += item
            seen.add(item)
        try:
            mean = total / count
        except (ZeroDivisionError, KeyError):
            mean = None
        return total, mean

    def other(): return 1
    ''')
"""Numbers: s1 doc, s2 if, s3 seen, s4 total, s5 count, s6 for, s7 if, s8 continue, s9 elif, s10 +=, s11 +=, s12 add,
s13 try, s14 mean, s15 except, s16 mean, s17 return."""

ORIGIN = Origin("model", "reply")


def placed(*edits: ReplyEdit, scope: EditScope | None = None, **others: object) -> Proposal | Unusable:
    where = scope or scope_of("walk", TOY.encode())
    reply = Reply("so", tuple(edits), **others)
    return place_reply(where, number_function(where), reply, ORIGIN, lambda texts: True)


def patched(*edits: ReplyEdit, scope: EditScope | None = None) -> str:
    """The function's new text."""
    where = scope or scope_of("walk", TOY.encode())
    made = placed(*edits, scope=where)
    assert isinstance(made, Proposal), made
    trial = render(where, made)
    assert isinstance(complete(where, trial.text, ORIGIN), Candidate)
    return trial.text.decode(where.encoding)


def diff(*edits: ReplyEdit) -> list[str]:
    """The lines that go and those that come."""
    old, new = scope_of("walk", TOY.encode()).text.decode().splitlines(), patched(*edits).splitlines()
    return [*(f"-{line}" for line in old if line not in new), *(f"+{line}" for line in new if line not in old)]


def edit(head: str, text: str = "") -> ReplyEdit:
    """``edit("update s3.value `x`", "y")``."""
    kind = next(k for k in ("update", "patch", "insert before", "insert after", "rewrite") if head.startswith(k))
    where, _, old = head.removeprefix(kind).partition("`")
    return ReplyEdit(kind, where.strip(), old.removesuffix("`"), text)


LOOP_GONE = [
    *("-total = 0; count = 0  # both", "-for item in items:", "-# once each", "-if item in seen:", "-continue"),
    *("-elif item > LIMIT:", "-total += LIMIT", "-else:", "-total += item", "-seen.add(item)"),
    "+total, count = sum(items), 1  # both",
]
TRY_GONE = ["-try:", "-mean = total / count", "-except (ZeroDivisionError, KeyError):", "-mean = None"]

ONE_EDIT = {
    "a part": (
        edit("update s14.value", "total / max(count, 1)"),
        ["-mean = total / count", "+mean = total / max(count, 1)"],
    ),
    "a part by another name": (
        edit("update s9.condition", "item >= LIMIT"),
        ["-elif item > LIMIT:", "+elif item >= LIMIT:"],
    ),
    "the main part": (edit("update s14", "0"), ["-mean = total / count", "+mean = 0"]),
    "the main part of a loop": (
        edit("update s6", "sorted(items)"),
        ["-for item in items:", "+for item in sorted(items):"],
    ),
    "a quoted piece of a part": (edit("update s14.value `count`", "n"), ["-mean = total / count", "+mean = total / n"]),
    "a quoted piece of a statement": (edit("update s10 `LIMIT`", "1"), ["-total += LIMIT", "+total += 1"]),
    "a quoted piece of a first line": (edit("update s7 `seen`", "set()"), ["-if item in seen:", "+if item in set():"]),
    "a quoted piece of the function": (edit("update `total / count`", "0"), ["-mean = total / count", "+mean = 0"]),
    "a quoted piece, laid out otherwise": (
        edit("update `( total/count )`", "0"),
        ["-mean = total / count", "+mean = 0"],
    ),
    "a target": (edit("update s14.target", "m"), ["-mean = total / count", "+m = total / count"]),
    "the exceptions caught": (
        edit("update s15.type", "ZeroDivisionError"),
        ["-except (ZeroDivisionError, KeyError):", "+except ZeroDivisionError:"],
    ),
    "one of several on a line": (
        edit("update s5.value", "1"),
        ["-total = 0; count = 0  # both", "+total = 0; count = 1  # both"],
    ),
    "behind a colon": (
        edit("update s3.value", "[]"),
        ["-if seen is None: seen = set()", "+if seen is None: seen = []"],
    ),
    "a statement for a part": (edit("update s14.value", "mean = 0"), ["-mean = total / count", "+mean = 0"]),
    "a first line for a part": (edit("update s9.test", "elif item >= 3:"), ["-elif item > LIMIT:", "+elif item >= 3:"]),
    "a first line for an if": (
        edit("patch s7", "if item not in seen:"),
        ["-if item in seen:", "+if item not in seen:"],
    ),
    "a first line for a loop": (
        edit("patch s6", "for item in set(items):"),
        ["-for item in items:", "+for item in set(items):"],
    ),
    "a first line for a clause": (
        edit("patch s15", "except KeyError:"),
        ["-except (ZeroDivisionError, KeyError):", "+except KeyError:"],
    ),
    "a statement": (edit("patch s12", "seen |= {item}"), ["-seen.add(item)", "+seen |= {item}"]),
    "a statement of a line": (
        edit("patch s5", "count = 1"),
        ["-total = 0; count = 0  # both", "+total = 0; count = 1  # both"],
    ),
    "a statement behind a colon": (
        edit("patch s3", "seen = []"),
        ["-if seen is None: seen = set()", "+if seen is None: seen = []"],
    ),
    "more than fits behind a colon": (
        edit("patch s3", "seen = set()\nitems = ()"),
        ["-if seen is None: seen = set()", "+if seen is None:", "+seen = set()", "+items = ()"],
    ),
    "more than fits on a line": (
        edit("patch s4", "total = 0\nif not items:\n  return 0"),
        ["-total = 0; count = 0  # both", "+total = 0", "+if not items:", "+return 0", "+count = 0  # both"],
    ),
    "a run": (
        edit("patch s4..s5", "total = count = 0"),
        ["-total = 0; count = 0  # both", "+total = count = 0  # both"],
    ),
    "a run that ends inside of its last statement": (
        edit("patch s13..s16", "mean = total"),
        ["-try:", "-mean = total / count", "-except (ZeroDivisionError, KeyError):", "-mean = None", "+mean = total"],
    ),
    "a run that ends with a loop": (edit("patch s4..s6", "total, count = sum(items), 1"), LOOP_GONE),
    "a run that ends inside of a loop": (edit("patch s4..s12", "total, count = sum(items), 1"), LOOP_GONE),
    "a run of a loop and what follows it": (
        edit("patch s6..s13", "mean = sum(items)"),
        [*LOOP_GONE[1:-1], *TRY_GONE, "+mean = sum(items)"],
    ),
    "a run from a loop to its own end": (edit("patch s6..s12", "pass"), [*LOOP_GONE[1:-1], "+pass"]),
    "a run within a loop that begins with an if": (
        edit("patch s7..s12", "pass"),
        [*LOOP_GONE[3:-1], "+pass"],
    ),
    "a quoted statement": (edit("patch `seen.add(item)`", "seen |= {item}"), ["-seen.add(item)", "+seen |= {item}"]),
    "a quoted piece for a statement": (
        edit("patch `total / count`", "mean = 0"),
        ["-mean = total / count", "+mean = 0"],
    ),
    "a statement that is quoted, too": (edit("patch s12 `seen.add(item)`", "pass"), ["-seen.add(item)", "+pass"]),
    "a quoted statement in a named one": (edit("patch s6 `seen.add(item)`", "pass"), ["-seen.add(item)", "+pass"]),
    "a deletion": (edit("patch s12"), ["-seen.add(item)"]),
    "a deletion of a whole block": (edit("patch s16"), ["-mean = None", "+pass"]),
    "a deletion behind a colon": (edit("patch s3"), ["-if seen is None: seen = set()", "+if seen is None: pass"]),
    "any indentation": (edit("patch s12", "\t\tif 1:\n\t\t\tpass\n"), ["-seen.add(item)", "+if 1:", "+pass"]),
    "no indentation on the first line": (
        edit("patch s12", "if 1:\n                pass\n            x = 1"),
        ["-seen.add(item)", "+if 1:", "+pass", "+x = 1"],
    ),
    "copied numbers": (
        edit("patch s12", "s12    |             x = 1\n       |             y = 2"),
        ["-seen.add(item)", "+x = 1", "+y = 2"],
    ),
    "crlf": (edit("patch s12", "x = 1\r\ny = 2"), ["-seen.add(item)", "+x = 1", "+y = 2"]),
    "before": (edit("insert before s12", "x = 1"), ["+x = 1"]),
    "after": (edit("insert after s12", "x = 1"), ["+x = 1"]),
    "after a compound statement": (edit("insert after s6", "x = 1"), ["+x = 1"]),
    "after a run": (edit("insert after s13..s16", "x = 1"), ["+x = 1"]),
    "after a run that ends with a loop": (edit("insert after s4..s6", "x = 1"), ["+x = 1"]),
    "before a quoted statement": (edit("insert before `return total, mean`", "x = 1"), ["+x = 1"]),
    "before a quoted piece": (edit("insert before `total, mean`", "x = 1"), ["+x = 1"]),
    "between two on a line": (
        edit("insert before s5", "x = 1"),
        ["-total = 0; count = 0  # both", "+total = 0", "+x = 1", "+count = 0  # both"],
    ),
    "beside what stands behind a colon": (
        edit("insert after s3", "x = 1"),
        ["-if seen is None: seen = set()", "+if seen is None:", "+seen = set()", "+x = 1"],
    ),
    "behind the docstring": (edit("insert after s1", "x = 1"), ["+x = 1"]),
}


@pytest.mark.parametrize(("one", "changed"), ONE_EDIT.values(), ids=ONE_EDIT.keys())
def test_one_edit(one, changed):
    assert [f"{line[0]}{line[1:].strip()}" for line in diff(one)] == changed


PLACES = [
    ("insert before s12", "    total += item", "seen.add"),
    ("insert after s12", "seen.add(item)", "try:"),
    ("insert after s6", "seen.add(item)", "try:"),
    ("insert after s13..s16", "mean = None", "return total"),
    ("insert after s4..s6", "seen.add(item)", "try:"),
    ("insert before `total, mean`", "mean = None", "return total"),
    ("insert before s7", "for item in items:", "# once each"),
]


@pytest.mark.parametrize(("head", "above", "below"), PLACES)
def test_an_insertion_stands_where_it_was_asked_for(head, above, below):
    lines = patched(edit(head, "x = 1")).splitlines()
    at = next(n for n, line in enumerate(lines) if line.strip() == "x = 1")
    assert above.strip() in lines[at - 1]
    assert below in lines[at + 1] or "# once each" in lines[at - 1]


def test_after_a_compound_statement_means_behind_its_block():
    lines = patched(edit("insert after s6", "x = 1")).splitlines()
    assert "    x = 1" in lines
    assert "        x = 1" in patched(edit("insert after s12", "x = 1")).splitlines()


def test_several_edits_all_mean_the_original():
    changed = diff(
        edit("insert after s12", "count += 1"),
        edit("update s12 `item`", "(item,)"),
        edit("insert before s12", "x = 1"),
        edit("update s14.value", "total / (count or 1)"),
        edit("patch s4", "total = 0.0"),
        edit("insert before s4", "y = 1"),
        edit("insert after s6", "z = 1"),
    )
    assert [f"{line[0]}{line[1:].strip()}" for line in changed] == [
        *("-total = 0; count = 0  # both", "-seen.add(item)", "-mean = total / count"),
        *("+y = 1", "+total = 0.0", "+count = 0  # both", "+x = 1", "+seen.add((item,))", "+count += 1", "+z = 1"),
        "+mean = total / (count or 1)",
    ]


LOOP_AS_BLOCKS = """\
WHY: the items are summed once, each of them.
```python patch s4..s6
count = len(items)
total = 0
for item in items:
    total += min(item, LIMIT)
```
END
"""
LOOP_AS_JSON = json.dumps(
    {
        "why": "the items are summed once, each of them",
        "edits": [
            {
                "kind": "patch",
                "place": "s4..s6",
                "old": "",
                "text": "count = len(items)\ntotal = 0\nfor item in items:\n    total += min(item, LIMIT)",
            }
        ],
        "imports": [],
        "words": [],
        "elsewhere": None,
    }
)


@pytest.mark.parametrize("answer", [LOOP_AS_BLOCKS, LOOP_AS_JSON], ids=["blocks", "JSON"])
def test_an_answer_whose_range_ends_with_a_loop_replaces_all_of_the_loop(answer):
    """As it was answered: such a range was refused, and a request was lost."""
    read = read_reply(ModelReply(answer))
    assert isinstance(read, Reply), read
    lines = patched(*read.edits).splitlines()
    at = lines.index("    for item in items:")
    assert lines[at + 1 : at + 3] == ["        total += min(item, LIMIT)", "    try:"]


def test_comments_above_a_replaced_statement_stay():
    assert "# once each\n        if item:" in patched(edit("patch s7", "if item:\n    pass"))


def test_a_rewrite_may_bring_its_imports():
    made = placed(edit("rewrite", "import math\n\ndef walk(items, seen=None):\n    return math.inf\n"))
    assert isinstance(made, Proposal)
    assert made.imports == ("import math",)


def test_a_whole_function_for_its_statements_is_a_rewrite():
    assert patched(edit("patch s1..s17", "def walk(items, seen=None):\n    return 0")).count("def ") == 1


def test_an_explanation_goes_with_the_edit():
    made = placed(edit("update s14", "0"), prose="and why")
    assert isinstance(made, Proposal)
    assert made.explanation == "so"


REFUSED = {
    "no such statement": (edit("update s18.value", "0"), "missing target", "s1 to s17"),
    "no such part": (edit("update s14.test", "0"), "missing target", "it has .value, .target"),
    "a part of what has none": (edit("update s8.value", "0"), "missing target", "use patch"),
    "no part at all": (edit("update s8", "0"), "missing target", "use patch"),
    "a piece of a part": (edit("update s14.value.left", "0"), "missing target", "quote a smaller piece"),
    "a quoted piece that is not there": (edit("update `mean / total`", "0"), "missing target", "does not occur"),
    "a quoted piece elsewhere": (edit("update s10 `mean`", "0"), "missing target", "does not occur in s10"),
    "a quoted piece of the signature": (edit("update `None`", "0"), "ambiguous target", "s2, s16"),
    "a quoted piece that occurs twice": (edit("update `total`", "0"), "ambiguous target", "name the statement"),
    "a quoted piece that is none": (edit("update `total +`", "0"), "missing target", "not one expression"),
    "an update of a run": (edit("update s4..s5", "0"), "ambiguous target", "use patch"),
    "a run across blocks": (edit("patch s12..s14", "x = 1"), "ambiguous target", "whole statements of one block"),
    "a run that cuts a statement": (edit("patch s6..s8", "x = 1"), "ambiguous target", "s6 reaches to s12"),
    "a run to the middle of a loop": (edit("patch s4..s8", "x = 1"), "ambiguous target", "whole statements"),
    "a run that ends with a clause": (edit("patch s7..s9", "x = 1"), "ambiguous target", "whole statements"),
    "a run backwards": (edit("patch s5..s4", "x = 1"), "ambiguous target", "whole statements"),
    "a clause": (edit("patch s9", "x = 1"), "ambiguous target", "a clause (elif) of s7"),
    "beside a clause": (edit("insert after s15", "x = 1"), "ambiguous target", "a clause (except) of s13"),
    "quoted statements that are not there": (edit("patch `seen.clear()`", ""), "missing target", "does not occur"),
    "a quoted statement elsewhere": (edit("patch s12 `return total, mean`", ""), "missing target", "does not occur"),
    "no expression": (edit("update s14", "total /"), "syntax", "is not one expression"),
    "no statements": (edit("patch s14", "mean = = 1"), "syntax", "line 1"),
    "an indentation that fits nowhere": (
        edit("patch s14", "if a:\n    x = 1\n  y = 2\nz = 3"),
        "syntax",
        "no matching outer block",
    ),
    "a name for no change": (edit("update s14", "total / count"), "no change", "stays as it is"),
    "another function": (edit("rewrite", "def other(): return 2"), "signature", "named other"),
    "two functions": (
        edit("rewrite", "def walk(items, seen=None): pass\ndef f(): pass"),
        "outside",
        "not one function",
    ),
    "no function": (edit("rewrite", "x = 1"), "outside", "not one function"),
    "a rewrite that does not parse": (edit("rewrite", "def walk(items:\n  pass"), "syntax", "does not parse"),
    "a part left out": (
        edit("rewrite", "def walk(items, seen=None):\n    # ... rest unchanged\n    pass"),
        "cut",
        "# ...",
    ),
}


@pytest.mark.parametrize(("one", "kind", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_refused_says_why(one, kind, said):
    made = placed(one)
    assert isinstance(made, Unusable)
    assert (made.kind, said in made.reason) == (UnusableKind(kind), True), made.reason
    assert made.reason.isprintable()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (edit("update s14.value", "1"), edit("update s14.value", "2")),
        (edit("update s14.value", "1"), edit("update s14 `count`", "2")),
        (edit("patch s14", "x = 1"), edit("update s14.value", "2")),
        (edit("patch s6", "x = 1"), edit("insert after s12", "x = 2")),
        (edit("patch s4..s5", "x = 1"), edit("insert before s5", "x = 2")),
        (edit("patch s4..s5", "x = 1"), edit("patch s5", "x = 2")),
    ],
)
def test_edits_that_touch_the_same_code_are_refused(one, other):
    for pair in ((one, other), (other, one)):
        made = placed(*pair)
        assert isinstance(made, Unusable)
        assert made.kind is UnusableKind.OVERLAP


def test_beside_a_replaced_run_something_may_stand():
    text = patched(edit("patch s4..s5", "x = 1"), edit("insert before s4", "y = 1"), edit("insert after s5", "z = 1"))
    assert "    y = 1\n    x = 1\n    z = 1\n" in text


def test_a_scope_of_some_statements_keeps_the_others():
    scope = scope_of("walk", TOY.encode())
    numbered = number_function(scope)
    for one, is_within in (
        (edit("update s2.test", "not seen"), True),
        (edit("insert after s2", "x = 1"), True),
        (edit("update s14.value", "1"), False),
        (edit("insert before s6", "x = 1"), False),
        (edit("rewrite", "def walk(items, seen=None):\n    pass"), False),
    ):
        reply = Reply("", (one,))
        made = place_reply(scope, numbered, reply, ORIGIN, lambda texts: True, frozenset(("s2", "s3")))
        assert isinstance(made, Proposal) == is_within, one
        assert is_within or made.kind is UnusableKind.OUTSIDE


def test_only_imports_that_are_plain():
    made = placed(edit("update s14", "0"), imports=("import os; os.remove('x')",))
    assert isinstance(made, Unusable)
    assert made.kind is UnusableKind.IMPORT


def test_numbers_that_were_copied_are_taken_out():
    assert without_numbers("s1 s2 | if a: b\n\n       |     c") == "if a: b\n\n    c"
    assert without_numbers("a | b\nc") == "a | b\nc"


def test_code_that_harms_the_parser_is_not_read():
    scope = scope_of("walk", TOY.encode())
    reply = Reply("", (edit("update s14", "(" * 5_000 + "1" + ")" * 5_000),))
    made = place_reply(scope, number_function(scope), reply, ORIGIN, survives_parsing)
    assert isinstance(made, Unusable)
    assert made.kind is UnusableKind.SYNTAX


REAL = inspect.getsource(json.decoder).encode()


def test_edits_of_a_real_function():
    scope = scope_of("py_scanstring", REAL)
    text = patched(
        edit("update s4 `1`", "2"),
        edit("insert before s22", "end += 0"),
        edit("patch s29..s30", "raise KeyError(esc)"),
        edit("update s34 `0xd800 <= uni <= 0xdbff`", "uni < 3"),
        scope=scope,
    )
    assert "begin = end - 2" in text
    assert "try:\n            end += 0\n            esc = s[end]" in text
    assert "except KeyError:\n                raise KeyError(esc)\n" in text
    assert "if uni < 3 and s[end:end + 2] == '\\\\u':" in text


HEADS = st.builds(
    lambda kind, place, old: ReplyEdit(kind, place, old, ""),
    st.sampled_from(["update", "patch", "insert before", "insert after", "rewrite"]),
    st.sampled_from(
        ["", *(f"s{n}" for n in range(1, 42)), "s4..s5", "s13..s16", "s7.test", "s14.value", "s3.items[0]"]
    ),
    st.sampled_from(["", "", "", "end", "total", "chunk", "seen.add(item)", "x ="]),
)
CODE = st.sampled_from(
    [
        *("", "x", "x = 1", "return", "if x:", "if x:\n  pass", "def walk(items, seen=None): return 0", "pass\npass"),
        *(
            "\tx",
            "'''\n\n'''",
            "#",
            "yield",
            "x; y",
            "s1 | x",
            "elif x:",
            "except:",
            "await x",
            "import os",
            "*a",
            "lambda: (yield)",
        ),
        *(
            "global end",
            "nonlocal end",
            "@x\ndef y(): 0",
            "\\\n",
            "x := 1",
            "class A: pass",
            "\x0c",
            "return\r\npass",
            "é",
        ),
    ]
) | st.text(max_size=20)


@pytest.mark.parametrize(("name", "source"), [("walk", TOY.encode()), ("py_scanstring", REAL)], ids=["toy", "real"])
@given(data=st.data())
def test_whatever_comes_back_nothing_outside_of_the_function_changes(name, source, data):
    scope = scope_of(name, source)
    heads = data.draw(st.lists(HEADS, min_size=1, max_size=4))
    edits = tuple(ReplyEdit(h.kind, h.place, h.old, data.draw(CODE)) for h in heads)
    made = place_reply(scope, number_function(scope), Reply("", edits), ORIGIN, lambda texts: True)
    if isinstance(made, Proposal):
        trial = render(scope, made)
        whole = place(scope, trial.text)
        assert whole.startswith(scope.source[: scope.start])
        assert whole.endswith(scope.source[scope.end :])
        done = complete(scope, trial.text, ORIGIN)
        if isinstance(done, Candidate):
            assert dict(done.files)[scope.function.path] == whole
