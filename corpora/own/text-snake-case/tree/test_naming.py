import pytest

from naming import camel, constant, snake, words


@pytest.mark.parametrize(("name", "expected"), [
    ("size", ["size"]), ("fileName", ["file", "name"]), ("HTTPServer", ["http", "server"]), ("two words", ["two", "words"]),
])
def test_words(name, expected):
    assert words(name) == expected


@pytest.mark.parametrize("name", ["max_file_size", "max-file-size", "MAX_FILE_SIZE"])
def test_words_of_other_spellings(name):
    assert words(name) == ["max", "file", "size"]


@pytest.mark.parametrize(("name", "expected"), [("parseURL", "parse_url"), ("utf8Text", "utf8_text"), ("", "")])
def test_snake(name, expected):
    assert snake(name) == expected


def test_camel():
    assert camel("get_http_response") == "getHttpResponse"
    assert camel("HTTPServer") == "httpServer"
    assert camel("") == ""


def test_constant():
    assert constant("maxSize") == "MAX_SIZE"
