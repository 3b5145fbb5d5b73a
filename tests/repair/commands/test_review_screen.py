"""The screen of a review, driven by keys: at 80×24, without colour, with 200 patches, while the engine is at work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.reviewed import NextRun, run_to_review, text_of
from textual.pilot import Pilot

from repair.commands.review import reviewing
from repair.commands.review.keys import FOOT
from repair.commands.review.review_screen import ReviewScreen
from repair.commands.review.reviewing import Review
from repair.store.decisions import TERMINAL, decisions_of
from repair.store.store import open_store

Steps = Callable[["Driven"], Awaitable[None]]


class Driven:
    """A screen under keys."""

    def __init__(self, app: ReviewScreen, pilot: Pilot[None]) -> None:
        self.app, self._pilot = app, pilot

    async def press(self, *keys: str) -> str:
        """What the screen shows after these keys."""
        await self._pilot.press(*keys)
        await self._pilot.pause()
        return self.text()

    async def until(self, text: str) -> str:
        """What is shown once this text is; a test that waits in vain is ended."""
        for _ in range(400):
            await self._pilot.pause(0.01)
            if text in self.text():
                return self.text()
        raise AssertionError(self.text())

    def text(self) -> str:
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def drive(root: Path, steps: Steps, size: tuple[int, int] = (80, 24), **given: Any) -> Review:
    review = Review(open_store(root), run_to_review(root, **given), root, {}, way=TERMINAL)

    async def run() -> None:
        app = ReviewScreen(review, {"EDITOR": "false"})
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(Driven(app, pilot))

    asyncio.run(run())
    return review


def test_one_screen_holds_verdict_change_question_and_keys(tmp_path: Path) -> None:
    async def steps(screen: Driven) -> None:
        shown = screen.text()
        lines = shown.splitlines()
        assert (len(lines), {len(line) for line in lines}) == (24, {80})
        for text in ("patch 1 of 1", "plausible  shop.py:1: price", "> 10", "Question: What should price(10) give?"):
            assert text in shown
        assert lines[-1].rstrip() == FOOT

    drive(tmp_path, steps)


def test_keys_decide_and_texts_are_asked_for(tmp_path: Path) -> None:
    async def steps(screen: Driven) -> None:
        assert "Why is it wrong?" in await screen.press("r")
        assert "Why is it wrong?" not in await screen.press("escape")
        assert "Rejected" in await screen.press("r", "n", "o", "q", "enter")
        assert "Handed on: " in await screen.press("h", "enter")
        assert "It is not said why" in await screen.press("r", "enter")
        assert "Applied: shop.py" in await screen.press("a")

    review = drive(tmp_path, steps)
    assert [(each.said, each.note) for each in decisions_of(review.run)] == [
        ("rejected", "noq"), ("handed_on", ""), ("approved", ""),
    ]  # fmt: skip
    assert (tmp_path / "shop.py").read_bytes() == text_of(1)


def test_two_hundred_patches_are_listed_and_reached(tmp_path: Path) -> None:
    async def steps(screen: Driven) -> None:
        assert "patch 1 of 200" in screen.text()
        assert "  1  plausible  shop.py:1 price  risk 10.0 %" in await screen.press("l")
        assert "200  plausible" in await screen.press("end")
        assert "patch 3 of 200" in await screen.press("l", "right", "plus", "plus", "left")
        assert "patch 4 of 200" in await screen.press("n")

    drive(tmp_path, steps, count=200)


def test_help_and_all_that_is_known_come_and_go(tmp_path: Path) -> None:
    async def steps(screen: Driven) -> None:
        assert "Write a brief for an expert" in await screen.press("question_mark")
        assert "plausible  shop.py" in await screen.press("escape")
        assert "plausible  The failing tests pass" in await screen.press("v")
        assert "What should price(10) give?" in await screen.press("v")

    drive(tmp_path, steps)


def test_a_question_to_the_engine_leaves_the_screen_alive_and_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, stopped = threading.Event(), []
    answer = NextRun(lambda: run_to_review(tmp_path, "bb", first=7))

    def slow(asked: Any, env: Any, listen: Any, cancelled: threading.Event) -> Any:
        found = answer(asked, env, listen, cancelled)
        assert free.wait(20)
        stopped.append(cancelled.is_set())
        return found

    monkeypatch.setattr(reviewing, "run_to_end", slow)

    async def steps(screen: Driven) -> None:
        await screen.press("1")
        assert "gathering evidence (Escape stops it)" in await screen.until("gathering evidence")
        assert "The engine is at work" in await screen.press("a")
        await screen.press("escape")
        free.set()
        assert "run 20250102-000000-bb; patch 1 of 1" in await screen.until("plausible (run 20250102-000000-bb)")

    review = drive(tmp_path, steps)
    assert stopped == [True]
    assert decisions_of(review.run) == ()


@pytest.mark.parametrize("size", [(20, 6), (40, 12), (200, 60)])
def test_any_size_will_do(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(screen: Driven) -> None:
        assert len(screen.text().splitlines()) == size[1]
        assert "Applied" in await screen.press("a") or size[0] == 20

    drive(tmp_path, steps, size=size)
    assert (tmp_path / "shop.py").read_bytes() == text_of(1)


def test_without_colour_nothing_is_coloured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(screen: Driven) -> None:
        strips = screen.app.screen._compositor.render_strips()
        colours = [
            colour.get_truecolor()
            for strip in strips
            for segment in strip.apply_filter(screen.app._filters[-1], screen.app.screen.styles.background)
            if segment.style is not None
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour is not None
        ]
        assert colours
        assert all(max(each) - min(each) <= 1 for each in colours), "shades of grey alone"
        assert "plausible" in screen.text()

    drive(tmp_path, steps)
