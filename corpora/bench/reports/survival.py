"""The survival curve: which share of the bugs is mended within how many seconds, as a small SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from corpora.bench.summary import Row, label, sides

WIDTH, HEIGHT, MARGIN = 640, 260, 44
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Told apart also by people who do not see all colours (Okabe and Ito, 2008)."""

Curve = tuple[tuple[float, float], ...]


def curves(every: Sequence[Row]) -> tuple[tuple[str, Curve], ...]:
    """Per configuration, points of (seconds, share of cells with an answer by then); answers that differ count not."""
    return tuple((label(*side), _curve(rows)) for side, rows in sides(every).items())


def _curve(rows: Sequence[Row]) -> Curve:
    done = [row for row in rows if not row.failed]
    times = sorted(row.record.seconds for row in done if row.answered and not row.differs)
    return ((0.0, 0.0), *((seconds, (place + 1) / len(done)) for place, seconds in enumerate(times)))


def survival_svg(every: Sequence[Row]) -> str:
    """The curves in one picture, with axes and a legend."""
    drawn = curves(every)
    longest = max((row.record.seconds for row in every if not row.failed), default=1.0) or 1.0
    parts = [_axes(longest)]
    for number, (name, curve) in enumerate(drawn):
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<path d="{_steps(curve, longest)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        at = MARGIN + 14 * number
        parts.append(f'<text x="{MARGIN + 10}" y="{at}" fill="{colour}">{escape(name)}</text>')
    inside = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="11" '
        f'aria-label="Share of bugs with an answer against seconds" font-family="sans-serif">{inside}</svg>'
    )


def _steps(curve: Curve, longest: float) -> str:
    """A path that stays level until the next answer, and to the right edge at last."""
    path = f"M{_x(0, longest):.1f} {_y(0):.1f}"
    for seconds, share in curve[1:]:
        path += f"H{_x(seconds, longest):.1f}V{_y(share):.1f}"
    return f"{path}H{_x(longest, longest):.1f}"


def _axes(longest: float) -> str:
    lines = [
        f'<path d="M{MARGIN} {MARGIN / 2}V{HEIGHT - MARGIN}H{WIDTH - MARGIN / 2}" fill="none" stroke="#888"/>',
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">seconds</text>',
    ]
    for part in (0, 0.5, 1):
        label, at = f"{part * longest:.3g}", _x(part * longest, longest)
        lines.append(f'<text x="{MARGIN - 6}" y="{_y(part) + 4:.1f}" text-anchor="end">{100 * part:.0f} %</text>')
        lines.append(f'<text x="{at:.1f}" y="{HEIGHT - 26}" text-anchor="middle">{label}</text>')
    return "".join(lines)


def _x(seconds: float, longest: float) -> float:
    return MARGIN + (WIDTH - 1.5 * MARGIN) * seconds / longest


def _y(share: float) -> float:
    return HEIGHT - MARGIN - (HEIGHT - 1.5 * MARGIN) * share
