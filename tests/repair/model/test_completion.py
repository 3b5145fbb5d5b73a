"""What servers send, read as a reply, in every shape that is known of them."""

from __future__ import annotations

import json

import pytest
from fakes.model_server import Asked, Says

from repair.model.backend import BackendFault, FaultKind
from repair.model.completion import FILTERED, MOST_REASONING, cap, fault_of_error, read_body, split_reasoning
from repair.model.reply import ModelReply

CHAT, RESPONSES = Asked("/v1/chat/completions", {}, {}), Asked("/v1/responses", {}, {})


def sent(step, asked=CHAT):
    """The body and its type, as a step would put them on the wire."""
    head, _, body = step.response(asked).partition(b"\r\n\r\n")
    kind = next(line for line in head.decode().split("\r\n") if line.startswith("content-type"))
    return body, kind.partition(": ")[2]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("asked", [CHAT, RESPONSES], ids=["chat", "responses"])
@pytest.mark.parametrize("text", ["WHY: it is\nEND.", "", "ä\n\n\n```python rewrite\ndef f(): …\n```", "\ud800"])
def test_a_reply_is_the_same_in_both_protocols_whole_or_streamed(text, asked, streamed):
    read = read_body(*sent(Says(text, reasoning="hm, so", streamed=streamed), asked))
    assert isinstance(read, ModelReply)
    assert (read.text, read.reasoning, read.input_tokens, read.output_tokens) == (text, "hm, so", 700, 60)
    assert read.finish in ("stop", "completed")


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("asked", [CHAT, RESPONSES], ids=["chat", "responses"])
@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_why_a_reply_ended_is_kept(finish, asked, streamed):
    read = read_body(*sent(Says("half", finish, streamed=streamed), asked))
    assert read.finish == {"length": "max_output_tokens"}.get(finish, finish) if asked is RESPONSES else finish
    assert read.text == "half"


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("asked", [CHAT, RESPONSES], ids=["chat", "responses"])
def test_a_refusal_is_no_text(asked, streamed):
    read = read_body(*sent(Says(None, refusal="I will not", streamed=streamed), asked))
    assert (read.text, read.refusal) == ("", "I will not")


@pytest.mark.parametrize("asked", [CHAT, RESPONSES], ids=["chat", "responses"])
def test_a_stream_that_is_cut_at_any_byte_is_never_a_reply(asked):
    body, kind = sent(Says("WHY: x\nEND.", streamed=True), asked)
    ends = (b'"finish_reason": "stop"', b"response.completed")
    whole = min(body.index(b"\n\n", body.index(end)) for end in ends if end in body) + 2
    assert isinstance(read_body(body[:whole], kind), ModelReply)
    for length in range(whole):
        read = read_body(body[:length], kind) if body[:length].strip() else None
        assert read is None or isinstance(read, BackendFault), body[:length]


def test_a_whole_answer_that_is_cut_at_any_byte_is_never_a_reply():
    body, kind = sent(Says("WHY: x"))
    for length in range(len(body)):
        with pytest.raises(ValueError, match="column"):
            read_body(body[:length], kind)


STREAM_FORMS = {
    "comments": b': hello\n\ndata: {"choices": [{"delta": {"content": "x"}, "finish_reason": "stop"}]}\n\n',
    "carriage returns": b'data: {"choices": [{"delta": {"content": "x"}}]}\r\n\r\ndata: [DONE]\r\n\r\n',
    "no space": b'data:{"choices": [{"delta": {"content": "x"}}]}\n\ndata:[DONE]\n\n',
    "no last line": b'data: {"choices": [{"delta": {"content": "x"}}]}\n\ndata: [DONE]',
    "two lines": b'data: {"choices": [{"delta":\ndata: {"content": "x"}}]}\n\ndata: [DONE]\n\n',
    "another choice": b'data: {"choices": [{"index": 1, "delta": {"content": "no"}}]}\n\n'
    b'data: {"choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": "stop"}]}\n\n',
    "null delta": b'data: {"choices": [{"delta": {"content": "x"}}]}\n\n'
    b'data: {"choices": [{"delta": null, "finish_reason": "stop"}]}\n\n',
    "items without a whole": b'data: {"type": "response.output_item.done", "item": {"type": "message", "content": '
    b'[{"type": "output_text", "text": "x"}]}}\n\n'
    b'data: {"type": "response.completed", "response": {"status": "completed", "output": []}}\n\n',
}


@pytest.mark.parametrize("body", STREAM_FORMS.values(), ids=STREAM_FORMS.keys())
def test_forms_of_streams(body):
    assert read_body(body).text == "x"


ERRORS = {
    "in a chat": (b'{"error": {"message": "slow down", "code": 429}}', FaultKind.RATE),
    "in a stream": (b'data: {"choices": [{"delta": {"content": "x"}}]}\n\ndata: {"error": {"code": 500}}\n\n',
                    FaultKind.SERVER),
    "of a stream": (b'event: error\ndata: {"type": "error", "code": "rate_limit_exceeded", "message": "m"}\n\n',
                    FaultKind.RATE),
    "of a response": (b'{"status": "failed", "output": [], "error": {"code": "server_error", "message": "m"}}',
                      FaultKind.SERVER),
    "unknown": (b'{"error": "something"}', FaultKind.SERVER),
    "a number as text": (b'{"error": {"code": "401"}}', FaultKind.AUTHENTICATION),
}  # fmt: skip


@pytest.mark.parametrize(("body", "kind"), ERRORS.values(), ids=ERRORS.keys())
def test_an_error_may_come_with_the_status_of_a_success(body, kind):
    fault = read_body(body)
    assert isinstance(fault, BackendFault)
    assert fault.kind is kind


@pytest.mark.parametrize("code", ["content_filter", "bio_policy_violation", "misalignment_policy_violation"])
def test_a_policy_of_the_server_is_a_reply_that_was_held_back(code):
    assert fault_of_error({"code": code, "message": "m"}, 400) == ModelReply("", FILTERED)


TRACES = {
    "closed": ("<think>a\nb</think>\n\ntext", "text", "a\nb"),
    "spaces before": ("\n <think>a</think>text", "text", "a"),
    "opened in the prompt": ("a\nb\n</think>\n\ntext", "text", "a\nb"),
    "never closed": ("<think>a ```python\nx\n```", "", "a ```python\nx\n```"),
    "another tag": ("<reasoning>a</reasoning>text", "text", "a"),
    "in code": ("WHY: x\n```python rewrite\n'''\n</think>\n'''\n```", None, ""),
    "in a sentence": ("the mark </think> stays", None, ""),
    "none": ("text", None, ""),
    "blank lines": ("\n" * 20_000 + "text", None, ""),
}


@pytest.mark.parametrize(("text", "rest", "trace"), TRACES.values(), ids=TRACES.keys())
def test_reasoning_in_front_of_the_text_is_kept_apart(text, rest, trace):
    assert split_reasoning(text) == (text if rest is None else rest, trace)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_of_its_own_field_is_kept_apart_and_capped(name):
    long = "a" * MOST_REASONING + "b" * MOST_REASONING
    read = read_body(*sent(Says("text", reasoning=long, trace=name)))
    assert read.text == "text"
    assert read.reasoning == cap(long)
    assert read.reasoning.startswith("aaa")
    assert read.reasoning.endswith("bbb")
    assert len(read.reasoning) < MOST_REASONING + 60


def test_reasoning_as_parts_of_the_content_is_kept_apart():
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "x"}]
    read = read_body(json.dumps({"choices": [{"message": {"content": parts}}]}).encode())
    assert (read.text, read.reasoning) == ("x", "hm")


def test_commentary_of_a_response_is_reasoning():
    said = [("commentary", "I look at it"), ("final_answer", "x")]
    output = [{"type": "message", "phase": p, "content": [{"type": "output_text", "text": t}]} for p, t in said]
    read = read_body(json.dumps({"status": "completed", "output": output}).encode())
    assert (read.text, read.reasoning) == ("x", "I look at it")
