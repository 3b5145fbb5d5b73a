"""How a run looks while it goes on: a table on a terminal, else a line for each cell; both on stderr."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Sequence
from typing import TextIO

from rich.live import Live
from rich.table import Table
from rich.text import Text

from corpora.bench.record import BenchRecord
from corpora.bench.tally import Count, counts_of
from repair.show.lines import plain_console
from repair.show.output import use_colour
from repair.show.terminal import make_visible


class Board:
    """Hears of records. Cells that were measured before count, but their time does not."""

    def __init__(
        self,
        stream: TextIO,
        cells: Sequence[tuple[str, int]],
        before: Sequence[BenchRecord],
        clock: Callable[[], float],
        *,
        color: str = "auto",
        quiet: bool = False,
        progress: bool = True,
    ) -> None:
        terminal = stream.isatty()
        width = shutil.get_terminal_size((100, 24)).columns
        colour = use_colour(color, is_terminal=terminal)
        self._console = plain_console(stream, width, colour=colour, terminal=terminal)
        self._quiet = quiet
        self._cells = tuple(cells)
        self._records = list(before)
        self._clock = clock
        self._started = clock()
        self._left = sum(number for _, number in cells) - sum(r.ending == "done" for r in before)
        self._ended = 0
        live = terminal and progress and not quiet
        self._live = Live(self._table(), console=self._console, transient=True, auto_refresh=False) if live else None
        if self._live is not None:
            self._live.start()

    def take_in(self, record: BenchRecord, repeated: bool) -> None:
        """Take in one record; ``repeated`` says that its cell will be run again."""
        self._records.append(record)
        self._ended += not repeated
        if self._live is not None:
            self._live.update(self._table(), refresh=True)
        if self._live is None or record.ending == "infrastructure":
            self.say(cell_line(record, repeated, f"{self._ended}/{self._left}"))

    def say(self, text: str) -> None:
        """A line that stays."""
        if not self._quiet:
            self._console.print(Text(make_visible(text)), soft_wrap=True)

    def close(self) -> None:
        """Take the table away."""
        if self._live is not None:
            self._live.stop()

    def _table(self) -> Table:
        table = tally_table(counts_of(self._cells, self._records))
        rest = time_left(self._ended, self._left, self._clock() - self._started)
        table.caption = f"{self._ended} of {self._left} cells{rest}"
        return table


def render_table(table: Table, *, width: int, colour: bool) -> str:
    """The table as text."""
    text = io.StringIO()
    plain_console(text, width, colour=colour, terminal=colour).print(table)
    return text.getvalue()


def tally_table(counts: Sequence[Count]) -> Table:
    """The table of a run, one row for each configuration."""
    table = Table(box=None, pad_edge=False)
    table.add_column("configuration")
    for column in ("cells", "done", "fixed", "certified", "infrastructure", "seconds"):
        table.add_column(column, justify="right")
    for line in counts:
        numbers = (line.cells, line.done, line.fixed, line.certified, line.infrastructure)
        table.add_row(line.configuration, *map(str, numbers), f"{line.engine_seconds:.0f}")
    return table


def cell_line(record: BenchRecord, repeated: bool, count: str) -> str:
    """One cell in a line."""
    cell = record.cell
    word = str(record.result.status) if record.result is not None else record.ending
    more = f"  {record.error}" if record.error else ""
    tried = "  (will be run again)" if repeated else ""
    seed = f" seed {cell.seed}" if cell.seed else ""
    return f"{count}  {cell.bug}  {cell.configuration}{seed}: {word}  {record.seconds:.1f} s{more}{tried}"


def time_left(ended: int, cells: int, elapsed: float) -> str:
    """How long the rest will take if it goes on as it did; empty before the first cell."""
    if not ended:
        return ""
    return f", about {duration(elapsed / ended * (cells - ended))} left"


def duration(seconds: float) -> str:
    """The seconds in words."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
