"""A small parser for command lines with long and short options."""
from argline.options import Option, UsageError

ACTIONS = ("store", "append", "flag")


class Parser:
    """
    >>> parser = Parser("demo")
    >>> _ = parser.option("include", "I", action="append", default=["lib"])
    >>> parser.parse(["-I", "src", "main.c"])
    ({'include': ['lib', 'src']}, ['main.c'])
    """

    def __init__(self, program):
        self.program = program
        self._options = []
        self._long = {}
        self._short = {}

    def option(self, name, short=None, *, action="store", convert=str, default=None, help=""):
        """Declare an option and return it."""
        if action not in ACTIONS:
            raise ValueError(f"unknown action {action!r}")
        if name in self._long or (short and short in self._short):
            raise ValueError(f"option {name!r} is declared twice")
        if action == "flag" and default is None:
            default = False
        if action == "append" and default is None:
            default = []
        opt = Option(name, short, action, convert, default, help)
        self._options.append(opt)
        self._long[name] = opt
        if short:
            self._short[short] = opt
        return opt

    def _initial(self):
        """The values before any argument is read. Parsing changes these in place."""
        return {opt.dest: opt.default for opt in self._options}

    def parse(self, argv):
        """Return (values, positional arguments); raise UsageError.

        A parser can be used any number of times.
        """
        values = self._initial()
        positional = []
        queue = list(argv)
        while queue:
            arg = queue.pop(0)
            if arg == "--":
                positional.extend(queue)
                break
            if arg.startswith("--"):
                self._long_option(arg[2:], queue, values)
            elif arg.startswith("-") and len(arg) > 1:
                self._short_options(arg[1:], queue, values)
            else:
                positional.append(arg)
        return values, positional

    def _long_option(self, text, queue, values):
        name, equals, value = text.partition("=")
        opt = self._long.get(name)
        if opt is None:
            raise UsageError(f"unknown option --{name}")
        if not opt.takes_value:
            if equals:
                raise UsageError(f"--{name} takes no value")
            self._store(opt, True, values)
        elif equals:
            self._store(opt, opt.read(value), values)
        else:
            self._store(opt, self._next(opt, queue), values)

    def _short_options(self, letters, queue, values):
        while letters:
            letter, letters = letters[0], letters[1:]
            opt = self._short.get(letter)
            if opt is None:
                raise UsageError(f"unknown option -{letter}")
            if not opt.takes_value:
                self._store(opt, True, values)
                continue
            if letters:
                self._store(opt, opt.read(letters), values)
            else:
                self._store(opt, self._next(opt, queue), values)
            return

    def _next(self, opt, queue):
        if not queue:
            raise UsageError(f"--{opt.name} needs a value")
        return opt.read(queue.pop(0))

    def _store(self, opt, value, values):
        if opt.action == "append":
            values[opt.dest].append(value)
        else:
            values[opt.dest] = value

    def usage(self):
        lines = [f"usage: {self.program} [options] [arguments]"]
        for opt in self._options:
            short = f"-{opt.short}, " if opt.short else "    "
            value = " VALUE" if opt.takes_value else ""
            lines.append(f"  {short}--{opt.name}{value}".ljust(28) + opt.help)
        return "\n".join(line.rstrip() for line in lines)
