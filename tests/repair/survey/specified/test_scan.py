"""What is read of a project, and what is told of files that cannot be read."""

import pytest
from fakes.stating import SHOP, claims, scanned

from analysis.specified.contradictions import find_contradictions

PAGE = "- REQ-1: `total([1, 2])` shall return `3`.\n- REQ-2: When tax is negative, `total` shall raise `ValueError`.\n"


def test_a_page_speaks_of_the_program(tmp_path):
    found = scanned(tmp_path, {"shop.py": SHOP, "docs/requirements.md": PAGE})
    assert "shop.py:total returns 3 when prices == [1, 2] and tax == 0" in claims(found)
    assert "shop.py:total raises ValueError when tax < 0" in claims(found)
    assert "REQ-1 states" in claims(found)


@pytest.mark.parametrize(
    "sentence",
    [
        "`total([1])` may return `3`.",
        "`total([1])` shall not return `3`.",
        "`total([1])` returns `3` or `4`.",
        "`total([1])` shall return `3` unless it rains.",
        "`total([1])` is like `total([2])`, and returns `3`.",
        "`total([x])` shall return `3`.",
        "`other([1])` shall return `3`.",
    ],
)
def test_what_is_hedged_or_of_others_says_nothing(tmp_path, sentence):
    found = scanned(tmp_path, {"shop.py": SHOP, "a.md": f"- REQ-1: {sentence}\n"})
    assert [each for each in claims(found) if "returns 3" in each] == []
    assert "REQ-1 states" in claims(found)


def test_tests_say_what_calls_give(tmp_path):
    test = (
        "import pytest\nfrom shop import total\n\n"
        "def test_a():\n    with pytest.raises(ValueError):\n        total([], tax=-1)\n\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_b(n):\n    assert total([n]) == n\n\n"
        "def test_c():\n    if total([]):\n        assert total([7]) == 8\n"
    )
    found = scanned(tmp_path, {"shop.py": SHOP, "test_shop.py": test})
    said = [fact.claim for fact in found.facts if fact.extractor == "test"]
    assert said == [
        "shop.py:total raises ValueError when prices == [] and tax == -1",
        "shop.py:total returns 1 when prices == [1] and tax == 0",
        "shop.py:total returns 2 when prices == [2] and tax == 0",
    ]


BOMB = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
"""Ten short lines that stand for 9 to the power of 9 nodes."""


def test_a_text_with_half_of_a_surrogate_pair_is_read_as_any_other(tmp_path):
    schema = (
        '{"openapi": "3.0.0", "info": {"description": "\\ud800"}, "paths": {"/a": {"get": {"operationId": "total", '
    )
    schema += '"description": "\\ud800", "responses": {"200": {"description": "\\ud800"}}}}}}'
    found = scanned(tmp_path, {"openapi.json": schema, "shop.py": 'def total():\n    """Returns \\ud800."""\n'})
    assert not found.unread


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("shop.py", "def f(:", "cannot be parsed"),
        ("a.md", "größer".encode("latin-1"), "no UTF-8"),
        ("a.md", b"x" * (3 << 20), "bytes are more"),
        ("openapi.json", '{"openapi": ', "it is no JSON: "),
        ("openapi.json", "[]", "holds no mapping"),
        ("openapi.yaml", "a: [", "it is no YAML"),
        ("openapi.yaml", "!!python/object/apply:os.system [ls]", "it is no YAML"),
        ("openapi.yaml", f"a: &a [{'*a, ' * 1001}]", "aliases"),
        ("openapi.yaml", BOMB, "aliases"),
        ("openapi.yaml", "openapi: !!bool maybe", "it is no YAML"),
        ("openapi.json", '{"swagger": "2.0"}', "only OpenAPI 3.x"),
        ("a.feature", "# language: fr\n", "not read"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, name, content, why):
    found = scanned(tmp_path, {name: content})
    assert [each.file for each in found.unread] == [name]
    assert why in found.unread[0].why


def test_ids_stay_when_lines_move(tmp_path):
    one = scanned(tmp_path / "one", {"shop.py": SHOP})
    other = scanned(tmp_path / "other", {"shop.py": f"\n\n# more\n{SHOP}"})
    assert {fact.id for fact in one.facts} == {fact.id for fact in other.facts} != set()


def test_what_a_call_may_have_changed_is_no_claim(tmp_path):
    test = (
        "def test_a():\n    row = [1]\n    result = total(row)\n    assert result is row\n    assert result == row\n"
        "    assert total([2]) is None\n"
    )
    found = scanned(tmp_path, {"shop.py": SHOP, "test_shop.py": test})
    said = [fact.claim for fact in found.facts if fact.extractor == "test"]
    assert said == ["shop.py:total returns None when prices == [2] and tax == 0"]


def test_an_interface_is_known_by_what_it_says(tmp_path):
    text = "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      responses:\n        '200': {description: ok}\n"
    files = {"docs/api.yaml": text, "tests/openapi.yaml": text, "docs/other.yaml": "a: [", "docs/data.json": "{"}
    found = scanned(tmp_path, files)
    assert [(fact.claim, fact.place.path) for fact in found.facts] == [("GET /a status 200", "docs/api.yaml")]
    assert found.unread == ()


def test_a_stub_speaks_of_the_functions_of_its_module(tmp_path):
    code = "def tip(amount: int = 3) -> str:\n    return ''\n\n\nclass Till:\n    def take(self, coin):\n        pass\n"
    stub = (
        "from typing import overload\n\ndef tip(amount: str = ...) -> int: ...\ndef gone(n: int) -> int: ...\n"
        "class Till:\n    def take(self, coin: int) -> None: ...\n"
        "    @overload\n    def take(self, coin: str) -> str: ...\n"
    )
    found = scanned(tmp_path, {"shop.py": code, "shop.pyi": stub, "lone.pyi": stub, "bad.py": "", "bad.pyi": "def ("})
    own = [fact.claim for fact in found.facts if fact.place.path == "shop.pyi"]
    assert own == [
        "shop.py:tip(amount) type str",
        "shop.py:tip type int",
        "shop.py:Till.take(coin) type int",
        "shop.py:Till.take type NoneType",
    ]
    assert not any(fact.place.path == "lone.pyi" for fact in found.facts)
    assert [(each.file, "cannot be parsed" in each.why) for each in found.unread] == [("bad.pyi", True)]
    said = {(each.one.predicate, each.one.part) for each in find_contradictions(found.facts, found.functions)}
    assert said == {("type", "amount"), ("type", "")}
