from .blocks import parse
from .wrapping import justify, wrap

RULES = {1: "=", 2: "-"}


def render(source: str, width: int = 60, justified: bool = False) -> str:
    """Plain text of a markdown-like source."""
    out: list[str] = []
    previous = None
    for block in parse(source):
        if previous is not None and not (previous == block.kind == "item"):
            out.append("")
        if block.kind == "heading":
            out.append(block.text)
            if block.level in RULES:
                out.append(RULES[block.level] * len(block.text))
        elif block.kind == "item":
            out += wrap(block.text, width, "* ", "  ")
        else:
            lines = wrap(block.text, width)
            if justified:
                lines = [justify(l, width) for l in lines[:-1]] + lines[-1:]
            out += lines
        previous = block.kind
    return "\n".join(out)
