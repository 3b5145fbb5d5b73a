"""What documents state of functions, for who grows tests."""

from fakes.stating import write_project

from analysis.behaviour import Call, Returned
from analysis.facts import FunctionId
from analysis.stated.function import stated_of
from repair.survey.growing.stated_elsewhere import facts_elsewhere
from sandbox.workspace import take_snapshot

CODE = 'def fee(days):\n    """Returns 0 if days is 0."""\n    return 1 if days == 0 else days * 3\n'
TESTS = "from shop import fee\n\n\ndef test_fee():\n    assert fee(2) == 6\n"


def test_a_requirement_is_told_with_its_file_and_the_rest_left_out(tmp_path):
    files = {"shop.py": CODE, "test_shop.py": TESTS, "req.md": "# Fees\n\n- REQ-1: `fee(0)` shall return `0`.\n"}
    found = facts_elsewhere(take_snapshot(write_project(tmp_path / "shop", files), tmp_path / "copy"))
    assert list(found) == ["shop.py:fee"]
    [fact] = found["shop.py:fee"]
    stated = stated_of(FunctionId("shop.py", "fee", 1), CODE.encode())
    both = stated.with_facts(found["shop.py:fee"])
    assert both.cite(fact).startswith("req.md:3 says ")
    assert both.broken_by(Call("fee", "(0)"), Returned("1")) == (*stated.facts, fact)
