from collections import deque

from .errors import MissingValue, UnknownOption, UsageError
from .options import Kind, Option


class Parser:
    """Parses a list of arguments into a dict of options and a list of the rest.

    >>> p = Parser()
    >>> p.option("verbose", "v", Kind.COUNT)
    >>> p.option("output", "o", Kind.VALUE)
    >>> p.parse(["-vv", "--output=a.txt", "in.txt"])
    ({'verbose': 2, 'output': 'a.txt'}, ['in.txt'])
    """

    def __init__(self):
        self._by_name = {}
        self._by_short = {}

    def option(self, name, short=None, kind=Kind.FLAG, convert=str, default=None):
        opt = Option(name, short, kind, convert, default)
        if name in self._by_name or (short and short in self._by_short):
            raise ValueError(f"option {name} is already defined")
        self._by_name[name] = opt
        if short:
            self._by_short[short] = opt

    def parse(self, argv):
        """Return (values, rest). After '--' everything belongs to the rest."""
        values = {name: opt.initial() for name, opt in self._by_name.items()}
        rest = []
        queue = deque(argv)
        while queue:
            token = queue.popleft()
            if token == "--":
                rest.extend(queue)
                break
            if token.startswith("--"):
                self._take_long(token, queue, values)
            elif token.startswith("-") and token != "-":
                self._take_short(token, queue, values)
            else:
                rest.append(token)
        return values, rest

    def _take_long(self, token, queue, values):
        """Handle '--name', '--name=value' and '--name value'."""
        name, equals, attached = token[2:].partition("=")
        opt = self._by_name.get(name)
        if opt is None:
            raise UnknownOption("--" + name)
        if not opt.takes_value:
            if equals:
                raise UsageError(f"option --{name} takes no value")
            self._store(values, opt)
        elif equals:
            self._store(values, opt, attached)
        else:
            self._store(values, opt, self._next_value(queue, "--" + name))

    def _take_short(self, token, queue, values):
        """Handle '-x', clusters such as '-xvf' and attached values ('-ofile').

        The options of a cluster apply from left to right. The first one that
        takes a value ends the cluster: whatever follows it in the token is its
        value. One '=' in between is dropped, as in '-o=file' (so '-o=' gives
        the empty string). If nothing follows, the next argument is the value.
        """
        for pos, char in enumerate(token[1:], start=1):
            opt = self._by_short.get(char)
            if opt is None:
                raise UnknownOption("-" + char)
            if not opt.takes_value:
                self._store(values, opt)
                continue
            attached = token[pos + 1:]
            if attached.startswith("="):
                value = attached[1:]
            elif attached:
                value = attached
            else:
                value = self._next_value(queue, "-" + char)
            self._store(values, opt, value)
            return

    def _next_value(self, queue, shown):
        """The next argument, which must not look like an option.

        A lone '-' and negative numbers are values.
        """
        if not queue:
            raise MissingValue(shown)
        token = queue[0]
        if token.startswith("-") and token != "-" and not token[1:2].isdigit():
            raise MissingValue(shown)
        return queue.popleft()

    def _store(self, values, opt, text=None):
        if opt.kind is Kind.FLAG:
            values[opt.name] = True
        elif opt.kind is Kind.COUNT:
            values[opt.name] += 1
        else:
            try:
                value = opt.convert(text)
            except ValueError as exc:
                raise UsageError(f"bad value for {opt.name}: {text!r}") from exc
            if opt.kind is Kind.LIST:
                values[opt.name].append(value)
            else:
                values[opt.name] = value
