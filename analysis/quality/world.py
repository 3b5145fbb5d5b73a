"""Smells of tests that lean on clock, chance, environment or harness, or that replace their subject."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from analysis.function_text import dotted_name, last_name
from analysis.quality.case import Case
from analysis.quality.smell import Finding, Rule, Severity
from analysis.surroundings import imported_names

_CHANCE = re.compile(r"^(random|np\.random|numpy\.random|secrets)\.|^uuid\.uuid[14]$|^uuid4$")
_CLOCK = re.compile(r"^time\.(time|monotonic|perf_counter|localtime|gmtime)$|(^|\.)(now|utcnow|today)$")
_STEADY = re.compile(r"seed|freeze|frozen|travel|mock|patch|rng|clock", re.IGNORECASE)
_SLEEPS = ("time.sleep", "sleep", "asyncio.sleep", "anyio.sleep", "trio.sleep")
_NETWORK = re.compile(r"^(socket|urllib|requests|httpx|http\.client)\.")


def find_sleeping(case: Case) -> Iterator[Finding]:
    """T10."""
    for node in case.nodes:
        match node:
            case ast.Call(args=[] | [ast.Constant(value=0)]):
                continue
            case ast.Call(func=func) if dotted_name(func) in _SLEEPS:
                yield node.lineno, "The test sleeps; whether it passes may depend on the machine's speed."


def subject_replaced(case: Case) -> Iterator[Finding]:
    """T17. Nothing can be said where the subject is not known."""
    if not case.subject:
        return
    modules = frozenset(name for name, _ in imported_names(case.module))
    for line, target in _replacements(case):
        if _is_subject(target, case.subject, modules):
            yield line, f"The test replaces {case.subject}, which it is meant to exercise."


def replaced_among(case: Case, functions: Iterable[str]) -> frozenset[str]:
    """Those of the functions, by qualified names, that the test replaces: it says nothing about them."""
    targets = {target for _, target in _replacements(case)}
    if not targets:
        return frozenset()
    modules = frozenset(name for name, _ in imported_names(case.module))
    return frozenset(name for name in functions if any(_is_subject(target, name, modules) for target in targets))


def _replacements(case: Case) -> Iterator[tuple[int, str]]:
    """Line and target of all that the test and the decorators around it replace."""
    nodes: list[ast.AST] = [*case.nodes, *(n for d in case.function.decorator_list for n in ast.walk(d))]
    nodes += [n for c in case.classes for d in c.decorator_list for n in ast.walk(d)]
    for node in nodes:
        for target in _replaced_names(node):
            yield int(getattr(node, "lineno", case.function.lineno)), target


def _replaced_names(node: ast.AST) -> Iterator[str]:
    """Dotted names of what a patch, a ``monkeypatch.setattr`` or an assignment replaces."""
    match node:
        case ast.Call(func=func, args=[ast.Constant(value=str(target)), *_]) if last_name(func) in ("patch", "setattr"):
            yield "." + target
        case ast.Call(func=func, args=[owner, ast.Constant(value=str(name)), *_]) if last_name(
            func
        ) == "setattr" or dotted_name(func).endswith("patch.object"):
            yield f"{dotted_name(owner)}.{name}"
        case ast.Assign(targets=targets):
            yield from (dotted_name(t) for t in targets if isinstance(t, ast.Attribute))


def _is_subject(target: str, subject: str, modules: frozenset[str]) -> bool:
    """A leading dot marks a full path as text; else the target's root must be imported or be the subject's class."""
    parts, wanted = target.split("."), subject.split(".")
    if len(wanted) > 1:
        return parts[-2:] == wanted[-2:] or (parts[-1] == wanted[-2] and (parts[0] in modules or not parts[0]))
    return parts[-1] == wanted[-1] and len(parts) > 1 and (not parts[0] or parts[0] in modules)


def find_unseeded(case: Case) -> Iterator[Finding]:
    """T21."""
    everything = " ".join([ast.unparse(case.function.args), *(ast.unparse(d) for d in case.function.decorator_list)])
    calls = [(node.lineno, dotted_name(node.func)) for node in case.nodes if isinstance(node, ast.Call)]
    if any(_STEADY.search(text) for text in (everything, *(name for _, name in calls))):
        return
    for line in [line for line, name in calls if _CHANCE.search(name) or _CLOCK.search(name)][:1]:
        yield line, "The test draws on chance or the clock without fixing either."


def find_environment(case: Case) -> Iterator[Finding]:
    """T22."""
    fixtures = [a.arg for a in case.function.args.args]
    for node in case.nodes:
        match node:
            case ast.Call(func=func) if _NETWORK.search(dotted_name(func)):
                yield node.lineno, "The test uses the network."
            case ast.Attribute() if dotted_name(node) == "os.environ" and "monkeypatch" not in fixtures:
                yield node.lineno, "The test depends on the environment."
            case ast.Call(func=ast.Name(id="open"), args=[ast.Constant(value=str(path)), *_]) if path.startswith("/"):
                yield node.lineno, "The test opens an absolute path."


def find_harness(case: Case) -> Iterator[Finding]:
    """T25."""
    for statement in case.module.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name.startswith("pytest_"):
            yield statement.lineno, f"The test module defines the hook {statement.name}."
    for node in case.nodes:
        match node:
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if dotted_name(value) == "sys.modules":
                yield node.lineno, "The test edits sys.modules."
            case ast.Attribute(ctx=ast.Store()) if dotted_name(node).startswith(("pytest.", "_pytest.")):
                yield node.lineno, "The test edits pytest."


_RUNS = "    assert parse('1') == 1\n"

RULES = (
    Rule("T10", Severity.WARN, "sleeping", find_sleeping).with_examples(
        ("def test_it():\n    time.sleep(0.1)\n" + _RUNS, "async def test_it():\n    await asyncio.sleep(1)\n" + _RUNS),
        ("async def test_it():\n    await asyncio.sleep(0)\n" + _RUNS,),
    ),
    Rule("T17", Severity.REJECT, "subject replaced", subject_replaced).with_examples(
        (
            "def test_it():\n    with mock.patch('pkg.mod.parse', return_value=1):\n    " + _RUNS,
            "@patch('pkg.mod.parse')\ndef test_it(m):\n" + _RUNS,
            "import mod\ndef test_it(monkeypatch):\n    monkeypatch.setattr(mod, 'parse', lambda s: 1)\n" + _RUNS,
            "import mod\ndef test_it():\n    mod.parse = lambda s: 1\n" + _RUNS,
            "from pkg import mod\n@mock.patch.object(mod, 'parse')\ndef test_it(m):\n" + _RUNS,
        ),
        (
            "import mod\ndef test_it(monkeypatch):\n    monkeypatch.setattr(mod, 'read', lambda s: 1)\n" + _RUNS,
            "def test_it():\n    client = Mock()\n    client.parse = 3\n" + _RUNS,
            "def test_it():\n    with patch('pkg.mod.LIMIT', 3):\n    " + _RUNS,
        ),
    ),
    Rule("T21", Severity.WARN, "chance or clock", find_unseeded).with_examples(
        (
            "def test_it():\n    assert parse(random.random())\n",
            "def test_it():\n    assert parse(datetime.datetime.now())\n",
        ),
        (
            "def test_it():\n    random.seed(1)\n    assert parse(random.random())\n",
            "@freeze_time('2020')\ndef test_it():\n    assert parse(date.today())\n",
        ),
    ),
    Rule("T22", Severity.WARN, "environment", find_environment).with_examples(
        (
            "def test_it():\n    assert parse(os.environ['HOME'])\n",
            "def test_it():\n    assert parse(requests.get(URL))\n",
        ),
        ("def test_it(monkeypatch):\n    monkeypatch.setitem(os.environ, 'A', '1')\n" + _RUNS,),
    ),
    Rule("T25", Severity.WARN, "edits the harness", find_harness).with_examples(
        (
            "def pytest_runtest_makereport():\n    pass\ndef test_it():\n" + _RUNS,
            "def test_it():\n    sys.modules['x'] = None\n" + _RUNS,
        ),
        ("def test_it():\n    assert 'x' not in sys.modules\n" + _RUNS,),
    ),
)
