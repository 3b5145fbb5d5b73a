import random

from roads import Roads


def test_against_all_pairs():
    rng = random.Random(11)
    for _ in range(15):
        roads, count = Roads(), 7
        best = {(a, b): (0 if a == b else None) for a in range(count) for b in range(count)}
        for _ in range(12):
            a, b, length = rng.randrange(count), rng.randrange(count), rng.randint(0, 9)
            if a != b:
                roads.add(a, b, length)
                best[a, b] = best[b, a] = length
        for k in range(count):
            for a in range(count):
                for b in range(count):
                    if best[a, k] is not None and best[k, b] is not None:
                        through = best[a, k] + best[k, b]
                        if best[a, b] is None or through < best[a, b]:
                            best[a, b] = through
        for (a, b), length in best.items():
            found = roads.shortest(a, b)
            assert (found and found[0]) == length if length else found is None or found[0] == length
