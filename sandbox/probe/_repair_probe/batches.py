"""Several trials in one fork, one after the other, where that changes nothing.

A fork pays for copying pages, and its first run for everything that is made on first use: more than most
tests take. Before any batch a rehearsal in a fork of its own runs the unpatched program twice; batches are
for programs that do the same both times and leave the same data behind, and for functions that are called
as often the second time (one that is not has its results kept somewhere). At its end a batch runs the
unpatched program again; where that differs from its beginning, all of its trials run again alone. What
passes in a batch always does.
"""

import gc
import os
import sys
from time import monotonic

from _repair_probe.runner import own_basetemp, run_items
from _repair_probe.state import TooLarge, data_of, digest_of, modules_below, process_data

MOST = 12
"""Trials in one fork."""

ALONE_FIRST = 150
"""The likeliest trials are each given a fork of their own."""

SLOWEST = 0.25
"""Seconds that a run may take for batches to pay."""


def rehearsal(server):
    """Work for a fork: whether batches are sound here, and which functions must stay out of them."""

    def work(send):
        own_basetemp(server.config, os.environ["TMPDIR"])
        try:
            given, began = _given(server), monotonic()
            seen, calls = _watched(server)
            took = monotonic() - began
            if given != _given(server):
                send(batches=False, reason="the tests change their own data")
                return
            left = _state(server)
            again, calls_again = _watched(server)
            if seen != again or left != _state(server):
                send(batches=False, reason="a second run differs from the first")
                return
        except TooLarge:
            send(batches=False, reason="too much data to compare")
            return
        odd = sorted(key for key in calls.keys() | calls_again.keys() if calls.get(key) != calls_again.get(key))
        send(
            batches=took <= SLOWEST,
            reason="" if took <= SLOWEST else "the tests are slow",
            odd=[list(key) for key in odd],
        )

    return work


def batch(server, trials):
    """Work for a fork: the outcome of each (target, text), then whether the unpatched program is as before."""
    from _repair_probe.tasks import REFUSED, outcome

    def work(send):
        gc.disable()
        own_basetemp(server.config, os.environ["TMPDIR"])
        seen = _run(server)
        left = _state(server)
        for place, (target, text) in enumerate(trials):
            server.index.clear_caches()
            try:
                patch = target.patch(text)
            except REFUSED as problem:
                send(place=place, invalid="%s: %s" % (type(problem).__name__, str(problem)[:300]))
                continue
            patch.apply()
            first = run_items(server.items, server.recorder)
            patch.undo()
            send(place=place, **outcome(server, first))
        server.index.clear_caches()
        send(kept=_run(server) == seen and _state(server) == left)

    return work


def _run(server):
    """What the tests do: the first that does not pass, and how."""
    first = run_items(server.items, server.recorder)
    return first, server.recorder.results.get(first)


def _watched(server):
    """What all tests do, and how often each function of the project is called meanwhile."""
    calls, root = {}, server.root + os.sep

    def watch(frame, event, _argument):
        if event == "call" and frame.f_code.co_filename.startswith(root):
            code = frame.f_code
            key = (code.co_filename, code.co_name, code.co_firstlineno)
            calls[key] = calls.get(key, 0) + 1

    server.index.clear_caches()
    sys.setprofile(watch)
    try:
        run_items(server.items, server.recorder, stop_early=False)
    finally:
        sys.setprofile(None)
    return dict(server.recorder.results), calls


def _state(server):
    modules = modules_below(server.root)
    return digest_of([data_of(modules.values()), process_data(), _parameters(server)], frozenset(modules))


def _given(server):
    """Data that the tests bring with them: their parameters and what their modules define."""
    tests = {id(item.module): item.module for item in server.items if getattr(item, "module", None) is not None}
    return digest_of([_parameters(server), data_of(tests.values())], frozenset(m.__name__ for m in tests.values()))


def _parameters(server):
    specs = (getattr(item, "callspec", None) for item in server.items)
    return [spec.params for spec in specs if spec is not None]


def text_of(request):
    """The text of a trial, as bytes."""
    return request["text"].encode("latin-1")


class Batching:
    """When the server may batch, and what a finished batch says of each of its trials."""

    def __init__(self):
        self._singles = 0
        self._allowed = None
        self._asked = False
        self._odd = frozenset()
        self._spoilt = 0

    def note_single(self, request):
        """A trial got a fork of its own."""
        self._singles += request["task"] == "trial"

    def wants_rehearsal(self):
        """Whether it is time to find out if batches are sound; true once."""
        if self._asked or self._singles < ALONE_FIRST:
            return False
        self._asked = True
        return True

    def learn(self, lines):
        """What the rehearsal found. One that did not end has found nothing."""
        found = next((line for line in lines if "batches" in line), {})
        self._allowed = found.get("batches") is True
        self._odd = frozenset(tuple(key) for key in found.get("odd", ()))

    def ahead(self):
        """How many trials for each job it is good to have waiting."""
        return 2 * MOST if self._allowed else 2

    def takes(self, request, target):
        """Whether this request may share a fork."""
        return bool(
            self._allowed
            and request["task"] == "trial"
            and not request.get("alone")
            and not any((c.co_filename, c.co_name, c.co_firstlineno) in self._odd for c in target.levels.values())
        )

    def settle(self, fork):
        """Answers as (request, state, ending, lines), and the requests that have to run alone."""
        lines = {line.pop("place"): line for line in fork.lines if isinstance(line.get("place"), int)}
        kept = fork.state == "done" and any(line.get("kept") is True for line in fork.lines)
        if fork.state == "done" and not kept:
            self._spoilt += 1
            self._allowed = self._allowed and self._spoilt < 4
        answers, again = [], []
        for place, request in enumerate(fork.tag):
            line = lines.get(place)
            if kept and line is not None and "passed" not in line:
                answers.append((request, "done", "done", [line]))
            elif fork.state == "timeout" and line is None and place == len(lines):
                answers.append((request, "timeout", fork.ending(), []))
            else:
                again.append(dict(request, alone=True))
        return answers, again
