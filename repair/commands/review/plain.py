"""A review without a screen: the patch as text, then one line for each deed. For pipes, dumb terminals and readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from analysis.errors import RepairError
from repair.commands.review.keys import FOOT, KEYS, help_lines
from repair.commands.review.reviewing import EngineQuestion, Review, open_editor
from repair.records.events import Event
from repair.show.lines import print_lines

Say = Callable[[str], None]

QUIT = "q"
ASKING = ("n", "1", "2")
"""The keys after which another patch may be looked at."""


class PlainReview:
    """Reads a key a line, does it, and says what came of it. ``read`` gives ``None`` at the end of its input."""

    def __init__(
        self, review: Review, read: Callable[[str], str | None], say: Say, env: Mapping[str, str], width: int
    ) -> None:
        self._review, self._read, self._say, self._env, self._width = review, read, say, env, width

    def run(self) -> None:
        """Until somebody leaves, or the input ends."""
        self._show()
        while (typed := self._read(f"\n{FOOT}\n> ")) is not None:
            word, _, rest = typed.strip().partition(" ")
            if word == QUIT:
                return
            if not word:
                continue
            try:
                self._do(word, rest)
            except (RepairError, OSError) as problem:
                self._say(f"{problem}")

    def _show(self, *, whole: bool = False) -> None:
        lines = self._review.lines(self._width, whole=whole)
        self._say(f"{self._review.heading()}\n{print_lines(lines, colour=False, width=self._width)}")

    def _do(self, word: str, rest: str) -> None:
        review = self._review
        found = next((each for each in KEYS if word in (each.key, each.word)), None)
        key = found.key if found is not None else word
        text = rest
        if found is not None and found.asks and not rest:
            text = self._read(f"{found.asks} ") or ""
        done = review.do(key, text)
        if done is not None:
            self._follow(done, show=key in ASKING)
            return
        match key:
            case "e":
                self._edit()
            case "+" | "-":
                review.move(1 if key == "+" else -1)
                self._show()
            case "v":
                self._show(whole=True)
            case "l":
                self._say("\n".join(review.list_lines()))
            case _:
                self._say("\n".join(help_lines()))

    def _edit(self) -> None:
        with self._review.editing() as copies:
            open_editor(copies, self._env)
            question = self._review.edited(copies)
        self._follow(question or "Nothing was changed")

    def _follow(self, next_step: str | EngineQuestion, *, show: bool = True) -> None:
        """Ask the engine, where that is next; ``show`` where the review is now, and say what came of it."""
        if isinstance(next_step, EngineQuestion):
            self._say(f"{next_step.why} …")
            next_step = self._review.ask(next_step, self._hear)
        if show:
            self._show()
        self._say(next_step)

    def _hear(self, happened: Event) -> None:
        if happened.type == "phase":
            self._say(f"  {dict(happened.fields).get('detail', '')}")
