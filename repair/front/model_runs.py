"""The model in a run: who asks it, what is recorded of that, and a run that is done again with recorded replies."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis.errors import UsageError
from repair.front.asked_runs import OF_THE_OUTPUT, AskedRun, read_asked
from repair.model.asking import Exchange
from repair.model.backend import ReplyForm
from repair.model.exchanges import MemoryTold, RecordedReplies, exchange_of, keep_exchange, read_exchanges
from repair.model.import_rules import ImportRules
from repair.model.make_client import make_client
from repair.model.packet import Neighbour
from repair.model.proposer import ModelProposer
from repair.model.reply_json import JsonReply
from repair.model.router import arms_of, route_of
from repair.model.take_reply import ReplyRules
from repair.records.addresses import without_credentials
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.records.first_difference import first_difference
from repair.records.model_arms import KEY_VARIABLE
from repair.records.result import Result
from repair.records.secret_names import choose_arguments
from repair.records.task import Strategist, Strategy, first_strategy
from repair.store.stored_run import StoredRun

OF_THIS_MACHINE = ("root", "python", "state_dir", "isolation", "isolation_image", "coverage_file", "replies")


def make_model_proposer(
    options: Options,
    env: Mapping[str, str],
    listen: Listener,
    run: StoredRun,
    recorded: RecordedReplies | None = None,
    earlier: Mapping[str, Sequence[str]] | None = None,
    neighbour: Neighbour = lambda plan, sources: "",
    strategist: Strategist = first_strategy,
) -> ModelProposer:
    """The proposer that asks the model of these options; each question is written down in the run, with its tries.

    It is told of ``earlier`` attempts, by test, unless replies are given: a question with such lines is another one. So
    it is with the ``neighbour`` and the ``strategist``; a replay takes what was recorded of both.
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

    pause = time.sleep if recorded is None or recorded.goes_on else lambda seconds: None
    rules = ReplyRules(ImportRules.of(options.forbidden_modules), options.patch_lines)
    form = ReplyForm("reply", JsonReply.model_json_schema()) if options.reply_form == "json" else None
    known = recorded.earlier if recorded is not None else {} if options.replies else earlier
    client = make_client(options, env, listen, note, recorded)
    route = route_of(options)
    near, ways = (neighbour, strategist) if recorded is None else (recorded.neighbour, recorded.strategy)
    return ModelProposer(client, None, pause, rules, route, form, known, listen, near, ways)


def asked_again(run: StoredRun, options: Options) -> tuple[AskedRun, RecordedReplies]:
    """What a run asked that a model had a part in, with options made to fit this machine; and the model's replies.

    Raises ``UsageError`` where the run asked none, and for a foreign run: its record would choose what is run here.
    """
    asked = read_asked(run)
    if asked is None or "model" not in asked.options.chosen_proposers:
        raise UsageError(f"Run {run.id} asked no model", remedy="Leave --model out to prove its certificate.")
    then = asked.options
    own = {name: getattr(options, name) for name in (*OF_THIS_MACHINE, *OF_THE_OUTPUT)}
    python = options.python or then.python
    # An agent would be asked anew, with its own network: what it did is not replayed.
    others = tuple(name for name in then.chosen_proposers if name != "agent")
    arguments = choose_arguments(options.pytest_args, then.pytest_args)
    own |= {"python": python, "agent": "", "proposers": others, "pytest_args": arguments}
    replies = RecordedReplies(_exchanges_of(run), asked.earlier, told=_told_by_memory(run))
    return replace(asked, options=replace(then, **own)), replies


def replies_so_far(run: StoredRun, asked: AskedRun) -> RecordedReplies:
    """The replies that the run got before it was ended; what it did not ask is asked now."""
    return RecordedReplies(_exchanges_of(run), asked.earlier, goes_on=True, told=_told_by_memory(run))


def _exchanges_of(run: StoredRun) -> list[Exchange]:
    return [exchange_of(values) for values in read_exchanges(run)]


def _told_by_memory(run: StoredRun) -> dict[str, MemoryTold]:
    """What the memory said to the model about each function."""
    found: dict[str, MemoryTold] = {}
    for each in (each for each in run.events() if each.get("type") == "memory"):
        function, share, kinds = str(each.get("function")), each.get("share"), each.get("kinds")
        known = found.get(function, MemoryTold())
        if each.get("neighbour"):
            known = replace(known, neighbour=str(each["neighbour"]))
        if isinstance(share, int | float) or isinstance(kinds, dict):
            shares = {"model": float(share)} if isinstance(share, int | float) else {}
            counts = {str(kind): int(count) for kind, count in (kinds or {}).items()}
            known = replace(known, strategy=Strategy(shares, counts))
        found[function] = known
    return found


def tell_replayed(result: Result, then: Result | None, run: StoredRun, replies: RecordedReplies) -> Result:
    """The result of a run with recorded replies, with what was as recorded and what was not."""
    count = replies.same + replies.other
    said = [f"the model was not asked: its replies are those of run {run.id}"]
    if count or replies.unknown:
        said.append(f"{replies.same} of {count} questions are byte for byte as recorded")
        said += [f"the first that is not: {replies.parted}"] if replies.parted else []
    if replies.unknown:
        said.append(f"{replies.unknown} more were not asked then, and have no reply")
    if then is not None:
        now_and_then = [_patch_of(result), _patch_of(then)]
        parted = first_difference(now_and_then[1], now_and_then[0])
        patch = f"another one, which differs {parted}" if parted else "the same, byte for byte"
        told = f"the patch is {patch}" if any(now_and_then) else "neither has a patch"
        said.append(f"the word is {result.status} and was {then.status}; {told}")
    return replace(result, messages=(*result.messages, *said))


def tell_resumed(result: Result, run: StoredRun, replies: RecordedReplies) -> Result:
    """The result of a run that went on from another one, with what was taken from that one's record."""
    taken = replies.same + replies.other
    said = [f"it went on from run {run.id}"]
    if taken or replies.unknown:
        count = f"{taken} replies of its model are from there, and it was asked {replies.unknown} times more"
        said = [f"it went on from run {run.id}: {count}"]
    return replace(result, messages=(*result.messages, *said))


def _patch_of(result: Result) -> str:
    return result.patches[0].diff if result.patches else ""
