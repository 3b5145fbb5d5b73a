"""Counts as one picture: panels of horizontal bars in a self-contained SVG, made without any library."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

Panel = tuple[str, Sequence[tuple[str, int]]]
"""A title and labelled counts."""

WIDTH, LABELS, ROW, GAP = 460, 190, 18, 34
MOST_ROWS = 16

_STYLE = """\
text { font: 12px sans-serif; fill: #222 } .title { font-weight: bold } .label { text-anchor: end }
rect { fill: #4a7a9c } .paper { fill: #fff }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .paper { fill: #1b1b1b } rect { fill: #6ea3c7 } }"""


def bar_chart(title: str, panels: Sequence[Panel]) -> str:
    """The SVG text. Panels stand in two columns; of a long one the tail is summed up."""
    heights = [0, 0]
    drawn = []
    for name, counts in panels:
        if counts:
            column = heights.index(min(heights))
            drawn.append(_panel(name, _shorten(counts), column * WIDTH, GAP + heights[column]))
            heights[column] += GAP + ROW * min(len(counts), MOST_ROWS)
    height = 2 * GAP + max(heights)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{height}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<rect class="paper" width="{2 * WIDTH}" height="{height}"/>',
        _text(12, 22, title, "title"),
        *drawn,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _panel(name: str, counts: Sequence[tuple[str, int]], left: int, top: int) -> str:
    most = max(count for _, count in counts)
    room = WIDTH - LABELS - 60
    lines = [_text(left + LABELS, top + 20, name, "title")]
    for number, (label, count) in enumerate(counts):
        y = top + GAP + number * ROW
        width = round(room * count / most, 1) if most else 0
        lines.append(_text(left + LABELS - 6, y + 9, label[:30], "label"))
        lines.append(f'<rect x="{left + LABELS}" y="{y - 2}" width="{width}" height="{ROW - 5}"/>')
        lines.append(_text(left + LABELS + round(width) + 5, y + 9, str(count)))
    return "\n".join(lines)


def _shorten(counts: Sequence[tuple[str, int]]) -> Sequence[tuple[str, int]]:
    if len(counts) <= MOST_ROWS:
        return counts
    rest = counts[MOST_ROWS - 1 :]
    return [*counts[: MOST_ROWS - 1], (f"{len(rest)} others", sum(count for _, count in rest))]


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{name}>{escape(text)}</text>'
