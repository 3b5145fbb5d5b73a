import pytest

from templet import TemplateError, render


class User:
    def __init__(self, name):
        self.name = name


def test_plain_text():
    assert render("hello { world }") == "hello { world }"


def test_variable():
    assert render("Hi {{ name }}!", name="Ann") == "Hi Ann!"


def test_dotted():
    ctx = {"user": User("bob"), "site": {"title": "Home"}}
    assert render("{{ user.name|title }} - {{site.title|upper}}", ctx) == "Bob - HOME"


def test_missing_is_blank():
    assert render("[{{ nope }}][{{ a.b.c }}]", a={}) == "[][]"


def test_none_is_blank():
    assert render("[{{ x|upper }}]", x=None) == "[]"


def test_count():
    assert render("{{ n }} new messages", n=3) == "3 new messages"
    assert render("{{ n }} new messages", n=0) == "0 new messages"


def test_if():
    t = "{% if admin %}root{% endif %}{% if not admin %}user{% endif %}"
    assert render(t, admin=True) == "root"
    assert render(t, admin=False) == "user"


def test_for():
    t = "{% for x in xs %}<{{ x }}>{% endfor %}"
    assert render(t, xs=["a", "b"]) == "<a><b>"
    assert render(t) == ""


def test_filters():
    assert render("{{ xs|joined|upper }}", xs=["a", "b"]) == "A, B"
    assert render("{{ price|money }}", price=1234.5) == "1,234.50"


def test_errors():
    with pytest.raises(TemplateError):
        render("{{ x|nope }}", x=1)
    with pytest.raises(TemplateError):
        render("{% if x %}never closed", x=1)
    with pytest.raises(TemplateError):
        render("{% while x %}")
