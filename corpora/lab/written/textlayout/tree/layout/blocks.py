"""Splitting of a text into headings, list items and paragraphs."""
import re
from typing import NamedTuple

_HEADING = re.compile(r"^(#{1,3})\s+(.*)$")
_ITEM = re.compile(r"^[-*]\s+(.*)$")


class Block(NamedTuple):
    kind: str          # "heading", "item" or "para"
    text: str
    level: int = 0


def parse(source: str) -> list[Block]:
    blocks: list[Block] = []
    open_block = False
    for raw in source.splitlines():
        line = raw.strip()
        if not line:
            open_block = False
        elif match := _HEADING.match(line):
            blocks.append(Block("heading", match[2], len(match[1])))
            open_block = False
        elif match := _ITEM.match(line):
            blocks.append(Block("item", match[1]))
            open_block = True
        elif open_block:
            last = blocks[-1]
            blocks[-1] = last._replace(text=f"{last.text} {line}")
        else:
            blocks.append(Block("para", line))
            open_block = True
    return blocks
