from mdlite import markdown, page, render_inline


def test_heading():
    assert markdown("## News") == "<h2>News</h2>"


def test_paragraphs():
    assert markdown("one\n\ntwo") == "<p>one</p>\n<p>two</p>"


def test_list():
    assert markdown("- a\n- b") == "<ul><li>a</li><li>b</li></ul>"


def test_emphasis():
    assert render_inline("*a* and **b**") == "<em>a</em> and <strong>b</strong>"


def test_code():
    assert "<code>x = 1</code>" in render_inline("set `x = 1` first")


def test_stars_in_code_stay():
    assert render_inline("see `a*b*c`") == "see <code>a*b*c</code>"


def test_link():
    html = markdown("see [docs](https://example.com)")
    assert 'href="https://example.com"' in html


def test_escape():
    assert "<script>" not in markdown("<script>alert(1)</script>")


def test_page_title():
    assert "<title>My notes</title>" in page("# My *notes*\n\ntext")
