import pytest

from pages import Service, walk


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("holes", [(), (0,), range(3), range(9)])
def test_all(limit, holes):
    service = Service(range(9), holes)
    assert list(walk(service, limit)) == [n for n in range(9) if n not in holes]
    assert service.calls == max(1, -(-9 // limit))
