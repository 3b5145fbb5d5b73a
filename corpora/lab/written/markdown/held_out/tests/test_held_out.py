import pytest

from minimark import render
from minimark.inline import inline


@pytest.mark.parametrize("text, expected", [
    ("", ""),
    ("plain", "plain"),
    ("`*a*`", "<code>*a*</code>"),
    ("`**a**`", "<code>**a**</code>"),
    ("`a*b*c`", "<code>a*b*c</code>"),
    ("`[a](b)`", "<code>[a](b)</code>"),
    ("`a < b`", "<code>a &lt; b</code>"),
    ("`&amp;`", "<code>&amp;amp;</code>"),
    ("`x` *y*", "<code>x</code> <em>y</em>"),
    ("*y* `x`", "<em>y</em> <code>x</code>"),
    ("**s** `*c*` *e*", "<strong>s</strong> <code>*c*</code> <em>e</em>"),
    ("`*a*` then *b*", "<code>*a*</code> then <em>b</em>"),
    ("`a``b`", "<code>a</code><code>b</code>"),
    ("`a` and `b*` and `*c`", "<code>a</code> and <code>b*</code> and <code>*c</code>"),
    ("`<b>` & <i>", "<code>&lt;b&gt;</code> &amp; &lt;i&gt;"),
    ("an open ` tick *b*", "an open ` tick <em>b</em>"),
    ("[a](b) `[c](d)`", '<a href="b">a</a> <code>[c](d)</code>'),
    (r"`a\1b`", r"<code>a\1b</code>"),
    ("`{0}` and `%s`", "<code>{0}</code> and <code>%s</code>"),
    ("`x` 0 `y` 1", "<code>x</code> 0 <code>y</code> 1"),
    ("`\"q\"`", "<code>&quot;q&quot;</code>"),
    ("*a* < *b*", "<em>a</em> &lt; <em>b</em>"),
    ("`*`", "<code>*</code>"),
    ("`x*` `y`*`z*`", "<code>x*</code> <code>y</code>*<code>z*</code>"),
    (" `a` ", " <code>a</code> "),
])
def test_inline(text, expected):
    assert inline(text) == expected


def test_eleven_codes():
    text = " ".join(f"`*{n}*`" for n in range(12))
    assert inline(text) == " ".join(f"<code>*{n}*</code>" for n in range(12))


def test_in_list_and_heading():
    assert render("# `*a*`\n\n- `**b**`\n- **c**") == (
        "<h1><code>*a*</code></h1>\n<ul><li><code>**b**</code></li><li><strong>c</strong></li></ul>")


@pytest.mark.parametrize("text, expected", [
    ("@0@ `a`", "@0@ <code>a</code>"),
    ("$1 #0 %0 `a`", "$1 #0 %0 <code>a</code>"),
])
def test_odd_text_beside_code(text, expected):
    assert inline(text) == expected
