"""A text that does to something what the old one did not is told by its instructions; other changes are not."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

import pytest

from sandbox.request import PROBE

HEAD = "def f(self, other, a, b, c, d, e, s, R, i=1):\n    "


@pytest.fixture
def effects(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], set[Any]]:
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.swap.effects import effects as found  # noqa: PLC0415

    def of(body: str) -> set[Any]:
        space: dict[str, Any] = {}
        exec(HEAD + body, space)
        code: CodeType = space["f"].__code__
        return set(found(code))

    return of


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.x = a", "other.x = a"),
        ("self.x = a", "self.y = a"),
        ("a.b.c = 1", "a.d.c = 1"),
        ("d[a] = 1", "e[a] = 1"),
        ("d['a'] = 1", "d['b'] = 1"),
        ("d[a:b] = c", "e[a:b] = c"),
        ("del d[a]", "del d[b]"),
        ("del self.x", "del other.x"),
        ("s.append(a)", "R.append(a)"),
        ("return a", "R.update(a)"),
        ("return a", "setattr(a, 'b', 1)"),
        ("return a", "locale.setlocale(a)"),
        ("return a", "logging.addLevelName(a)"),
        ("return a", "random.random()"),
        ("return a", "import json"),
        ("return a", "global G; G = 1"),
        ("return a", "global G; del G"),
        ("return a", "return [R.pop() for _ in a]"),
        ("def g():\n        return a\n    return g", "def g():\n        nonlocal a; a = 1\n    return g"),
        (f"x = {list(range(600))}; self.x = a", f"x = {list(range(600))}; other.x = a"),
    ],
)
def test_another_effect(effects: Callable[[str], set[Any]], old: str, new: str) -> None:
    assert effects(new) - effects(old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return a + 1", "return a - 2"),
        ("self.x = a", "if a: self.x = b"),
        ("x = a", "y = set(a)"),
        ("if a: d[a] = b", "if not a: d[a] = b"),
        ("s.append(a)", "s.append(b)"),
        ("R.pop()\n    return a", "return a"),
        ("x = a", "x = a.setup.resetting.upset.count(b)"),
    ],
)
def test_no_other_effect(effects: Callable[[str], set[Any]], old: str, new: str) -> None:
    assert not effects(new) - effects(old)
