"""Operations over HTTP: schemathesis tries the project's own application, and its report is read into findings.

It is called where it is installed in the target's environment, behind the walls. The server is one on the loopback of
that place, from which nothing else can be reached. It sends requests that the interface allows, and checks the answers.
Which requests should have been refused is left out: there it is known to be wrong often.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from xml.etree import ElementTree

from analysis.facts import InvalidRun, Limits
from analysis.function_text import last_name
from analysis.specified.fact_record import Extractor, Fact, Predicate, shortened
from analysis.specified.routes import WebRoute, find_route
from repair.records.specified import SpecFinding, SpecKind
from repair.records.wording import count_noun
from repair.survey.specified.findings import LookedAt, finding_of
from repair.survey.specified.scan import ScannedProject
from sandbox.sandbox import LocalSandbox

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)
MOST_SECONDS, LEAST_SECONDS, START_SECONDS = 45.0, 15.0, 20.0
MOST_BYTES = 2 << 20
"""A larger report is not read."""

UNDOCUMENTED = "ST103"
"""What schemathesis calls an answer with a code that the interface does not list."""

_MARK = "repair-contract-report:"
_ASGI = ("FastAPI", "Starlette", "Quart", "Litestar")
_WSGI = ("Flask", "APIFlask", "OpenAPI")
_DOCTYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_OPERATION = re.compile(r"(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE) (?P<path>/\S*)")
_PROBLEM = re.compile(r"^- (?P<code>ST\d{3,4}) (?P<title>.+)$", re.MULTILINE)
_REQUEST = re.compile(r"^\s+(?P<curl>curl .+)$", re.MULTILINE)
_ANSWER = re.compile(r"^\[(?P<status>\d{3})\]", re.MULTILINE)
_HOST = re.compile(r"http://127\.0\.0\.1:\d+")

SCRIPT = r"""
import importlib, json, os, socket, subprocess, sys, tempfile, threading
folder, module, name, kind, document, seconds, checks, mark, most = sys.argv[1:]
sys.path.insert(0, os.path.join(os.getcwd(), folder))


def say(**told):
    print("\n" + mark + json.dumps(told), flush=True)
    os._exit(0)


try:
    app = getattr(importlib.import_module(module), name)
except BaseException as problem:
    say(problem="%s cannot be imported: %s: %s" % (module, type(problem).__name__, str(problem)[:200]))
if kind == "asgi":
    import uvicorn

    here = socket.socket()
    here.bind(("127.0.0.1", 0))
    port = here.getsockname()[1]
    serve = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="auto"))
    run, named = serve.run, {"sockets": [here]}
else:
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    class Silent(WSGIRequestHandler):
        def log_message(self, *words):
            pass

    server = make_server("127.0.0.1", 0, app, handler_class=Silent)
    port, run, named = server.server_address[1], server.serve_forever, {}
threading.Thread(target=run, kwargs=named, daemon=True).start()
base = "http://127.0.0.1:%d" % port
report = os.path.join(tempfile.mkdtemp(), "report.xml")
words = [base + "/openapi.json", "--wait-for-schema", "10"]
if document:
    words = [os.path.join(os.getcwd(), document), "--url", base]
asked = ["run", *words, "--checks", checks, "--report", "junit", "--report-junit-path", report, "--max-time", seconds]
asked += ["--seed", "1", "--max-examples", "50", "--phases", "examples,coverage,fuzzing", "--mode", "positive"]
code = "from schemathesis.cli import schemathesis; schemathesis()"
command = [sys.executable, "-B", "-I", "-c", code, *asked]
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tempfile.mkdtemp())
text = ""
if os.path.exists(report) and os.path.getsize(report) <= int(most):
    with open(report, encoding="utf-8", errors="replace") as file:
        text = file.read()
say(status=done.returncode, report=text, said=done.stdout.decode("utf-8", "replace")[-600:])
"""
"""What runs behind the walls: the application's server, and schemathesis beside it. Python 3.10."""


@dataclass(frozen=True, slots=True)
class WebApplication:
    """An application that a module of the program binds to a name at its top; ``kind`` is ``asgi`` or ``wsgi``."""

    path: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class BrokenOperation:
    """What schemathesis says of one operation: its code and words, the status that came, and the request."""

    operation: str
    code: str
    title: str
    status: str
    request: str


def applications_in(trees: Mapping[str, ast.Module]) -> Iterator[WebApplication]:
    """``app = FastAPI(…)`` and the like, at the top of a module."""
    for path, tree in trees.items():
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)):
                    kind = last_name(func)
                    if kind in (*_ASGI, *_WSGI):
                        yield WebApplication(path, name, "asgi" if kind in _ASGI else "wsgi")


def try_operations(scanned: ScannedProject, sandbox: LocalSandbox, limits: Limits, seconds: float) -> LookedAt:
    """Findings of schemathesis; nothing at all where the program answers no operations."""
    tests = set(scanned.test_paths)
    apps = [each for each in applications_in(scanned.trees) if each.path not in tests]
    if not scanned.routes or not apps:
        return LookedAt()
    app, document = apps[0], _document(scanned)
    why = _why_not(app, document, sandbox, seconds)
    if why:
        return LookedAt(not_checked=(f"operations over HTTP: {why}",))
    given = min(MOST_SECONDS, seconds - START_SECONDS)
    folder, module = _module_of(app.path, sandbox)
    words = (folder, module, app.name, app.kind, document, str(int(given)), CHECKS, _MARK, str(MOST_BYTES))
    bounds = replace(limits, wall_seconds=given + START_SECONDS, cpu_seconds=2 * (given + START_SECONDS))
    ran = sandbox.script(SCRIPT, words, limits=bounds)
    if isinstance(ran, InvalidRun):
        return LookedAt(not_checked=(f"operations over HTTP: {shortened(ran.detail)}",))
    found = read_run(ran.output)
    if isinstance(found, str):
        return LookedAt(not_checked=(f"operations over HTTP: {found}",))
    broken, operations = found
    said = f"operations over HTTP: schemathesis tried {count_noun(operations, 'operation')} of {app.path}"
    return LookedAt(tuple(_finding(each, scanned) for each in broken if not _is_stated(each, scanned)), (said,))


def _why_not(app: WebApplication, document: str, sandbox: LocalSandbox, seconds: float) -> str:
    """Why schemathesis is not called; empty where it is."""
    if sandbox.jail.kind == "none":
        return "nothing confines the application here"
    if seconds < LEAST_SECONDS + START_SECONDS:
        return f"there is no time for them (--max-seconds): they take {LEAST_SECONDS + START_SECONDS:.0f} s at least"
    if app.kind == "wsgi" and not document:
        return "no OpenAPI document says what they are"
    wanted = ("schemathesis", *(("uvicorn",) if app.kind == "asgi" else ()))
    missing = [each for each in wanted if each not in sandbox.find_importable(wanted)]
    return f"{missing[0]} is not installed in the project's environment" if missing else ""


def _document(scanned: ScannedProject) -> str:
    """The one interface document of the project; empty where there is none, or several."""
    found = {fact.place.path for fact in scanned.facts if fact.extractor is Extractor.OPENAPI}
    known = [path for path in found if path.endswith((".json", ".yaml", ".yml"))]
    return known[0] if len(known) == 1 else ""


def _module_of(path: str, sandbox: LocalSandbox) -> tuple[str, str]:
    """The folder that has to be on the path, and the name by which the module is imported from there."""
    known = {each.path for each in sandbox.snapshot.entries}
    folder, _, file = path.rpartition("/")
    names = [] if file == "__init__.py" else [file.removesuffix(".py")]
    while folder and f"{folder}/__init__.py" in known:
        folder, _, package = folder.rpartition("/")
        names.insert(0, package)
    return folder or ".", ".".join(names)


def read_run(output: str) -> tuple[tuple[BrokenOperation, ...], int] | str:
    """What the report says, and of how many operations; or one sentence on why there is none. It is a stranger's."""
    lines = [line for line in output.splitlines() if line.startswith(_MARK)]
    try:
        told = json.loads(lines[-1].removeprefix(_MARK)) if lines else {}
    except (ValueError, RecursionError):
        told = {}
    if not isinstance(told, dict) or not isinstance(told.get("report", ""), str):
        told = {}
    if told.get("problem"):
        return shortened(str(told["problem"]))
    if not told.get("report"):
        last = shortened(str(told.get("said", "")).strip().rpartition("\n")[2])
        return f"schemathesis wrote no report that can be read{f': {last}' if last else ''}"
    return read_report(str(told["report"]))


def read_report(text: str) -> tuple[tuple[BrokenOperation, ...], int] | str:
    """The failures of a JUnit report, each operation's code once, and how many operations were tried."""
    if len(text) > MOST_BYTES or _DOCTYPE.search(text):
        return "the report of schemathesis is none that is read: it is too long, or names entities"
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, RecursionError) as problem:
        return f"the report of schemathesis is no XML: {shortened(str(problem))}"
    cases = [each for each in root.iter("testcase") if _OPERATION.fullmatch(each.get("name", ""))]
    if not cases:
        return "the report of schemathesis names no operation"
    tried = [each for each in cases if each.find("skipped") is None]
    found: dict[tuple[str, str], BrokenOperation] = {}
    for case in cases:
        for failure in case.iter("failure"):
            for broken in _broken(case.get("name", ""), failure.text or ""):
                found.setdefault((broken.operation, f"{broken.code} {broken.status}"), broken)
    return tuple(found.values()), len(tried)


def _broken(operation: str, text: str) -> Iterator[BrokenOperation]:
    """What one failure says; that an answer of 500 is undocumented besides is no news."""
    request, answer = _REQUEST.search(text), _ANSWER.search(text)
    curl = shortened(_HOST.sub("", request["curl"])) if request else ""
    status = answer["status"] if answer else ""
    problems = list(_PROBLEM.finditer(text))
    for problem in problems:
        if problem["code"] == UNDOCUMENTED and status.startswith("5") and len(problems) > 1:
            continue
        yield BrokenOperation(operation, problem["code"], shortened(problem["title"]), status, curl)


def _is_stated(broken: BrokenOperation, scanned: ScannedProject) -> bool:
    """Whether a code that is said to be undocumented is one that the interface lists; such words are known to come."""
    codes = {f.value for f in _status_facts(broken.operation, scanned)}
    return broken.code == UNDOCUMENTED and bool({broken.status, f"{broken.status[:1]}XX", "default"} & codes)


def _status_facts(operation: str, scanned: ScannedProject) -> list[Fact]:
    """What the interface document lists of an operation's codes."""
    route = _route(operation, scanned)
    subjects = (operation, route.subject if route is not None else operation)
    listed = (f for f in scanned.facts if f.extractor is Extractor.OPENAPI and f.predicate is Predicate.STATUS)
    return [fact for fact in listed if fact.subject in subjects]


def _route(operation: str, scanned: ScannedProject) -> WebRoute | None:
    method, _, road = operation.partition(" ")
    return find_route(scanned.routes, method, road, "")


def _finding(broken: BrokenOperation, scanned: ScannedProject) -> SpecFinding:
    route = _route(broken.operation, scanned)
    file, line = (route.subject.partition(":")[0], route.line) if route is not None else ("", 0)
    answered = f" answers {broken.status}" if broken.status else ""
    asked = f": {broken.request}" if broken.request else ""
    return finding_of(
        SpecKind.DRIFT,
        route.subject if route is not None else broken.operation,
        f"{broken.operation}{asked}{answered}: {broken.title} (schemathesis {broken.code})",
        file,
        line,
        tuple(dict.fromkeys(fact.cite() for fact in _status_facts(broken.operation, scanned)))[:2],
        broken.request,
        words=(broken.operation, broken.code, broken.status),
    )
