"""Inline marks: `code`, **strong**, *em* and [text](address)."""
import re
from html import escape

CODE = re.compile(r"`([^`]+)`")
STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
EM = re.compile(r"\*(?=\S)(.+?)(?<=\S)\*")
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def marks(text):
    """Strong, em and links of text without code."""
    text = escape(text)
    text = LINK.sub(r'<a href="\2">\1</a>', text)
    text = STRONG.sub(r"<strong>\1</strong>", text)
    return EM.sub(r"<em>\1</em>", text)


def inline(text):
    """HTML of one line of text; what stands in backticks is left alone."""
    out = []
    pos = 0
    for match in CODE.finditer(text):
        out.append(marks(text[pos:match.start()]))
        out.append("<code>" + marks(match.group(1)) + "</code>")
        pos = match.end()
    out.append(marks(text[pos:]))
    return "".join(out)
