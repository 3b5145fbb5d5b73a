"""The list of live functions is made once, and later takes in what is new."""

import functools
import gc

import pytest

from sandbox.request import PROBE


@pytest.fixture
def swap(monkeypatch):
    """The probe is on no path of ours."""
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.swap import live_functions as swap  # noqa: PLC0415

    yield swap
    gc.unfreeze()


def made(path):
    names = {}
    exec(compile("def f():\n    return 1\n", str(path), "exec"), names)
    return names["f"]


def test_what_was_made_since_is_taken_in_once(swap, tmp_path):
    path = tmp_path / "lib.py"
    path.write_text("def f():\n    return 1\n")
    first = made(path)
    index = swap.Index()
    assert index.of_file(str(path))[0] == [first]
    before = index.target(str(path), "f", 1)
    assert before.own_functions() == [first]
    gc.freeze()
    second, cached = made(path), functools.lru_cache(made(tmp_path / "other.py"))
    assert cached() == 1
    index.renew()
    assert index.of_file(str(path))[0] == [first, second]
    assert index.target(str(path), "f", 1).own_functions() == [first, second]
    index.clear_caches()
    assert cached.cache_info().currsize == 0
