import pytest

from shapes import Circle


@pytest.mark.parametrize("radius", [-0.5, -10, 0.0])
def test_refused(radius):
    with pytest.raises(ValueError, match=f"circle: radius must be positive, not {radius}"):
        Circle(radius)


def test_taken():
    assert Circle(0.25).measures == {"radius": 0.25}
    assert Circle(2).name == "circle"
