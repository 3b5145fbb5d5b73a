from minimark import render
from minimark.blocks import split_blocks
from minimark.inline import inline


def test_heading():
    assert render("## Hello ##") == "<h2>Hello</h2>"
    assert render("#hash") == "<p>#hash</p>"


def test_paragraphs():
    assert render("a\nb\n\nc") == "<p>a b</p>\n<p>c</p>"


def test_lists():
    assert render("- a\n- b") == "<ul><li>a</li><li>b</li></ul>"
    assert split_blocks("- a\n1. b") == [("list", "ul", ["a"]), ("list", "ol", ["b"])]


def test_code_block():
    assert render("```\n<b> *x*\n```\nend") == "<pre><code>&lt;b&gt; *x*</code></pre>\n<p>end</p>"


def test_strong_and_em():
    assert inline("a **b** *c*") == "a <strong>b</strong> <em>c</em>"


def test_em_inside_strong():
    assert inline("**a *b* c**") == "<strong>a <em>b</em> c</strong>"


def test_lonely_star():
    assert inline("2 * 3") == "2 * 3"


def test_link():
    assert inline("see [here](http://x.org)") == 'see <a href="http://x.org">here</a>'


def test_escape():
    assert inline("a < b & c") == "a &lt; b &amp; c"


def test_code():
    assert inline("use `x`") == "use <code>x</code>"


def test_stars_in_code():
    assert inline("box `a*b*c` or `a * b`") == (
        "box <code>a*b*c</code> or <code>a * b</code>")
