"""Synchronise in-memory directory trees."""
from .apply import SyncError, apply_ops
from .diff import Op, diff_dirs, plan
from .nodes import Dir, File, build, flatten

__all__ = ["SyncError", "apply_ops", "Op", "diff_dirs", "plan", "Dir", "File", "build", "flatten"]
