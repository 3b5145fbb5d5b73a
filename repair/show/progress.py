"""What happens while it happens, on stderr: a live line on a terminal, else one plain line a phase."""

from __future__ import annotations

import math
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Callable
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

WORDS = {"accept": "yes", "unknown": "unknown", "reject": "no"}

SENTENCES = {
    "warning": (-math.inf, "warning: {message}"),
    "asking": (-math.inf, "asking the model {model} at {host}"),
    "run_started": (0, "repairing {root} with {python}, isolation {isolation}"),
    "baseline": (0, "baseline: {failing} failing, {passing} passing, {flaky} flaky of {tests} tests"),
    "plan": (0, "plan: {function} ({failure_class})"),
    "memory": (1, "memory: {function}: {message}"),
    "found": (1, "found: {label} passes its tests (number {position} of the stream)"),
    "candidate": (1, "candidate {digest:.8}: {label}: {state}"),
    "evidence": (1, "{gate}: {decision}: {claim}"),
    "tier": (1, "{function} is not tried {left}: {reason}"),
    "attempt": (1, "attempt: {operator}: {reason}"),
    "doubt": (1, "asking again about {function}: {doubt}"),
    "written_anew": (0, "{file}: {function} cannot be parsed, a model writes it anew"),
    "patch": (1, "patch {digest:.8}: {status}"),
}
"""What is said of an event, from which verbosity on. However quiet we are to be, we tell what there is to mind, and
where the code goes."""


def progress(options: Options, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> Progress:
    """The listener for one run, whose time begins now; close it when the run ends."""
    terminal = stream.isatty()
    colour = use_colour(options.color, is_terminal=terminal)
    width = shutil.get_terminal_size((100, 24)).columns
    console = plain_console(stream, width, colour=colour, terminal=terminal)
    live = terminal and options.progress and options.verbosity >= 0
    end = clock() + options.max_seconds
    return Progress(console, options.verbosity, live=live, time_left=lambda: end - clock())


class Progress:
    """Shows events. Types that it does not know are passed over, so that the engine may say more than we show.

    The live line says what is being done, how many candidates were tried, the best of them, and the time that is left.
    Where a change is judged, and nothing is searched, a rejection and a question are told when they are known.
    """

    def __init__(
        self, console: Console, verbosity: int, *, live: bool, time_left: Callable[[], float] | None = None
    ) -> None:
        self._console = console
        self._verbosity = verbosity
        self._time_left = time_left
        self._phase = ""
        self._searches = False
        self._gates: Counter[str] = Counter()
        self._told: set[str] = set()
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
            if happened.type == "evidence":
                self._hear_gate({name: str(value) for name, value in fields.items()})
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
        self._searches = self._searches or name == "search"
        self._gates.clear()
        estimate = float(fields.get("estimate_seconds") or 0)
        bound = "at most" if name in ("baseline", "search", "mutants") else "about"
        line = f"{name}: {self._phase}{f' ({bound} {estimate:.0f} s)' if estimate >= 1 else ''}"
        self._line(line)
        # Whoever waits longer than ten seconds is told so in a line that stays.
        if self._verbosity >= 0 and (self._live is None or estimate > 10):
            self._print(line)

    def _hear_gate(self, said: dict[str, str]) -> None:
        """A gate has spoken: the live line counts it, and what cannot wait for the rest is told."""
        self._gates[said.get("decision", "")] += 1
        counted = (f"{count} {word}" for decision, word in WORDS.items() if (count := self._gates[decision]))
        self._line(f"{self._left()}{self._phase or 'gathering evidence'}, gates: {', '.join(counted)}")
        if self._searches or self._verbosity != 0:  # with -v each gate is told anyway
            return
        if said.get("decision") == "reject":
            self._tell_once("rejected", f"rejected already, since {said['gate']} says no: {said['claim']}")
        elif said.get("question"):
            self._tell_once("question", f"asked so far: {said['question']}")

    def _tell_once(self, kind: str, line: str) -> None:
        if kind not in self._told:
            self._told.add(kind)
            self._print(line)

    def _progress(self, fields: dict[str, Any]) -> str:
        """The time left, what is done, how many candidates, the best so far; then where, and what is tried."""
        parts = [self._phase or "working"]
        if "tried" in fields:
            parts.append(f"{fields['tried']} tried")
        for name, words in (("plausible", "{} plausible"), ("best", "best {}"), ("suspect", "in {}")):
            if fields.get(name):
                parts.append(words.format(fields[name]))
        if fields.get("families"):
            parts.append(f"trying {' and '.join(fields['families'])}")
        return f"{self._left(fields.get('seconds_left'))}{', '.join(parts)}"

    def _left(self, seconds: float | None = None) -> str:
        """``41 s left: ``, of the phase where that is known, else of the run: a narrow terminal cuts what is last."""
        if seconds is None and self._time_left is not None:
            seconds = self._time_left()
        return f"{max(0.0, float(seconds)):.0f} s left: " if seconds is not None else ""

    def _line(self, line: str) -> None:
        if self._live is not None:
            shown = Text(make_visible(line), no_wrap=True, overflow="ellipsis")
            self._live.update(shown, refresh=True)

    def _print(self, line: str) -> None:
        self._console.print(Text(make_visible(line)), soft_wrap=True)
