from events import Panel, keypad, typed


def test_two_pads():
    one, other = keypad(Panel(), "ab"), keypad(Panel(), ["x", "yy"])
    one.press("a")
    other.press("x")
    other.press("yy")
    assert one.pressed == [(0, "a")]
    assert other.pressed == [(0, "x"), (1, "yy")]
    assert typed(other) == "xyy"
