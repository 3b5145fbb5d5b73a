import re
from dataclasses import dataclass, field

HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
BULLET = re.compile(r"^[-*+]\s+(.*)$")
NUMBER = re.compile(r"^\d+[.)]\s+(.*)$")
FENCE = re.compile(r"^```\s*(\w*)\s*$")


@dataclass
class Block:
    """``kind`` is heading, paragraph, bullets, numbers or code."""

    kind: str
    lines: list = field(default_factory=list)
    level: int = 0
    language: str = ""


def split_blocks(text):
    """Cut a document into blocks, yield them one by one."""
    current = None
    lines = iter(text.splitlines())
    for line in lines:
        fence = FENCE.match(line)
        if fence:
            if current:
                yield current
            current = None
            yield Block("code", _until_fence(lines), language=fence[1])
            continue
        heading = HEADING.match(line)
        if not line.strip() or heading:
            if current:
                yield current
            current = None
            if heading:
                yield Block("heading", [heading[2]], level=len(heading[1]))
            continue
        kind, content = _kind(line)
        if current and kind == "paragraph" and line[0] in " \t" and current.kind != "paragraph":
            current.lines[-1] += " " + line.strip()   # goes on with the item
        elif current and current.kind == kind:
            current.lines.append(content)
        else:
            if current:
                yield current
            current = Block(kind, [content])
    if current:
        yield current


def _kind(line):
    for kind, pattern in (("bullets", BULLET), ("numbers", NUMBER)):
        match = pattern.match(line)
        if match:
            return kind, match[1]
    return "paragraph", line.strip()


def _until_fence(lines):
    code = []
    for line in lines:
        if FENCE.match(line):
            break
        code.append(line)
    return code
