"""A small Markdown for notes: headings, lists, code, links, emphasis."""
from .blocks import Block, split_blocks
from .inline import render_inline
from .page import markdown, page

__all__ = ["Block", "markdown", "page", "render_inline", "split_blocks"]
