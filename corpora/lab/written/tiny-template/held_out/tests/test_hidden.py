import pytest

from tinytpl import Template, TemplateError, render
from tinytpl.context import Context
from tinytpl.nodes import For, Output, Text


def test_variable_gone_after_loop():
    assert render("{% for x in xs %}{{ x }}{% endfor %}<{{ x }}>", xs=[1]) == "1<>"


def test_loop_gone_after_loop():
    assert render("{% for x in xs %}.{% endfor %}<{{ loop.index }}{{ loop }}>", xs=[1, 2]) == "..<>"


@pytest.mark.parametrize("value", [0, "", False, None, []])
def test_falsy_outer_value_comes_back(value):
    assert render("{% for x in xs %}{% endfor %}{{ x }}", x=value, xs=[7]) == str(value)


def test_outer_loop_after_inner():
    src = "{% for a in xs %}{% for b in xs %}{{ b }}{% endfor %}{{ loop.index }};{% endfor %}"
    assert render(src, xs=["p", "q"]) == "pq1;pq2;"


def test_outer_loop_last_after_inner():
    src = "{% for a in xs %}{% for b in ys %}{{ b }}{% endfor %}{% if not loop.last %},{% endif %}{% endfor %}"
    assert render(src, xs=[1, 2, 3], ys=[0]) == "0,0,0"


def test_inner_loop_of_same_name():
    src = "{% for x in xs %}{% for x in ys %}{{ x }}{% endfor %}{{ x }} {% endfor %}{{ x }}"
    assert render(src, x="o", xs="ab", ys=[1, 2]) == "12a 12b o"


def test_pairs_come_back():
    src = "{% for k, v in pairs %}{{ k }}{{ v }}{% endfor %} {{ k }} {{ v }}"
    assert render(src, k="K", v="V", pairs=[(1, 2)]) == "12 K V"


def test_pairs_gone_after_loop():
    src = "{% for k, v in pairs %}{{ k }}{{ v }}{% endfor %}<{{ k }}{{ v }}>"
    assert render(src, pairs=[(1, 2), (3, 4)]) == "1234<>"


def test_data_named_loop_comes_back():
    assert render("{% for x in xs %}{{ loop.index }}{% endfor %}{{ loop }}", xs=[1], loop="L") == "1L"


def test_set_in_loop_lasts():
    src = "{% for x in xs %}{% set seen = x %}{% endfor %}{{ seen }}"
    assert render(src, xs=[1, 2, 3]) == "3"


def test_set_in_nested_loop_lasts():
    src = "{% for a in xs %}{% for b in a %}{% set seen = b %}{% endfor %}{% endfor %}{{ seen }}"
    assert render(src, xs=["ab", "cd"]) == "d"


def test_set_in_loop_visible_in_next_round():
    src = "{% for x in xs %}{{ prev }}{{ x }};{% set prev = x %}{% endfor %}"
    assert render(src, xs="abc") == "a;ab;bc;"


def test_else_part_sees_outer_variable():
    assert render("{% for x in xs %}{% else %}{{ x }}{% endfor %}{{ x }}", x="o", xs=[]) == "oo"


def test_else_part_has_no_loop():
    assert render("{% for x in xs %}{% else %}<{{ loop }}>{% endfor %}", xs=[]) == "<>"


def test_second_loop_of_same_name():
    src = "{% for x in xs %}{{ x }}{% endfor %}{{ x }}{% for x in ys %}{{ x }}{% endfor %}{{ x }}"
    assert render(src, x="-", xs=[1, 2], ys=[3]) == "12-3-"


def test_loop_over_variable_of_same_name():
    assert render("{% for x in x %}{{ x }}{% endfor %}{{ x|length }}", x=["a", "b"]) == "ab2"


def test_outer_names_stay_visible():
    assert render("{% for x in xs %}{{ y }}{{ x }}{% endfor %}", y="y", xs=[1, 2]) == "y1y2"


def test_generator_items():
    assert render("{% for x in xs %}{{ x }}{% endfor %}", xs=(c for c in "abc")) == "abc"


def test_bad_unpack():
    with pytest.raises(TemplateError):
        render("{% for a, b in xs %}{% endfor %}", xs=[(1, 2, 3)])


def test_scopes_are_clean_after_rendering():
    ctx = Context({"x": 1, "xs": [5, 6]})
    node = For(["x"], "xs", [Output("x"), Text(" ")], [])
    assert "".join(node.render(ctx)) == "5 6 "
    assert ctx.scopes == [{"x": 1, "xs": [5, 6]}]
    assert "".join(node.render(ctx)) == "5 6 "


def test_scopes_are_clean_after_empty_loop():
    ctx = Context({"xs": []})
    assert "".join(For(["x"], "xs", [], [Text("n")]).render(ctx)) == "n"
    assert ctx.scopes == [{"xs": []}]


def test_callers_data_unchanged():
    data = {"xs": [1], "x": "o"}
    assert "".join(Template("{% for x in xs %}{{ x }}{% endfor %}").stream(data)) == "1"
    assert data == {"xs": [1], "x": "o"}


def test_template_can_be_used_again():
    t = Template("{% for x in xs %}{{ x }}{% endfor %}{{ x }}")
    assert t.render(xs=[1]) == "1"
    assert t.render(xs=[2], x=3) == "23"


def test_output_comes_piece_by_piece():
    def numbers():
        yield 1
        yield 2
    stream = Template("{% for x in xs %}{{ x }}{% endfor %}{{ x }}").stream({"xs": numbers(), "x": "o"})
    assert list(stream) == ["1", "2", "o"]


def test_empty_inner_loop_leaves_outer_alone():
    src = "{% for x in xs %}{{ x }}{% for y in ys %}{{ y }}{% else %}-{% endfor %}{% endfor %}{{ x }}"
    assert render(src, x="o", xs=[1, 2], ys=[]) == "1-2-o"


def test_empty_inner_loop_leaves_loop_alone():
    src = "{% for x in xs %}{% for y in ys %}{% endfor %}{{ loop.index }}{% endfor %}<{{ loop.index }}>"
    assert render(src, xs="ab", ys=[]) == "12<>"
