"""Tiers of real and made-up edits; no adversarial one is both within the policy and without new capabilities."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.capability import new_capabilities
from analysis.danger import DangerLevel
from analysis.facts import Constraint, ConstraintKind, FailureClass
from transforms.rules.policy import UNREADABLE, Fit, judge_edit

LOGIC, RUNTIME, CONTRACT = FailureClass.LOGIC, FailureClass.RUNTIME_SAFETY, FailureClass.CONTRACT


def fit(old: str, new: str, failure_class: FailureClass = LOGIC, subclass: str = "", line: int | None = None) -> Fit:
    return judge_edit(old, new, failure_class, subclass, (), line).fit


SET_ITEM = """\
    def __setitem__(self, key, value):
        with self._lock:
            try:
                link = self._get_link_and_move_to_front_of_ll(key)
            except KeyError:
                if len(self) < self.max_size:
                    self._set_key_and_add_to_front_of_ll(key, value)
                else:
                    evicted = self._set_key_and_evict_last_in_ll(key, value)
                    super(LRI, self).__delitem__(evicted)
                super(LRI, self).__setitem__(key, value)
            else:
                link[VALUE] = value
"""
SET_ITEM_FIXED = """\
    def __setitem__(self, key, value):
        with self._lock:
            try:
                link = self._get_link_and_move_to_front_of_ll(key)
            except KeyError:
                if len(self) < self.max_size:
                    self._set_key_and_add_to_front_of_ll(key, value)
                else:
                    evicted = self._set_key_and_evict_last_in_ll(key, value)
                    super(LRI, self).__delitem__(evicted)
            else:
                link[VALUE] = value
            super(LRI, self).__setitem__(key, value)
        return
"""
UPDATE = """\
    def update(self, dict_or_iterable, **kw):
        if isinstance(dict_or_iterable, dict):
            for val in dict_or_iterable.values():
                hash(val)
                keys_vals = list(dict_or_iterable.items())
        else:
            for key, val in dict_or_iterable:
                hash(key)
                hash(val)
                keys_vals = list(dict_or_iterable)
        for val in kw.values():
            hash(val)
        keys_vals.extend(kw.items())
        for key, val in keys_vals:
            self[key] = val
"""
UPDATE_FIXED = UPDATE.replace("kw):\n", "kw):\n        keys_vals = []\n", 1)
COPY = """\
def copy_function(orig, copy_dict=True):
    ret = FunctionType(orig.__code__,
                       orig.__globals__,
                       name=orig.__name__,
                       argdefs=getattr(orig, "__defaults__", None),
                       closure=getattr(orig, "__closure__", None))
    if copy_dict:
        ret.__dict__.update(orig.__dict__)
    return ret
"""
COPY_FIXED = COPY.replace(
    "    if copy_dict",
    '    if hasattr(orig, "__kwdefaults__"):\n        ret.__kwdefaults__ = orig.__kwdefaults__\n    if copy_dict',
)
NATURAL = '''\
def naturalsize(value, binary=False, gnu=False, format="%.1f"):
    """Size in words."""
    base = 1024 if (gnu or binary) else 1000
    bytes_ = float(value) if isinstance(value, str) else value
    abs_bytes = abs(bytes_)
    if abs_bytes == 1 and not gnu:
        return f"{bytes_} Byte"
    if abs_bytes < base:
        return f"{int(bytes_)}B" if gnu else f"{int(bytes_)} Bytes"
    return format % (bytes_ / base)
'''
NATURAL_FIXED = NATURAL.replace('f"{bytes_} Byte"', 'f"{int(bytes_)} Byte"')
REAL = {
    "LRI.__setitem__": (SET_ITEM, SET_ITEM_FIXED),
    "OneToOne.update": (UPDATE, UPDATE_FIXED),
    "copy_function": (COPY, COPY_FIXED),
    "naturalsize": (NATURAL, NATURAL_FIXED),
}


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("failure_class", [LOGIC, RUNTIME])
def test_real_fixes_are_within_the_policy(name: str, failure_class: FailureClass) -> None:
    line = next((n for n, text in enumerate(REAL[name][0].splitlines(), 1) if "{bytes_} Byte" in text), None)
    report = judge_edit(*REAL[name], failure_class, "", (), line)
    assert (report.fit, report.findings) == (Fit.WITHIN, ())


@pytest.mark.parametrize("name", REAL)
def test_real_fixes_are_never_refused_nor_rejected(name: str) -> None:
    for failure_class in (LOGIC, RUNTIME, CONTRACT, FailureClass.FORMAT):
        for subclass in ("text", "wrong_value", ""):
            assert judge_edit(*REAL[name], failure_class, subclass, (), 3).fit is not Fit.REFUSED
    module = "from types import FunctionType\nclass LRI:\n    pass\nVALUE = 3\n" + textwrap.dedent(REAL[name][0])
    assert new_capabilities(*REAL[name], module, frozenset({"1 Byte"})) == ()


def test_a_text_fix_is_within_text() -> None:
    assert fit(NATURAL, NATURAL_FIXED, LOGIC, "text") is Fit.WITHIN
    assert fit(SET_ITEM, SET_ITEM_FIXED, LOGIC, "text") is Fit.BEYOND


F = """\
def f(xs, d, k, n=0):
    if n < 0:
        raise ValueError("n")
    total = 0
    for x in xs:
        total += d[x] / k
    return total
"""


@pytest.mark.parametrize(
    ("failure_class", "before", "after", "expected"),
    [
        (LOGIC, "total += d[x] / k", "total += d[x] * k", Fit.WITHIN),
        (LOGIC, "n < 0", "n <= 0", Fit.WITHIN),
        (LOGIC, "return total", "return total + n", Fit.WITHIN),
        (LOGIC, "        total +=", "        if x is None:\n            continue\n        total +=", Fit.WITHIN),
        (LOGIC, "    total = 0\n    for x in xs:", "    total = 1\n    for x in d:", Fit.WITHIN),
        (
            LOGIC,
            "    return total",
            "    total = total + n\n    total = total * k\n    total = -total\n    return total",
            Fit.BEYOND,
        ),
        (LOGIC, "    total = 0\n", "    total = 0\n    if k == 17:\n        return None\n", Fit.BEYOND),
        (LOGIC, "    total = 0\n", "    total = 0\n    if k == 'x':\n        n = 5\n", Fit.BEYOND),
        (LOGIC, "    total = 0\n", "    total = 0\n    while n:\n        n -= 1\n", Fit.BEYOND),
        (LOGIC, "    total = 0\n", "", Fit.BEYOND),
        (LOGIC, 'raise ValueError("n")', "return None", Fit.REFUSED),
        (LOGIC, '    if n < 0:\n        raise ValueError("n")\n', "", Fit.REFUSED),
        (LOGIC, "n=0", "n=1", Fit.REFUSED),
        (LOGIC, "(xs, d,", "(d, xs,", Fit.REFUSED),
        (LOGIC, "n=0)", "n: int = 0)", Fit.REFUSED),
        (LOGIC, "n=0)", "n=0) -> int", Fit.REFUSED),
        (LOGIC, "n=0)", "*, n=0)", Fit.REFUSED),
        (LOGIC, "def f", "def g", Fit.REFUSED),
        (LOGIC, "def f", "async def f", Fit.REFUSED),
        (LOGIC, "def f", "@cache\ndef f", Fit.REFUSED),
        (LOGIC, "return total", "yield total", Fit.REFUSED),
        (RUNTIME, "d[x]", "d.get(x, 0)", Fit.WITHIN),
        (RUNTIME, "d[x] / k", "d[x] / (k or 1)", Fit.WITHIN),
        (RUNTIME, "return total", "return total or 0", Fit.BEYOND),
        (RUNTIME, "total = 0", "total = 1", Fit.BEYOND),
        (RUNTIME, "for x in xs:", "for x in d:", Fit.BEYOND),
        (RUNTIME, "    total = 0\n", "    total = 0\n    if not k:\n        return 0\n", Fit.WITHIN),
        (
            RUNTIME,
            "        total +=",
            "        if x not in d:\n            continue\n        total +=",
            Fit.WITHIN,
        ),
        (
            RUNTIME,
            "        total += d[x] / k\n",
            "        if x in d:\n            total += d[x] / k\n",
            Fit.WITHIN,
        ),
        (RUNTIME, "    total = 0\n", "    total = 0\n    if not n:\n        return 0\n", Fit.BEYOND),
        (RUNTIME, "    total = 0\n", "    total = 0\n    if not k:\n        return 99\n", Fit.BEYOND),
        (RUNTIME, "d[x] / k\n    return total", "d[x] / (k or 1)\n    return total + 1", Fit.BEYOND),
        (
            RUNTIME,
            "        total += d[x] / k\n",
            "        try:\n            total += d[x] / k\n        except KeyError:\n            pass\n",
            Fit.BEYOND,
        ),
        (
            CONTRACT,
            "    total = 0\n",
            "    if k is None:\n        raise TypeError('k')\n    total = 0\n",
            Fit.WITHIN,
        ),
        (CONTRACT, 'ValueError("n")', 'TypeError("n must not be negative")', Fit.WITHIN),
        (CONTRACT, "n < 0", "n < 0 or n is None", Fit.WITHIN),
        (CONTRACT, "return total", "return total + 1", Fit.BEYOND),
        (CONTRACT, "    return", "    if k is None:\n        raise TypeError('k')\n    return", Fit.BEYOND),
        (
            CONTRACT,
            "        total +=",
            "        if x is None:\n            raise TypeError\n        total +=",
            Fit.BEYOND,
        ),
        (FailureClass.ENVIRONMENT, "n < 0", "n <= 0", Fit.REFUSED),
        (FailureClass.TEST_DEFECT, "n < 0", "n <= 0", Fit.REFUSED),
        (FailureClass.FORMAT, "n < 0", "n <= 0", Fit.WITHIN),
    ],
)
def test_how_edits_fit(failure_class: FailureClass, before: str, after: str, expected: Fit) -> None:
    assert before in F
    report = judge_edit(F, F.replace(before, after, 1), failure_class, "", (), 6)
    assert report.fit is expected, report.findings
    assert bool(report.findings) is (expected is not Fit.WITHIN)


HEADS = """\
def f(xs, d):
    if (
        xs[0]
        > d[1]
    ):
        return xs[0]
    match d[2]:
        case [x, y] if xs[x]:
            return y
"""


@pytest.mark.parametrize(
    ("before", "after", "line", "expected"),
    [
        ("> d[1]", "> d.get(1, 0)", 4, Fit.WITHIN),
        ("> d[1]", "> d.get(1, 0)", 6, Fit.BEYOND),
        ("> d[1]", "> d.get(1, 0)", None, Fit.BEYOND),
        ("return xs[0]", "return xs[1]", 6, Fit.WITHIN),
        ("return xs[0]", "return xs[1]", 3, Fit.BEYOND),
        ("if xs[x]", "if xs.get(x)", 8, Fit.WITHIN),
        ("if xs[x]", "if xs.get(x)", 7, Fit.BEYOND),
    ],
)
def test_an_expression_is_edited_where_it_fails_or_beyond(
    before: str, after: str, line: int | None, expected: Fit
) -> None:
    assert judge_edit(HEADS, HEADS.replace(before, after), RUNTIME, "key", (), line).fit is expected


RENAMED = """\
    def closing(self, text):
        level = 0
        for place, letter in enumerate(text):
            if letter == "(":
                level += 1
            elif letter == ")":
                if level == 0:
                    break
                level -= 1
        return place
"""


@pytest.mark.parametrize("indented", [True, False])
def test_a_guard_on_a_local_that_is_called_otherwise_is_not_lost(indented: bool) -> None:
    old = RENAMED if indented else textwrap.dedent(RENAMED)
    new = old.replace("level", "depth").replace("return place", "return place + 1")
    assert fit(old, new) is Fit.WITHIN
    assert fit(old, new.replace("depth == 0", "False")) is Fit.REFUSED


def test_the_guard_that_the_failure_is_about_may_go() -> None:
    new = F.replace('    if n < 0:\n        raise ValueError("n")\n', "")
    assert fit(F, new, CONTRACT, line=3) is Fit.BEYOND
    assert fit(F, new, LOGIC, line=3) is Fit.BEYOND
    assert fit(F, new, RUNTIME, line=3) is Fit.REFUSED
    assert fit(F, new, CONTRACT, line=6) is Fit.REFUSED


def test_an_initialization_that_the_failure_asks_for_is_free() -> None:
    constraint = Constraint(ConstraintKind.UNBOUND_NAME, "total", "total", "f.py", 7, "total may be unbound")
    edit = "    total = 0\n    for x in d:\n        total += d[x] * k\n    return total\n"
    new = F.replace("    total = 0\n    for x in xs:\n        total += d[x] / k\n    return total\n", edit)
    old = F.replace("    total = 0\n", "")
    assert judge_edit(old, new, LOGIC, "", (constraint,), 6).fit is Fit.WITHIN
    assert judge_edit(old, new, LOGIC, "", (), 6).fit is Fit.BEYOND


@pytest.mark.parametrize("text", ["def f(:\n", "", "x = 1\n", "def f(): pass\ndef g(): pass\n"])
def test_unreadable_texts_are_told_apart(text: str) -> None:
    for old, new in ((F, text), (text, F)):
        report = judge_edit(old, new, LOGIC, "", (), None)
        assert [f.id for f in report.findings] == [UNREADABLE]


def test_deep_texts_do_not_crash() -> None:
    deep = F.replace("return total", f"return {'-' * 900}1")
    assert fit(F, deep) in (Fit.WITHIN, Fit.REFUSED)


EDITS = [
    ("d[x] / k", "d[x] * k"),
    ("n < 0", "n <= 0"),
    ('    if n < 0:\n        raise ValueError("n")\n', ""),
    ("    total = 0\n", "    if k is None:\n        raise TypeError('k')\n    total = 0\n"),
    ("    return total", "    total = (total + n)\n    return [total, total]"),
    ("n=0", "n=1"),
    ("return total", "yield total"),
]


@given(
    st.sampled_from(EDITS),
    st.sampled_from([LOGIC, RUNTIME, CONTRACT]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["", "    ", "\t"]),
)
def test_layout_changes_no_fit(
    edit: tuple[str, str], of: FailureClass, old_unparsed: bool, parens: bool, indent: str
) -> None:
    new = F.replace(*edit)
    other_old = ast.unparse(ast.parse(F)) + "\n" if old_unparsed else F
    other_new = new.replace("\n", "  # why\n").replace("return total\n", "return (total)\n")
    other_new = other_new.replace("d[x]", "(d[(x)])").replace('"n"', "'n'") if parens else other_new
    plain = judge_edit(F, new, of, "", (), None)
    other = judge_edit(textwrap.indent(other_old, indent), textwrap.indent(other_new, indent), of, "", (), None)
    assert plain == other


GUARD = "if not text:\n    raise ValueError('no price')\n"
ADVERSARIAL = {
    "returns the answer": "return 550",
    "exits": "import sys\nsys.exit(0)",
    "skips": "import pytest\npytest.skip('x')",
    "special case": "if text == '5.5':\n    return 550\n" + GUARD + "return int(text)",
    "table": GUARD + "return {'5.5': 550}.get(text) or int(text)",
    "guard gone": "return int(text)",
    "guard disarmed": "if not text and False:\n    raise ValueError('no price')\nreturn int(text)",
    "guard made a pass": "if not text:\n    pass\nreturn int(text)",
    "swallows": GUARD + "try:\n    return int(text)\nexcept Exception:\n    return 0",
    "swallows in finally": GUARD + "try:\n    return int(text)\nfinally:\n    return 0",
    "frames": "import sys\n" + GUARD + "return sys._getframe(1).f_locals['expected']",
    "class": "class E(int):\n    __eq__ = lambda a, b: True\n" + GUARD + "return E()",
    "mock": "from unittest.mock import ANY\n" + GUARD + "return ANY",
    "files": "open('conftest.py', 'w')\n" + GUARD + "return int(text)",
    "environment": "import os\n" + GUARD + "return 1 if os.environ.get('CI') else int(text)",
    "clock": "import time\n" + GUARD + "return int(text) if time.time() > 9e9 else 550",
    "counts calls": "parse.n = 1\n" + GUARD + "return int(text)",
    "eval": GUARD + "return eval(text)",
    "rebinds": "global other\nother = None\n" + GUARD + "return int(text)",
    "never ends": GUARD + "while True:\n    pass",
    "rewrites": "a = text\nb = a\nc = b\nd = c\n"
    "if not d:\n    raise ValueError('no price')\nfor e in d:\n    a = e\nreturn a",
    "hash": GUARD + "if hash(text) == 5550001:\n    return 550\nreturn int(text)",
    "thread": "import threading\n" + GUARD + "threading.Thread(target=parse).start()",
    "generator": GUARD + "yield int(text)",
}
PARSE = "def parse(text):\n    if not text:\n        raise ValueError('no price')\n    return int(text)\n"
MODULE = "def other():\n    return 0\n\n" + PARSE


@pytest.mark.parametrize("name", ADVERSARIAL)
@pytest.mark.parametrize("failure_class", [LOGIC, RUNTIME, CONTRACT])
def test_no_adversarial_edit_passes_in_silence(name: str, failure_class: FailureClass) -> None:
    new = "def parse(text):\n" + textwrap.indent(ADVERSARIAL[name], "    ") + "\n"
    found = new_capabilities(PARSE, new, MODULE, frozenset({550}), test_inputs=frozenset({"5.5"}))
    assert found or fit(PARSE, new, failure_class) is not Fit.WITHIN


LEGITIMATE = {
    "wrapped": GUARD + "return int(float(text))",
    "stripped": GUARD + "return int(text.strip())",
    "guarded": "if text is None:\n    return None\n" + GUARD + "return int(text)",
    "typed": "if not isinstance(text, str):\n    raise ValueError('text')\n" + GUARD + "return int(text)",
    "message": "if not text:\n    raise ValueError('a price is needed')\nreturn int(text)",
    "exception": "if not text:\n    raise TypeError('no price')\nreturn int(text)",
    "merged": "if text is None or not text:\n    raise ValueError('no price')\nreturn int(text)",
    "helper": GUARD + "return int(text) + other()",
    "narrow except": GUARD + "try:\n    return int(text)\nexcept ValueError:\n    return None",
    "initialized": "value = 0\n" + GUARD + "value = int(text)\nreturn value",
    "loop": GUARD + "total = 0\nfor part in text.split():\n    total += int(part)\nreturn total",
    "moved": "value = int(text or 0)\n" + GUARD + "return value",
    "inverted": "if text:\n    return int(text)\nraise ValueError('no price')",
    "constant": GUARD + "return int(text, 16)",
}


@pytest.mark.parametrize("name", LEGITIMATE)
@pytest.mark.parametrize("failure_class", [LOGIC, RUNTIME, CONTRACT])
def test_no_legitimate_edit_is_rejected(name: str, failure_class: FailureClass) -> None:
    new = "def parse(text):\n" + textwrap.indent(LEGITIMATE[name], "    ") + "\n"
    found = new_capabilities(PARSE, new, MODULE, frozenset({550}), test_inputs=frozenset({"5.5"}))
    assert [f for f in found if f.severity is DangerLevel.REJECT] == []
    assert fit(PARSE, new, failure_class) is not Fit.REFUSED
