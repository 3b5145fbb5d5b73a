import pytest

from shapes import Circle, Rectangle, largest


def test_areas():
    assert Rectangle(2, 3).area() == 6
    assert Circle(1).area() == pytest.approx(3.14159, abs=1e-4)


def test_descriptions():
    assert Rectangle(2, 3.5).describe() == "rectangle (width 2, height 3.5)"
    assert Circle(4).describe() == "circle (radius 4)"


def test_rectangles_are_checked():
    with pytest.raises(ValueError, match="rectangle: height must be positive, not 0"):
        Rectangle(1, 0)


def test_circles_are_checked():
    with pytest.raises(ValueError, match="circle: radius must be positive, not -1"):
        Circle(-1)


def test_circles_without_radius_are_refused():
    with pytest.raises(ValueError, match="circle: radius must be positive, not 0"):
        Circle(0)


def test_largest():
    small, big = Circle(1), Rectangle(3, 3)
    assert largest([small, big]) is big
