"""Calls of one function seen at its entry while tests run.

The function runs with one more statement in front of its body, which hands its parameters to an ``Entry`` listener. Its
signature, kind, closure and defaults stay what they are. A generator among the positional arguments is played to its
end and handed back as an iterator over its items, which can be copied. A second statement lets another program answer
the call: ``INSTEAD`` is what to call for that, or nothing.
"""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import keyword
import sys
import types

from _repair_probe.ground.stuck import RESULT
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import run_items
from _repair_probe.values.pictures import excerpt, literal, picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import CodeType, FrameType
    from typing import Any

    import pytest

    from _repair_probe.ground.stuck import Bound
    from _repair_probe.ground.words import Fields, Function, Send, Telling, Value
    from _repair_probe.session.runner import ResultRecorder
    from _repair_probe.swap.live_functions import LiveFunction
    from _repair_probe.swap.patch import Patch
    from _repair_probe.values.vary import Setting, Variant

    Given = tuple[Value, ...]

HOOK, INSTEAD = "__repair_entry__", "__repair_instead__"
_MOST_SHOWN = 200
"""Characters of the picture of an argument, or of an instance, in a call that is told."""

_MOST_REMADE = 4000
"""Characters of the arguments, or of an instance, of a call that somebody may make again."""

_MANY = 10
"""Entries of the function that are looked at for each call that is kept."""
_MOST_ALIKE = 2000
"""So often it is told that a further test makes a call that another one has made."""
_SHARE_OF_ASKED, _MOST_OF_ASKED = 8, 24
"""Calls of one test that is asked about, and of all of these: the one that fails may be its last."""

_MOST_PLAYED = 200
"""Items of an iterator that are kept, so that both programs can have them."""

_MOST_MEMBERS = 80
"""Members of a value that are listed."""

_MOST_LOOKED_AT = 400
"""Names of a value that are looked at for them."""

_MOST_VALUES = 20
"""Arguments of a call whose members are listed."""

_LONGEST_NAME = 80
"""Characters of a member's name; one with a longer name is left out."""

_METHODS = (
    types.FunctionType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    classmethod,
    staticmethod,
    functools._lru_cache_wrapper,
)
_MODULE_OF, _ORDER_OF, _DEFINED_BY = (type.__dict__[name].__get__ for name in ("__module__", "__mro__", "__dict__"))
_ELSEWHERE = frozenset(("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"))
"""What may call the function in another process, as the interpreter's audit names it."""

_OF_GENERATORS = frozenset(("send", "throw", "close", "isgenerator", "GeneratorType", "Generator"))


def insert_hook(node: Function) -> None:
    """Put the call of the hook in front of the body, behind the docstring, and what may take the body's place."""
    a = node.args
    positional = [p.arg for p in [*getattr(a, "posonlyargs", []), *a.args]]
    parts: list[ast.expr] = [
        ast.Tuple([_name(p) for p in positional], ast.Load()),
        _name(a.vararg.arg) if a.vararg else ast.Tuple([], ast.Load()),
        ast.Tuple([_name(p.arg) for p in a.kwonlyargs], ast.Load()),
        _name(a.kwarg.arg) if a.kwarg else ast.Dict([], []),
    ]
    call = ast.Call(_name(HOOK), parts, [])
    names = ast.Tuple([ast.Name(p, ast.Store()) for p in positional], ast.Store())
    entry = ast.Assign([names], call) if positional else ast.Expr(call)
    first = node.body[0]
    behind = 1 if ast.get_docstring(node, clean=False) is not None else 0
    for place, statement in enumerate(filter(None, (entry, _take_over(node))), behind):
        ast.copy_location(statement, first)
        node.body.insert(place, ast.fix_missing_locations(statement))


def _take_over(node: Function) -> ast.stmt | None:
    """What lets ``INSTEAD`` answer, in the way of this kind of function; ``None`` where there is no such way."""
    answer: ast.expr = ast.Call(_name(INSTEAD), [], [])
    yields = any(map(_yields, node.body))
    if isinstance(node, ast.AsyncFunctionDef):
        if yields:
            return None
        answer = ast.Await(answer)
    elif yields:
        answer = ast.YieldFrom(answer)
    return ast.If(_name(INSTEAD), [ast.Return(answer)], [])


def _yields(node: ast.AST) -> bool:
    """Whether it makes the function around it a generator."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return False
    return isinstance(node, (ast.Yield, ast.YieldFrom)) or any(map(_yields, ast.iter_child_nodes(node)))


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


class Entry:
    """One call as the function's body found it. ``skip`` is 1 where the first argument is the instance or class.

    ``test`` made it, itself where ``direct``; ``tested`` also where only what a test's call left at its default is
    otherwise. ``note`` says what else is not as it was found, as text. A call whose arguments cannot be copied is
    ``live``: programs run on the very arguments, in forks. ``setting`` is what is to be put into one of them there.
    ``hung`` are the programs that did not end it in time.
    """

    __slots__ = ("args", "cells", "direct", "hung", "kwargs", "live", "note", "setting", "skip", "test", "tested")

    setting: Setting | None
    hung: set[object]

    def __init__(
        self,
        args: list[Value],
        kwargs: dict[str, Value],
        cells: dict[str, Value],
        skip: int,
        test: str = "",
        note: str = "",
    ) -> None:
        self.args, self.kwargs, self.cells = args, kwargs, cells
        self.skip, self.test, self.note = min(skip, len(args)), test, note
        self.tested, self.direct = bool(test), False
        self.live, self.setting, self.hung = False, None, set()

    def moved_to(self, variant: Variant) -> Entry:
        """The call with something changed, which no test made."""
        entry = Entry(variant.args, variant.kwargs, variant.cells, self.skip, note=variant.note)
        entry.tested = not variant.of_call
        entry.live, entry.setting = self.live, variant.setting
        return entry

    def key(self) -> str:
        """What makes two calls the same input."""
        return picture((self.args, self.kwargs))

    def source(self, name: str) -> str:
        """The call as text; what is no literal is shown by its picture."""
        told = self.wire(name)
        return " ".join(filter(None, (name + told["arguments"], told["context"])))

    def wire(self, name: str) -> Fields:
        """The call as a line of the report tells it. Of what is no literal it holds a piece of the picture."""

        def text_of(value: Value) -> str:
            text = literal(value)
            return text if text is not None else excerpt(picture(value), _MOST_SHOWN)

        named = ("%s=%s" % (key, text_of(value)) for key, value in self.kwargs.items())
        arguments = "(%s)" % ", ".join([*map(text_of, self.args[self.skip :]), *named])
        context = ""
        if self.skip and not isinstance(self.args[0], type):
            context = "on %s" % excerpt(picture(self.args[0]), _MOST_SHOWN)
        if self.note and (self.setting or (self.note not in arguments and self.note not in context)):
            context = ("%s with %s" % (context, self.note)).strip()
        origin = "made" if self.test else "like_test" if self.tested else "generated"
        told: Fields = {"name": name, "arguments": arguments, "context": context, "origin": origin, "test": self.test}
        return dict(told, **self._whole(arguments))

    def _whole(self, shown: str) -> Fields:
        """What makes the call again: the picture of the instance, and of the arguments where the shown one is cut."""
        if self.setting or self.cells:
            return {}
        named = ("%s=%s" % (key, _exact(value)) for key, value in self.kwargs.items())
        exact = "(%s)" % ", ".join([*map(_exact, self.args[self.skip :]), *named])
        instance = picture(self.args[0]) if self.skip and not isinstance(self.args[0], type) else ""
        if max(len(exact), len(instance)) > _MOST_REMADE:
            return {}
        return {"exact": "" if exact == shown else exact, "instance": instance}


def _exact(value: Value) -> str:
    text = literal(value)
    return text if text is not None else picture(value)


def _given_arguments(
    code: CodeType, skip: int, defaults: tuple[tuple[Value, ...] | None, dict[str, Value] | None], given: Given
) -> tuple[list[Value], dict[str, Value]]:
    """Positional and named arguments of a call whose parameters have these values."""
    positional, more, named, others = given
    named_names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    first, keyword_defaults = defaults
    positional = list(positional)
    # What is the default itself was most likely left out: then another program's own default applies.
    for default in reversed(first or ()):
        if more or len(positional) <= skip or positional[-1] is not default:
            break
        positional.pop()
    kept = [(n, v) for n, v in zip(named_names, named) if (keyword_defaults or {}).get(n, _given_arguments) is not v]
    return [*positional, *more], dict(kept, **others)


def _replay_generator(value: Value) -> Value:
    """The items of a generator as an iterator; one that is long, or fails, stays one that cannot be copied."""
    if type(value) is not types.GeneratorType:
        return value
    items = []
    try:
        for item in itertools.islice(value, _MOST_PLAYED + 1):
            items.append(item)  # noqa: PERF402 - what came before an exception is kept
    except Exception as problem:  # whatever the target raises, it raises again for each program
        return _fail_after(items, problem)
    return iter(items) if len(items) <= _MOST_PLAYED else _chain_items(items, value)


def _chain_items(items: Iterable[Value], rest: Iterable[Value]) -> Iterator[Value]:
    yield from items
    yield from rest


def _fail_after(items: Iterable[Value], problem: Exception) -> Iterator[Value]:
    yield from items
    raise problem


def _members_of(entry: Entry, places: Sequence[str]) -> list[list[Any]]:
    """For each argument of a class that is not the language's own: its name, and what it has."""
    given = {**dict(list(zip(places, entry.args))[entry.skip :]), **entry.kwargs}
    found = []
    for name, value in itertools.islice(given.items(), _MOST_VALUES):
        try:
            members = _members(value)
        except Exception:  # the target's classes may be odd in any way
            continue
        if members and _is_told(name):
            found.append([name, members])
    return found


def _members(value: Value) -> list[str]:
    """Public attributes of a value, methods with ``()`` behind them: its own, then those of its class and its bases.

    Nothing of the target is called for that: the interpreter's own descriptors read what classes hold.
    """
    kind = type(value)
    module = _MODULE_OF(kind)
    if type(module) is not str or module == "builtins" or issubclass(kind, type):
        return []
    found = dict.fromkeys(filter(_is_told, itertools.islice(_own_names(value), _MOST_LOOKED_AT)), "")
    for owner in _ORDER_OF(kind):
        if owner is not object:
            for name, thing in itertools.islice(_DEFINED_BY(owner).items(), _MOST_LOOKED_AT):
                if _is_told(name):
                    found.setdefault(name, "()" if any(type(thing) is each for each in _METHODS) else "")
    return [name + found[name] for name in itertools.islice(found, _MOST_MEMBERS)]


def _is_told(name: Value) -> bool:
    """Whether it is a public name that a program can write; nothing is asked of what is no plain text."""
    if type(name) is not str or not 0 < len(name) <= _LONGEST_NAME or name[0] == "_":
        return False
    return name.isidentifier() and not keyword.iskeyword(name)


def _own_names(value: Value) -> Iterable[Value]:
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return ()
    return own if type(own) is dict else ()


class Listener:
    """Hands distinct entries to ``take``: up to ``most``, and up to ``share`` of one test.

    ``homes`` are the files of the tests: a call from there is direct. Of tests that are ``asked`` about, more calls are
    taken, whatever others have taken before.

    An entry for which ``take`` gives ``False`` does not count. ``looks`` bounds the entries of one test.
    ``missed`` says that there may be entries that were not listened to. ``follow`` is called last, with the frame of
    the call: it may come back in another process, too. ``repeated`` is given the number of an earlier entry like this.
    """

    def __init__(
        self,
        target: LiveFunction,
        patch: Patch,
        plain_patch: Patch,
        most: int,
        share: int,
        take: Callable[[Entry], object],
        looks: int = 0,
        follow: Callable[[FrameType], object] = lambda frame: None,
        repeated: Callable[[int], object] = lambda number: None,
    ) -> None:
        self._target, self._patch, self._off = target, patch, plain_patch
        self._most, self._share, self._looks = most, share, looks or 20 * share
        self._taken = 0
        self._take, self._follow, self._repeated = take, follow, repeated
        self._seen: dict[tuple[bool, str], int] = {}
        self.test, self._here, self._looked = "", 0, 0
        self._busy = self.missed = False
        self.homes: frozenset[str] = frozenset()
        self.asked: frozenset[str] = frozenset()
        self._left_of_asked = _MOST_OF_ASKED
        self.skip = skip_of(target)
        setattr(builtins, HOOK, self.entered)
        setattr(builtins, INSTEAD, None)

    def begin(self, test: str) -> None:
        """A test starts: listen again, if more is wanted."""
        self.test, self._here, self._looked = test, 0, 0
        if self._may_take():
            self._patch.apply()

    def _may_take(self) -> bool:
        """Whether there is room for one more entry of this test."""
        return self._is_usual() or (
            self.test in self.asked and self._left_of_asked > 0 and self._here < _SHARE_OF_ASKED
        )

    def _is_usual(self) -> bool:
        """Whether the next entry of this test is one of those that every test has."""
        return self._taken < self._most and self._here < self._share

    def entered(self, *given: Value) -> Value:
        """Called by the function's first statement, which takes the positional parameters back."""
        if self._busy:
            self.missed = True
            return given[0]
        self._busy = True
        try:
            self._looked += 1
            frame = sys._getframe(1)
            if not _OF_GENERATORS.intersection(frame.f_code.co_names):
                given = (tuple(map(_replay_generator, given[0])), *given[1:])
            self._listen(frame, given)
            if self._looked >= self._looks or not self._may_take():
                self.missed = True
                self._off.apply()
            self._follow(frame)
        except BaseException:
            self.missed = True
            raise
        finally:
            self._busy = False
        return given[0]

    def _listen(self, frame: FrameType, given: Given) -> None:
        code = frame.f_code
        known = frame.f_locals if code.co_freevars else {}
        cells = {name: known[name] for name in code.co_freevars if name in known}
        args, kwargs = _given_arguments(code, self.skip, self._patch.current_defaults(), given)
        entry = Entry(args, kwargs, cells, self.skip, self.test)
        caller = frame.f_back
        entry.direct = caller is not None and caller.f_code.co_filename in self.homes
        try:
            key = entry.direct, entry.key()
        except RecursionError:
            self.missed = True
            return
        if key in self._seen:
            self._repeated(self._seen[key])
            return
        self._seen[key] = len(self._seen)
        if self._take(entry) is not False:
            usual = self._is_usual()
            self._here += 1
            self._taken += usual
            self._left_of_asked -= not usual


def skip_of(target: LiveFunction) -> int:
    """1 where the function's first argument is its instance or class."""
    if not target.method:
        return 0
    names = [d.id for d in target.node.decorator_list if isinstance(d, ast.Name)]
    return 0 if "staticmethod" in names else 1


def record(
    target: LiveFunction,
    items: Sequence[pytest.Item],
    recorder: ResultRecorder,
    most: int,
    bound: Bound,
    text: bytes = b"",
) -> Telling:
    """Work for a fork: run the items and send up to ``most`` distinct calls of the function for each test.

    Where another test makes a call as well, its name is sent with the number of that call, once. The function has this
    ``text`` meanwhile; none: its own. A test that hangs is stopped at the bound, where there is one. ``whole`` comes
    last where there were no others.
    """
    body = text or target.text()

    def work(send: Send) -> None:
        numbers = itertools.count()
        sent: dict[int, tuple[str, int]] = {}
        told: set[tuple[str, int]] = set()

        def repeat(number: int) -> None:
            maker, place = sent.get(number, ("", -1))
            again = listener.test, place
            if maker and maker != listener.test and again not in told and len(told) < _MOST_ALIKE:
                told.add(again)
                send(alike=[*again])

        def take(entry: Entry) -> None:
            number = next(numbers)
            args, kwargs = literal(tuple(entry.args[entry.skip :])), literal(entry.kwargs)
            is_plain = args is not None and kwargs is not None
            if not is_plain:
                args = excerpt(picture(tuple(entry.args[entry.skip :])))
                kwargs = excerpt(picture(entry.kwargs))
            send(call=[entry.test, args, kwargs, is_plain, _members_of(entry, places)])
            sent[number] = entry.test, len(sent)

        places = [each.arg for each in (*getattr(target.node.args, "posonlyargs", ()), *target.node.args.args)]
        off = target.patch(body)
        if text:
            off.apply()
        listener = Listener(target, target.patch(body, insert_hook), off, _MANY * most, most, take, repeated=repeat)
        elsewhere: list[str] = []
        sys.addaudithook(lambda event, _: elsewhere.append(event) if event in _ELSEWHERE else None)
        run_items(items, recorder, stop_early=False, before=listener.begin, bound=bound)
        stuck = any(recorder.results.get(item.nodeid) is RESULT for item in items)
        if not (listener.missed or elsewhere or stuck):
            send(whole=True)

    return work
