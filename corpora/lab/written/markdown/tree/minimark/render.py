from html import escape

from .blocks import split_blocks
from .inline import inline


def render_block(block):
    kind = block[0]
    if kind == "heading":
        _, level, text = block
        return f"<h{level}>{inline(text)}</h{level}>"
    if kind == "code":
        return f"<pre><code>{escape(block[1])}</code></pre>"
    if kind == "list":
        _, tag, items = block
        inner = "".join(f"<li>{inline(item)}</li>" for item in items)
        return f"<{tag}>{inner}</{tag}>"
    return f"<p>{inline(block[1])}</p>"


def render(text):
    """HTML of a text in a small subset of Markdown."""
    return "\n".join(render_block(block) for block in split_blocks(text))
