"""A review on a screen of its own, by Textual: the patch above, the line of keys below, 80 columns and 24 rows enough.

Texts of a project are shown as they are: nothing in them is markup, and their control characters are spelled out.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key, Resize
from textual.widgets import Input, Static

from analysis.errors import RepairError
from repair.commands.review.keys import FOOT, KEYS, ReviewKey, help_lines
from repair.commands.review.reviewing import EngineQuestion, Review, open_editor
from repair.records.events import Event
from repair.show.terminal import make_visible

SCREEN, WHOLE, LIST, HELP = "screen", "whole", "list", "help"
"""What the upper part shows."""


class ReviewScreen(App[None]):
    """One patch at a time; what is decided is recorded at once, whatever ends the screen."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head, #said, #foot { height: auto; max-height: 3; }
    #head { text-style: reverse; }
    #foot { text-style: reverse; height: 1; }
    #page { height: 1fr; }
    #asked { display: none; height: 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", "Leave", show=False, priority=True),
        Binding("escape", "escape", "Back", show=False, priority=True),
    ]

    def __init__(self, review: Review, env: Mapping[str, str]) -> None:
        super().__init__()
        self.review, self._env = review, env
        self._shown, self._asking = SCREEN, KEYS[-1]
        self._stop: threading.Event | None = None

    def compose(self) -> ComposeResult:
        """Heading, page, a line for what was said, one for a text, the keys."""
        yield Static(id="head", markup=False)
        with VerticalScroll(id="page"):
            yield Static(id="text", markup=False)
        yield Static(id="said", markup=False)
        yield Input(id="asked")
        yield Static(FOOT, id="foot", markup=False)

    def on_mount(self) -> None:
        """The first patch."""
        self.query_one("#page").focus()
        self.show_page()

    def on_resize(self, _event: Resize) -> None:
        """The text is laid out for the width that there is."""
        self.show_page()

    def show_page(self, shown: str = SCREEN) -> None:
        """Put the patch, all that is known of it, the list or the help on the page."""
        self._shown = shown
        width = max(20, self.size.width - 2)
        if shown == LIST:
            lines = [Text(line) for line in self.review.list_lines()]
        elif shown == HELP:
            lines = [Text(line) for line in help_lines()]
        else:
            found = self.review.lines(width, whole=shown == WHOLE)
            lines = [line if isinstance(line, Text) else Text(line) for line in found]
        self.query_one("#text", Static).update(Text("\n").join(lines))
        self.query_one("#head", Static).update(make_visible(self.review.heading()))
        self.query_one("#page").scroll_home(animate=False)

    def tell(self, said: str) -> None:
        """Put a sentence above the keys."""
        self.query_one("#said", Static).update(make_visible(said))

    def on_key(self, pressed: Key) -> None:
        """Do what the key means, unless a text is typed or the engine is at work."""
        if self.query_one("#asked", Input).has_focus:
            return
        typed = pressed.character or pressed.key
        key = {"right": "+", "left": "-"}.get(pressed.key, typed)
        if key == "q":
            self.action_leave()
        elif self._stop is not None:
            self.tell("The engine is at work; Escape stops it")
        else:
            self._attempt(key)

    def _attempt(self, key: str, text: str = "") -> None:
        try:
            self._do(key, text)
        except (RepairError, OSError) as problem:
            self.tell(str(problem))

    def _do(self, key: str, text: str) -> None:
        review = self.review
        asked = next((each for each in KEYS if each.key == key and each.asks), None)
        if asked is not None and not text:
            self._ask_text(asked)
            return
        done = review.do(key, text)
        if done is not None:
            self._follow(done)
            return
        match key:
            case "e":
                self._edit()
            case "+" | "-":
                review.move(1 if key == "+" else -1)
                self.show_page()
            case "v":
                self.show_page(SCREEN if self._shown == WHOLE else WHOLE)
            case "l":
                self.show_page(SCREEN if self._shown == LIST else LIST)
            case "?":
                self.show_page(SCREEN if self._shown == HELP else HELP)

    def _said(self, said: str) -> None:
        self.show_page()
        self.tell(said)

    def _ask_text(self, key: ReviewKey) -> None:
        field = self.query_one("#asked", Input)
        field.placeholder, field.value, self._asking = f"{key.asks} (Enter; Escape leaves it)", "", key
        field.styles.display = "block"
        field.focus()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """The text that was asked for; an empty one is told apart from none."""
        self._close_text()
        self._attempt(self._asking.key, submitted.value or " ")

    def _close_text(self) -> None:
        self.query_one("#asked", Input).styles.display = "none"
        self.query_one("#page").focus()

    def _edit(self) -> None:
        with self.review.editing() as copies:
            with self.suspend():
                open_editor(copies, self._env)
            question = self.review.edited(copies)
        self._follow(question or "Nothing was changed")

    def _follow(self, next_step: str | EngineQuestion) -> None:
        """Say what came of it; a question to the engine is asked beside the screen."""
        if isinstance(next_step, str):
            self._said(next_step)
            return
        self._stop = threading.Event()
        self.tell(f"{next_step.why} … (Escape stops it)")
        question, stop = next_step, self._stop
        self.run_worker(lambda: self._ask_engine(question, stop), thread=True)

    def _ask_engine(self, question: EngineQuestion, stop: threading.Event) -> None:
        """In a thread of its own."""

        def hear(happened: Event) -> None:
            if happened.type == "phase":
                detail = str(dict(happened.fields).get("detail", ""))
                self.call_from_thread(self.tell, f"{question.why}: {detail} (Escape stops it)")

        try:
            said = self.review.ask(question, hear, stop)
        except (RepairError, OSError) as problem:
            said = str(problem)
        self.call_from_thread(self._end_engine, said)

    def _end_engine(self, said: str) -> None:
        self._stop = None
        self._said(said)

    def action_escape(self) -> None:
        """Leave the text, stop the engine, or go back to the patch."""
        if self.query_one("#asked", Input).has_focus:
            self._close_text()
        elif self._stop is not None:
            self._stop.set()
        else:
            self.show_page()

    def action_leave(self) -> None:
        """End; an engine that is at work ends too."""
        if self._stop is not None:
            self._stop.set()
        self.exit()
