import html

from .blocks import split_blocks
from .inline import plain, render_inline

LIST_TAGS = {"bullets": "ul", "numbers": "ol"}


def render_block(block):
    if block.kind == "heading":
        return f"<h{block.level}>{render_inline(block.lines[0])}</h{block.level}>"
    if block.kind == "code":
        cls = f' class="language-{block.language}"' if block.language else ""
        return f"<pre><code{cls}>" + html.escape("\n".join(block.lines)) + "</code></pre>"
    if block.kind in LIST_TAGS:
        tag = LIST_TAGS[block.kind]
        items = "".join(f"<li>{render_inline(line)}</li>" for line in block.lines)
        return f"<{tag}>{items}</{tag}>"
    return f"<p>{render_inline(chr(10).join(block.lines))}</p>"


def markdown(text):
    """Convert Markdown to a fragment of HTML."""
    return "\n".join(render_block(block) for block in split_blocks(text))


def page(text, title=None):
    """A whole HTML page; the title is the first heading unless given."""
    if title is None:
        title = next(
            (plain(b.lines[0]) for b in split_blocks(text) if b.kind == "heading"),
            "Untitled",
        )
    return (
        "<!doctype html>\n"
        f"<html><head><title>{html.escape(title)}</title></head>\n"
        f"<body>\n{markdown(text)}\n</body></html>\n"
    )
