import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from shop.cache import Cached
from shop.store import Store


@pytest.fixture
def store():
    return Store({"tea": 3})


@pytest.fixture
def cached(store):
    return Cached(store)
