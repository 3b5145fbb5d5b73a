"""One of several models that a user names: where it is, what it costs, and how strong it is taken for."""

from __future__ import annotations

import math
import re
import shlex
from dataclasses import dataclass, replace

from analysis.errors import UsageError
from repair.records.addresses import holds_credentials

KEY_VARIABLE = re.compile(r"REPAIR_(?:\w+_)?API_KEY|OPENAI_API_KEY")
"""Environment variables that may hold a model's key: no target sees one, and no file may ask for one."""

FORM = "Write it as 'NAME strength=2 input-price=1 output-price=4 base-url=URL key=REPAIR_NAME_API_KEY'."


@dataclass(frozen=True, slots=True)
class Arm:
    """One model. Prices are US dollars for a million tokens, ``None`` where nobody knows them.

    Without a ``base_url`` it is asked at the first model's endpoint, with that one's key. ``key`` names the variable of
    a key of its own.
    """

    model: str
    base_url: str = ""
    key: str = ""
    input_price: float | None = None
    output_price: float | None = None
    strength: int = 1

    @property
    def order(self) -> tuple[int, float]:
        """Weaker ones come first, and of equally strong ones the cheaper; one of unknown price is behind them."""
        known = self.input_price is not None and self.output_price is not None
        return self.strength, (self.input_price or 0.0) + (self.output_price or 0.0) if known else math.inf


def read_arm(text: str) -> Arm:
    """The model that a text names: its name, then ``key=value`` in any order. Raises ``UsageError``, with the form."""
    try:
        name, *rest = shlex.split(text)
    except ValueError as problem:
        raise UsageError("A further model has no name, or an open quote", remedy=FORM) from problem
    arm = Arm(name)
    for word in rest:
        key, _, value = word.partition("=")
        arm = _with(arm, key.replace("-", "_"), value)
    if "=" in name:
        raise UsageError(f"A further model has no name before {name.partition('=')[0]}", remedy=FORM)
    return arm


def _with(arm: Arm, key: str, value: str) -> Arm:
    try:
        if key in ("input_price", "output_price"):
            price = float(value)
            if math.isfinite(price) and price >= 0:
                return replace(arm, input_price=price) if key == "input_price" else replace(arm, output_price=price)
        elif key == "strength" and int(value) >= 1:
            return replace(arm, strength=int(value))
        elif key == "key" and KEY_VARIABLE.fullmatch(value):
            return replace(arm, key=value)
        elif key == "base_url" and value and not holds_credentials(value):
            return replace(arm, base_url=value)
    except ValueError:
        pass
    raise UsageError(f"{key.replace('_', '-')} of the model {arm.model} is none", remedy=FORM)
