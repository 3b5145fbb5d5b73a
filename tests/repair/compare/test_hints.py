"""Values of the types that annotations name, and for parameters that no test passes."""

import ast

import pytest
from fakes.submission import scope_in
from hypothesis import HealthCheck, Phase, find, settings

from analysis.calls import CallInput, RecordedCall
from analysis.facts import TestId
from repair.compare.comparing import Versions, signature
from repair.compare.hints import Hint, strategy_of_hint
from repair.compare.inputs import generate
from repair.records.functions import as_trial

QUICK = settings(database=None, phases=[Phase.generate], max_examples=200, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize(
    ("annotation", "shows"),
    [
        ("int", [lambda v: type(v) is int and abs(v) < 21, lambda v: v > 1000]),
        ("'int | None'", [lambda v: v is None, lambda v: type(v) is int]),
        ("Optional[str]", [lambda v: v is None, lambda v: type(v) is str and len(v) > 1]),
        ("typing.Union[bool, Shop, float]", [lambda v: v is True, lambda v: type(v) is float]),
        ("Literal['r', 'w', 3]", [lambda v: v == "r", lambda v: v == 3]),
        ("Literal['r'] | None", [lambda v: v == "r", lambda v: v is None]),
        ("Sequence[int]", [lambda v: v == [], lambda v: type(v) is list and len(v) == 2]),
        ("dict[str, list[bool]]", [lambda v: v == {}, lambda v: [] in v.values()]),
        ("tuple[int, str]", [lambda v: type(v) is tuple and type(v[1]) is str]),
        ("Tuple[bytes, ...]", [lambda v: v == (), lambda v: len(v) == 2 and type(v[0]) is bytes]),
        ("Annotated[bool, 'x']", [lambda v: v is False]),
    ],
)
def test_plain_types_are_drawn(annotation, shows):
    strategy = strategy_of_hint(annotation)
    assert strategy is not None
    for shown in shows:
        find(strategy, shown, settings=QUICK)


@pytest.mark.parametrize(
    "annotation",
    [
        *("", "Shop", "list", "list[Shop]", "dict[str, Shop]", "Callable[[int], int]", "Any", "int |"),
        *("Literal[E.A]", "Optional[Shop]", "Annotated", "dict[str]", "-" * 100_000 + "1"),
    ],
)
def test_what_is_not_plain_has_no_values(annotation):
    assert strategy_of_hint(annotation) is None


def signature_of(source, qualname):
    scope = scope_in(source, qualname)
    trial = as_trial(scope, scope.text, "")
    return signature(Versions(scope, scope, trial, trial))


def test_a_signature_has_its_parameters_but_for_instance_and_stars():
    source = b"class A:\n    def f(self, a: int, b='x', *more, c: \"int | None\" = None, **rest):\n        return a\n"
    assert signature_of(source, "A.f") == (Hint("a", "int"), Hint("b", "", "'x'"), Hint("c", '"int | None"', "None"))
    assert signature_of(b"def f(a, /, b=1): return a\n", "f") == (Hint("a", named=False), Hint("b", "", "1"))
    assert signature_of(b"def f(): return 1\n", "f") == ()


def drawn(call, *hints):
    made = generate([RecordedCall(TestId("t"), CallInput(*call), plain=True)], 200, 0, (), hints)
    return [(ast.literal_eval(each.args), ast.literal_eval(each.kwargs)) for each in made]


def test_annotations_widen_what_was_seen():
    assert any(args == (None,) for args, _ in drawn(("(3,)", "{}"), Hint("a", "Optional[int]")))
    assert any(kwargs["a"] is None for _, kwargs in drawn(("()", "{'a': 3}"), Hint("a", "int | None")))


def test_parameters_that_no_test_passes_are_named():
    made = drawn(("(3,)", "{}"), Hint("a"), Hint("width", "", "70"), Hint("mode", "Literal['r', 'w']", "None"))
    assert {tuple(sorted(kwargs)) for _, kwargs in made} == {(), ("width",), ("mode",), ("mode", "width")}
    assert {kwargs["mode"] for _, kwargs in made if "mode" in kwargs} == {"r", "w"}
    assert all(type(kwargs["width"]) is int for _, kwargs in made if "width" in kwargs)
    assert any(kwargs for _, kwargs in drawn(("()", "{}"), Hint("fast", "", "False")))


@pytest.mark.parametrize(
    "hint", [Hint("b"), Hint("b", "", "None"), Hint("b", "", "object()"), Hint("b", "int", "3", named=False)]
)
def test_parameters_of_which_nothing_is_known_are_left_out(hint):
    assert all(not kwargs for _, kwargs in drawn(("(3,)", "{}"), Hint("a"), hint))
