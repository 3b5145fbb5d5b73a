"""Generated inputs: literals, near the recorded ones, the same for the same seed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from analysis.calls import CallInput, RecordedCall
from analysis.facts import TestId
from repair.compare.hints import Hint
from repair.compare.inputs import LONGEST_SPLICED, _draw, beginnings, generate, numbers_between, spliced, strategy_near


def call(args, kwargs=None, *, plain=True):
    return RecordedCall(TestId("t.py::test_it"), CallInput(repr(args), repr(kwargs or {})), plain)


def drawn(calls, count=60, seed=0):
    return [(ast.literal_eval(made.args), ast.literal_eval(made.kwargs)) for made in generate(calls, count, seed)]


def test_the_same_seed_gives_the_same_inputs_and_another_gives_others():
    calls = [call((3, "ab")), call((7, "xyz"))]
    assert generate(calls, 50, 1) == generate(calls, 50, 1)
    assert generate(calls, 50, 1) != generate(calls, 50, 2)


def test_other_processes_draw_the_same():
    code = (
        "from analysis.calls import *; from repair.compare.inputs import generate\n"
        "made = generate([RecordedCall('t', CallInput(\"({'ab', 'cd', 'ef'}, 3)\", '{}'), True)], 40, 0)\n"
        "import ast; print([sorted(map(repr, ast.literal_eval(m.args)[0])) for m in made])"
    )
    root = Path(__file__).parents[3]
    said = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=root, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1] != b""


def test_the_engines_own_modules_give_no_constants():
    code = (
        "from analysis.calls import *; from repair.compare.inputs import generate\n"
        "from hypothesis.internal.conjecture import providers\n"
        "made = generate([RecordedCall('t', CallInput('(3, 2.5)', '{}'), True)], 200, 0)\n"
        "print(len(made) > 20, len(providers._seen_modules))"
    )
    root = Path(__file__).parents[3]
    said = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True).stdout
    assert said == b"True 0\n"


@pytest.mark.parametrize(
    "value",
    [
        True,
        5,
        -3,
        10**40,
        2.5,
        1e300,
        "text",
        b"bytes",
        [1, 2],
        (1, "a"),
        (1, 2, 3),
        {1, 2},
        {"a": 1, "b": 2},
        [{"name": "x", "sizes": (1, 2)}],
        {(1, 2): [3]},
    ],
)
def test_types_are_kept_and_values_are_others(value):
    made = [args[0] for args, _ in drawn([call((value,))])]
    assert made
    assert {type(each) for each in made} == {type(value)}
    assert any(each != value for each in made)


def test_inner_types_are_kept():
    for (rows,), _ in drawn([call(([("a", 1), ("b", 2)],))]):
        assert all(type(name) is str and type(count) is int for name, count in rows)


@pytest.mark.parametrize("annotation", ["", "float"])
@pytest.mark.parametrize("values", [(0.5,), (-3.25, 1e5), (1000000.0,)])
def test_numbers_with_a_point_are_ones_that_somebody_might_write(values, annotation):
    made = generate([call((value,)) for value in values], 300, 1, (), (Hint("x", annotation),))
    numbers = [ast.literal_eval(each.args)[0] for each in made]
    assert len(set(numbers)) > 50
    assert all(value == round(value, 6) and abs(value) < 10**7 for value in numbers)


def test_none_is_drawn_where_it_was_seen_and_nowhere_else():
    assert any(args[0] is None for args, _ in drawn([call((None, 1)), call((2, 1))]))
    assert all(args[0] is not None for args, _ in drawn([call((3, 1)), call((2, 1))]))


def test_shapes_of_calls_are_kept():
    calls = [call((1,), {"width": 2}), call((1, 2))]
    assert {(len(args), tuple(kwargs)) for args, kwargs in drawn(calls)} == {(1, ("width",)), (2, ())}


def test_recorded_calls_and_repetitions_are_left_out():
    calls = [call((True,)), call((False,))]
    assert drawn(calls) == []
    made = generate([call((3,))], 80, 0)
    assert len(set(made)) == len(made)
    assert CallInput("(3,)", "{}") not in made


@pytest.mark.parametrize(
    ("value", "constant", "wanted"),
    [
        (7, 4321, {4320, 4321, 4322}),
        (7, 43.5, {42, 43, 44}),
        (7.5, 43, {42.0, 43.0, 44.0}),
        (7.5, 2.25, {2.25}),
        ("ab", "GiB", {"GiB"}),
        (b"ab", b"GiB", {b"GiB"}),
        (["ab"], "GiB", {"GiB"}),
        ({"ab": 7}, "GiB", {"GiB"}),
    ],
)
def test_constants_of_the_code_are_tried_where_they_suit(value, constant, wanted):
    made = generate([call((value,))], 200, 0, [constant])
    tried = [ast.literal_eval(each.args)[0] for each in made]
    assert {type(each) for each in tried} == {type(value)}
    flat = {item for each in tried for item in (each if isinstance(each, (list, dict)) else [each])}
    assert wanted <= flat


@pytest.mark.parametrize("constant", [True, None, ..., 10**400, float("inf"), float("nan"), "text", 1j])
def test_constants_that_do_not_suit_are_left_out(constant):
    assert all(type(args[0]) is int for args, _ in [
        (ast.literal_eval(made.args), made) for made in generate([call((7,))], 50, 0, [constant])
    ])  # fmt: skip


@pytest.mark.parametrize("calls", [[], [call(())], [RecordedCall(TestId("t"), CallInput("<Shop>", "{}"), plain=False)]])
def test_without_a_plain_argument_nothing_is_generated(calls):
    assert generate(calls, 50, 0) == ()


@pytest.mark.parametrize("count", [0, 1, 7])
def test_never_more_than_asked_for(count):
    assert len(generate([call((3, 4)), call((1,))], count, 0)) <= count


@pytest.mark.parametrize(
    ("seen", "between"),
    [
        ((3, 5), [4]),
        ((3, 4), []),
        ((5,), []),
        ((-3, 4), [0]),
        ((1, 1000), [500, 2, 7, 19, 51, 138, 372]),
        ((1.5, 2.5), [2.0]),
        ((10**30, 3, 5), [4]),
    ],
)
def test_numbers_lie_between_those_that_were_seen(seen, between):
    assert numbers_between(seen) == between


def test_numbers_may_be_as_far_apart_as_they_can():
    between = numbers_between((5e-324, 1.0))
    assert len(between) == 7
    assert all(5e-324 < number < 1.0 for number in between)


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf")])
def test_no_number_lies_beside_what_is_not_finite(odd):
    assert numbers_between((odd, 1.0, 3.0)) == [2.0]


def test_calls_lie_between_those_of_the_tests():
    """What tests ask of a function like humanize's ``metric``: numbers beside its boundaries alone."""
    made = generate([call((value,)) for value in (0.0009, 1500.0, 999.9, 200000.0)], 200, 0)
    numbers = [each.values()[0][0] for each in made]
    assert {3020.0, 6070.0, 12200.0} <= set(numbers)


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
hashable = st.recursive(scalars | st.binary(), lambda inner: st.tuples(inner, inner), max_leaves=4)
values = st.recursive(
    hashable | st.complex_numbers(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.sets(hashable, min_size=1, max_size=4)
        | st.dictionaries(hashable, inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(values, min_size=1, max_size=4), st.data())
def test_whatever_was_recorded_only_literals_of_the_types_seen_are_generated(recorded, data):
    made = data.draw(strategy_near(tuple(recorded)))
    assert type(made) in {type(value) for value in recorded}
    assert type(ast.literal_eval(repr(made))) is type(made)


@pytest.mark.parametrize("args", ["(open('f'),)", "[1]", "("])
def test_calls_that_say_to_be_plain_and_are_not_are_left_out(args):
    odd = RecordedCall(TestId("t"), CallInput(args, "{}"), plain=True)
    assert generate([odd, call((3,))], 20, 0) == generate([call((3,))], 20, 0)


def test_texts_are_put_together_of_pieces_of_others_between_words_and_marks():
    made = spliced(["2 ^ 3 ^ 2", "4 * 5"])
    assert {"2 ^ 3 * 5", "4 ^ 3 ^ 2", "2 ^ 2"} <= {*made}
    assert not {"2 ^ 3 ^ 2", "4 * 5"} & {*made}
    assert all(text.count("  ") == 0 for text in made)


@pytest.mark.parametrize("texts", [[], [""], ["word"], ["a" * 9, "b" * 9], ["a b " * LONGEST_SPLICED]])
def test_nothing_is_put_together_of_no_pieces(texts):
    assert spliced(texts) == []


def test_texts_put_together_are_among_what_is_generated():
    seen = ["<b>bold</b> text", "plain `code` text"]
    drawn_texts = {args[0] for args, _ in drawn([call((text,)) for text in seen], 200)}
    assert drawn_texts & {*spliced(seen)}


def test_texts_are_cut_behind_their_marks():
    assert beginnings(["f(1, 2)", "ab c"]) == ["f(", "f(1,"]
    assert beginnings(["a.", "a.b"]) == []
    assert beginnings(["x" * LONGEST_SPLICED + ".y"]) == []
    drawn = {each.args for each in generate([call(("say 'it\\'s' now",)), call(("'so'",))], 200, 0)}
    assert repr(("say 'it\\",)) in drawn, "what reads an escape meets the end of the text"


def test_what_was_drawn_until_drawing_became_unsteady_is_kept():
    seen = []

    def make(number):
        seen.append(number)
        if len(seen) > 3:
            raise Flaky("drawn otherwise than before")
        return number

    assert len(_draw(st.builds(make, st.integers()), 10, 0)) == 3
