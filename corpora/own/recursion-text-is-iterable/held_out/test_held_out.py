from redact import redact


def test_kinds():
    assert redact("text") == "text"
    assert redact(b"xy") == b"xy"
    assert redact({"a": {1, 2}}) == {"a": {1, 2}}
    assert redact((("x",), ["y", ()])) == (("x",), ["y", ()])


def test_copy():
    value = {"list": [1]}
    assert redact(value)["list"] is not value["list"]
