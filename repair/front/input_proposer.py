"""Who proposes calls for tests that are grown: the model that the options name, if any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from repair.model.make_client import make_client
from repair.model.models_inputs import ModelsInputs
from repair.records.config import Options
from repair.records.events import Listener
from repair.records.proposed_inputs import InputProposer, NoInputs


def input_proposer_of(options: Options, env: Mapping[str, str], listen: Listener) -> InputProposer:
    """The one model that is named, without stronger ones behind it; nobody where none is named."""
    if not options.model:
        return NoInputs()
    alone = replace(options, strong_model="", models=())
    return ModelsInputs(make_client(alone, env, listen), options.model)
