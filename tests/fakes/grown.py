"""Tests grown over a sandbox that runs in this process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from fakes.toy import ToySandbox

from analysis.facts import Limits
from analysis.stated.fact import StatedFact
from repair.observe.statements import KnownStatements
from repair.survey.growing.file_maker import FileMaker
from repair.survey.growing.function_growth import FunctionGrower, Grown
from repair.survey.growing.verified import Verifier
from repair.survey.survey import Surveyor
from repair.survey.survey_report import SurveyRequest

PATH = "test_grown_shop.py"


def growing(shop: bytes, tests: bytes) -> tuple[FunctionGrower, Verifier]:
    """Who grows tests of ``shop.py`` beside ``test_shop.py``, and who verifies them."""
    sandbox = ToySandbox((("shop.py", shop), ("test_shop.py", tests)))
    known = KnownStatements({})
    surveyor = Surveyor(sandbox, Limits(), time.monotonic, lambda _: None, lambda _: (), known.measure)
    seen = surveyor.look(SurveyRequest(mutants=0))
    maker = FileMaker.of(seen, "", failing=False)
    grower = FunctionGrower(
        sandbox, seen, Limits(), maker.printer, maker.constructors, maker.path, 0, 30, time.monotonic
    )
    return grower, Verifier(sandbox, Limits(), maker.printer)


def grow_one(
    name: str, shop: bytes, tests: bytes, elsewhere: Mapping[str, tuple[StatedFact, ...]] = MappingProxyType({})
) -> Grown:
    """What is grown of one function, of which other files state ``elsewhere``."""
    grower, _ = growing(shop, tests)
    grower = replace(grower, elsewhere=elsewhere)
    vouched = next(each for each in grower.seen.functions if each.function.qualname == name)
    return grower.grow(vouched, time.monotonic() + 60)


def grow_all(shop: bytes, tests: bytes) -> str:
    """The file of the tests of all functions."""
    grower, verifier = growing(shop, tests)
    cases = [case for each in grower.seen.functions for case in grower.grow(each, time.monotonic() + 60).cases]
    printed = verifier.verify(PATH, cases).printed
    return printed.text if printed is not None else ""
