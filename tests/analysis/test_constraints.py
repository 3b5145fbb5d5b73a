"""What failures say: kinds and expressions, with the columns of 3.11 and with the bare line of older targets."""

from __future__ import annotations

import dataclasses

import pytest

from analysis.constraints import derive_constraints
from analysis.diagnosis import diagnose, is_test_path
from analysis.facts import (
    Constraint,
    ConstraintKind,
    Failure,
    FailureClass,
    Frame,
    Local,
    Outcome,
    Phase,
    SeenError,
    TestId,
)

K = ConstraintKind

CASES = [
    (
        "def f(name): return name.strip().lower()",
        "class N:\n    def strip(self): return None\nf(N())",
        K.NULLABLE,
        "name.strip()",
    ),
    ("def f(a, b): return a.low() + b.low()", "f(type('L', (), {'low': lambda s: 1})(), None)", K.NULLABLE, "b"),
    ("def f(d): return d['k']['j']", "f({'k': None})", K.NULLABLE, "d['k']"),
    ("def f(x):\n    for i in x:\n        print(i)", "f(None)", K.NULLABLE, "x"),
    ("def f(x):\n    a, b = x\n    return a", "f(None)", K.NULLABLE, "x"),
    ("def f(x, y): return 1 + (x - y)", "f(1, None)", K.NULLABLE, "y"),
    ("def f(x, y):\n    y += x\n    return y", "f(None, 1)", K.NULLABLE, "x"),
    ("def f(x, y): return x < y", "f(None, 1)", K.NULLABLE, "x"),
    ("def f(x): return len(x)", "f(None)", K.NULLABLE, "x"),
    ("def f(x): return -x", "f(None)", K.NULLABLE, "x"),
    ("def f(g, x): return g(x)", "f(None, 1)", K.NULLABLE, "g"),
    ("def f(x): return int(x)", "f(None)", K.NULLABLE, "x"),
    ("def f(x): return 'a' in x", "f(None)", K.NULLABLE, "x"),
    ("def f(x): return ['é' + y for y in x]", "f(None)", K.NULLABLE, "x"),
    ("def f(x): return 'é', x.foo.bar", "f(None)", K.NULLABLE, "x"),
    ("def f(x): return 'total: ' + x", "f(3)", K.WRONG_TYPE, "x"),
    ("def f(x): return ', '.join([x])", "f(3)", K.WRONG_TYPE, "[x]"),
    ("def f(x, i): return x[i]", "f([1], 'a')", K.WRONG_TYPE, "i"),
    ("def f(x): return x['a']", "f(1)", K.WRONG_TYPE, "x"),
    ("def f(x): return {x: 1}", "f([])", K.WRONG_TYPE, ""),
    ("def f(x, d): return d[x]", "f([], {})", K.WRONG_TYPE, "x"),
    ("def f(x): return range(x)", "f(1.5)", K.WRONG_TYPE, "x"),
    ("import re\ndef f(p, x): return re.match(p, x)", "f('a', 3)", K.WRONG_TYPE, "x"),
    ("def f(d, k): return d[k] + 1", "f({}, 'x')", K.MISSING_KEY, "d[k]"),
    ("def f(d, e): return d['a'] + e['b']", "f({'a': 1}, {})", K.MISSING_KEY, "e['b']"),
    ("def f(d): return d.pop('q')", "f({})", K.MISSING_KEY, "d.pop('q')"),
    ("def f(xs): return xs.index(4)", "f([])", K.MISSING_KEY, "xs.index(4)"),
    ("def f(xs, i): return xs[i] - xs[i + 1]", "f([1], 0)", K.SHORT_SEQUENCE, None),
    ("def f(x):\n    a, b = x.split(',')\n    return a", "f('a')", K.SHORT_SEQUENCE, "x.split(',')"),
    ("def f(xs): return xs.pop()", "f([])", K.EMPTY_SEQUENCE, "xs"),
    ("def f(xs): return max(xs)", "f([])", K.EMPTY_SEQUENCE, "xs"),
    ("def f(xs): return next(iter(xs))", "f([])", K.EMPTY_SEQUENCE, "iter(xs)"),
    ("import functools\ndef f(xs): return functools.reduce(min, xs)", "f([])", K.EMPTY_SEQUENCE, "xs"),
    ("import statistics\ndef f(xs): return statistics.mean(xs)", "f([])", K.EMPTY_SEQUENCE, "xs"),
    ("def f(a, b, c): return a / c + a / b", "f(1, 0, 2)", K.ZERO_DIVISOR, "b"),
    ("def f(a, b): return a % len(b)", "f(1, [])", K.ZERO_DIVISOR, "len(b)"),
    ("def f(a, b):\n    a //= b\n    return a", "f(1, 0)", K.ZERO_DIVISOR, "b"),
    ("def f(a, b): return divmod(a, b)", "f(1, 0)", K.ZERO_DIVISOR, "b"),
    ("def f(a): return a ** -1", "f(0)", K.ZERO_DIVISOR, "a"),
    ("def f(x):\n    if x:\n        y = 1\n    return y", "f(0)", K.UNBOUND_NAME, "y"),
    ("def f(x): return x + yy", "f(0)", K.UNKNOWN_NAME, "yy"),
    ("def f(x): return x.lowr()", "f('a')", K.OPTIONAL_ATTRIBUTE, "x"),
    ("import math\ndef f(x): return math.sqroot(x)", "f(1)", K.OPTIONAL_ATTRIBUTE, "math"),
    ("import io\ndef f(s):\n    s.close()\n    return s.read()", "f(io.StringIO())", K.CLOSED_FILE, "s"),
    ("def f(p):\n    with open(p) as h:\n        return h.read()", "f('no-such-file')", K.MISSING_FILE, "open(p)"),
    ("def f(t): return int(t) * 2", "f('1.5')", K.FAILED_CONVERSION, "int(t)"),
    ("def f(t): return float(t)", "f('x')", K.FAILED_CONVERSION, "float(t)"),
    ("import json\ndef f(t): return json.loads(t)", "f('')", K.FAILED_CONVERSION, "json.loads(t)"),
    ("def f(t): return t.decode()", "f(b'\\xff')", K.FAILED_CONVERSION, "t.decode()"),
    ("def g(a): return a\ndef f(x): return g(x, 1)", "f(1)", K.WRONG_CALL, "g(x, 1)"),
    ("def g(a): return a\ndef f(x): return g(b=x)", "f(1)", K.WRONG_CALL, "g(b=x)"),
    ("def g(a, b): return a\ndef f(x): return g(x)", "f(1)", K.WRONG_CALL, "g(x)"),
    ("def f(n): return n * f(n - 1)", "f(3)", K.NO_TERMINATION, "f(n - 1)"),
    ("def f(x):\n    with x as y:\n        return y", "f(1)", K.WRONG_TYPE, "x"),
    ("def f(x): return '%d' % x", "f('a')", K.WRONG_TYPE, "x"),
]


def _test_of(call: str) -> str:
    *before, last = call.splitlines()
    return "\n".join([*before, "def test_it():", f"    assert {last}"])


@pytest.mark.parametrize("columns", [True, False], ids=["columns", "line"])
@pytest.mark.parametrize(("product", "call", "kind", "expression"), CASES)
def test_operand_is_named(stage, product, call, kind, expression, columns):
    scene = stage(product, _test_of(call))
    failure = scene.failure if columns else scene.without_columns
    first = derive_constraints(failure, FailureClass.RUNTIME_SAFETY, scene.sources)[0]
    assert (first.kind, first.path) == (kind, "shop/price.py")
    if expression is not None:
        assert first.expression == expression


def test_columns_tell_two_equal_shapes_apart(stage):
    scene = stage("def f(xs, i): return xs[i] - xs[i + 1]", _test_of("f([1], 0)"))
    (found,) = derive_constraints(scene.failure, FailureClass.RUNTIME_SAFETY, scene.sources)
    assert found.expression == "xs[i + 1]"


def test_claim_reads_as_a_sentence(stage):
    scene = stage("def f(name): return name.strip().lower()", _test_of("f(type('N', (), {'strip': lambda s: None})())"))
    (found,) = derive_constraints(scene.failure, FailureClass.RUNTIME_SAFETY, scene.sources)
    assert found.claim == "`name.strip()` may be None; `.lower` needs a value; a guard is missing"


def test_boltons_unbound_name(stage):
    product = '''
    class OneToOne(dict):
        def __init__(self): self.inv = {}
        def update(self, dict_or_iterable, **kw):
            """D.update([E, ]**F) -> None."""
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
    '''
    scene = stage(product, "def test_update():\n    OneToOne().update({}, cat='dog')")
    diagnosis = diagnose(scene.failure, scene.sources, is_test_path)
    assert (diagnosis.failure_class, diagnosis.subclass) == (FailureClass.RUNTIME_SAFETY, "unbound")
    assert [(c.kind, c.detail, c.line) for c in diagnosis.constraints] == [(K.UNBOUND_NAME, "keys_vals", 17)]


OLD_WORDINGS = [
    ("UnboundLocalError", "local variable 'x' referenced before assignment", "return x", K.UNBOUND_NAME, "x"),
    ("NameError", "free variable 'x' referenced before assignment in enclosing scope", "return x", K.UNBOUND_NAME, "x"),
    ("ValueError", "max() arg is an empty sequence", "return max(x)", K.EMPTY_SEQUENCE, "x"),
    ("ValueError", "max() iterable argument is empty", "return max(x)", K.EMPTY_SEQUENCE, "x"),
    ("TypeError", "reduce() of empty sequence with no initial value", "return reduce(f, x)", K.EMPTY_SEQUENCE, "x"),
    ("TypeError", "reduce() of empty iterable with no initial value", "return reduce(f, x)", K.EMPTY_SEQUENCE, "x"),
    ("ZeroDivisionError", "integer division or modulo by zero", "return 1 % x", K.ZERO_DIVISOR, "x"),
    ("ZeroDivisionError", "integer modulo by zero", "return 1 % x", K.ZERO_DIVISOR, "x"),
    ("ZeroDivisionError", "float division by zero", "return 1.0 / x", K.ZERO_DIVISOR, "x"),
    ("ZeroDivisionError", "float modulo", "return 1.0 % x", K.ZERO_DIVISOR, "x"),
    ("ZeroDivisionError", "division by zero", "return 1.0 / x", K.ZERO_DIVISOR, "x"),
    ("ZeroDivisionError", "0.0 cannot be raised to a negative power", "return x ** -2", K.ZERO_DIVISOR, "x"),
    ("ZeroDivisionError", "zero to a negative power", "return x ** -2", K.ZERO_DIVISOR, "x"),
    ("TypeError", "string indices must be integers", "return s[x]", K.WRONG_TYPE, "x"),
    ("TypeError", "string indices must be integers, not 'str'", "return s[x]", K.WRONG_TYPE, "x"),
    ("TypeError", "cannot use 'list' as a dict key (unhashable type: 'list')", "return s[x]", K.WRONG_TYPE, "x"),
    ("TypeError", "argument of type 'NoneType' is not a container or iterable", "return 1 in x", K.NULLABLE, "x"),
    ("TypeError", "argument of type 'NoneType' is not iterable", "return 1 in x", K.NULLABLE, "x"),
    ("TypeError", "can't concat str to bytes", "return b + x", K.WRONG_TYPE, "x"),
    ("TypeError", 'can only concatenate list (not "int") to list', "return b + x", K.WRONG_TYPE, "x"),
    ("TypeError", "expected string or bytes-like object, got 'NoneType'", "return re.match('a', x)", K.NULLABLE, "x"),
    ("TypeError", "expected string or bytes-like object", "return re.sub(x)", K.WRONG_TYPE, "x"),
    (
        "TypeError",
        "int() argument must be a string, a bytes-like object or a number, not 'NoneType'",
        "return int(x)",
        K.NULLABLE,
        "x",
    ),
    ("TypeError", "can't multiply sequence by non-int of type 'float'", "return s * x", K.WRONG_TYPE, "x"),
    ("TypeError", "type str doesn't define __round__ method", "return round(x)", K.WRONG_TYPE, "x"),
    ("TypeError", "'x' is an invalid keyword argument for print()", "return print(x=1)", K.WRONG_CALL, "print(x=1)"),
    ("TypeError", "not enough arguments for format string", "return '%s %s' % x", K.WRONG_TYPE, "x"),
    ("AttributeError", "__enter__", "with x: pass", K.WRONG_TYPE, "x"),
    ("AttributeError", "type object 'Color' has no attribute 'red'", "return Color.red", K.OPTIONAL_ATTRIBUTE, "Color"),
    (
        "AttributeError",
        "'NoneType' object has no attribute 'x' and no __dict__ for setting new attributes",
        "s.x = 1",
        K.NULLABLE,
        "s",
    ),
    ("KeyError", "'pop from an empty set'", "return x.pop()", K.EMPTY_SEQUENCE, "x"),
    ("KeyError", "'popitem(): dictionary is empty'", "return x.popitem()", K.EMPTY_SEQUENCE, "x"),
    ("IndexError", "pop from an empty deque", "return x.popleft()", K.EMPTY_SEQUENCE, "x"),
    ("IndexError", "Cannot choose from an empty sequence", "return choice(x)", K.EMPTY_SEQUENCE, "x"),
    ("IndexError", "string index out of range", "return s[0]", K.SHORT_SEQUENCE, "s[0]"),
    ("ValueError", "too many values to unpack (expected 2)", "a, b = x", K.SHORT_SEQUENCE, "x"),
    ("ValueError", "too many values to unpack (expected 2, got 3)", "a, b = x", K.SHORT_SEQUENCE, "x"),
    ("ValueError", "list.remove(x): x not in list", "s.remove(x)", K.MISSING_KEY, "s.remove(x)"),
    ("ValueError", "list.index(x): x not in list", "s.index(x)", K.MISSING_KEY, "s.index(x)"),
    ("ValueError", "substring not found", "s.index(x)", K.MISSING_KEY, "s.index(x)"),
    ("ValueError", "I/O operation on closed file", "return x.read()", K.CLOSED_FILE, "x"),
    ("ValueError", "read of closed file", "return x.read()", K.CLOSED_FILE, "x"),
    ("RuntimeError", "generator raised StopIteration", "return next(x)", K.EMPTY_SEQUENCE, "x"),
    ("RuntimeError", "generator didn't yield", "return next(x)", K.EMPTY_SEQUENCE, "x"),
    (
        "ImportError",
        "cannot import name 'x' from 'shop.price' (/a/b.py)",
        "from shop.price import x",
        K.UNKNOWN_NAME,
        "",
    ),
]

BASES = {
    "UnboundLocalError": ("UnboundLocalError", "NameError"),
    "KeyError": ("KeyError", "LookupError"),
    "IndexError": ("IndexError", "LookupError"),
}


def _canned(type_name: str, message: str, statement: str, values: tuple[Local, ...] = ()) -> tuple[Failure, bytes]:
    source = f"def f(x, s, b):\n    {statement}\n".encode()
    frame = Frame("shop/price.py", True, 2, None, None, None, "f", "f", 1, values)
    raised = SeenError(type_name, BASES.get(type_name, (type_name, "Exception")), message, (frame,))
    return Failure(TestId("tests/test_a.py::test_a"), Phase.CALL, Outcome.FAILED, (raised,), message), source


@pytest.mark.parametrize(("type_name", "message", "statement", "kind", "expression"), OLD_WORDINGS)
def test_known_wordings(type_name, message, statement, kind, expression):
    failure, source = _canned(type_name, message, statement)
    first = derive_constraints(failure, FailureClass.RUNTIME_SAFETY, (("shop/price.py", source),))[0]
    assert (first.kind, first.expression) == (kind, expression)
    assert "{" not in first.claim


def test_locals_decide_between_candidates_of_one_line():
    values = (Local("x", "int", "1"), Local("b", "NoneType", "None"))
    failure, source = _canned("AttributeError", "'NoneType' object has no attribute 'y'", "return x.y + b.y", values)
    (found,) = derive_constraints(failure, FailureClass.RUNTIME_SAFETY, (("shop/price.py", source),))
    assert found.expression == "b"


@pytest.mark.parametrize("source", [b"def f(:\n  x.\n", b"", b"\xff\xfe\x00", b"# coding: no-such\nx\n"])
def test_sources_that_cannot_be_read_leave_the_expression_open(source):
    failure, _ = _canned("AttributeError", "'NoneType' object has no attribute 'y'", "return x.y")
    (found,) = derive_constraints(failure, FailureClass.RUNTIME_SAFETY, (("shop/price.py", source),))
    assert (found.kind, found.expression) == (K.NULLABLE, "")
    assert "an input here" in found.claim


def test_deeply_nested_source_is_read():
    failure, source = _canned(
        "AttributeError", "'NoneType' object has no attribute 'y'", f"return {'+'.join(['x'] * 900)}+x.y"
    )
    (found,) = derive_constraints(failure, FailureClass.RUNTIME_SAFETY, (("shop/price.py", source),))
    assert found.expression == "x"


def test_cause_of_a_wrapped_exception_is_read(stage):
    product = """
    def look(d, k):
        return d[k]
    def f(d, k):
        try:
            return look(d, k)
        except KeyError as e:
            raise RuntimeError("no price") from e
    """
    scene = stage(product, _test_of("f({}, 'k')"))
    found = derive_constraints(scene.failure, FailureClass.CONTRACT, scene.sources)
    assert [(c.kind, c.expression) for c in found] == [(K.WRONG_RAISE, ""), (K.MISSING_KEY, "d[k]")]


def test_missing_and_wrong_raise(stage):
    test = "import pytest\ndef test_it():\n    with pytest.raises(ValueError):\n        f(-1)\n"
    missing = stage("def f(x): return x", test)
    (found,) = diagnose(missing.failure, missing.sources, is_test_path).constraints
    assert (found.kind, found.detail, found.expression) == (K.MISSING_RAISE, "ValueError", "f(-1)")
    wrong = stage("def f(x): return {}[x]", test)
    kinds = {c.kind: c.detail for c in diagnose(wrong.failure, wrong.sources, is_test_path).constraints}
    assert kinds == {K.WRONG_RAISE: "ValueError", K.MISSING_KEY: "-1"}


def test_hang_names_its_loop():
    source = b"def f(n):\n    for i in range(n):\n        while n > 1:\n            n = n\n"
    frame = Frame("shop/price.py", True, 4, None, None, None, "f", "f", 1)
    raised = SeenError("Hang", ("Hang",), "still running when its time was up", (frame,))
    failure = Failure(TestId("tests/test_a.py::test_a"), Phase.CALL, Outcome.HANG, (raised,), "")
    (found,) = diagnose(failure, (("shop/price.py", source),), is_test_path).constraints
    assert (found.kind, found.expression, found.line) == (K.NO_TERMINATION, "n > 1", 4)


def test_hang_and_silent_classes(stage):
    failure, _ = _canned("KeyError", "'a'", "return x")
    hang = dataclasses.replace(failure, outcome=Outcome.HANG, exceptions=())
    assert [c.kind for c in derive_constraints(hang, FailureClass.LOGIC, ())] == [K.NO_TERMINATION]
    assert derive_constraints(failure, FailureClass.ENVIRONMENT, ()) == ()
    assert derive_constraints(failure, FailureClass.TEST_DEFECT, ()) == ()


def test_own_wording_of_the_project_is_not_read_as_the_interpreters(stage):
    scene = stage("def f(x):\n    raise TypeError(\"'NoneType' object is not callable\")", _test_of("f(1)"))
    found = derive_constraints(scene.failure, FailureClass.CONTRACT, scene.sources)
    assert [c.kind for c in found] == [K.WRONG_RAISE]


def test_every_kind_is_reached():
    reached = {kind for *_, kind, _ in CASES} | {row[3] for row in OLD_WORDINGS}
    assert set(K) - reached == {K.MISSING_RAISE, K.WRONG_RAISE}
    assert Constraint.__dataclass_fields__.keys() >= {"kind", "expression", "detail", "claim"}
