"""Which ledgers a run reads and writes, by its options and by where it is recorded."""

from __future__ import annotations

import os
import time

from repair.front.run_inputs import REMEMBERED
from repair.memory.ledger import FILE, RunLedger
from repair.memory.run_memory import OrderReason, RunMemory
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.store.state import user_folder
from repair.store.store import RunStore

DAY_SECONDS = 86_400


def project_ledger(store: RunStore) -> RunLedger:
    """The ledger of one project: it lies beside its runs, outside of the project."""
    return RunLedger(store.directory / FILE, store.key, os.path.realpath(store.root))


def shared_ledger(store: RunStore) -> RunLedger:
    """The ledger of all projects of the user, in his state directory."""
    return RunLedger(user_folder() / FILE, store.key, os.path.realpath(store.root))


def open_memory(options: Options, store: RunStore, listen: Listener, *, is_asked: bool) -> RunMemory:
    """The memory of a run; an empty one where it is off, or not ``is_asked``: for a replay, or a run that is not kept.

    The shared ledger is written and read where all projects are asked for.
    """
    ledgers: tuple[RunLedger, ...] = ()
    if is_asked and options.memory != "off":
        ledgers = (project_ledger(store), *((shared_ledger(store),) if options.memory == "all" else ()))

    def tell(reason: OrderReason) -> None:
        listen(event("memory", function=reason.function, message=reason.claim))
        if reason.chance is not None and reason.chance.is_unlikely:
            listen(event("warning", message=f"{reason.function}: {reason.chance.claim}"))

    memory = RunMemory(ledgers, int(time.time() // DAY_SECONDS), tell, moves=options.order == REMEMBERED)
    memory.hear_people(store.stored_runs)
    return memory
