"""A model beside the search: it is asked as if it were alone, and what it wrote is tried, whatever the search finds."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest
from fakes.diagnosed import FAILING, SOURCES, localized_of, observed
from fakes.engines import search_parts
from fakes.proposers import Edit, Rewrites
from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.courses import Followed, FollowQuery
from analysis.facts import Outcome
from repair.hunt.near_edits import MOST_SECONDS
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_result import SearchResult
from repair.hunt.search_state import MOST_SURVIVORS
from repair.model.asking import ModelClient
from repair.model.backend import ModelRequest
from repair.model.meter import Meter, ModelLimits
from repair.model.proposer import ModelProposer
from repair.model.reply import ModelReply
from repair.records.ports import Context, Proposer
from repair.records.task import Budget, PatchPlan, Pause
from transforms.tree.proposal import Proposal

OLD = "count + RATE"
RIGHT, WRONG, SLIP = "count * RATE", "count * 2 + 0", "count / RATE"
PASSES = (RIGHT.encode(), WRONG.encode())


class Model(Rewrites):
    name = "model"

    def __init__(self, *texts: str, before: Callable[[], None] = lambda: None) -> None:
        super().__init__({"price": [_edit(text) for text in texts]}, eager=False, before=before)


class Search(Rewrites):
    name = "search"

    def __init__(self, *texts: str) -> None:
        super().__init__({"price": [_edit(text) for text in texts]}, where_it_fits=True)


def _edit(text: str) -> Edit:
    return (OLD, text)


def find(
    *proposers: Proposer, tick: float = 0.001, seconds: float = 60.0, suspects: Sequence[str] = ("price",), **given: Any
) -> SearchResult:
    """What a search with these finds, where each trial takes a ``tick`` of the clock."""
    now = [0.0]

    class Session(FakeSession):
        def follow(self, ask: FollowQuery) -> Followed:
            return Followed()

        def trials(self, trials):  # type: ignore[no-untyped-def]
            for outcome in super().trials(trials):
                now[0] += tick
                yield outcome

    def passes(trial: object) -> bool:
        return any(text in trial.text for text in PASSES)  # type: ignore[attr-defined]

    def session(tests: object, files: object) -> FakeSession:
        return Session(passes) if tests == (FAILING,) else FakeSession(lambda trial: True)

    sandbox = FakeSandbox(lambda tests, *_: run_of(dict.fromkeys(tests, Outcome.FAILED)), SOURCES, session)
    parts = search_parts(sandbox, *proposers, clock=lambda: now[0], **given)
    seen = observed()
    with closing(parts.open_pool(seen, SOURCES)) as pool:
        return SearchLoop(parts, seen, localized_of(*suspects), SOURCES, Budget(max_seconds=seconds), pool).run()


def written(result: SearchResult) -> list[str]:
    """What of the finds a model wrote by itself."""
    own = (s for s in result.survivors if s.candidate.origin.proposer == "model" or s.seconded)
    return [s.candidate.text.decode() for s in own]


def script(seed: int) -> tuple[list[str], list[str]]:
    """Replies of a model, and edits of a search that may find something that only looks right, or the same."""
    draw = random.Random(seed)
    replies = [draw.choice([RIGHT, WRONG, f"count - {draw.randrange(50)}"]) for _ in range(draw.randrange(1, 6))]
    edits = [f"count + {n}" for n in range(draw.randrange(60))]
    for text in draw.sample([RIGHT, WRONG], draw.randrange(3)):
        edits.insert(draw.randrange(len(edits) + 1), text)
    return replies, edits


class Ending(Search):
    """Says when nothing is left of it."""

    def __init__(self, *texts: str) -> None:
        super().__init__(*texts)
        self.gone = threading.Event()

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal]:
        yield from super().propose(plan, context)
        self.gone.set()

    def wait(self) -> None:
        """Until then."""
        self.gone.wait(20)


def have_as_many_requests_and_finds(seed: int, *, late: bool) -> None:
    replies, edits = script(seed)
    search = Ending(*edits)
    alone, beside = Model(*replies), Model(*replies, before=search.wait if late else lambda: None)
    by_model, by_both = find(alone), find(beside, search)
    assert len(beside.seen) == len(alone.seen)
    assert sorted(written(by_both)) == sorted(written(by_model))


@pytest.mark.parametrize("seed", range(40))
def test_beside_a_search_a_model_has_as_many_requests_and_what_it_wrote_is_found(seed: int) -> None:
    have_as_many_requests_and_finds(seed, late=False)


@pytest.mark.parametrize("seed", range(40))
def test_so_it_is_where_each_reply_comes_after_the_search_has_found_what_it_finds(seed: int) -> None:
    """A sound find of the search, made before, was why a model's own with a doubtful shape was dropped."""
    have_as_many_requests_and_finds(seed, late=True)


def test_a_model_is_asked_on_though_the_search_has_found_more_than_is_kept() -> None:
    model = Model("count - 1", "count - 2", RIGHT)
    found = find(model, Search(*(f"{WRONG} + {n}" for n in range(2 * MOST_SURVIVORS))))
    assert len(model.seen) == 3
    assert RIGHT in written(found)[0]


def test_a_reply_that_comes_after_the_search_has_ended_is_tried() -> None:
    search = Ending(WRONG)
    found = find(Model(RIGHT, before=search.wait), search)
    assert RIGHT in written(found)[0]


def test_what_the_search_made_of_a_models_near_miss_is_an_answer_of_the_model() -> None:
    search = Rewrites({"price": [(SLIP, RIGHT)]}, where_it_fits=True)
    search.name = "search"
    model = Model(SLIP, "count - 1")
    found = find(model, search)
    assert [s.candidate.origin.proposer for s in found.survivors] == ["model+search"]
    assert len(model.seen) == 1


def test_a_model_that_says_what_the_search_found_seconds_it_and_is_asked_no_more() -> None:
    search = Ending(*(f"count + {n}" for n in range(30)), RIGHT)
    model = Model(RIGHT, "count - 1", before=search.wait)
    (found,) = find(model, search).survivors
    assert found.candidate.origin.proposer == "search"
    assert found.seconded
    assert (found.position, found.place) == (31, 1)
    assert len(model.seen) == 1


def test_a_models_edit_has_its_place_among_its_own() -> None:
    search = Ending(*(f"count + {n}" for n in range(30)))
    (found,) = find(Model("count - 1", RIGHT, before=search.wait), search).survivors
    assert found.place == 2
    assert found.position > 30


def test_the_next_request_waits_a_share_of_the_time_for_what_is_made_of_words() -> None:
    asked: list[int] = []

    class Words(Model):
        def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
            yield Pause(words=tuple(f"count * {n} + 1" for n in range(30)))
            asked.append(round(60.0 - context.seconds_left()))
            yield from super().propose(plan, context)

    found = find(Words(RIGHT), Search(*(f"count + {n}" for n in range(400))), tick=1.0)
    assert RIGHT in written(found)[0]
    assert asked[0] <= MOST_SECONDS + 4, "edits that are made of words go on when the request is on its way"


def test_a_model_is_waited_for_in_a_thread_and_all_that_parses_runs_in_that_of_the_search() -> None:
    """The parser of Python 3.11 raises ``SystemError`` where two threads take turns in it."""
    where: dict[str, int] = {}

    class Endpoint:
        def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply:
            where["asked"] = threading.get_ident()
            return ModelReply(f"WHY: a product.\n```python update `{OLD}`\n{RIGHT}\n```\nEND.")

    def survives(texts: Sequence[str]) -> bool:
        where["read"] = threading.get_ident()
        return True

    class Noting(ModelProposer):
        def _messages(self, *given: Any) -> Any:
            where["built"] = threading.get_ident()
            return super()._messages(*given)

    model = Noting(ModelClient(Endpoint(), Meter(ModelLimits()), lambda _: None), survives)
    found = find(model, Search(*(f"count + {n}" for n in range(30))))
    assert RIGHT in written(found)[0]
    assert where["asked"] != threading.get_ident()
    assert where["read"] == where["built"] == threading.get_ident()


class Slow(Rewrites):
    """A model that answers about one function only when an answer about the other was tried, and keeps who it is."""

    name = "model"

    def __init__(self, about: dict[str, list[Edit]], waits: str) -> None:
        super().__init__(about, eager=False)
        self._waits = waits
        self.passed = threading.Event()
        self.asked_at_once = 0

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal]:
        self.asked_at_once += 1
        if plan.function.qualname == self._waits:
            assert self.passed.wait(20), "the other function is asked about meanwhile"
        for each in super().propose(plan, context):
            yield each
            if any(attempt.state == "passed" for attempt in context.attempts()):
                self.passed.set()
        self.passed.set()


def test_a_right_function_behind_a_wrong_one_waits_for_no_reply_about_that() -> None:
    model = Slow({"label": ['def label(text):\n    return ""\n'], "price": [_edit(RIGHT)]}, waits="label")
    found = find(model, suspects=("label", "price"), asked_at_once=2)
    assert RIGHT in written(found)[0]
    assert model.asked_at_once == 2


def test_what_came_of_an_edit_is_told_before_its_own_function_is_asked_about_again() -> None:
    edits: dict[str, Sequence[Edit]] = {"price": [_edit("count - 1"), _edit("count - 2"), _edit(RIGHT)]}
    model = Rewrites({**edits, "label": ['def label(text):\n    return ""\n']}, eager=False)
    found = find(model, suspects=("label", "price"), asked_at_once=2)
    assert len(found.survivors) == 1
    own = [[a for a in seen if a.function is not None and a.function.qualname == "price"] for seen in model.seen]
    assert {0, 1, 2} <= {len(each) for each in own}
