"""What a code does that may outlive its call, as far as its instructions tell.

Effects are stores into and deletions from objects, globals and outer variables, imports, and calls by names that
usually change something. Each comes with the instruction that loads what it is done to, so that doing it to something
else is another effect. What the functions do that are called here is not seen.
"""

from __future__ import annotations

import dis
import re
import sys
import types

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import CodeType

    Effect = tuple[object, ...]

_WORDS = re.compile(
    r"(?:"
    r"acquire|add|alarm|append|apply|chdir|choice|choices|clear|config|configure|del|delattr|delete"
    r"|delitem|disable|discard|draw|enable|eval|exec|extend|filterwarnings|fork|gauss|getrandbits|globals"
    r"|import|insert|install|kill|lock|mkdir|move|next|open|patch|pop|popitem|publish|push|put|putenv|rand"
    r"|randint|random|randrange|register|release|remove|rename|reset|reverse|rmdir|sample|save|seed|send"
    r"|set|setattr|setdefault|setitem|shuffle|simplefilter|sort|start|stop|subscribe|throw|tzset|umask"
    r"|uniform|unlink|unregister|unset|update|vars|write"
    r")|set(?!s$|up$).*"
)
_WORD = re.compile("[A-Z]?[a-z]+")
_known_names: dict[str, bool] = {}


def _numbers(names: str) -> list[int]:
    return [number for number in map(dis.opmap.get, names.split()) if number is not None and number < 256]


_STORES = frozenset(
    _numbers("STORE_ATTR DELETE_ATTR STORE_SUBSCR DELETE_SUBSCR STORE_SLICE STORE_GLOBAL DELETE_GLOBAL IMPORT_NAME")
)
_OUTER = frozenset(_numbers("STORE_DEREF DELETE_DEREF"))
_LOADS = frozenset(_numbers("LOAD_ATTR LOAD_METHOD LOAD_SUPER_ATTR LOAD_GLOBAL LOAD_NAME"))
_GLOBAL = frozenset(_numbers("LOAD_GLOBAL LOAD_NAME"))
_SOUGHT = re.compile(b"[" + re.escape(bytes(sorted(_STORES | _OUTER | _LOADS))) + b"]")
_SILENT = frozenset([0, dis.EXTENDED_ARG, *_numbers("NOP PRECALL PUSH_NULL COPY SWAP RESUME")])
_JUMPS = frozenset(dis.hasjrel + dis.hasjabs)
_WINDOW = 4
"""Instructions that load a container and what is to be taken from it: a slice has two ends."""
_SHIFTS = {number: 1 for number in _numbers("LOAD_GLOBAL") if sys.version_info >= (3, 11)}
if sys.version_info >= (3, 12):
    _SHIFTS.update((number, 1) for number in _numbers("LOAD_ATTR"))
    _SHIFTS.update((number, 2) for number in _numbers("LOAD_SUPER_ATTR"))


def effects(code: CodeType) -> set[Effect]:
    """The effects of a code and of those in it, as values to compare with those of another text of the function."""
    found: set[Effect] = set()
    _collect(code, found)
    return found


def _collect(code: CodeType, found: set[Effect]) -> None:
    reader = _Reader(code)
    for match in _SOUGHT.finditer(reader.numbers):
        place = match.start()
        number, what = reader.at(place)
        if number in _LOADS:
            # A name that is not found may be any: no version of Python that we know has such a code.
            if not isinstance(what, str) or (is_changing_name(what) and not (what == "set" and number in _GLOBAL)):
                found.add((what, *reader.before(place, 1)))
        elif number in _STORES or what in code.co_freevars:
            named = number in dis.hasname or number in dis.hasfree
            found.add((dis.opname[number], what, *reader.before(place, 1 if named else _WINDOW)))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _collect(constant, found)


def is_changing_name(name: str) -> bool:
    """Whether something of that name is likely to change something; by its words."""
    if name not in _known_names:
        _known_names[name] = any(_WORDS.fullmatch(word.lower()) for word in _WORD.findall(name))
    return _known_names[name]


class _Reader:
    """The instructions of a code by their place, and what their arguments stand for."""

    def __init__(self, code: CodeType) -> None:
        self._code = code
        self.numbers, self._arguments = code.co_code[::2], code.co_code[1::2]
        cells = code.co_cellvars
        if sys.version_info >= (3, 11):
            cells = (*code.co_varnames, *(name for name in cells if name not in code.co_varnames))
        self._cells = (*cells, *code.co_freevars)

    def at(self, place: int) -> tuple[int, str | int]:
        """The number of the instruction and what it names."""
        number, argument, shift = self.numbers[place], self._arguments[place], 8
        while place and self.numbers[place - 1] == dis.EXTENDED_ARG:
            place -= 1
            argument |= self._arguments[place] << shift
            shift += 8
        return number, self._meaning(number, argument)

    def before(self, place: int, most: int) -> Iterator[tuple[int, str | int]]:
        """What the last instructions before it are, as far as they do something, back to where code branches."""
        while most and place > 0:
            place -= 1
            if self.numbers[place] in _JUMPS:
                return
            if self.numbers[place] not in _SILENT:
                most -= 1
                yield self.at(place)

    def _meaning(self, number: int, argument: int) -> str | int:
        code = self._code
        if number in dis.hasname:
            return _item(code.co_names, argument >> _SHIFTS.get(number, 0))
        if number in dis.haslocal:
            return _item(code.co_varnames, argument)
        if number in dis.hasfree:
            return _item(self._cells, argument)
        if number in dis.hasconst:
            value = code.co_consts[argument] if argument < len(code.co_consts) else argument
            return value.co_name if isinstance(value, types.CodeType) else repr(value)
        return argument


def _item(values: Sequence[str], place: int) -> str | int:
    return values[place] if place < len(values) else place
