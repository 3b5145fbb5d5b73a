from export import as_document, as_lines


def test_lines():
    assert as_lines({"b": "2", "a": "1"}) == ["a: 1", "b: 2"]


def test_no_lines():
    assert as_lines({}) == []


def test_document():
    assert as_document({"a": "1"}).startswith("notes")
