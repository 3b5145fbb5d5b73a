"""Campaigns on disk, without waiting for the disk."""

import os

import pytest


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    """A kill takes nothing back that was written; only the end of the machine would, and no test ends that."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
