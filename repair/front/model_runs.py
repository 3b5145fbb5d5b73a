"""The model in a run: who asks it, what is recorded of that, and a run that is done again with recorded replies."""

from __future__ import annotations

import time
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.errors import UsageError
from analysis.facts import TestId
from repair.model.asking import Exchange
from repair.model.backend import ReplyForm
from repair.model.exchanges import RecordedReplies, exchange_of, keep_exchange, read_exchanges
from repair.model.import_rules import ImportRules
from repair.model.make_client import make_client
from repair.model.proposer import ModelProposer
from repair.model.reply_json import JsonReply
from repair.model.router import arms_of, route_of
from repair.model.take_reply import ReplyRules
from repair.records.addresses import without_credentials
from repair.records.change import Change
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.records.json_records import from_plain, to_plain
from repair.records.model_arms import KEY_VARIABLE
from repair.records.result import Result
from repair.store.stored_run import StoredRun

QUESTION = "question.json"
"""In a run that asked a model: the tests that were named, and the options."""

OF_THIS_MACHINE = ("root", "python", "state_dir", "isolation", "isolation_image", "coverage_file", "replies")
OF_THE_OUTPUT = ("output_format", "color", "progress", "verbosity", "debug", "apply", "commit")


def make_model_proposer(
    options: Options,
    env: Mapping[str, str],
    listen: Listener,
    run: StoredRun,
    recorded: RecordedReplies | None = None,
    earlier: Mapping[str, Sequence[str]] | None = None,
) -> ModelProposer:
    """The proposer that asks the model of these options; each question is written down in the run, with its tries.

    It is told of ``earlier`` attempts, by test, unless replies are given: a question with such lines is another one.
    """
    secrets = [value for name, value in env.items() if value and KEY_VARIABLE.fullmatch(name)]
    places = {arm.model: arm.base_url or options.base_url for arm in arms_of(options)}
    unwritten: list[str] = []

    def note(exchange: Exchange) -> None:
        try:
            asked = exchange.request.model or options.model
            place = without_credentials(places.get(asked, options.base_url))
            keep_exchange(run, exchange, {"model": asked, "base_url": place}, secrets)
        except OSError as problem:  # a full disk loses the record and not the reply
            if not unwritten:
                unwritten.append(f"what is asked of the model is not recorded: {problem.strerror}")
                listen(event("warning", message=unwritten[0]))

    pause = time.sleep if recorded is None else lambda seconds: None
    rules = ReplyRules(ImportRules.of(options.forbidden_modules), options.patch_lines)
    form = ReplyForm("reply", JsonReply.model_json_schema()) if options.reply_form == "json" else None
    known = recorded.earlier if recorded is not None else {} if options.replies else earlier
    client = make_client(options, env, listen, note, recorded)
    route = route_of(options)
    return ModelProposer(client, pause=pause, rules=rules, route=route, form=form, earlier=known, listen=listen)


def keep_question(
    run: StoredRun,
    tests: Sequence[str],
    options: Options,
    earlier: Mapping[str, Sequence[str]] | None = None,
    change: Change | None = None,
) -> None:
    """Write down what the run was asked, so that it can be asked again. Addresses are written without credentials."""
    told = {test: list(lines) for test, lines in (earlier or {}).items() if lines}
    first, strong = without_credentials(options.base_url), without_credentials(options.strong_base_url)
    plain = to_plain(replace(options, base_url=first, strong_base_url=strong))
    asked = {"tests": list(tests), "options": plain, "earlier": told}
    run.save_json(QUESTION, asked if change is None else {**asked, "change": _plain_change(change)})


def _plain_change(change: Change) -> dict[str, Any]:
    """The change as JSON values; files are bytes, so they stand in base64."""
    before, after = (
        [[path, b64encode(text).decode()] for path, text in side] for side in (change.before, change.after)
    )
    return {"before": before, "after": after, "others": list(change.others)}


def _change_of(values: Mapping[str, Any]) -> Change:
    before, after = (
        tuple((str(path), b64decode(text, validate=True)) for path, text in values[side])
        for side in ("before", "after")
    )
    return Change(before, after, tuple(map(str, values["others"])))


def asked_again(run: StoredRun, options: Options) -> tuple[tuple[TestId, ...], Change | None, Options, RecordedReplies]:
    """What a run asked that a model had a part in: tests, the change that was judged, if any, and options.

    The options are made to fit this machine. Beside them stand the replies that the model gave.

    Raises ``UsageError`` where the run asked none, and for a foreign run: its record would choose what is run here.
    """
    found: Any = run.read_json(QUESTION)
    if found is None:
        raise UsageError(f"Run {run.id} asked no model", remedy="Leave --model out to prove its certificate.")
    if run.is_foreign:
        raise UsageError(
            f"Run {run.id} is foreign, and its options are not yours",
            remedy="Leave --model out to prove its certificate.",
        )
    try:
        tests = tuple(TestId(str(test)) for test in found["tests"])
        change = _change_of(found["change"]) if "change" in found else None
        then = from_plain(Options, found["options"], "options")
        earlier = {str(test): tuple(map(str, lines)) for test, lines in found.get("earlier", {}).items()}
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise UsageError(
            f"What run {run.id} was asked cannot be read: {problem}", remedy="Run `repair fix` again."
        ) from problem
    own = {name: getattr(options, name) for name in (*OF_THIS_MACHINE, *OF_THE_OUTPUT)}
    python = options.python or then.python
    # An agent would be asked anew, with its own network: what it did is not replayed.
    others = tuple(name for name in then.chosen_proposers if name != "agent")
    own |= {"python": python, "agent": "", "proposers": others}
    return tests, change, replace(then, **own), RecordedReplies(_exchanges_of(run), earlier)


def _exchanges_of(run: StoredRun) -> list[Exchange]:
    return [exchange_of(values) for values in read_exchanges(run)]


def tell_replayed(result: Result, then: Result | None, run: StoredRun, replies: RecordedReplies) -> Result:
    """The result of a run with recorded replies, with what was as recorded and what was not."""
    count = replies.same + replies.other
    said = [f"the model was not asked: its replies are those of run {run.id}"]
    if count or replies.unknown:
        said.append(f"{replies.same} of {count} questions are byte for byte as recorded")
    if replies.unknown:
        said.append(f"{replies.unknown} more were not asked then, and have no reply")
    if then is not None:
        now_and_then = [_patch_of(result), _patch_of(then)]
        patch = "the same, byte for byte" if now_and_then[0] == now_and_then[1] else "another one"
        told = f"the patch is {patch}" if any(now_and_then) else "neither has a patch"
        said.append(f"the word is {result.status} and was {then.status}; {told}")
    return replace(result, messages=(*result.messages, *said))


def _patch_of(result: Result) -> str:
    return result.patches[0].diff if result.patches else ""
