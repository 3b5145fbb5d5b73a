"""The openai SDK against a transport of our own: requests as sent, recorded answers, errors as values, no key."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import traceback
from collections.abc import Callable

import httpx2
import pytest
from fakes.failing_function import context_of, plan_of, scope_of

from analysis.errors import ModelError, UsageError
from repair.model.asking import ModelClient
from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest, ReplyForm
from repair.model.endpoint import MOST_BYTES, MOST_ERROR_BYTES, OVER_LONG, Endpoint
from repair.model.meter import Meter, ModelLimits
from repair.model.proposer import ModelProposer
from repair.model.reply import ModelReply

KEY = "sk-canary-6f1c0d7e42"
FORM = ReplyForm("edit", {"type": "object"})
TURNS = (Message("system", "rules"), Message("user", "mend this \ud800"))
ASKED = ModelRequest(TURNS, temperature=0.5, seed=7, form=FORM)
OPTIONAL = {"temperature", "seed", "max_tokens", "response_format"}
USAGE = {"prompt_tokens": 11, "completion_tokens": 7}
Answer = Callable[[httpx2.Request], httpx2.Response]


def endpoint(
    answer: Answer, base_url: str = "http://models.example/v1", clock: Callable[[], float] = lambda: 0.0
) -> Endpoint:
    return Endpoint("some-model", base_url, KEY, transport=httpx2.MockTransport(answer), clock=clock)


def chat(content: object = "{}", finish: object = "stop", **more: object) -> dict[str, object]:
    message = {"role": "assistant", "content": content, **more}
    return {
        "id": "1",
        "object": "chat.completion",
        "choices": [{"message": message, "finish_reason": finish}],
        "usage": USAGE,
    }


def gives(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda request: httpx2.Response(
        status, content=content, headers={"content-type": "application/json", **(headers or {})}
    )


def asked(answer: Answer, **more: object) -> ModelReply | BackendFault:
    return endpoint(answer, **more).complete(ASKED, seconds=30, most_tokens=500)


def test_a_compatible_server_is_asked_for_a_chat_completion():
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return gives(chat('{"a": 1}'))(request)

    assert asked(answer) == ModelReply('{"a": 1}', "stop", "", 11, 7)
    (request,) = seen
    sent = json.loads(request.content)
    assert request.url.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert sent["model"] == "some-model"
    assert sent["max_tokens"] == 500
    assert sent["response_format"]["json_schema"] == {"name": "edit", "schema": {"type": "object"}, "strict": True}
    assert (sent["temperature"], sent["seed"]) == (0.5, 7)
    assert "stream" not in sent
    assert sent["messages"][1] == {"role": "user", "content": "mend this ?"}


def test_openai_itself_is_asked_for_a_response():
    def answer(request: httpx2.Request) -> httpx2.Response:
        sent = json.loads(request.content)
        assert request.url == "https://api.openai.com/v1/responses"
        assert sent["text"]["format"]["strict"] is True
        assert (sent["temperature"], sent["max_output_tokens"]) == (0.5, 500)
        assert "seed" not in sent, "Responses know none"
        assert sent["store"] is False
        parts = [{"type": "output_text", "text": "{}"}]
        output = [{"type": "reasoning", "summary": []}, {"type": "message", "content": parts}]
        body = {"status": "completed", "output": output, "usage": {"input_tokens": 3, "output_tokens": 2}}
        return gives(body)(request)

    assert asked(answer, base_url="") == ModelReply("{}", "completed", "", 3, 2)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": []},
         ModelReply("", "max_output_tokens")),
        ({"status": "completed", "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}]},
         ModelReply("", "completed", "no")),
    ],
)  # fmt: skip
def test_other_ends_of_a_response(body, expected):
    assert asked(gives(body), base_url="") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (chat("x", "length"), ModelReply("x", "length", "", 11, 7)),
        (chat(None, refusal="no"), ModelReply("", "stop", "no", 11, 7)),
        (chat("x", None), ModelReply("x", "", "", 11, 7)),
        (chat([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), ModelReply("ab", "stop", "", 11, 7)),
        ({"choices": [{"message": {"content": "x"}}]}, ModelReply("x", "")),
        ({**chat("x"), "usage": {"prompt_tokens": -5, "completion_tokens": "7"}}, ModelReply("x")),
        ({**chat("x"), "usage": {"prompt_tokens": True, "completion_tokens": 1e400}}, ModelReply("x")),
    ],
    ids=["length", "refusal", "no finish", "parts", "no usage", "odd usage", "odder usage"],
)
def test_forms_of_a_chat_completion(body, expected):
    assert asked(gives(body)) == expected


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>gateway</html>", b"[]", b"{}", b"null", b'{"choices": []}',
     b'{"choices": [{"message": {"content": 3}}]}', b'{"choices": [{"message": {"content": "x',
     b"[" * 50_000, b"\xff\xfe"],
)  # fmt: skip
def test_what_is_no_completion_is_a_fault(body):
    fault = asked(gives(body))
    assert isinstance(fault, BackendFault)
    assert fault.kind is FaultKind.REPLY


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, FaultKind.AUTHENTICATION),
        (403, {"error": {"message": "country"}}, FaultKind.AUTHENTICATION),
        (404, {"error": {"message": "no such model"}}, FaultKind.NOT_FOUND),
        (400, {"error": {"message": "context length"}}, FaultKind.REQUEST),
        (422, b"unprocessable", FaultKind.REQUEST),
        (429, {"error": {"message": "slow down"}}, FaultKind.RATE),
        (429, {"error": {"message": "pay", "code": "insufficient_quota"}}, FaultKind.QUOTA),
        (500, b"oops", FaultKind.SERVER),
        (503, {"error": {"message": "x" * 9000}}, FaultKind.SERVER),
        (302, b"", FaultKind.REDIRECT),
    ],
)
def test_errors_of_the_server_are_values(status, body, kind):
    fault = asked(gives(body, status))
    assert isinstance(fault, BackendFault)
    assert fault.kind is kind
    assert str(status) in fault.detail
    assert KEY not in fault.detail
    assert len(fault.detail) < 300


@pytest.mark.parametrize(
    ("value", "expected"), [("7", 7.0), ("1.5", 1.5), ("soon", None), ("-1", None), ("inf", None), ("nan", None),
     ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0)],
)  # fmt: skip
def test_the_server_s_wish_for_a_pause(value, expected):
    fault = asked(gives({}, 429, {"retry-after": value}))
    assert isinstance(fault, BackendFault)
    assert fault.retry_after == expected


@pytest.mark.parametrize(
    ("problem", "kind"),
    [
        (httpx2.ConnectError(f"refused {KEY}"), FaultKind.NETWORK),
        (httpx2.ReadTimeout("slow"), FaultKind.TIMEOUT),
        (httpx2.RemoteProtocolError("cut"), FaultKind.NETWORK),
    ],
)
def test_errors_of_the_network_are_values(problem, kind):
    def answer(request: httpx2.Request) -> httpx2.Response:
        raise problem

    fault = asked(answer)
    assert isinstance(fault, BackendFault)
    assert fault.kind is kind
    assert KEY not in fault.detail


def test_there_is_one_attempt_only():
    count: list[int] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        count.append(1)
        return gives({}, 503)(request)

    asked(answer)
    assert len(count) == 1


def refusing(words: dict[str, str], forms: list[set[str]]) -> Answer:
    """Rejects requests with any of these fields, in these words, and notes which optional fields came."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent = json.loads(request.content).keys()
        forms.append({*sent} - {"model", "messages"})
        said = next((said for name, said in words.items() if name in sent), None)
        return gives(chat("x"))(request) if said is None else gives({"error": {"message": said}}, 400)(request)

    return answer


@pytest.mark.parametrize(
    ("words", "then"),
    [
        ({"response_format": "'response_format' of type json_schema is not supported"}, OPTIONAL - {"response_format"}),
        ({"temperature": "Unsupported value: 'temperature' does not support 0.5"}, OPTIONAL - {"temperature"}),
        ({"max_tokens": "Use 'max_completion_tokens' instead of 'max_tokens'."},
         OPTIONAL - {"max_tokens"} | {"max_completion_tokens"}),
        ({"seed": "unknown field"}, set()),
    ],
    ids=["form", "temperature", "other name", "unnamed"],
)  # fmt: skip
def test_fields_that_a_server_rejects_are_left_out_from_then_on(words, then):
    forms: list[set[str]] = []
    asking = endpoint(refusing(words, forms))
    first, second = (asking.complete(ASKED, seconds=30, most_tokens=500) for _ in range(2))
    assert isinstance(first, ModelReply)
    assert set(first.without) >= OPTIONAL - then
    assert forms == [OPTIONAL, then, then]
    assert second == first


def test_a_request_that_fails_in_every_form_proves_nothing_about_its_fields():
    forms: list[set[str]] = []
    asking = endpoint(refusing({"model": "too long"}, forms))
    fault = asking.complete(ASKED, seconds=30, most_tokens=500)
    assert isinstance(fault, BackendFault)
    assert fault.kind is FaultKind.REQUEST
    assert forms == [OPTIONAL, set()]
    asking.complete(ASKED, seconds=30, most_tokens=500)
    assert forms[2] == OPTIONAL


def test_an_answer_that_was_filtered_with_an_error_is_a_reply():
    body = {"error": {"code": "content_filter", "message": "The response was filtered"}}
    assert asked(gives(body, 400)) == ModelReply("", "content_filter")


def test_an_endless_answer_is_cut():
    endless = httpx2.Response(200, content=(b" " * 65536 for _ in range(10 * MOST_BYTES // 65536)))
    assert asked(lambda request: endless) == ModelReply("", OVER_LONG, output_tokens=500)


def test_an_endless_error_is_cut():
    taken: list[int] = []

    def pieces():
        for number in range(10_000):
            taken.append(number)
            yield b"e" * 4096

    fault = asked(lambda request: httpx2.Response(500, content=pieces()))
    assert isinstance(fault, BackendFault)
    assert fault.kind is FaultKind.SERVER
    assert len(taken) <= MOST_ERROR_BYTES // 4096 + 1


def test_an_answer_that_drips_is_cut():
    ticks = iter(range(0, 10_000, 10))
    dripping = httpx2.Response(200, content=(b" " for _ in range(1000)))
    fault = asked(lambda request: dripping, clock=lambda: float(next(ticks)))
    assert isinstance(fault, BackendFault)
    assert fault.kind is FaultKind.TIMEOUT


@pytest.mark.parametrize(
    ("base_url", "key", "words"),
    [
        ("", "", "no key"),
        ("https://models.example/v1", "", "no key"),
        ("not a url", KEY, "no web address"),
        ("file:///etc/passwd", KEY, "no web address"),
        ("http://[::1/v1", KEY, "no web address"),
        ("http://host:port/v1", KEY, "no web address"),
        (f"https://me:{KEY}@models.example/v1", KEY, "credentials"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(base_url, key, words):
    with pytest.raises(UsageError, match=words) as raised:
        Endpoint("some-model", base_url, key)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("base_url", ["http://localhost:11434/v1", "http://127.0.0.1:8000/v1", "http://[::1]:8000/v1"])
def test_a_local_server_needs_no_key(base_url):
    assert "some-model" in repr(Endpoint("some-model", base_url, ""))


def test_account_names_of_the_environment_stay_at_openai(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.example")

    def answer(request: httpx2.Request) -> httpx2.Response:
        assert "org-mine" not in str(request.headers)
        assert "proj-mine" not in str(request.headers)
        assert request.url.host == "models.example"
        return gives(chat("x"))(request)

    assert isinstance(asked(answer), ModelReply)


LEAKS: dict[str, Answer] = {
    "in an error": gives({"error": {"message": f"bad key {KEY}", "param": KEY, "code": KEY, "type": KEY}}, 401),
    "in a header": gives({}, 503, {"x-key": KEY, "retry-after": KEY}),
    "in an answer": gives(chat(f'{{"why": "{KEY}", "edits": []}}')),
    "in a refusal": gives(chat(None, refusal=f"your key is {KEY}")),
    "in nonsense": gives(KEY.encode()),
    "in the reason": gives(chat("{}", KEY)),
    "in the reasoning": gives(chat("{}", reasoning_content=f"the key is {KEY}")),
    "in a success that is an error": gives({"error": {"message": KEY, "code": KEY}}),
}


@pytest.mark.parametrize("answer", LEAKS.values(), ids=LEAKS.keys())
def test_the_key_appears_nowhere(answer, caplog):
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    scope = scope_of()
    asking = endpoint(answer)
    client = ModelClient(asking, Meter(ModelLimits(attempts=2)), lambda _: None, lambda one: said.append(repr(one)))
    proposer = ModelProposer(client, lambda texts: True)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            said.append(repr(list(proposer.propose(plan_of(scope), context_of(scope)))))
        except ModelError as problem:
            chain = "".join(traceback.format_exception(problem))
            said += [chain, repr(vars(problem)), repr(problem.__context__), repr(problem.__cause__)]
    said += [repr(asking), repr(proposer), proposer.stopped, out.getvalue(), caplog.text]
    assert said
    assert not any(KEY in text for text in said)
