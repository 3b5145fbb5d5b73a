import pytest

from tinytpl import render

CASES = [
    ("{{ x }}:{% for x in xs %}{{ x }}{% endfor %}:{{ x }}", {"x": "o", "xs": [1, 2]}, "o:12:o"),
    ("{% for x in xs %}{{ x }}{% endfor %}:{{ x }}", {"xs": [1, 2]}, "12:"),
    ("{% for x in xs %}{{ x }}{% endfor %}:[{{ loop.number }}]", {"xs": [1, 2]}, "12:[]"),
    ("{% for x in xs %}{% endfor %}{{ loop }}", {"xs": [1], "loop": "mine"}, "mine"),
    ("{% for x in xs %}{% endfor %}{% if x %}leak{% endif %}", {"xs": [1]}, ""),
    ("{% for x in xs %}{{ x }}{% endfor %}{{ x }}", {"xs": [], "x": "o"}, "o"),
    ("{% for x in xs %}{{ x }}{% endfor %}[{{ x }}]", {"xs": [1], "x": None}, "1[]"),
    ("{% for x in xs %}{{ x }}{% endfor %}{{ x }}", {"xs": [1], "x": 0}, "10"),
    ("{% for x in xs %}{{ x }}{% endfor %}{{ x }}", {"xs": [1], "x": ""}, "1"),
    # nested
    ("{% for r in rows %}{% for c in r %}{{ c }}{% endfor %}{{ loop.number }};{% endfor %}",
     {"rows": [["a", "b"], ["c", "d", "e"]]}, "ab1;cde2;"),
    ("{% for r in rows %}{% for c in r %}{{ c }}{% endfor %}{% if not loop.last %},{% endif %}{% endfor %}",
     {"rows": [["a"], ["b"], ["c"]]}, "a,b,c"),
    ("{% for x in xs %}{% for x in ys %}{{ x }}{% endfor %}{{ x }} {% endfor %}{{ x }}",
     {"xs": [1, 2], "ys": ["a", "b"], "x": "o"}, "ab1 ab2 o"),
    ("{% for x in xs %}{% for y in x %}{{ y }}{% endfor %}{% endfor %}[{{ y }}]",
     {"xs": [[1], [2]]}, "12[]"),
    ("{% for a in rows %}{% for b in a %}{{ a | count }}{{ b }}{% endfor %}{% endfor %}",
     {"rows": [[7, 8], [9]]}, "272819"),
    # one after the other
    ("{% for x in xs %}{{ x }}{% endfor %}{% for y in ys %}{{ x }}{{ y }}{% endfor %}",
     {"xs": [1], "ys": [2], "x": "o"}, "1o2"),
    ("{% for x in x %}{{ x }}{% endfor %}/{% for x in x %}{{ x }}{% endfor %}", {"x": [1, 2]}, "12/12"),
    # names of the context are seen inside
    ("{% for x in xs %}{{ x }}{{ sep }}{% endfor %}", {"xs": [1, 2], "sep": "-"}, "1-2-"),
    ("{% for x in nope %}{{ x }}{% endfor %}.", {}, "."),
]


@pytest.mark.parametrize("source, context, out", CASES)
def test_render(source, context, out):
    assert render(source, context) == out


def test_callers_context_is_left_alone():
    context = {"xs": [1, 2], "x": "o"}
    render("{% for x in xs %}{{ x }}{% endfor %}", context)
    assert context == {"xs": [1, 2], "x": "o"}


def test_generator():
    assert render("{% for x in xs %}{{ x }}{% endfor %}", {"xs": (i for i in range(3))}) == "012"
