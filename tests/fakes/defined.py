"""Ways in which a function is defined, each with a wrong text of it and a test that notices."""

from __future__ import annotations

from fakes.held import Shape

DEFINED = {
    "slots_dataclass": Shape("""
        @dataclasses.dataclass(slots=True)
        class Slotted:
            a: int
            def __post_init__(self): self.a += 1
            def more(self): return self.__class__, self.a
        """, "Slotted.__post_init__", ("+= 1", "+= 2"), "lib.Slotted(1).more() == (lib.Slotted, 2)"),
    "dataclass_factory": Shape("""
        def fresh(): return [1]
        @dataclasses.dataclass
        class Made2:
            a: list = dataclasses.field(default_factory=fresh)
        """, "fresh", ("[1]", "[2]"), "lib.Made2().a == [1]"),
    "namedtuple": Shape("""
        class Pair(typing.NamedTuple):
            a: int
            b: int = 2
            def total(self): return self.a + self.b
        """, "Pair.total", ("+", "-"), "lib.Pair(1).total() == 3"),
    "enum": Shape("""
        class Hue(enum.Enum):
            RED = 1
            @classmethod
            def _missing_(cls, value): return cls.RED
        """, "Hue._missing_", ("return cls.RED", "return None"), "lib.Hue(5) is lib.Hue.RED"),
    "enum_that_made_members": Shape("""
        class Numbered(enum.Enum):
            def _generate_next_value_(name, start, count, last): return name
            ONE = enum.auto()
        """, "Numbered._generate_next_value_", ("return name", "return name + '!'"), "lib.Numbered.ONE.value == 'ONE'",
                                    "runs while"),
    "nested_in_a_method": Shape("""
        class Outer:
            def outer(self):
                def inner(a): return a
                return inner(1)
        """, "Outer.outer.inner", ("return a", "return -a"), "lib.Outer().outer() == 1"),
    "nested_class": Shape("""
        def factory():
            class Product:
                def price(self): return 1
            return Product
        """, "factory.Product.price", ("return 1", "return 2"), "lib.factory()().price() == 1"),
    "class_in_a_function_kept": Shape("""
        def family(step):
            class Member:
                def age(self): return step
            return Member
        OLD = family(3)
        """, "family.Member.age", ("return step", "return -step"), "lib.OLD().age() == 3"),
    "private_name": Shape("""
        class Secret:
            __key = 1
            def key(self): return self.__key
        """, "Secret.key", ("__key", "__key + 1"), "lib.Secret().key() == 1"),
    "thread_local_method": Shape("""
        class Local(threading.local):
            def get(self): return 4
        LOCAL = Local()
        """, "Local.get", ("return 4", "return 5"), "lib.LOCAL.get() == 4"),
    "exit_callback": Shape("""
        def finishing(log): log.append("end")
        def finished():
            log = []
            with contextlib.ExitStack() as stack: stack.callback(finishing, log)
            return log
        """, "finishing", ('"end"', '"END"'), "lib.finished() == ['end']"),
    "sort_key": Shape("def by(a): return a\nKEY = functools.cmp_to_key(lambda a, b: by(a) - by(b))",
                      "by", ("return a", "return -a"), "sorted([2, 1], key=lib.KEY) == [1, 2]"),
    "documented": Shape('def documented():\n    """Old."""\n    return 1\n', "documented", ("Old.", "New."),
                        "lib.documented.__doc__ == 'Old.'", "docstring differs"),
    "documented_below_a_wrapper": Shape("""
        @functools.lru_cache()
        def told():
            '''Old.'''
            return 1
        """, "told", ("Old.", "New."), "lib.told.__doc__ == 'Old.'", "docstring differs"),
    "undocumented": Shape("def mute():\n    return 1\n", "mute", ("return 1", "'New.'\n    return 1"),
                          "lib.mute.__doc__ is None", "docstring differs"),
    "documented_inside": Shape("""
        def lecture():
            def talk():
                '''Old.'''
            return talk
        """, "lecture", ("Old.", "New."), "lib.lecture().__doc__ == 'Old.'"),
    "documented_inside_and_held": Shape("""
        def speech():
            def word():
                '''Old.'''
            return word
        WORD = speech()
        """, "speech.word", ("Old.", "New."), "lib.WORD.__doc__ == 'Old.'", "docstring differs"),
    "annotated": Shape("def typed(a: int): return a", "typed", (": int", ": str"),
                       "lib.typed.__annotations__ == {'a': int}", "annotations differ"),
    "annotated_inside": Shape("""
        def typing_it():
            def typed2(a: int): return a
            return typed2
        """, "typing_it", (": int", ": str"), "lib.typing_it().__annotations__ == {'a': int}"),
    "defaults": Shape("def defaulted(a=1, *, b=2): return a, b", "defaulted", ("a=1, *, b=2", "a=2, *, b=1"),
                      "(lib.defaulted(), lib.defaulted.__kwdefaults__) == ((1, 2), {'b': 2})"),
    "defaults_dropped": Shape("def dropped(a=1, *, b=2): return a, b", "dropped", ("a=1, *, b=2", "a, *, b=2"),
                              "lib.dropped() == (1, 2)"),
    "defaults_of_a_method": Shape("""
        class Modest:
            size = 1
            def of(self, size=size): return size
        """, "Modest.of", ("size=size", "size=size + 1"), "lib.Modest().of() == 1", "default cannot be evaluated"),
    "parameters": Shape("def named(a, b): return a", "named", ("(a, b)", "(b, a)"),
                        "list(inspect.signature(lib.named).parameters) == ['a', 'b']"),
    "signature_kept": Shape("""
        def signed(function):
            function.__signature__ = inspect.signature(function)
            return function
        @signed
        def signature(a, b=1): return a
        """, "signature", ("b=1", "b=2"), "str(inspect.signature(lib.signature)) == '(a, b=1)'", "defaults differ"),
    "generator_for_function": Shape("def listed(a):\n    return [a]\n", "listed", ("return [a]", "yield a"),
                                    "lib.listed(1) == [1]"),
    "global_of_another_name": Shape("LIMIT = 1\nOTHER = 2\ndef limited(): return LIMIT", "limited", ("LIMIT", "OTHER"),
                                    "lib.limited() == 1"),
    "free_variable_more": Shape("""
        def around(x, y):
            def within(): return x
            return within
        AROUND = around(1, 2)
        """, "around.within", ("return x", "return y"), "lib.AROUND() == 1", "free variables differ"),
    "lambda_inside": Shape("def lambdas(): return (lambda a: a)(1)", "lambdas", ("a: a", "a: -a"),
                           "lib.lambdas() == 1"),
    "method_added_later": Shape("""
        class Open: pass
        def _extra(self): return 1
        Open.extra = _extra
        del _extra
        """, "_extra", ("return 1", "return 2"), "lib.Open().extra() == 1"),
    "two_of_one_name": Shape("""
        if os.sep == "/":
            def chosen(): return 1
        else:
            def chosen(): return 9
        """, "chosen", ("return 1", "return 2"), "lib.chosen() == 1"),
    "proxy": Shape("""
        class Proxy:
            def __init__(self, thing): self.__dict__["thing"] = thing
            def __getattr__(self, name): return getattr(self.thing, name)
            def __call__(self, *args): return self.thing(*args)
        @Proxy
        def proxied(a): return a
        """, "proxied", ("return a", "return -a"), "lib.proxied(1) == 1"),
    "signal_handler": Shape("""
        SEEN = []
        def handled(number, frame): SEEN.append(number)
        signal.signal(signal.SIGUSR1, handled)
        """, "handled", ("append(number)", "append(-number)"),
                            "[signal.raise_signal(signal.SIGUSR1), *lib.SEEN][1:] == [signal.SIGUSR1]"),
    "handler_of_ended_children": Shape("""
        REAPED = []
        def reaping(number, frame):
            with contextlib.suppress(OSError):
                os.waitpid(-1, os.WNOHANG)
            REAPED.append(number)
        signal.signal(signal.SIGCHLD, reaping)
        """, "reaping", ("append(number)", "append(-number)"),
                                       "[signal.raise_signal(signal.SIGCHLD), *lib.REAPED][1:] == [signal.SIGCHLD]"),
}  # fmt: skip
