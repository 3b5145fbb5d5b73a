import pytest

from tinytpl import render
from tinytpl.parser import TemplateError


def test_text():
    assert render("just text") == "just text"


def test_variable_and_filters():
    assert render("{{ a.b | trim | upper }}", {"a": {"b": " x "}}) == "X"


def test_unknown_name_is_empty():
    assert render("[{{ nope.deeper }}]") == "[]"


def test_index():
    assert render("{{ xs.1 }}{{ xs.9 }}", {"xs": ["a", "b"]}) == "b"


def test_for():
    assert render("{% for x in xs %}<{{ x }}>{% endfor %}", {"xs": [1, 2, 3]}) == "<1><2><3>"


def test_loop_last():
    tpl = "{% for x in xs %}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}"
    assert render(tpl, {"xs": ["a", "b", "c"]}) == "a, b, c"


def test_if_else():
    tpl = "{% if ok %}yes{% else %}no{% endif %}"
    assert render(tpl, {"ok": True}) == "yes"
    assert render(tpl, {"ok": []}) == "no"


def test_unclosed():
    with pytest.raises(TemplateError):
        render("{% for x in xs %}")


def test_loop_variable_does_not_leak():
    tpl = "{{ x }}:{% for x in xs %}{{ x }}{% endfor %}:{{ x }}"
    assert render(tpl, {"x": "out", "xs": [1, 2]}) == "out:12:out"
