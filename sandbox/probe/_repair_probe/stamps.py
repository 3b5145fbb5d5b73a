"""Code objects of CPython 3.11 that note their own lines.

In front of the first instruction of each line (and of each jump target, since a line may be entered in its middle)
stand four more: ``lines[number] = None``. They leave the stack as it was and cannot raise. Jumps, the table of exception
handlers and the table of positions are laid out anew, so tracebacks, columns and ``inspect`` say what they said before.

A trace function slows every instruction of the process by being there, three to ten times in tight loops; these
stores cost a few nanoseconds each.
"""

import dis
import sys
from types import CodeType

USABLE = sys.version_info[:2] == (3, 11) and sys.implementation.name == "cpython"
_EXTENDED = dis.EXTENDED_ARG
_PAIRS = {("KW_NAMES", "PRECALL"), ("PRECALL", "CALL")}
"""Nothing may come between: the interpreter keeps state from one to the other."""


class Lines(dict):
    """Line numbers seen, as keys. Has a hash, because code objects are hashed with their constants."""

    __slots__ = ()
    __hash__ = object.__hash__


class _Instruction:
    """One instruction with its argument whole; ``jumps_to`` is the instruction that it may go to."""

    __slots__ = ("argument", "caches", "jumps_to", "name", "number", "offset", "place", "positions", "stamp", "wide")

    def __init__(self, number, argument, offset, positions):
        self.number, self.argument, self.offset, self.positions = number, argument, offset, positions
        self.name = dis.opname[number]
        self.caches = dis._inline_cache_entries[number]
        self.jumps_to = None
        self.stamp = 0
        self.place = 0
        self.wide = 1

    def size(self):
        """In units of two bytes, without what is put in front."""
        return self.wide + self.caches


def stamped(code, lines):
    """The same code, and that of the functions in it, noting every line that it runs in ``lines``."""
    constants = [stamped(c, lines) if isinstance(c, CodeType) else c for c in code.co_consts]
    instructions = _instructions(code)
    _choose(instructions, _handlers(code.co_exceptiontable))
    puts = _Stamps(constants, lines)
    end = _lay_out(instructions, puts)
    return code.replace(
        co_code=_code(instructions, puts),
        co_consts=tuple(constants),
        co_linetable=_positions(instructions, code.co_firstlineno, puts),
        co_exceptiontable=_table(code, instructions, end),
        co_stacksize=code.co_stacksize + 3,
    )


def _instructions(code):
    found, by_offset = [], {}
    raw, places = code.co_code, list(code.co_positions())
    argument, first, at = 0, None, 0
    while at < len(raw):
        number, argument = raw[at], argument << 8 | raw[at + 1]
        first = at if first is None else first
        if number != _EXTENDED:
            instruction = _Instruction(number, argument, first, places[at // 2])
            instruction.place = at + 2  # where jumps are counted from
            found.append(instruction)
            by_offset[first] = instruction
            argument, first = 0, None
            at += 2 * instruction.caches
        at += 2
    for instruction in found:
        if instruction.number in dis.hasjrel:
            sign = -1 if "BACKWARD" in instruction.name else 1
            instruction.jumps_to = by_offset[instruction.place + sign * 2 * instruction.argument]
    return found


def _choose(instructions, handlers):
    """Mark where lines are noted: behind the first ``RESUME``, at each change of line and where blocks begin."""
    blocks = {i.jumps_to.offset for i in instructions if i.jumps_to is not None}
    blocks.update(target for _, _, target, _ in handlers)
    begun, last, before = False, None, ""
    for instruction in instructions:
        line, name = instruction.positions[0], instruction.name
        if begun and name != "RESUME" and line is not None and line > 0:
            if (before, name) in _PAIRS:
                if line != last:
                    raise ValueError("a call changes its line half-way")
            elif line != last or instruction.offset in blocks:
                instruction.stamp = line
            last = line
        begun = begun or name == "RESUME"
        before = name


class _Stamps:
    """The four instructions that note one line."""

    def __init__(self, constants, lines):
        self._constants = constants
        self._places = {}
        self._none = self._constant(None)
        self._lines = self._constant(lines)

    def _constant(self, value):
        self._constants.append(value)
        return len(self._constants) - 1

    def units(self, line):
        """The units of code that note the line."""
        if line not in self._places:
            number = self._constant(line)
            load = dis.opmap["LOAD_CONST"]
            units = _encoded(load, self._none) + _encoded(load, self._lines) + _encoded(load, number)
            store = dis.opmap["STORE_SUBSCR"]
            self._places[line] = units + bytes([store, 0]) + bytes(2 * dis._inline_cache_entries[store])
        return self._places[line]


def _encoded(number, argument, least=1):
    wide = max(least, (argument.bit_length() + 7) // 8, 1)
    parts = argument.to_bytes(wide, "big")
    return b"".join(bytes([_EXTENDED, part]) for part in parts[:-1]) + bytes([number, parts[-1]])


def _lay_out(instructions, puts):
    """Find every instruction's new place; gives the end. Jumps only ever grow, so this ends."""
    for instruction in instructions:
        instruction.wide = len(_encoded(instruction.number, instruction.argument)) // 2
    while True:
        at = 0
        for instruction in instructions:
            instruction.place = at
            at += (len(puts.units(instruction.stamp)) // 2 if instruction.stamp else 0) + instruction.size()
        grown = False
        for instruction in instructions:
            if instruction.jumps_to is None:
                continue
            instruction.argument = abs(instruction.jumps_to.place - _after(instruction, puts))
            wide = len(_encoded(instruction.number, instruction.argument)) // 2
            if wide > instruction.wide:
                instruction.wide, grown = wide, True
        if not grown:
            return at


def _after(instruction, puts):
    front = len(puts.units(instruction.stamp)) // 2 if instruction.stamp else 0
    return instruction.place + front + instruction.size()


def _code(instructions, puts):
    parts = []
    for instruction in instructions:
        if instruction.stamp:
            parts.append(puts.units(instruction.stamp))
        parts.append(_encoded(instruction.number, instruction.argument, instruction.wide))
        parts.append(bytes(2 * instruction.caches))
    return b"".join(parts)


def _positions(instructions, first_line, puts):
    """The table of positions, in its long form: one entry for at most eight units."""
    table, last = bytearray(), first_line
    for instruction in instructions:
        units = instruction.size() + (len(puts.units(instruction.stamp)) // 2 if instruction.stamp else 0)
        line, end_line, column, end_column = instruction.positions
        while units:
            length = min(units, 8)
            units -= length
            if line is None:
                table.append(0x80 | 15 << 3 | length - 1)
                continue
            whole = None not in (end_line, column, end_column)
            table.append(0x80 | (14 if whole else 13) << 3 | length - 1)
            delta, last = line - last, line
            _varint(table, -delta << 1 | 1 if delta < 0 else delta << 1)
            if whole:
                for number in (end_line - line, column + 1, end_column + 1):
                    _varint(table, number)
    return bytes(table)


def _varint(table, number):
    while number > 63:
        table.append(0x40 | number & 63)
        number >>= 6
    table.append(number)


def _handlers(table):
    """Entries of a table of exception handlers: start, end, target in bytes, and the depth with its flag."""
    entries, numbers, number = [], [], 0
    for byte in table:
        number = number << 6 | byte & 63
        if not byte & 64:
            numbers.append(number)
            number = 0
    for start, length, target, depth in zip(*[iter(numbers)] * 4):
        entries.append((2 * start, 2 * (start + length), 2 * target, depth))
    return entries


def _table(code, instructions, end):
    places = {i.offset: i.place for i in instructions}
    places[len(code.co_code)] = end
    table = bytearray()
    for start, end, target, depth in _handlers(code.co_exceptiontable):
        first, behind = places[start], places[end]
        for index, number in enumerate((first, behind - first, places[target], depth)):
            _big_varint(table, number, 0x80 if index == 0 else 0)
    return bytes(table)


def _big_varint(table, number, mark):
    parts = [number & 63]
    while number > 63:
        number >>= 6
        parts.append(64 | number & 63)
    parts.reverse()
    parts[0] |= mark
    table.extend(parts)
