"""Pins for newer Pythons, and the plugin that brings back what is gone."""

from __future__ import annotations

import asyncio
import collections.abc
import inspect
import sys
from pathlib import Path
from typing import Any

import pytest
from _pytest.nodes import Node

from corpora.loaders.old_python import RAISED, pins, plugin

NEW = [f"{name}=={version}" for name, version in RAISED]


def test_pins_without_the_project_and_with_a_newer_pytest():
    text = b"# made by hand\nPy.Thing==1.0 ; python_version < '3'\nmine==2\n-e git+https://x\nloose>=1\npytest==5.4.2\n"
    found = pins(text, "Mine")
    assert sorted(found.requirements) == sorted((*NEW, "py-thing==1.0"))
    assert found.changes == ("pytest 7.4.4 instead of 5.4.2",)


def test_files_of_powershell_are_read():
    found = pins("six==1.15.0\r\npywin32==228\r\n".encode("utf-16"), "mine")
    assert found.requirements == tuple(sorted((*NEW, "six==1.15.0")))
    assert found.changes == ("without pywin32",)


def test_the_plugin_brings_back_what_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    gone: list[tuple[Any, str]] = [(collections, name) for name in collections.abc.__all__]
    gone += [(asyncio, "coroutine"), (inspect, "getargspec"), (sys, "setcheckinterval"), (sys, "getcheckinterval")]
    gone += [(Node, "get_marker")]
    for place, name in gone:
        monkeypatch.setattr(place, name, None, raising=False)
        monkeypatch.delattr(place, name)
    exec(compile(plugin(("src", "nowhere")), "plugin", "exec"), {})
    assert all(hasattr(place, name) for place, name in gone)
    assert inspect.getargspec(lambda a, *b: 0)[:2] == (["a"], "b")
    assert sys.path[1] == str(tmp_path / "src")
    assert str(tmp_path / "nowhere") not in sys.path
