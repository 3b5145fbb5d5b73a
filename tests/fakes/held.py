"""Ways in which a program keeps hold of a function, each with a wrong text of it and a test that notices."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """What the module holds, the function whose text changes and how, what the test says, and why it is refused."""

    lib: str
    function: str
    change: tuple[str, str]
    test: str
    refused: str = ""


HELD = {
    "alias": Shape("def aliased(a): return a\nnickname = aliased", "aliased", ("return a", "return -a"),
                   "lib.nickname(1) == 1"),
    "partial": Shape("def halved(a, b): return a + b\nhalf = functools.partial(halved, 1)", "halved",
                     ("a + b", "a - b"), "lib.half(2) == 3"),
    "partial_of_partial": Shape(
        "def added(a, b, c): return a + b + c\nthird = functools.partial(functools.partial(added, 1), 2)",
        "added", ("a + b", "a - b"), "lib.third(3) == 6"),
    "chain_of_wrappers": Shape("""
        def passing(function):
            @functools.wraps(function)
            def passed(*args): return function(*args)
            return passed
        @passing
        @passing
        @functools.lru_cache(maxsize=None)
        @passing
        def chained(a): return a
        chained(3)
        """, "chained", ("return a", "return -a"), "lib.chained(3) == 3", "runs while"),
    "cache_below_wrappers": Shape("""
        def through(function):
            @functools.wraps(function)
            def gone_through(*args): return function(*args)
            return gone_through
        @through
        @functools.lru_cache(maxsize=None)
        @through
        def kept(a): return a
        """, "kept", ("return a", "return -a"), "[lib.kept(3), lib.kept(3)] == [3, 3]"),
    "cache_in_a_closure": Shape("""
        def remember(function):
            known = {}
            def remembering(a):
                if a not in known: known[a] = function(a)
                return known[a]
            return remembering
        @remember
        def remembered(a): return a
        """, "remembered", ("return a", "return -a"), "[lib.remembered(3), lib.remembered(3)] == [3, 3]"),
    "registry": Shape("""
        REGISTRY = {}
        def registered(name):
            def register(function):
                REGISTRY[name] = function
                return None
            return register
        @registered("one")
        def handler(a): return a
        """, "handler", ("return a", "return -a"), "lib.REGISTRY['one'](1) == 1"),
    "registry_of_methods": Shape("""
        class Reader:
            def word(self): return "word"
            def line(self): return "line"
            TABLE = {"w": word, "l": line}
            def read(self, key): return self.TABLE[key](self)
        """, "Reader.word", ('"word"', '"Word"'), "lib.Reader().read('w') == 'word'"),
    "bound_method_held": Shape("""
        class Bell:
            def ring(self): return "ring"
        RING = Bell().ring
        """, "Bell.ring", ('"ring"', '"rang"'), "lib.RING() == 'ring'"),
    "weak_method": Shape("""
        class Ear:
            def hear(self, a): return a
        EAR = Ear()
        HEARING = weakref.WeakMethod(EAR.hear)
        """, "Ear.hear", ("return a", "return -a"), "lib.HEARING()(1) == 1"),
    "callback": Shape("""
        def noticed(a): return a * 2
        CALLBACKS = (noticed, lambda a: noticed(a) + 1)
        """, "noticed", ("a * 2", "a * 3"), "[call(1) for call in lib.CALLBACKS] == [2, 3]"),
    "captured_as_default": Shape("def taken(a): return a\ndef with_default(a, f=taken): return f(a)",
                                 "taken", ("return a", "return -a"), "lib.with_default(1) == 1"),
    "captured_by_a_class": Shape("""
        def made_for(a): return a
        class Holder:
            call = staticmethod(made_for)
        """, "made_for", ("return a", "return 7"), "lib.Holder.call(1) == 1"),
    "cached_property": Shape("""
        class Lazy:
            @functools.cached_property
            def once(self): return 8
        """, "Lazy.once", ("return 8", "return 9"), "lib.Lazy().once == 8"),
    "cached_property_filled": Shape("""
        class Filled:
            @functools.cached_property
            def once(self): return 8
        FILLED = Filled()
        FILLED.once
        """, "Filled.once", ("return 8", "return 9"), "lib.FILLED.once == 8", "runs while"),
    "setter": Shape("""
        class Box:
            @property
            def width(self): return self._width
            @width.setter
            def width(self, value): self._width = value  # setter
        def boxed(a):
            box = Box()
            box.width = a
            return box.width
        """, "Box.width#2", ("= value", "= value + 1"), "lib.boxed(1) == 1"),
    "descriptor": Shape("""
        class Twice:
            def __set_name__(self, owner, name): self.name = name
            def __get__(self, thing, owner): return [self.name] * 2
        class Twiced:
            field = Twice()
        """, "Twice.__get__", ("* 2", "* 3"), "lib.Twiced().field == ['field'] * 2"),
    "descriptor_that_was_named": Shape("""
        class Named:
            def __set_name__(self, owner, name): self.name = name
            def __get__(self, thing, owner): return self.name
        class Nameful:
            field = Named()
        """, "Named.__set_name__", ("= name", "= name * 2"), "lib.Nameful().field == 'field'", "runs while"),
    "overload": Shape("""
        @typing.overload
        def loaded(a: int) -> int: ...
        @typing.overload
        def loaded(a: str) -> str: ...
        def loaded(a): return a
        """, "loaded#3", ("return a", "return a * 2"), "lib.loaded('a') == 'a'"),
    "overload_of_a_method": Shape("""
        class Loaded:
            @typing.overload
            def get(self, a: int) -> int: ...
            @typing.overload
            def get(self, a: str) -> str: ...
            def get(self, a): return a
        """, "Loaded.get#3", ("return a", "return a * 2"), "lib.Loaded().get('a') == 'a'"),
    "init_subclass": Shape("""
        class Plugin:
            plugins = []
            def __init_subclass__(cls): cls.plugins.append(cls)
        class First(Plugin): pass
        """, "Plugin.__init_subclass__", (".append(cls)", ".append(1)"), "lib.Plugin.plugins[0] is lib.First",
                           "runs while"),
    "subclassed_later": Shape("""
        class Later:
            names = []
            def __init_subclass__(cls): cls.names.append(cls.__name__)
        """, "Later.__init_subclass__", ("cls.__name__", "cls.__name__ + '!'"),
                              "[type('Sub', (lib.Later,), {}).__name__, *lib.Later.names][1:] == ['Sub']"),
    "metaclass": Shape("""
        class Meta(type):
            def __call__(cls, a): return super().__call__(a + 1)
        class Counted(metaclass=Meta):
            def __init__(self, a): self.a = a
        """, "Meta.__call__", ("a + 1", "a + 2"), "lib.Counted(1).a == 2"),
    "metaclass_that_made_a_class": Shape("""
        class Making(type):
            def __new__(meta, name, bases, space): return super().__new__(meta, name, bases, dict(space, x=1))
        class Made(metaclass=Making): pass
        """, "Making.__new__", ("x=1", "x=2"), "lib.Made.x == 1", "runs while"),
    "abc": Shape("""
        class Shape(abc.ABC):
            @abc.abstractmethod
            def area(self): return 1
        class Square(Shape):
            def area(self): return super().area() + 1
        """, "Shape.area", ("return 1", "return 5"), "lib.Square().area() == 2"),
    "abc_hook": Shape("""
        class Hooked(abc.ABC):
            @classmethod
            def __subclasshook__(cls, other): return hasattr(other, "hook")
        class Hooks:
            hook = 1
        """, "Hooked.__subclasshook__", ("hasattr", "not hasattr"), "issubclass(lib.Hooks, lib.Hooked)"),
    "protocol": Shape("""
        @typing.runtime_checkable
        class Sized(typing.Protocol):
            def size(self) -> int: return 3
        class Sizes(Sized): pass
        """, "Sized.size", ("return 3", "return 4"), "lib.Sizes().size() == 3"),
    "pickled_by_reference": Shape("def picked(a): return a", "picked", ("return a", "return -a"),
                                  "pickle.loads(pickle.dumps(lib.picked))(1) == 1"),
    "pickled_early": Shape("def prepicked(a): return a\nPICKLED = pickle.dumps(prepicked)", "prepicked",
                           ("return a", "return -a"), "pickle.loads(lib.PICKLED)(1) == 1"),
    "reduced": Shape("""
        def rebuilt(a): return Part(a)
        class Part:
            def __init__(self, a): self.a = a
            def __reduce__(self): return rebuilt, (self.a,)
        """, "rebuilt", ("Part(a)", "Part(-a)"), "copy.copy(lib.Part(1)).a == 1"),
    "copied_function": Shape("def first(a): return a\ncopied = types.FunctionType(first.__code__, {})", "first",
                             ("return a", "return -a"), "lib.copied(1) == 1"),
    "code_rewritten": Shape("""
        def doubling(function):
            constants = tuple(2 * c if type(c) is int else c for c in function.__code__.co_consts)
            function.__code__ = function.__code__.replace(co_consts=constants)
            return function
        @doubling
        def doubled(a): return a + 10
        """, "doubled", ("+ 10", "+ 11"), "lib.doubled(1) == 21", "is not what its file compiles to"),
    "code_held": Shape("def coded(a): return a\nCODED = coded.__code__", "coded", ("return a", "return -a"),
                       "types.FunctionType(lib.CODED, {})(1) == 1", "do not notice"),
    "source_compiled": Shape("""
        def sourced(a): return a
        space = {}
        exec(inspect.getsource(sourced), space)
        SOURCED = space["sourced"]
        """, "sourced", ("return a", "return -a"), "lib.SOURCED(1) == 1", "do not notice"),
    "async_generator": Shape("async def ticks():\n    for i in range(2): yield i\n", "ticks", ("yield i", "yield -i"),
                             "asyncio.new_event_loop().run_until_complete(gathered(lib.ticks())) == [0, 1]"),
    "async_context": Shape("""
        @contextlib.asynccontextmanager
        async def opened(log):
            log.append("in")
            yield
            log.append("out")
        async def opening():
            log = []
            async with opened(log): pass
            return log
        """, "opened", ('"out"', '"OUT"'), "asyncio.new_event_loop().run_until_complete(lib.opening())[1] == 'out'"),
    "generator_method": Shape("""
        class Tree:
            def __iter__(self): yield from (1, 2)
        """, "Tree.__iter__", ("(1, 2)", "(2, 1)"), "list(lib.Tree()) == [1, 2]"),
    "singledispatch": Shape("""
        @functools.singledispatch
        def shown(a): return "any"
        @shown.register(int)
        def shown_int(a): return "int"
        """, "shown_int", ('"int"', '"INT"'), "lib.shown(1) == 'int'"),
    "singledispatchmethod": Shape("""
        class Shower:
            @functools.singledispatchmethod
            def show(self, a): return "any"
            @show.register(int)
            def _(self, a): return "int"
        """, "Shower._", ('"int"', '"INT"'), "lib.Shower().show(1) == 'int'"),
    "partialmethod": Shape("""
        class Lamp:
            def switch(self, on): return on
            off = functools.partialmethod(switch, False)
        """, "Lamp.switch", ("return on", "return not on"), "lib.Lamp().off() is False"),
    "total_ordering": Shape("""
        @functools.total_ordering
        class Rank:
            def __init__(self, n): self.n = n
            def __eq__(self, other): return self.n == other.n
            def __lt__(self, other): return self.n < other.n
        """, "Rank.__lt__", ("<", ">"), "lib.Rank(2) >= lib.Rank(1)"),
    "special_method": Shape("""
        class Bag:
            def __len__(self): return 2
            def __getitem__(self, at): return [5, 6][at]
        """, "Bag.__len__", ("return 2", "return 1"), "len(lib.Bag()) == 2"),
    "getattr_of_a_module": Shape("def __getattr__(name):\n    return 'lazily ' + name\n", "__getattr__",
                                 ("lazily ", "lazy "), "lib.anything == 'lazily anything'", "runs while"),
}  # fmt: skip
