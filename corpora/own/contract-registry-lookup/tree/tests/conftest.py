import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from plugins.registry import Registry


@pytest.fixture
def registry():
    made = Registry()
    made.register("json", dict, aliases=["js"])
    made.register("text", str)
    return made
