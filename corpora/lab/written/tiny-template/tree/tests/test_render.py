import pytest

from tinytpl import Template, TemplateError, render


def test_plain_text():
    assert render("hello") == "hello"


def test_output_and_filters():
    assert render("{{ name|upper }} {{ xs|length }}", name="bob", xs=[1, 2]) == "BOB 2"


def test_unknown_variable_is_empty():
    assert render("<{{ nothing }}>") == "<>"


def test_dotted_path():
    assert render("{{ user.langs.1 }}", user={"langs": ["de", "en"]}) == "en"


def test_if_else():
    t = Template("{% if on %}yes{% else %}no{% endif %}")
    assert t.render(on=True) == "yes"
    assert t.render(on=False) == "no"


def test_for():
    assert render("{% for x in xs %}{{ x }},{% endfor %}", xs=[1, 2, 3]) == "1,2,3,"


def test_for_else():
    assert render("{% for x in xs %}{{ x }}{% else %}none{% endfor %}", xs=[]) == "none"


def test_for_unpacks_pairs():
    src = "{% for k, v in pairs %}{{ k }}={{ v }};{% endfor %}"
    assert render(src, pairs=[("a", 1), ("b", 2)]) == "a=1;b=2;"


def test_loop_index_and_last():
    src = "{% for x in xs %}{{ loop.index }}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}"
    assert render(src, xs="ab") == "1a, 2b"


def test_nested_loops():
    src = "{% for row in rows %}{% for c in row %}{{ c }}{% endfor %}/{% endfor %}"
    assert render(src, rows=["ab", "cd"]) == "ab/cd/"


def test_loop_variable_does_not_touch_outer_one():
    src = "{{ x }} {% for x in xs %}{{ x }}{% endfor %} {{ x }}"
    assert render(src, x="out", xs=[1, 2]) == "out 12 out"


def test_set():
    assert render("{% set a = b.c %}{{ a }}", b={"c": 5}) == "5"


def test_missing_endfor():
    with pytest.raises(TemplateError):
        Template("{% for x in xs %}")
