from pages import Service, count, walk


def test_one_page():
    assert list(walk(Service("abc"))) == ["a", "b", "c"]


def test_several_pages():
    service = Service(range(25))
    assert list(walk(service)) == list(range(25))
    assert service.calls == 3


def test_at_most():
    assert list(walk(Service(range(25)), limit=4, most=6)) == [0, 1, 2, 3, 4, 5]


def test_count():
    assert count(Service(range(7)), limit=2) == 7


def test_lazy():
    service = Service(range(25))
    next(walk(service))
    assert service.calls == 1


def test_hidden_entries():
    assert list(walk(Service(range(5), holes=[1]), limit=2)) == [0, 2, 3, 4]


def test_an_empty_page():
    assert list(walk(Service(range(6), holes=[2, 3]), limit=2)) == [0, 1, 4, 5]


def test_an_empty_service():
    assert list(walk(Service([]))) == []
