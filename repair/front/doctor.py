"""What this machine can do, found out by trying: each check names the part that it tries."""

from __future__ import annotations

import contextlib
import enum
import json
import platform
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from analysis.errors import RepairError, UsageError
from repair.front.interpreter import choose_python
from repair.front.opening import has_walls, jail_of, private_folders
from repair.front.ruff import find_ruff
from repair.front.trust import is_weak
from repair.model.reply import make_plain
from repair.records.config import Options, api_key
from repair.records.json_records import to_plain
from repair.show.terminal import make_visible
from repair.store import git
from repair.store.store import open_store
from sandbox.installation import hidden_from
from sandbox.interpreter import describe
from sandbox.jail import KINDS, Kind
from sandbox.jail_protocol import NO_JAIL, Jail
from sandbox.preflight import quick_probes, run_probes
from sandbox.probe_catalog import ProbeResult

MOST_LISTED = 5
"""Models of an endpoint that are named where it does not know the one that was asked for."""

MOST_BYTES = 1 << 20


class State(enum.StrEnum):
    """How one thing stands."""

    OK = "ok"
    LIMITED = "limited"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class MachineCheck:
    """One thing looked at. ``needed`` tells whether the main job depends on it."""

    name: str
    state: State
    detail: str
    remedy: str = ""
    needed: bool = False
    opens: tuple[str, ...] = ()
    """Of an isolation: what it leaves open."""
    probes: tuple[ProbeResult, ...] = ()
    """Of an isolation: what came of the forbidden acts that were tried."""
    forms: tuple[str, ...] = ()
    """Of a model: the forms of a reply that it can be asked for."""


def examine(options: Options, env: Mapping[str, str], *, probes: bool = False) -> tuple[MachineCheck, ...]:
    """All checks, in the order in which a run needs them. With ``probes`` every forbidden act is tried, also those that
    take resources, and on every kind of isolation that is here."""
    try:
        jail: Jail | RepairError = jail_of(options)
    except RepairError as problem:
        jail = problem
    engine = f"repair {version('repair-engine')} on Python {platform.python_version()}"
    ruff = find_ruff(options.root, env.get("PATH", ""))
    no_ruff = "not beside the engine and not on your path: the gate `static` is not asked"
    return (
        MachineCheck("engine", State.OK, engine, needed=True),
        *_target(options, env, jail),
        _isolation(jail),
        *(_probe(kind) for kind in KINDS if probes),
        _state(options),
        _tool("git", git.version(options.root), "not installed", "--commit and check --since need it."),
        _tool("ruff", ruff, no_ruff, "Beside the engine: pip install 'ruff>=0.9,<0.18'."),
        _model(options, env),
    )


def is_able(checks: Sequence[MachineCheck]) -> bool:
    """Whether the main job can run here."""
    return not any(check.needed and check.state is State.MISSING for check in checks)


def checks_json(checks: Sequence[MachineCheck]) -> dict[str, Any]:
    """The checks as ``repair.doctor/1``."""
    listed = []
    for check in checks:
        tried = [
            {"name": p.name, "tries": p.tries, "works_outside": p.control, "stopped": p.stopped} for p in check.probes
        ]
        listed.append({**to_plain(check), "probes": tried})
    return {"schema": "repair.doctor/1", "able": is_able(checks), "checks": listed}


def checks_text(checks: Sequence[MachineCheck]) -> str:
    """The checks as lines, with the remedy below what is not well."""
    lines = []
    for check in checks:
        lines.append(f"{check.name:<12} {check.state:<8} {check.detail}")
        if check.opens:
            lines.append(f"{'':<21} leaves open: {'; '.join(check.opens)}")
        if check.remedy and check.state is not State.OK:
            lines.append(f"{'':<21} {check.remedy}")
    able = "The main job can run here." if is_able(checks) else "The main job cannot run here."
    return "\n".join([*map(make_visible, lines), "", able, ""])


def _target(options: Options, env: Mapping[str, str], jail: Jail | RepairError) -> Iterator[MachineCheck]:
    """The interpreter by the rules of a run. Where the isolation asked for does not hold, a project's is not asked."""
    walls = NO_JAIL if isinstance(jail, RepairError) else jail
    try:
        if walls.image:
            found = describe(walls.image.python, walls)
        else:
            chosen = choose_python(options, env, walled=has_walls(walls))
            if chosen.foreign and isinstance(jail, RepairError):
                raise jail
            hidden = hidden_from(options.root, private_folders(options)) if chosen.foreign else None
            found = describe(chosen.python, walls, hidden)
    except RepairError as problem:
        place = f" ({problem.where})" if problem.where else ""
        yield MachineCheck("target", State.MISSING, f"{problem.found}{place}", problem.remedy, needed=True)
        return
    named = ".".join(map(str, found.version))
    yield MachineCheck("target", State.OK, f"Python {named}: {found.python}", needed=True)
    lacking = "not in the target's interpreter"
    yield _tool("pytest", found.pytest, lacking, f"{found.python} -m pip install pytest", needed=True)
    yield _tool("coverage", found.coverage, f"{lacking}: lines are traced by our probe")


def _tool(name: str, found: str, lacking: str, remedy: str = "", *, needed: bool = False) -> MachineCheck:
    """A program or package that is found or not; without one that is not needed, less can be done."""
    if found:
        return MachineCheck(name, State.OK, found, needed=needed)
    return MachineCheck(name, State.MISSING if needed else State.LIMITED, lacking, remedy, needed)


def _isolation(jail: Jail | RepairError) -> MachineCheck:
    if isinstance(jail, RepairError):
        return MachineCheck("isolation", State.MISSING, jail.found, jail.remedy, needed=True)
    said = f"{jail.kind}: {jail.detail}"
    if is_weak(jail):
        remedy = "Install bubblewrap, or name another with --isolation."
        return MachineCheck("isolation", State.LIMITED, said, remedy, opens=jail.opens)
    tried = quick_probes(jail)
    return MachineCheck(
        "isolation", State.OK, said, needed=True, opens=jail.opens, probes=() if isinstance(tried, str) else tried
    )


def _probe(kind: Kind) -> MachineCheck:
    """Every forbidden act, tried on one kind. One that works nowhere on this machine needs no wall."""
    jail = kind.find()
    try:
        tried = f"{kind.name}: {jail}" if isinstance(jail, str) else run_probes(jail)
    except RepairError as problem:
        tried = problem.found
    if isinstance(jail, str) or isinstance(tried, str):
        return MachineCheck("probes", State.MISSING, str(tried), f"Install or allow {kind.title}.")
    wrong = [probe for probe in tried if not probe.stopped]
    said = f"{kind.name} stops {len(tried) - len(wrong)} of {len(tried)}" + "".join(f"; not: {p.tries}" for p in wrong)
    state = State.LIMITED if wrong else State.OK
    broken = any(probe.name in jail.stops for probe in wrong)
    return MachineCheck("probes", State.MISSING if broken else state, said, opens=jail.opens, probes=tried)


def _state(options: Options) -> MachineCheck:
    try:
        store = open_store(options.root, options.state_dir)
    except RepairError as problem:
        return MachineCheck("state", State.MISSING, problem.found, problem.remedy, needed=True)
    return MachineCheck("state", State.OK, str(store.directory), needed=True)


def _model(options: Options, env: Mapping[str, str]) -> MachineCheck:
    """Whether the named model answers, or, where only its endpoint is named, whether that does.

    The key is sent, so this happens only where the user named one of them.
    """
    if options.model:
        return _probe_model(options, env)
    if options.base_url:
        return _endpoint(options.base_url, api_key(env))
    return MachineCheck("model", State.OK, "none named: search works without one")


def _probe_model(options: Options, env: Mapping[str, str]) -> MachineCheck:
    from repair.model.endpoint import Endpoint  # noqa: PLC0415 - the SDK takes long to import
    from repair.model.probing import PROBE_SECONDS, probe_model  # noqa: PLC0415

    name = options.model
    try:
        endpoint = Endpoint(name, options.base_url, api_key(env), stream=options.stream)
    except UsageError as problem:
        where = f" ({problem.where})" if problem.where else ""
        return MachineCheck("model", State.LIMITED, f"{name}: {problem.found}{where}", problem.remedy)
    with contextlib.closing(endpoint):
        found = probe_model(endpoint, min(PROBE_SECONDS, options.request_seconds))
    if not found.trouble:
        return MachineCheck("model", State.OK, f"{name} {found.said}", forms=found.forms)
    listed = _listed(options.base_url, api_key(env)) if found.is_unknown and options.base_url else ()
    known = f"; the endpoint lists {', '.join(listed)}" if listed else ""
    return MachineCheck("model", State.LIMITED, f"{name} does not answer: {found.trouble}{known}", found.remedy)


def _listed(url: str, key: str) -> tuple[str, ...]:
    """Names of some models that the endpoint lists."""
    try:
        _, body = _ask(_listing(url), key)
        names = [str(each["id"]) for each in json.loads(body)["data"]]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return ()
    return tuple(make_plain(name, 60) for name in names[:MOST_LISTED])


def _endpoint(url: str, key: str) -> MachineCheck:
    """Whether the endpoint lists its models."""
    listing = _listing(url)
    try:
        status, _ = _ask(listing, key)
    except (OSError, ValueError) as problem:
        return MachineCheck("model", State.LIMITED, f"{listing} does not answer: {problem}", "Check --base-url.")
    if status in (401, 403):
        return MachineCheck("model", State.LIMITED, f"{listing} refuses the key ({status})", "Set REPAIR_API_KEY.")
    if status >= 500:
        return MachineCheck("model", State.LIMITED, f"{listing} answers {status}", "See the server's log.")
    return MachineCheck("model", State.OK, f"{url} answers ({status}); name a model to ask it")


def _listing(url: str) -> str:
    return url.rstrip("/") + "/models"


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key would be sent along to wherever it leads."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _ask(url: str, key: str) -> tuple[int, bytes]:
    """The status and the start of the body."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    request = urllib.request.Request(url, headers=headers)
    if request.type not in ("http", "https"):
        raise ValueError("not an http address")
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=5) as reply:
            return int(reply.status), reply.read(MOST_BYTES)
    except urllib.error.HTTPError as problem:
        with problem:
            return problem.code, b""
