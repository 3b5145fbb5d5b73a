"""Projects whose tests run with pytest alone: no plugin that lies beside it in our own environment is loaded."""

from __future__ import annotations

import os
from pathlib import Path

from sandbox.target import Target, open_target

BARE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Half of the time of a cold run of a toy project goes into plugins that it does not use."""


def bare_target(root: Path | str, *, python: str = "") -> Target:
    """The target at ``root``; its interpreter is ours where no other is named."""
    environ = {"PATH": os.environ["PATH"], **BARE}
    return open_target(str(root), python=python, environ=environ, pass_env=tuple(BARE))
