"""Packages come from the cache or from pip, checked against their hash."""

from __future__ import annotations

import hashlib
import subprocess

import pytest

from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import IndexUnreachableError


def test_fetches_from_the_cache_without_pip(tmp_path, monkeypatch):
    made = tmp_path / "p.tar.gz"
    made.write_bytes(b"an archive")
    package = SourcePackage("p", "1", hashlib.sha256(made.read_bytes()).hexdigest())
    kept = tmp_path / "cache" / "sources" / f"p-1-{package.sha256[:16]}.tar.gz"
    kept.parent.mkdir(parents=True)
    made.rename(kept)
    monkeypatch.setattr(subprocess, "run", None)
    assert fetch(package, tmp_path / "cache") == kept


def test_a_tampered_cache_is_not_used_and_a_silent_index_is_named(tmp_path, monkeypatch):
    package = SourcePackage("some-package-of-nobody", "1", "0" * 64)
    kept = tmp_path / "sources" / f"{package}-{'0' * 16}.tar.gz"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"another archive")
    for name, value in {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": "/dev/null", "PIP_FIND_LINKS": ""}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(IndexUnreachableError) as raised:
        fetch(package, tmp_path)
    assert "index" in str(raised.value)
    assert raised.value.exit_code == 3
