import pytest

from naming import camel, snake


@pytest.mark.parametrize(("name", "expected"), [
    ("_private", "private"), ("__init__", "init"), ("a--b__c", "a_b_c"), ("X-Forwarded-For", "x_forwarded_for"), (" a_ b ", "a_b"),
])
def test_snake(name, expected):
    assert snake(name) == expected


def test_camel():
    assert camel("content-type_header") == "contentTypeHeader"
