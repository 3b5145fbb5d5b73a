"""Figures with their targets: what was measured, the table that a person reads, the record that a program reads."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the table: ``least`` is to be reached, ``aim`` is better yet. Without ``floor`` less is better."""

    name: str
    least: float
    aim: float
    floor: bool = True

    def meets(self, value: float) -> bool:
        """Whether the value reaches what has to be reached."""
        return value >= self.least if self.floor else value <= self.least

    def worst(self, values: Sequence[float]) -> float:
        """The value that is furthest from the aim."""
        return min(values) if self.floor else max(values)


FIGURES = (
    Figure("fork_vs_cold", 100, 250),
    Figure("batch_vs_cold", 300, 1000),
    Figure("fork_vs_floor", 2.0, 1.3, floor=False),
    Figure("batch_vs_floor", 2.0, 1.3, floor=False),
    Figure("two_cores_vs_one", 1.5, 1.9),
    Figure("isolation_overhead", 0.05, 0.0, floor=False),
    Figure("line_map_ratio_312", 1.3, 1.05, floor=False),
    Figure("line_map_ratio_311", 2.0, 1.5, floor=False),
    Figure("verdict_agreement", 1.0, 1.0),
    Figure("probes_stopped_share", 1.0, 1.0),
    Figure("index_seconds_100kloc", 1.5, 1.5, floor=False),
    Figure("engine_mb_100kloc", 300, 300, floor=False),
    Figure("search_candidates_per_second", 300, 5000),
)
NAMED = {figure.name: figure for figure in FIGURES}


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure: a value for each library (or whatever else was measured), named."""

    figure: Figure
    values: tuple[tuple[str, float], ...]

    @property
    def median(self) -> float:
        """The figure's value."""
        return statistics.median(value for _, value in self.values)

    @property
    def worst(self) -> float:
        """The worst of the values."""
        return self.figure.worst([value for _, value in self.values])


@dataclass(frozen=True, slots=True)
class Measured:
    """What one part of a benchmark found: rows with targets, further numbers, and what a reader has to know."""

    rows: tuple[Row, ...] = ()
    numbers: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()


def join_measured(parts: Sequence[Measured]) -> Measured:
    """All parts as one: rows of one figure become one row, numbers of one name their median, notes stand once."""
    values: dict[Figure, list[tuple[str, float]]] = {}
    numbers: dict[str, list[float]] = {}
    for part in parts:
        for each in part.rows:
            values.setdefault(each.figure, []).extend(each.values)
        for name, value in part.numbers:
            numbers.setdefault(name, []).append(value)
    return Measured(
        tuple(Row(figure, tuple(found)) for figure, found in values.items()),
        tuple((name, statistics.median(found)) for name, found in numbers.items()),
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def measured_to_json(measured: Measured) -> dict[str, Any]:
    """The JSON form of what a part found."""
    rows = [[each.figure.name, [list(value) for value in each.values]] for each in measured.rows]
    return {"rows": rows, "numbers": [list(number) for number in measured.numbers], "notes": list(measured.notes)}


def measured_from_json(kept: Mapping[str, Any]) -> Measured:
    """What a part found, from its JSON form."""
    return Measured(
        tuple(row(name, dict(values)) for name, values in kept["rows"]),
        tuple((str(name), float(value)) for name, value in kept["numbers"]),
        tuple(map(str, kept["notes"])),
    )


def row(name: str, values: Mapping[str, float]) -> Row:
    """A row of the figure with this name; refuses one without values, since nothing would have been measured."""
    assert values, f"{name} has no value: leave the row out and say why"
    return Row(NAMED[name], tuple(values.items()))


def table(measured: Measured) -> str:
    """The rows as aligned text, the worst beside the median, with the targets and whether they are met."""
    lines = [("figure", "median", "worst", "target", "aim", "", "each")]
    for each in measured.rows:
        figure = each.figure
        sign = "≥" if figure.floor else "≤"
        values = ", ".join(f"{name} {_short(value)}" for name, value in each.values)
        met = "meets" if figure.meets(each.median) else "MISSES"
        lines.append(
            (
                figure.name,
                _short(each.median),
                _short(each.worst),
                f"{sign} {_short(figure.least)}",
                _short(figure.aim),
                met,
                values,
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(line[c].rjust(widths[c]) for c in range(1, 6)), line[6]]).rstrip()
        for line in lines
    )


def figures_of(measured: Measured) -> dict[str, float]:
    """All numbers by name: each row's median, its worst where there are several, then the further numbers."""
    found: dict[str, float] = {}
    for each in measured.rows:
        found[each.figure.name] = each.median
        if len(each.values) > 1:
            found[f"{each.figure.name}_worst"] = each.worst
    return {name: round(value, 5) for name, value in {**found, **dict(measured.numbers)}.items()}


def write_record(
    path: Path,
    measured: Measured,
    *,
    date: str,
    versions: Mapping[str, str],
    machine: Mapping[str, object],
    steps: Sequence[Mapping[str, object]] = (),
) -> None:
    """Write the record of one run as JSON, over an older one."""
    record = {
        "date": date,
        "versions": dict(versions),
        "machine": dict(machine),
        "figures": figures_of(measured),
        "each": {each.figure.name: {name: round(v, 5) for name, v in each.values} for each in measured.rows},
        "notes": list(measured.notes),
        "steps": list(steps),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=2, allow_nan=False) + "\n", encoding="utf-8")


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
