"""The one model that the options name: it proposes calls for tests, writes programs, and reads sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis.errors import UsageError
from analysis.facts import Files
from repair.model.make_client import make_client
from repair.model.models_inputs import ModelsInputs
from repair.model.sentence_reader import ModelsReading
from repair.model.writing.writer import ModelsPrograms
from repair.observe.parsing import check_sources
from repair.records.config import Options
from repair.records.events import Listener
from repair.records.proposed_inputs import InputProposer, NoInputs
from repair.records.read_sentences import SentenceReader
from repair.records.written import ProgramWriter


def input_proposer_of(options: Options, env: Mapping[str, str], listen: Listener) -> InputProposer:
    """The one model that is named, without stronger ones behind it; nobody where none is named."""
    if not options.model:
        return NoInputs()
    return ModelsInputs(make_client(_alone(options), env, listen), options.model)


def program_writer_of(options: Options, env: Mapping[str, str], listen: Listener) -> ProgramWriter:
    """Who writes programs and tests: the one model that is named. Raises ``UsageError`` where none is."""
    if not options.model:
        raise UsageError("No model is named, and a program is written by one", remedy="Name one with --model NAME.")
    return ModelsPrograms(make_client(_alone(options), env, listen), _first_problem, options.seed)


def sentence_reader_of(options: Options, env: Mapping[str, str], listen: Listener) -> SentenceReader:
    """Who reads what no extractor understands: the one model that is named."""
    return ModelsReading(make_client(_alone(options), env, listen), options.seed)


def _alone(options: Options) -> Options:
    return replace(options, strong_model="", models=())


def _first_problem(files: Files) -> str:
    """Which of the files cannot be parsed, and why; empty where all can."""
    return next((f"{each.path} cannot be parsed: {each.detail}" for each in check_sources(files)), "")
