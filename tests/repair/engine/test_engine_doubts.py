"""A doubt of the judge goes back to the model whose patch it is: a special case is never the last word."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from fakes.engines import engine_of
from fakes.toy import ToySandbox

from repair.model.asking import ModelClient
from repair.model.backend import ModelRequest
from repair.model.meter import Meter, ModelLimits
from repair.model.proposer import ModelProposer
from repair.model.reply import ModelReply
from repair.records.outcome import RunOutcome
from repair.records.result import Status
from repair.records.task import RepairTask
from repair.records.verdict import CORE_GATES, Decision, Evidence

SHOP = b"""\
def price(count):
    if count < 0:
        raise ValueError(count)
    return count + 3
"""
TESTS = b"""from shop import price


def test_price():
    assert price(3) == 9


def test_prices():
    assert price(5) == 15
    assert price(0) == 0


def test_half():
    assert price(1.5) == 4.5


def test_negative():
    try:
        price(-1)
    except ValueError as problem:
        assert problem.args == (-1,)
    else:
        raise AssertionError("no error")
"""
HEAD = "def price(count):\n    if count < 0:\n        raise ValueError(count)\n"
SPECIAL = f"{HEAD}    return count * 3 if count < 9 else count + 3\n"
OTHER_SPECIAL = f"{HEAD}    return count * 3 if count < 8 else count + 4\n"
HONEST = f"{HEAD}    return count * 3\n"
ANOTHER = f"{HEAD}    return count + count + count\n"
QUESTION = "What should price(7) give?"


@dataclass
class Model:
    """Replies with these whole functions, one after another, and the last of them for ever."""

    texts: tuple[str, ...]
    asked: list[ModelRequest] = field(default_factory=list)

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply:
        text = self.texts[min(len(self.asked), len(self.texts) - 1)]
        self.asked.append(request)
        return ModelReply(f"WHY: three times as much.\n```python rewrite\n{text}```\nEND.")


class OnText:
    """A gate that answers by a piece of the candidate's text, with a question where it doubts."""

    name = "capability"

    def __init__(self, found: dict[bytes, Decision]) -> None:
        self._found = found

    def judge(self, submission):
        for piece, decision in self._found.items():
            if piece in submission.candidate.text:
                return Evidence(self.name, decision, "it answers tests' own values", (), "price(7) raises", QUESTION)
        return Evidence(self.name, Decision.ACCEPT, "nothing speaks against it")


class Yes:
    """A gate that accepts."""

    def __init__(self, name: str) -> None:
        self.name = name

    def judge(self, submission):
        return Evidence(self.name, Decision.ACCEPT, "it was told so")


def gates(found: dict[bytes, Decision]):
    """All gates accept, but one where the candidate's text holds one of these pieces."""
    return (OnText(found), *(Yes(name) for name in CORE_GATES if name != "capability"))


def fix(*texts: str, judges, requests: int = 6) -> tuple[RunOutcome, Model]:
    model = Model(texts)
    client = ModelClient(model, Meter(ModelLimits(requests=requests)), lambda _: None)
    sandbox = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS)))
    proposer = ModelProposer(client, lambda texts: True)
    return engine_of(sandbox, (proposer,), judges).fix(RepairTask("/project", ())), model


def test_a_special_case_is_asked_about_and_the_honest_text_is_the_answer():
    ending, model = fix(SPECIAL, HONEST, judges=gates({b"else count": Decision.UNKNOWN}))
    assert len(model.asked) == 2
    assert ending.status is Status.CERTIFIED
    assert b"count * 3\n" in ending.judged[0].submission.candidate.text
    assert len(ending.judged) == 2, "what was in doubt stays in sight"
    told = model.asked[1].messages[-1].text
    assert "in doubt" in told
    assert model.asked[1].messages[-2].text.endswith("END."), "it is asked in its thread"


def test_an_honest_patch_in_doubt_is_kept_where_nothing_better_comes():
    judges = gates({b"else count": Decision.REJECT, b"count * 3": Decision.UNKNOWN})
    ending, model = fix(HONEST, OTHER_SPECIAL, judges=judges)
    assert ending.status is Status.PLAUSIBLE
    assert b"count * 3\n" in ending.judged[0].submission.candidate.text
    assert QUESTION in model.asked[1].messages[-1].text
    assert "price(7) raises" in model.asked[1].messages[-1].text


def test_who_stands_by_its_text_is_not_asked_again():
    judges = gates({b"count * 3": Decision.UNKNOWN})
    ending, model = fix(HONEST, HONEST, judges=judges)
    assert ending.status is Status.PLAUSIBLE
    assert len(model.asked) == 2


def test_a_second_special_case_is_asked_about_too():
    judges = gates({b"else count": Decision.REJECT})
    ending, model = fix(SPECIAL, OTHER_SPECIAL, ANOTHER, judges=judges)
    assert len(model.asked) == 3
    assert ending.status is Status.CERTIFIED
    assert b"count + count" in ending.judged[0].submission.candidate.text


def test_nobody_is_asked_again_about_a_certified_patch():
    ending, model = fix(HONEST, ANOTHER, judges=gates({}))
    assert ending.status is Status.CERTIFIED
    assert len(model.asked) == 1


@pytest.mark.parametrize("requests", [1, 2])
def test_the_limit_of_requests_holds_for_doubts_too(requests):
    judges = gates({b"else count": Decision.UNKNOWN})
    ending, model = fix(SPECIAL, OTHER_SPECIAL, ANOTHER, judges=judges, requests=requests)
    assert len(model.asked) == requests
    assert ending.status is Status.PLAUSIBLE
