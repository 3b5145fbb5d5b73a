"""Kept replies: a question is asked once, and again only where it is another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest
from repair.model.kept_replies import KeptReplies
from repair.model.reply import ModelReply

ASKED = [Message("system", "mend"), Message("user", "f\udcff")]


class Counting:
    """Answers with a number."""

    def __init__(self):
        self.asked = 0

    def complete(self, request, *, seconds, most_tokens):
        self.asked += 1
        return ModelReply(f"reply {self.asked}", input_tokens=7)


def never():
    raise AssertionError("a replay asks nobody")


def replies(make, folder: Path, count: int = 1, asked=("m", "", "0"), messages=ASKED, **more):
    kept = KeptReplies(make, folder, asked)
    return [kept.complete(ModelRequest(tuple(messages), **more), seconds=1, most_tokens=10) for _ in range(count)]


def test_a_replay_gives_the_same_replies_and_needs_no_backend(tmp_path: Path):
    first = replies(Counting, tmp_path / "replies", 2)
    assert [reply.text for reply in first] == ["reply 1", "reply 2"]
    assert replies(never, tmp_path / "replies", 2) == first


@pytest.mark.parametrize(
    "other",
    [
        {"asked": ("other", "", "0")},
        {"asked": ("m", "", "1")},
        {"messages": ASKED[:1]},
        {"temperature": 0.5},
        {"seed": 3},
    ],
    ids=str,
)
def test_another_model_seed_or_message_is_another_question(tmp_path: Path, other):
    replies(Counting, tmp_path)
    with pytest.raises(AssertionError):
        replies(never, tmp_path, **other)


def test_a_fault_is_not_kept(tmp_path: Path):
    class Broken:
        def complete(self, request, *, seconds, most_tokens):
            return BackendFault(FaultKind.SERVER, "down")

    assert replies(Broken, tmp_path) == [BackendFault(FaultKind.SERVER, "down")]
    assert list(tmp_path.iterdir()) == []
    assert replies(Counting, tmp_path)[0].text == "reply 1"


def test_a_damaged_reply_is_asked_for_again(tmp_path: Path):
    replies(Counting, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text('{"text": 3}')
    assert replies(Counting, tmp_path)[0].text == "reply 1"
    assert replies(never, tmp_path)[0].text == "reply 1"
