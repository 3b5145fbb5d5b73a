import random
from collections import OrderedDict

from lru import LRU


def test_against_a_model():
    rng = random.Random(7)
    for size in (1, 2, 4):
        cache, model = LRU(size), OrderedDict()
        for step in range(300):
            key = rng.randint(0, 6)
            if rng.random() < 0.4:
                if key in model:
                    model.move_to_end(key)
                assert cache.get(key) == model.get(key)
            else:
                model[key] = step
                model.move_to_end(key)
                gone = model.popitem(last=False)[0] if len(model) > size else None
                assert cache.put(key, step) == gone
            assert cache.keys() == list(model)
