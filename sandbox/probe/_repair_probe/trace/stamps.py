"""Code objects of CPython 3.11 that note their own lines.

Four more instructions stand in front of the first instruction of each line: ``lines[number] = None``. They stand before
each jump target too, since a line may be entered in its middle. They leave the stack as it was and cannot raise. Jumps,
the table of exception handlers and the table of positions are laid out anew, so tracebacks, columns and ``inspect`` say
what they said before.

A trace function slows every instruction of the process by being there, three to ten times in tight loops. These stores
cost a few nanoseconds each.
"""

from __future__ import annotations

import dis
import opcode
import sys
from types import CodeType

TYPE_CHECKING = False  # as in ``words``: the tests load this file alone
if TYPE_CHECKING:
    from typing import Any

    Positions = tuple[int | None, int | None, int | None, int | None]
    Handler = tuple[int, int, int, int]

USABLE = sys.version_info[:2] == (3, 11) and sys.implementation.name == "cpython"
_NAMES = dis.opname
_EXTENDED, _LOAD, _STORE = (dis.opmap[name] for name in ("EXTENDED_ARG", "LOAD_CONST", "STORE_SUBSCR"))
_JUMPS = frozenset(dis.hasjrel)
_BACKWARD = frozenset(number for number in _JUMPS if "BACKWARD" in _NAMES[number])
_CACHES = [2 * units for units in getattr(opcode, "_inline_cache_entries", ())]
_PAIRS = {("KW_NAMES", "PRECALL"), ("PRECALL", "CALL")}
"""Nothing may come between: the interpreter keeps state from one to the other."""


class SeenLines(dict):  # type: ignore[type-arg]  # a base cannot name its items before Python 3.9
    """Line numbers seen, as keys. Has a hash, because code objects are hashed with their constants."""

    __slots__ = ()
    __hash__ = object.__hash__  # type: ignore[assignment]  # a dict has none

    def __reduce__(self) -> tuple[type, tuple[()]]:
        """Code that is pickled by value runs where this module is not; there it notes lines in a dict of its own."""
        return dict, ()


class _Instruction:
    """One instruction of the old code; ``raw`` are its bytes there, caches included.

    ``target`` is the old offset that it may jump to. ``stamp`` are the bytes put in front, ``place`` the new offset.
    """

    __slots__ = ("argument", "name", "number", "offset", "place", "positions", "raw", "stamp", "target")

    def __init__(self, number: int, argument: int, offset: int, raw: bytes, positions: Positions) -> None:
        self.number, self.argument, self.offset = number, argument, offset
        self.raw, self.positions = raw, positions
        self.name = _NAMES[number]
        self.target: int | None = None
        self.stamp = b""
        self.place = 0


def stamp_code(code: CodeType, lines: SeenLines) -> CodeType:
    """The same code, and that of the functions in it, noting every line that it runs in ``lines``.

    Raises ``ValueError`` for code that no compiler of this version makes.
    """
    if sys.version_info < (3, 11):
        raise ValueError("code objects have no positions here")
    constants: list[Any] = [stamp_code(c, lines) if isinstance(c, CodeType) else c for c in code.co_consts]
    handlers = _handlers(code.co_exceptiontable)
    instructions = _instructions(code.co_code, list(code.co_positions()))
    _choose(instructions, handlers, _Stamps(constants, lines))
    places = _lay_out(instructions, len(code.co_code))
    return code.replace(
        co_code=b"".join([part for i in instructions for part in (i.stamp, i.raw)]),
        co_consts=tuple(constants),
        co_linetable=_positions(instructions, code.co_firstlineno),
        co_exceptiontable=_table(handlers, places),
        co_stacksize=code.co_stacksize + 3,
    )


def _instructions(raw: bytes, positions: list[Positions]) -> list[_Instruction]:
    found = []
    argument, first, at, end = 0, 0, 0, len(raw)
    while at < end:
        number, argument = raw[at], argument << 8 | raw[at + 1]
        at += 2
        if number == _EXTENDED:
            continue
        behind = at + _CACHES[number]
        instruction = _Instruction(number, argument, first, raw[first:behind], positions[first // 2])
        if number in _JUMPS:
            instruction.target = at + (-2 if number in _BACKWARD else 2) * argument
        found.append(instruction)
        argument, first, at = 0, behind, behind
    return found


def _choose(instructions: list[_Instruction], handlers: list[Handler], stamps: _Stamps) -> None:
    """Put stamps behind the first ``RESUME``, at each change of line and where blocks begin."""
    blocks = {i.target for i in instructions if i.target is not None}
    blocks.update(target for _, _, target, _ in handlers)
    begun, last, before = False, None, ""
    for instruction in instructions:
        line, name = instruction.positions[0], instruction.name
        if begun and name != "RESUME" and line is not None and line > 0:
            if (before, name) in _PAIRS:
                if line != last:
                    raise ValueError("a call changes its line half-way")
            elif line != last or instruction.offset in blocks:
                instruction.stamp = stamps.of(line)
            last = line
        begun = begun or name == "RESUME"
        before = name


class _Stamps:
    """The four instructions that note one line."""

    def __init__(self, constants: list[Any], lines: SeenLines) -> None:
        self._constants = constants
        self._known: dict[int, bytes] = {}
        self._front = _encode(_LOAD, self._constant(None)) + _encode(_LOAD, self._constant(lines))

    def _constant(self, value: Any) -> int:
        self._constants.append(value)
        return len(self._constants) - 1

    def of(self, line: int) -> bytes:
        """Their bytes."""
        if line not in self._known:
            store = bytes([_STORE, 0]) + bytes(_CACHES[_STORE])
            self._known[line] = self._front + _encode(_LOAD, self._constant(line)) + store
        return self._known[line]


def _encode(number: int, argument: int, least: int = 2) -> bytes:
    """An instruction with its argument, ``least`` bytes long or longer."""
    if argument < 256 and least == 2:
        return bytes((number, argument))
    parts = argument.to_bytes(max(least // 2, (argument.bit_length() + 7) // 8), "big")
    return b"".join(bytes((_EXTENDED, part)) for part in parts[:-1]) + bytes((number, parts[-1]))


def _lay_out(instructions: list[_Instruction], end: int) -> dict[int, int]:
    """Give jumps their new arguments; gives the new offset of every old one. Jumps only ever grow, so this ends."""
    jumps = [(i, i.target) for i in instructions if i.target is not None]
    while True:
        at, places = 0, {}
        for instruction in instructions:
            places[instruction.offset] = instruction.place = at
            at += len(instruction.stamp) + len(instruction.raw)
        grown = False
        for jump, target in jumps:
            behind = jump.place + len(jump.stamp) + len(jump.raw)
            raw = _encode(jump.number, abs(places[target] - behind) // 2, len(jump.raw))
            grown = grown or len(raw) > len(jump.raw)
            jump.raw = raw
        if not grown:
            places[end] = at
            return places


def _positions(instructions: list[_Instruction], first_line: int) -> bytes:
    """The table of positions, in its long form: one entry for at most eight units of two bytes."""
    table, last, units = bytearray(), first_line, 0
    here: Positions = (None, None, None, None)
    for instruction in instructions:
        if instruction.positions != here:
            last = _entries(table, here, units, last)
            here, units = instruction.positions, 0
        units += (len(instruction.stamp) + len(instruction.raw)) // 2
    _entries(table, here, units, last)
    return bytes(table)


def _entries(table: bytearray, positions: Positions, units: int, last: int) -> int:
    """Say once for each eight units where they stand; gives the line that the next entry counts from."""
    while units > 0:
        line, end_line, column, end_column = positions
        length = min(units, 8) - 1
        units -= 8
        if line is None:
            table.append(0x80 | 15 << 3 | length)
            continue
        moved = (last - line) << 1 | 1 if line < last else (line - last) << 1
        if end_line is None or column is None or end_column is None:
            table.append(0x80 | 13 << 3 | length)
            _varint(table, moved)
        else:
            table.append(0x80 | 14 << 3 | length)
            for number in (moved, end_line - line, column + 1, end_column + 1):
                _varint(table, number)
        last = line
    return last


def _varint(table: bytearray, number: int) -> None:
    while number > 63:
        table.append(64 | number & 63)
        number >>= 6
    table.append(number)


def _handlers(table: bytes) -> list[Handler]:
    """The exception handlers: start, end and target in bytes, and the depth with its flag."""
    numbers, number = [], 0
    for byte in table:
        number = number << 6 | byte & 63
        if not byte & 64:
            numbers.append(number)
            number = 0
    parts = zip(*[iter(numbers)] * 4)
    return [(2 * start, 2 * (start + length), 2 * target, depth) for start, length, target, depth in parts]


def _table(handlers: list[Handler], places: dict[int, int]) -> bytes:
    table = bytearray()
    for start, end, target, depth in handlers:
        first, behind, mark = places[start], places[end], len(table)
        for number in (first // 2, (behind - first) // 2, places[target] // 2, depth):
            parts = [number & 63]
            while number > 63:
                number >>= 6
                parts.append(64 | number & 63)
            table.extend(reversed(parts))
        table[mark] |= 128  # an entry begins
    return bytes(table)
