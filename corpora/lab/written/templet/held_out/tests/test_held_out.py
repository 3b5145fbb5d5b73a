import pytest

from templet import TemplateError, render
from templet.render import expand


@pytest.mark.parametrize("value, want", [
    (0, "0"), (0.0, "0.0"), (False, "False"), (True, "True"), (1, "1"), (-1, "-1"), (2.5, "2.5"),
    ([], "[]"), ({}, "{}"), ((), "()"), ([0], "[0]"), ("", ""), ("0", "0"), (" ", " "), (None, ""),
    ("None", "None"),
])
def test_values(value, want):
    assert expand("x", {"x": value}) == want


@pytest.mark.parametrize("expr, want", [
    ("xs|length", "0"), ("zero|money", "0.00"), ("xs|joined", ""), ("empty|upper", ""), ("empty|length", "0"),
    ("none|length", ""), ("gone|money", ""), ("deep.zero", "0"), ("deep.gone", ""), ("zero|upper", "0"),
    ("no|upper", "FALSE"), ("full|length|money", "2.00"),
])
def test_filters_and_paths(expr, want):
    ctx = {"xs": [], "zero": 0, "empty": "", "none": None, "deep": {"zero": 0}, "no": False, "full": [1, 2]}
    assert expand(expr, ctx) == want


def test_unknown_filter_even_on_nothing():
    with pytest.raises(TemplateError):
        expand("gone|nope", {})


def test_loop_over_falsy_items():
    assert render("{% for x in xs %}{{ x }},{% endfor %}", xs=[0, "", None, False, 1]) == "0,,,False,1,"
