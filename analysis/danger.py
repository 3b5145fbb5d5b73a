"""What a function's text makes use of that a fix rarely needs: names and stores that give it a longer reach.

A table maps the start of a dotted name to a family. The longest start that fits decides, and ``FREE`` takes a harmless
part out again. Names of builtins stand under ``builtins``. Stores are looked at where they change what is not the
function's own: modules, classes, other functions, methods of its object.
"""

from __future__ import annotations

import ast
import builtins
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.function_text import last_name
from analysis.scope_names import View, chain_of


class DangerLevel(enum.Enum):
    """``REJECT``: no fix needs this. ``REVIEW``: some do; a person, or a stronger gate, has to look."""

    REJECT = "reject"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Use:
    """``key`` tells what is used: two functions that make the same use share it, wherever it stands.

    A key that is the id alone is free where the old function had any use of that id.
    """

    id: str
    severity: DangerLevel
    key: str
    line: int
    claim: str


def use_at(node: ast.AST, id: str, what: str, claim: str, *, review: bool = False) -> Use:
    """The use of something at a node; ``what`` tells it from others of its id."""
    severity = DangerLevel.REVIEW if review else DangerLevel.REJECT
    return Use(id, severity, f"{id}:{what}", int(getattr(node, "lineno", 0)), claim)


REJECT, REVIEW = DangerLevel.REJECT, DangerLevel.REVIEW


@dataclass(frozen=True, slots=True)
class Danger:
    """A family of reach. ``whole`` means that a function which already had some of it may have more of it."""

    id: str
    severity: DangerLevel
    does: str
    whole: bool = False


FREE = Danger("free", REVIEW, "")
_EXIT = Danger("exit", REJECT, "ends the run")
_RUNNER = Danger("runner", REJECT, "reaches into the test runner")
_FRAMES = Danger("frames", REJECT, "looks into frames, other code objects or the collector")
_FILES = Danger("files", REJECT, "reads or writes files")
_LOOKS = Danger("files", REVIEW, "looks at the file system", whole=True)
_PROCESS = Danger("process", REJECT, "starts or signals processes")
_THREADS = Danger("threads", REJECT, "starts threads or further processes")
_LOCKS = Danger("threads", REVIEW, "takes a lock")
_SIGNALS = Danger("signals", REJECT, "sets signal or exit handlers")
_NETWORK = Danger("network", REJECT, "uses the network")
_ENVIRONMENT = Danger("environment", REVIEW, "depends on the environment", whole=True)
_CLOCK = Danger("clock", REVIEW, "depends on the clock", whole=True)
_PAUSES = Danger("pause", REVIEW, "waits")
_CHANCE = Danger("chance", REVIEW, "depends on chance", whole=True)
_INTERPRETER = Danger("interpreter", REJECT, "changes or inspects the interpreter")
_DYNAMIC = Danger("dynamic", REJECT, "runs or imports code made at run time")
_NAMESPACE = Danger("dynamic", REJECT, "reaches into namespaces")
_LOCALS = Danger("dynamic", REVIEW, "reaches into namespaces")
_OUTPUT = Danger("output", REVIEW, "prints", whole=True)
_CODE = Danger("definition", REJECT, "makes functions, classes or modules at run time")
_ORDER = Danger("definition", REVIEW, "makes objects that compare as they like")

_ROWS: tuple[tuple[Danger, str, str], ...] = (
    (FREE, "inspect.", "signature Parameter Signature cleandoc getdoc isclass isfunction ismethod isbuiltin"),
    (FREE, "inspect.", "isroutine iscoroutine iscoroutinefunction isawaitable isgenerator isgeneratorfunction"),
    (FREE, "inspect.", "isabstract unwrap"),
    (FREE, "os.", "path sep altsep linesep fspath curdir pardir PathLike name fsencode fsdecode extsep pathsep"),
    (FREE, "os.", "devnull"),
    (FREE, "pathlib.", "PurePath PurePosixPath PureWindowsPath Path"),
    (FREE, "time.", "strftime strptime mktime struct_time gmtime"),
    (FREE, "sys.", "stderr maxsize version_info platform byteorder float_info getsizeof intern exc_info hash_info"),
    (FREE, "sys.", "getdefaultencoding getfilesystemencoding maxunicode getrecursionlimit version implementation"),
    (_EXIT, "", "sys.exit os._exit os.abort pytest.exit"),
    (_EXIT, "builtins.", "exit quit SystemExit KeyboardInterrupt GeneratorExit"),
    (_RUNNER, "", "pytest _pytest unittest mock nose doctest conftest pluggy tests test hypothesis"),
    (_RUNNER, "sys.", "modules path meta_path path_hooks"),
    (_FRAMES, "", "gc inspect linecache tracemalloc dis bdb pdb"),
    (_FRAMES, "sys.", "_getframe _current_frames settrace setprofile monitoring addaudithook call_tracing"),
    (_FRAMES, "traceback.", "walk_stack extract_stack format_stack print_stack StackSummary walk_tb"),
    (_FILES, "", "builtins.open io.open io.FileIO codecs.open os shutil tempfile glob sqlite3 shelve dbm mmap fcntl"),
    (_FILES, "", "pickle marshal zipimport fileinput"),
    (_LOOKS, "", "pathlib"),
    (_LOOKS, "os.", "getcwd listdir stat scandir walk access"),
    (_LOOKS, "os.path.", "exists lexists isfile isdir islink getsize getmtime getctime getatime samefile realpath"),
    (_PROCESS, "", "subprocess multiprocessing pty asyncio.create_subprocess_exec"),
    (_PROCESS, "os.", "system popen kill fork killpg posix_spawn wait execl execv spawnl spawnv execle execlp"),
    (_PROCESS, "os.", "execlpe execve execvp execvpe spawnle spawnlp spawnlpe spawnve spawnvp spawnvpe"),
    (_THREADS, "", "threading _thread concurrent queue sched asyncio.to_thread"),
    (_LOCKS, "threading.", "Lock RLock local get_ident"),
    (_SIGNALS, "", "signal atexit faulthandler resource weakref.finalize sys.excepthook"),
    (_NETWORK, "", "socket ssl requests httpx ftplib smtplib socketserver xmlrpc http.client http.server"),
    (_NETWORK, "", "urllib.request asyncio.open_connection"),
    (_ENVIRONMENT, "", "platform getpass logging.root logging.lastResort warnings.filters os.path.expanduser"),
    (_ENVIRONMENT, "", "os.path.expandvars pathlib.Path.cwd pathlib.Path.home builtins.__debug__ builtins.__file__"),
    (_ENVIRONMENT, "os.", "environ getenv environb getpid isatty getppid getuid"),
    (_ENVIRONMENT, "sys.", "argv flags orig_argv executable gettrace getprofile"),
    (_CLOCK, "", "time datetime.datetime.now datetime.datetime.utcnow datetime.datetime.today datetime.date.today"),
    (_PAUSES, "", "time.sleep asyncio.sleep"),
    (_CHANCE, "", "random secrets uuid.uuid1 uuid.uuid4 os.urandom os.getrandom numpy.random random.SystemRandom"),
    (_INTERPRETER, "", "sys.setrecursionlimit sys ctypes _ctypes site sysconfig builtins cffi"),
    (_INTERPRETER, "", "warnings.warn_explicit"),
    (_INTERPRETER, "os.", "putenv unsetenv chdir umask"),
    (_DYNAMIC, "", "importlib imp runpy code codeop pkgutil types.FunctionType"),
    (_DYNAMIC, "builtins.", "eval exec compile __import__ breakpoint input"),
    (_NAMESPACE, "builtins.", "globals __builtins__ __loader__ __spec__"),
    (_LOCALS, "", "builtins.locals builtins.vars"),
    (_OUTPUT, "", "sys.stdout sys.stdin builtins.print"),
    (_CODE, "", "types.CodeType types.new_class types.ModuleType dataclasses.make_dataclass"),
    (_CODE, "", "builtins.type.__setattr__ builtins.type.__delattr__ builtins.type.__call__ abc.ABCMeta"),
    (_CODE, "", "enum.EnumMeta enum.EnumType"),
    (_ORDER, "", "functools.cmp_to_key"),
)
"""Family, start of the dotted names, and what follows it in each of them."""

NAMES = {start + name: danger for danger, start, names in _ROWS for name in names.split()}
NAMES |= dict.fromkeys((f"builtins.{name}.__class__" for name in dir(builtins)), _CODE)

KINDS = frozenset(
    ["types.CodeType", "types.FunctionType", "types.ModuleType", "abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"]
)
"""Classes of which making one reaches far, and asking for one does not."""

_ATTRIBUTES: tuple[tuple[Danger, str], ...] = (
    (_FRAMES, "__code__ __globals__ __builtins__ __subclasses__ __closure__ findCaller f_lineno f_trace"),
    (_FRAMES, "tb_lasti co_filename cell_contents f_back f_globals f_locals f_code f_builtins tb_frame gi_frame"),
    (_FRAMES, "gi_code cr_frame cr_code ag_frame co_consts"),
    (_FILES, "write_text write_bytes unlink rmdir mkdir touch symlink_to hardlink_to chmod lchmod"),
    (_LOOKS, "read_text read_bytes iterdir rglob is_file is_dir"),
    (_ENVIRONMENT, "isatty hasHandlers"),
)
SECRET_ATTRIBUTES = {name: danger for danger, names in _ATTRIBUTES for name in names.split()}
"""Attributes that reach far whatever they are taken from; strings that spell the dunder ones count as well."""

_DUNDERS = """
__annotations__ __cause__ __context__ __defaults__ __dict__ __doc__ __kwdefaults__ __module__ __name__ __notes__
__qualname__ __signature__ __suppress_context__ __traceback__ __type_params__ __version__ __wrapped__
"""

PLAIN_DUNDERS = frozenset(_DUNDERS.split())
"""Special attributes that hold data: setting one does not change how objects compare, call or convert."""

_MODULES = """
__future__ abc array ast asyncio base64 binascii bisect calendar cmath codecs collections colorsys contextlib copy
copyreg csv dataclasses datetime decimal difflib enum errno fnmatch fractions functools hashlib heapq hmac html
inspect io ipaddress itertools json keyword locale logging math numbers operator os pathlib posixpath pprint quopri
random re reprlib statistics string stringprep struct sys textwrap time token tokenize traceback types typing
unicodedata urllib uuid warnings weakref xml zlib zoneinfo
"""

UNTROUBLED_MODULES = frozenset(_MODULES.split())
"""Modules that a function may newly import; what it then uses of them is looked up name by name."""


def danger_of(name: str) -> Danger | None:
    """The family of a dotted name, ``None`` for one that is free.

    A module that is reached through another one, as in ``logging.os``, is the module itself; constants reach nothing.
    """
    parts = name.split(".")
    inner = [i for i in range(1, len(parts)) if parts[i].lstrip("_") in _FAR_MODULES and parts[0] not in _NO_MODULES]
    if inner:
        parts = [parts[inner[-1]].lstrip("_"), *parts[inner[-1] + 1 :]]
    for end in range(len(parts), 0, -1):
        found = NAMES.get(".".join(parts[:end]))
        if found is not None and not (end == 1 and parts[0] == "builtins"):
            is_constant = found.id in _WITH_CONSTANTS and end < len(parts) and parts[-1].isupper()
            return None if found is FREE or is_constant else found
    return None


def danger_within(chain: list[str]) -> Danger | None:
    """The family of what an object of unknown kind hands on, where one of its attributes is called like a module."""
    inner = [i for i in range(1, len(chain) - 1) if chain[i].lstrip("_") in _FAR_MODULES]
    return danger_of(".".join([chain[inner[-1]].lstrip("_"), *chain[inner[-1] + 1 :]])) if inner else None


_NO_MODULES = ("builtins", "module")
_WITH_CONSTANTS = ("files", "process", "signals", "network")
_FAR = "atexit builtins ctypes gc importlib linecache os pytest shutil socket subprocess sys tempfile unittest"
_FAR_MODULES = frozenset(_FAR.split())


_HARMLESS = """
__init__ __post_init__ __copy__ __deepcopy__ __enter__ __exit__ __aenter__ __aexit__ __iter__ __next__ __aiter__
__anext__ __await__ __len__ __length_hint__ __reversed__ __repr__ __str__ __bytes__ __format__ __fspath__ __sizeof__
__dir__
"""

HARMLESS_METHODS = frozenset(_HARMLESS.split())
"""Special methods of a class that change neither how its objects compare, convert to numbers and call, nor what its
attributes are."""


def is_special(name: str) -> bool:
    """Whether the name is a dunder that Python itself calls."""
    return name.startswith("__") and name.endswith("__") and len(name) > 4 and name not in PLAIN_DUNDERS


_METHODS = "add append clear discard extend insert pop popitem remove setdefault update"
_CHANGING = frozenset(_METHODS.split())


def uses_of_store(chain: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    """What storing to ``a.b.c`` changes beyond the function's own objects."""
    if len(chain) < 2:
        return
    name, last = ".".join(chain), chain[-1]
    # A property changes its object; what begins with ``_`` may be a cache.
    first = next((a.arg for a in view.function.args.args), "")
    is_reader = any(last_name(decorator) == "property" for decorator in view.function.decorator_list)
    if is_special(last):
        yield use_at(node, "definition", last, f"sets {last}, which changes how objects behave")
    root = view.resolve(chain[0])
    own = root == f"module.{chain[0]}"
    if chain[0] in view.imports or (own and chain[0] in view.around.functions):
        yield use_at(node, "patching", name, f"changes {name}, which is not the function's own")
    elif own and chain[0] in view.around.classes:
        yield use_at(node, "patching", name, f"changes the class {chain[0]}", review=True)
    elif is_reader and len(chain) == 2 and chain[0] == first and not last.startswith("_"):
        yield use_at(node, "state", name, f"changes {name} where it is only asked for a value", review=True)
    elif last in view.around.methods:
        yield use_at(node, "patching", name, f"puts something in the place of the method {last}", review=True)
    else:
        yield from _uses_of_module(chain, node, view)


def _uses_of_module(chain: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    """What all calls share: data that the module holds. Who changed it before may do so in another way."""
    if view.resolve(chain[0]) == f"module.{chain[0]}" and chain[0] in view.around.top:
        claim = f"changes the module's {chain[0]}, which all calls share"
        yield use_at(node, "state", f"module.{chain[0]}", claim, review=True)


def uses_of_class_store(node: ast.Attribute) -> Iterator[Use]:
    """A store to an attribute of an object's class: all objects of it are changed."""
    match node.value:
        case ast.Call(func=ast.Name(id="type"), args=[_]) | ast.Attribute(attr="__class__"):
            claim = f"changes {node.attr} for all objects of a class"
            yield use_at(node, "patching", f"class.{node.attr}", claim, review=True)


def uses_of_item_store(chain: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    """What storing to ``a.b[…]`` changes beyond the function's own objects."""
    name = ".".join(chain)
    if "__dict__" in chain[1:] and (chain[0] in view.imports or view.resolve(chain[0]).startswith("module.")):
        yield use_at(node, "patching", name, f"changes {name}, which is not the function's own")
    elif chain[0] in view.imports:
        mild = view.imports[chain[0]].startswith(("os.environ", "."))
        yield use_at(node, "patching", name, f"changes items of {name}", review=mild)
    else:
        yield from _uses_of_module(chain, node, view)


def uses_of_changing_call(chain: list[str], node: ast.Call, view: View) -> Iterator[Use]:
    """``a.b.append(…)`` where ``a`` is imported, or the module's own: it changes what others see."""
    if len(chain) < 2 or chain[-1] not in _CHANGING:
        return
    if chain[0] not in view.imports:
        yield from _uses_of_module(chain, node, view)
        return
    parts = view.imports[chain[0]].split(".") + chain[1:]
    if len(parts) > 2 or parts[0] not in UNTROUBLED_MODULES:
        name = ".".join(chain[:-1])
        yield use_at(node, "patching", name, f"changes {name}, which is not the function's own", review=True)


def uses_of_global(names: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    """What a ``global`` statement lets the function rebind."""
    for name in names:
        if name in view.around.classes | view.around.functions or name in view.imports:
            yield use_at(node, "patching", name, f"rebinds the module's {name}")
        elif name not in view.around.bound:
            yield use_at(node, "state", name, f"makes a new global {name} to remember things in")
        else:
            yield from _uses_of_module([name], node, view)


def uses_of_setattr(node: ast.Call, name: str, view: View) -> Iterator[Use]:
    """What ``setattr`` and ``delattr`` change; to where cannot always be told."""
    match node.args:
        case [target, ast.Constant(value=str(attribute)), *_] if chain_of(target):
            stored = list(uses_of_store([*chain_of(target), attribute], node, view))
            yield from stored
            if stored:
                return
    yield use_at(node, "patching", name, f"uses {name}()", review=True)
