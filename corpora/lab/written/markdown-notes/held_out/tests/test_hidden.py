import pytest

from mdlite import markdown, page, render_inline


@pytest.mark.parametrize("code", [
    "a*b*c", "a_b_c", "**x**", "__init__", "*", "**kwargs", "a ** b ** c",
    "[a](b)", "[x](http://y)", "snake_case_name", "f(*args, *more)",
])
def test_code_is_shown_as_typed(code):
    assert render_inline(f"`{code}`") == f"<code>{code}</code>"


def test_html_in_code_is_escaped_once():
    assert render_inline("`<b> & \"q\"`") == "<code>&lt;b&gt; &amp; &quot;q&quot;</code>"


def test_entity_in_code_is_shown_as_typed():
    assert render_inline("`&amp;`") == "<code>&amp;amp;</code>"


def test_escape_outside_code():
    assert render_inline("a < b & `c`") == "a &lt; b &amp; <code>c</code>"


def test_several_spans():
    assert render_inline("`a*b` and `c*d`") == "<code>a*b</code> and <code>c*d</code>"


def test_same_span_twice():
    assert render_inline("`_a_` `_a_`") == "<code>_a_</code> <code>_a_</code>"


def test_markup_between_spans():
    assert render_inline("`*a*` *b* `*c*`") == "<code>*a*</code> <em>b</em> <code>*c*</code>"


def test_many_spans():
    text = " ".join(f"`_{i}_`" for i in range(12))
    assert render_inline(text) == " ".join(f"<code>_{i}_</code>" for i in range(12))


def test_code_within_strong():
    assert render_inline("**use `a*b` now**") == "<strong>use <code>a*b</code> now</strong>"


def test_code_within_emphasis():
    assert render_inline("*use `x_1` now*") == "<em>use <code>x_1</code> now</em>"


def test_code_as_link_text():
    assert render_inline("[`a_b_c`](http://x)") == '<a href="http://x"><code>a_b_c</code></a>'


def test_underscore_emphasis():
    assert render_inline("_a_ and __b__") == "<em>a</em> and <strong>b</strong>"


def test_strong_and_emphasis_with_code_after():
    assert render_inline("**a** *b* `c`") == "<strong>a</strong> <em>b</em> <code>c</code>"


def test_lone_backtick():
    assert render_inline("a ` b *c*") == "a ` b <em>c</em>"


def test_digits_in_the_text_stay():
    assert render_inline("0 `a*b*` 1 {0} %s \\1") == "0 <code>a*b*</code> 1 {0} %s \\1"


def test_backslash_in_code():
    assert render_inline(r"`\1 \d *x*`") == r"<code>\1 \d *x*</code>"


def test_link_and_code():
    assert render_inline("[a](http://x) `[b](c)`") == '<a href="http://x">a</a> <code>[b](c)</code>'


def test_dangerous_link():
    assert render_inline("[a](javascript:alert)") == '<a href="#">a</a>'


def test_safe_links():
    assert render_inline("[a](/x?p=1&q=2)") == '<a href="/x?p=1&amp;q=2">a</a>'


def test_code_over_two_lines():
    assert markdown("x `a*b\nc*d` y") == "<p>x <code>a*b\nc*d</code> y</p>"


def test_list_and_heading_with_code():
    assert markdown("# The `__init__` file\n\n- `*args`\n- *b* `*`") == (
        "<h1>The <code>__init__</code> file</h1>\n"
        "<ul><li><code>*args</code></li><li><em>b</em> <code>*</code></li></ul>"
    )


def test_fenced_code():
    assert markdown("```python\na*b*c `x`\n```") == (
        '<pre><code class="language-python">a*b*c `x`</code></pre>'
    )


def test_page():
    assert "<p><code>a*b*c</code></p>" in page("`a*b*c`")


def test_empty():
    assert render_inline("") == ""
    assert render_inline("plain") == "plain"
