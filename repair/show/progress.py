"""What happens while it happens, on stderr: a live line on a terminal, else one plain line a phase."""

from __future__ import annotations

import math
import shutil
from collections import defaultdict
from typing import Any, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from repair.records.config import Options
from repair.records.events import Event
from repair.show.lines import plain_console
from repair.show.output import use_colour
from repair.show.terminal import make_visible

PHASES = {
    "baseline": "running the unpatched tests",
    "localize": "looking for the function at fault",
    "search": "searching for a patch",
    "model": "asking the model",
    "validate": "running the whole suite",
    "gates": "gathering evidence",
}

SENTENCES = {
    "warning": (-math.inf, "warning: {message}"),
    "asking": (-math.inf, "asking the model {model} at {host}"),
    "run_started": (0, "repairing {root} with {python}, isolation {isolation}"),
    "baseline": (0, "baseline: {failing} failing, {passing} passing, {flaky} flaky of {tests} tests"),
    "plan": (0, "plan: {function} ({failure_class})"),
    "found": (1, "found: {label} passes its tests (number {position} of the stream)"),
    "candidate": (1, "candidate {digest:.8}: {label}: {state}"),
    "evidence": (1, "{gate}: {decision}: {claim}"),
    "tier": (1, "{function} is not tried {left}: {reason}"),
    "attempt": (1, "attempt: {operator}: {reason}"),
    "patch": (1, "patch {digest:.8}: {status}"),
}
"""What is said of an event, from which verbosity on. However quiet we are to be, we tell what there is to mind, and
where the code goes."""


def progress(options: Options, stream: TextIO) -> Progress:
    """The listener for one run; close it when the run ends."""
    terminal = stream.isatty()
    colour = use_colour(options.color, is_terminal=terminal)
    width = shutil.get_terminal_size((100, 24)).columns
    console = plain_console(stream, width, colour=colour, terminal=terminal)
    return Progress(console, options.verbosity, live=terminal and options.progress and options.verbosity >= 0)


class Progress:
    """Shows events. Types that it does not know are passed over, so that the engine may say more than we show."""

    def __init__(self, console: Console, verbosity: int, *, live: bool) -> None:
        self._console = console
        self._verbosity = verbosity
        self._phase = ""
        self._live = Live(Text(""), console=console, transient=True, auto_refresh=False) if live else None
        if self._live is not None:
            self._live.start()

    def show(self, happened: Event) -> None:
        """Show one event."""
        fields = dict(happened.fields)
        if happened.type == "progress":
            self._line(self._progress(fields))
        elif happened.type == "phase":
            self._start(fields)
        else:
            least, sentence = SENTENCES.get(happened.type, (math.inf, ""))
            if self._verbosity >= least:
                self._print(sentence.format_map(defaultdict(str, fields)))

    def close(self) -> None:
        """Take the live line away."""
        if self._live is not None:
            self._live.stop()

    def _start(self, fields: dict[str, Any]) -> None:
        name = str(fields.get("name", ""))
        self._phase = str(fields.get("detail") or PHASES.get(name, name))
        estimate = float(fields.get("estimate_seconds") or 0)
        bound = "at most" if name in ("search", "mutants") else "about"
        line = f"{name}: {self._phase}{f' ({bound} {estimate:.0f} s)' if estimate >= 1 else ''}"
        self._line(line)
        # Whoever waits longer than ten seconds is told so in a line that stays.
        if self._verbosity >= 0 and (self._live is None or estimate > 10):
            self._print(line)

    def _progress(self, fields: dict[str, Any]) -> str:
        parts = [self._phase or "working"]
        if "tried" in fields:
            rate = f" ({fields['rate']:.0f}/s)" if fields.get("rate") else ""
            parts.append(f"{fields['tried']} tried{rate}")
        for name, words in (("plausible", "{} plausible"), ("best", "best {}"), ("suspect", "in {}")):
            if fields.get(name):
                parts.append(words.format(fields[name]))
        if fields.get("seconds_left") is not None:
            parts.append(f"{max(0.0, float(fields['seconds_left'])):.0f} s left")
        if fields.get("position"):
            parts.append(f"number {fields['position']} of the stream")
        if fields.get("families"):
            parts.append(f"trying {' and '.join(fields['families'])}")
        return ", ".join(parts)

    def _line(self, line: str) -> None:
        if self._live is not None:
            shown = Text(make_visible(line), no_wrap=True, overflow="ellipsis")
            self._live.update(shown, refresh=True)

    def _print(self, line: str) -> None:
        self._console.print(Text(make_visible(line)), soft_wrap=True)
