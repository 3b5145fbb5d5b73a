from sessions import Sessions


def test_last_one_only():
    sessions = Sessions(5)
    sessions.touch("x", 100)
    sessions.touch("y", 0)
    assert sessions.sweep(50) == ["y"]
    assert sessions.is_open("x", 104)
    assert len(sessions) == 1


def test_many():
    sessions = Sessions(0)
    for n in range(50):
        sessions.touch(n, n % 2)
    assert sessions.sweep(1) == list(range(0, 50, 2))
    assert len(sessions) == 25
