from windows import windows


def test_all():
    for length in range(12):
        for size in range(1, 5):
            for step in range(1, 6):
                expected = [tuple(range(s, s + size)) for s in range(0, length - size + 1, step)]
                assert list(windows(iter(range(length)), size, step)) == expected
