"""Which tests vouch for which functions: by the lines that they ran, never by names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from analysis.facts import LineMap, TestId
from analysis.lines import Lines, bits_of
from analysis.public_names import ProgramFunction
from analysis.statement_lines import Share, executed_share


@dataclass(frozen=True, slots=True)
class VouchedFunction:
    """A function with the tests that run it. ``tests`` vouch for it; ``others`` run it and cannot.

    ``ran`` are its lines that the vouching tests ran, ``share`` says how many of its statements they are.
    """

    function: ProgramFunction
    tests: tuple[TestId, ...]
    others: tuple[TestId, ...]
    ran: Lines
    share: Share


def find_vouching_tests(
    functions: Sequence[ProgramFunction],
    line_map: LineMap,
    able: Set[TestId],
    replaced: Set[tuple[TestId, str]] = frozenset(),
) -> tuple[VouchedFunction, ...]:
    """Each function with the tests that ran a statement of it, in the order of the line map.

    ``able`` can vouch at all; ``replaced`` are tests that put something else in the place of a function of that name.
    """
    by_path: dict[str, list[int]] = {}
    masks = [Lines.from_ranges(function.statements).bits for function in functions]
    for number, function in enumerate(functions):
        by_path.setdefault(function.path, []).append(number)
    tests: list[list[TestId]] = [[] for _ in functions]
    others: list[list[TestId]] = [[] for _ in functions]
    ran = [0] * len(functions)
    touched: dict[tuple[str, int], tuple[int, ...]] = {}
    for test, files in line_map:
        for path, lines in files:
            bits = bits_of(lines)
            if (path, bits) not in touched:
                touched[path, bits] = tuple(n for n in by_path.get(path, ()) if masks[n] & bits)
            for number in touched[path, bits]:
                if test in able and (test, functions[number].qualname) not in replaced:
                    tests[number].append(test)
                    ran[number] |= bits & masks[number]
                else:
                    others[number].append(test)
    return tuple(
        VouchedFunction(
            function,
            tuple(own),
            tuple(rest),
            lines := Lines.from_bits(bits),
            executed_share(function.statements, lines),
        )
        for function, own, rest, bits in zip(functions, tests, others, ran, strict=True)
    )


def without_alternatives(found: Iterable[VouchedFunction]) -> tuple[VouchedFunction, ...]:
    """The functions less those definitions that only stand for another case of the same name.

    A name that is defined twice, under a condition that the program's surroundings decide, is run as one of them alone.
    """
    listed = tuple(found)
    run = {(v.function.path, v.function.qualname) for v in listed if v.tests or v.others}
    last = {(v.function.path, v.function.qualname): v.function for v in listed if not v.function.is_accessor}

    def is_run(v: VouchedFunction) -> bool:
        place = (v.function.path, v.function.qualname)
        return bool(v.tests or v.others) or (place not in run and last[place] == v.function)

    return tuple(v for v in listed if v.function.is_accessor or is_run(v))


def specific_first(tests: Sequence[TestId], found: Sequence[VouchedFunction]) -> tuple[TestId, ...]:
    """The tests, those first that vouch for few functions."""
    counts = Counter(test for each in found for test in each.tests)
    return tuple(sorted(tests, key=lambda test: (counts[test], test)))
