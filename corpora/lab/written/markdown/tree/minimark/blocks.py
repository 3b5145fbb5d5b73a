"""Splits text into blocks.

Blocks are tuples: ("heading", level, text), ("paragraph", text),
("code", text), ("list", kind, items) with kind "ul" or "ol".
"""
import re

HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
BULLET = re.compile(r"[-*]\s+(.*)")
NUMBER = re.compile(r"\d+\.\s+(.*)")


def item_of(line):
    match = BULLET.match(line)
    if match:
        return "ul", match.group(1)
    match = NUMBER.match(line)
    if match:
        return "ol", match.group(1)
    return None


def split_blocks(text):
    blocks = []
    paragraph = []
    lines = iter(text.splitlines())

    def close():
        if paragraph:
            blocks.append(("paragraph", " ".join(paragraph)))
            paragraph.clear()

    for line in lines:
        stripped = line.strip()
        if stripped.startswith("```"):
            close()
            code = []
            for inner in lines:
                if inner.strip() == "```":
                    break
                code.append(inner)
            blocks.append(("code", "\n".join(code)))
            continue
        if not stripped:
            close()
            continue
        heading = HEADING.match(stripped)
        if heading:
            close()
            blocks.append(("heading", len(heading.group(1)), heading.group(2)))
            continue
        item = item_of(stripped)
        if item:
            close()
            kind, content = item
            if blocks and blocks[-1][0] == "list" and blocks[-1][1] == kind:
                blocks[-1][2].append(content)
            else:
                blocks.append(("list", kind, [content]))
            continue
        paragraph.append(stripped)
    close()
    return blocks
