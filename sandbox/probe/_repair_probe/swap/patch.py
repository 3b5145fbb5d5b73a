"""A compiled text, and what puts it into the live functions."""

from __future__ import annotations

import marshal

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.swap.code_objects import Unswappable

if TYPE_CHECKING:
    from types import CodeType, FunctionType

    from _repair_probe.ground.words import Defaults, Levels, Swapped, Value


class Compiled:
    """New codes by level, and new defaults as (code, positional, names) or ``None``."""

    def __init__(self, codes: Levels, defaults: Defaults | None) -> None:
        self.codes, self.defaults = codes, defaults

    def dump(self) -> bytes:
        """As bytes, for another process of the same interpreter."""
        return marshal.dumps((list(self.codes.items()), self.defaults))

    @classmethod
    def load(cls, dumped: bytes) -> Compiled:
        """What ``dumped`` gave."""
        codes, defaults = marshal.loads(dumped)
        return cls(dict(codes), defaults)


class Patch:
    """Live functions with their new code; ``own`` is the code of the changed function itself."""

    _before: list[tuple[FunctionType, CodeType]]
    _defaults_before: list[tuple[FunctionType, tuple[Value, ...] | None, dict[str, Value] | None]]

    def __init__(self, target: Swapped, compiled: Compiled) -> None:
        self.target = target
        codes = compiled.codes
        self.own = codes.get(target.own_key(), None)
        self.pairs = [(f, codes[key]) for key, functions in target.live.items() for f in functions]
        values = self._evaluate(*compiled.defaults) if compiled.defaults else None
        own = target.own_functions()
        self._defaults = [(f, *(values or (f.__defaults__, f.__kwdefaults__))) for f in own]
        self._before, self._defaults_before = [], []

    def apply(self) -> None:
        """Put the new code into every live function and empty the caches that wrap them."""
        self._before = [(f, f.__code__) for f, _ in self.pairs]
        self._defaults_before = [(f, f.__defaults__, f.__kwdefaults__) for f, _, _ in self._defaults]
        for function, code in self.pairs:
            function.__code__ = code
        for function, positional, named in self._defaults:
            function.__defaults__, function.__kwdefaults__ = positional, named
        for cache in self.target.caches:
            cache.cache_clear()

    def undo(self) -> None:
        """Put back what was there before the patch."""
        for function, code in self._before:
            function.__code__ = code
        for function, positional, named in self._defaults_before:
            function.__defaults__, function.__kwdefaults__ = positional, named
        for cache in self.target.caches:
            cache.cache_clear()

    def current_defaults(self) -> tuple[tuple[Value, ...] | None, dict[str, Value] | None]:
        """Positional and keyword defaults that hold while the patch is in."""
        return self._defaults[0][1:] if self._defaults else (None, None)

    def _evaluate(
        self, code: CodeType, split: int, names: list[str]
    ) -> tuple[tuple[Value, ...] | None, dict[str, Value] | None]:
        try:
            values = eval(code, self.target.own_functions()[0].__globals__)
        except Exception as problem:  # the default is the target's code
            raise Unswappable("a default cannot be evaluated alone (%r): needs a fresh import" % problem) from problem
        return values[:split] or None, dict(zip(names, values[split:])) or None
