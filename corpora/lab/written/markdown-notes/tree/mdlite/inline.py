"""Markup within a line of text."""
import html
import re

CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[([^\]\n]+)\]\(([^)\s]+)\)")
STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
EMPHASIS = re.compile(r"(\*|_)(?=\S)(.+?)(?<=\S)\1")

SAFE_SCHEMES = ("http:", "https:", "mailto:")


def safe_url(url):
    """The url, or "#" if its scheme might do harm."""
    scheme = re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", url)
    if scheme and scheme.group().lower() not in SAFE_SCHEMES:
        return "#"
    return url


def _link(match):
    return f'<a href="{safe_url(match[2])}">{match[1]}</a>'


def render_inline(text):
    """HTML for one run of text.

    ``**strong**`` and ``__strong__``, ``*emphasis*`` and ``_emphasis_``,
    ``[links](target)`` and `` `code` ``.  Whatever is in a code span is shown
    as it was typed, no markup is recognised in there.  Characters
    that mean something in HTML are escaped everywhere.  A link target with
    stars or underscores has to be written with %2A and %5F.
    """
    out = html.escape(text, quote=True)
    out = CODE.sub(r"<code>\1</code>", out)
    out = LINK.sub(_link, out)
    out = STRONG.sub(r"<strong>\2</strong>", out)
    out = EMPHASIS.sub(r"<em>\2</em>", out)
    return out


def plain(text):
    """Text without its markup, for titles and tables of contents."""
    text = LINK.sub(r"\1", text)
    for pattern in (STRONG, EMPHASIS):
        text = pattern.sub(r"\2", text)
    return CODE.sub(r"\1", text)
