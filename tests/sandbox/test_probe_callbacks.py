"""What a call leaves at its default is passed by name, and callables note what they are told."""

import ast
import asyncio
import copy
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def probe() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.values import call_effects, vary  # noqa: PLC0415

        yield call_effects, vary
    finally:
        sys.path.remove(str(PROBE))


SOURCE = """
async def work(a, flag=False, size: "int | None" = None, mode: Literal["r", "w"] = None, hook=None, done=None,
               names: Optional[List[str]] = None, other=None, *, key=str.lower, width=3):
    hook(a)
    await done(a)
    between(a)
    return key(a)
"""


def options(probe: Any, source: str = SOURCE) -> Any:
    return probe[0].PassableOptions(ast.parse(textwrap.dedent(source)).body[0])


def test_left_out_are_the_parameters_that_a_call_does_not_name(probe: Any) -> None:
    assert options(probe).left_out([1, True], {"hook": print, "width": 4}) == [
        *("size", "mode", "done", "names", "other"),
        "key",
    ]
    assert options(probe, "def f(a, b=1, /, c=2): pass").left_out([1], {}) == ["c"]


@pytest.mark.parametrize(
    ("name", "default", "values"),
    [
        ("flag", False, [True]),
        ("width", 3, [4, 2, -3, 7]),
        ("size", None, [1, 0, -1, 7]),
        ("mode", None, ["r", "w"]),
        ("names", None, [[], ["a"]]),
        ("other", None, []),
        ("other", object(), []),
    ],
)
def test_values_come_from_the_default_or_the_annotation(probe: Any, name: str, default: Any, values: list[Any]) -> None:
    assert options(probe).values(name, default, probe[1]._near_values) == values


def test_texts_that_the_body_holds_an_option_against_come_first(probe: Any) -> None:
    source = (
        "def f(a, mode='all', size=3):\n    if mode not in ('all', 'one'):\n        raise a\n    return 'none' == mode"
    )
    assert options(probe, source).values("mode", "all", probe[1]._near_values)[:3] == ["one", "none", "al"]
    assert options(probe, source.replace("mode ", "size ")).values("size", 3, probe[1]._near_values) == [4, 2, -3, 7]


def test_an_annotation_that_cannot_be_read_gives_nothing(probe: Any) -> None:
    assert (
        options(probe, "def f(a: 'int |' = None, b: x.y[0] = None): pass").values("a", None, probe[1]._near_values)
        == []
    )


def test_what_the_body_calls_gets_callables_that_note_their_calls(probe: Any) -> None:
    for plain in options(probe).values("hook", None, probe[1]._near_values):
        assert plain(1, "a") == (1 if plain.echoes else None)
        plain(k=2)
        assert plain.calls == ["(1, 'a')", "((), {'k': 2})"]
    awaited = options(probe).values("done", None, probe[1]._near_values)
    assert [asyncio.run(each("x")) for each in awaited] == [None, "x"]
    assert [each.calls for each in awaited] == [["('x',)"]] * 2
    assert len(options(probe).values("key", str.lower, probe[1]._near_values)) == 2


def test_notes_are_bounded_and_copied(probe: Any) -> None:
    first = probe[0].Recorder(echoes=False)
    for n in range(500):
        first(n)
    second = copy.deepcopy(first)
    assert len(first.calls) == 100
    second.calls.clear()
    assert first.calls


def test_free_variables_that_are_called_or_plain_are_varied_and_said(probe: Any) -> None:
    cells = {"between": None, "times": 3, "table": {}, "nothing": None}
    found = list(probe[1].variants(lambda: copy.deepcopy(([], {}, cells)), options(probe), {}))
    notes = [variant.note for variant in found]
    assert "times=4" in notes
    assert "between=Recorder(echoes=False, calls=[])" in notes
    assert not any("table" in note or "nothing" in note for note in notes)
    assert all(variant.cells["table"] == {} and not variant.of_call for variant in found)


def test_options_are_passed_with_the_recorded_arguments(probe: Any) -> None:
    found = probe[1].variants(lambda: ([None], {}, {}), options(probe), {"flag": False, "width": 3})
    assert [(v.args, v.kwargs) for v in found][:2] == [([None], {"flag": True}), ([None], {"width": 4})]
