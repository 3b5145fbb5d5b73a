"""What a run was asked to do: one frozen record, merged from command line, environment and file.

The command line beats ``REPAIR_*``, which beats ``[tool.repair]`` in ``pyproject.toml`` (or ``repair.toml``). A
project's file is written by whoever wrote the project, so it may not

- turn on a model or an agent, or say where it is;
- choose isolation or an image;
- pass on secrets;
- say where records lie;
- start an apply.

Secrets are read from the environment where they are used and are never part of this record.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints
from urllib.parse import urlsplit

from pydantic import Field, TypeAdapter, ValidationError

from analysis.edit_kind import PATCH_LINES
from analysis.errors import UsageError
from analysis.facts import Files
from repair.records.addresses import holds_credentials
from repair.records.hook_variables import HOOK_VARIABLES
from repair.records.model_arms import KEY_VARIABLE, read_arm
from repair.records.secret_names import CREDENTIALS, is_secret
from repair.records.verdict import CORE_GATES, EXTRA_GATES

PROMPTS = "REPAIR_PROMPTS"
"""The variable that names a folder of prompts in place of packaged ones."""
NO_SETTINGS = (*HOOK_VARIABLES, PROMPTS)
"""Variables of ours that are no settings of a run."""
KEYS = ("REPAIR_API_KEY", "OPENAI_API_KEY")
"""Environment variables that hold the model's key, first match wins."""

STRONG_KEY = "REPAIR_STRONG_API_KEY"
"""That of the stronger model, where it has an endpoint of its own: no endpoint is told the key of another one."""

COMMAND_LINE = "the command line"

LONGEST_SHOWN = 60
"""Characters of a value that are shown of what the project's file sets."""

FILE_ISOLATIONS = ("auto", "bwrap")
"""What a project's file may ask for: the strongest, or nothing less than it."""

LONGEST_SECONDS = 7 * 86_400.0
"""A week: no run takes longer."""

DEFAULT_MAX_REQUESTS, SECOND_MAX_REQUESTS = 6, 2
"""Questions to a model about one bug: where it mends, and where it gives a second opinion."""

DEFAULT_MAX_COST = 2.0
"""US dollars that a run may spend on a model whose prices are known."""

Positive = Annotated[float, Field(gt=0, le=LONGEST_SECONDS, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]
Percent = Annotated[float, Field(ge=0, le=100)]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Options:
    """Every option of a run. ``root`` is absolute; an empty ``python``, ``state_dir`` … means the default.

    - ``agent`` is the command of an external agent, and ``agent_seconds`` bound each of its runs.
    - Prices are US dollars for a million tokens. ``max_cost`` is what a run may spend; it is ``DEFAULT_MAX_COST`` where
      prices are known and nothing else is said.
    - ``max_requests`` counts questions to a model about one bug: six, or two for a second opinion. ``max_attempts``
      counts its edits of one function, ``max_tokens`` all tokens of a run. One try of a request takes
      ``request_seconds`` at most.
    - ``asked_at_once`` is about how many functions a model is asked at the same time.
    - ``models`` are further ones, each as `repair/records/model_arms.py` reads it. ``strong_model`` is one of strength
      2. Its endpoint is the model's, unless ``strong_base_url`` names one. From the thread ``strong_from`` of a
      conversation on each thread asks the next stronger one. For failures of ``strong_classes`` the strongest is asked.
    - With ``stream`` a reply is asked for piece by piece, in the ``reply_form`` of plain blocks or of JSON.
    - ``script`` is a file of edits for the scripted proposer.
    - ``forbidden_modules`` are modules that a model's edit may not import, ``MODULE`` or ``MODULE=EQUIVALENT`` each.
    - ``patch_lines`` is how many lines in one place are too many to be asked for as a patch.
    - ``replies`` is a folder that keeps what the model answers, so that the same question is not asked twice.
    - ``answered_by`` is the way by which the answers came, for the record.
    - ``proposers`` are ``OWN_PROPOSERS``, or those of third parties, by the names of their entry points; so are
      ``extra_gates`` and ``extra_checks``.
    - ``require_approval``: no patch is written before a person has approved it at a terminal.
    - With ``old_answers`` what people said in earlier runs of functions that have not changed is laid under this one.
    - ``coverage_file`` is where the lines that each test ran are written, as data of coverage.py.
    - ``memory`` is which earlier runs say what is likely: none, those of this project, or those of all of the user's.
    - ``order`` is the order of the search: ``learned``, ``hand``, ``uniform``, ``remembered``, or a file of counts.
      The path of the file starts at the root. One that is ``remembered`` is moved by earlier runs.
    """

    root: str
    python: str = ""
    tests: tuple[str, ...] = ()
    pytest_args: tuple[str, ...] = ()
    pass_env: tuple[str, ...] = ()
    function: str = ""
    task: str = ""
    proposers: tuple[str, ...] = ()
    model: str = ""
    base_url: str = ""
    agent: str = ""
    agent_seconds: Positive = 600.0
    max_seconds: Positive = 120.0
    max_cost: Price | None = None
    max_candidates: Count | None = None
    input_price: Price | None = None
    output_price: Price | None = None
    strong_model: str = ""
    strong_base_url: str = ""
    strong_input_price: Price | None = None
    strong_output_price: Price | None = None
    models: tuple[str, ...] = ()
    strong_from: Count = 2
    strong_classes: tuple[Literal["format", "contract", "runtime_safety", "logic"], ...] = ()
    max_requests: Count | None = None
    max_attempts: Count | None = None
    asked_at_once: Annotated[int, Field(ge=1, le=8)] = 1
    max_tokens: Count | None = None
    request_seconds: Positive = 120.0
    stream: bool = False
    reply_form: Literal["plain", "json"] = "plain"
    script: str = ""
    forbidden_modules: tuple[str, ...] = ()
    patch_lines: Count = PATCH_LINES
    alternatives: Annotated[int, Field(ge=0)] = 0
    order: str = "learned"
    memory: Literal["off", "project", "all"] = "project"
    seed: int = 0
    jobs: Annotated[int, Field(ge=1, le=256)] | None = None
    gates: Literal["standard", "strict"] = "standard"
    extra_gates: tuple[str, ...] = ()
    extra_checks: tuple[str, ...] = ()
    risk: Annotated[float, Field(gt=0, le=0.02)] | None = None
    accept: Literal["certified", "plausible"] = "certified"
    isolation: Literal["auto", "bwrap", "docker", "podman", "landlock", "landlock-only", "none"] = "auto"
    isolation_image: str = ""
    output_format: Literal["text", "diff", "json", "jsonl", "github", "sarif"] = "text"
    apply: bool = False
    commit: bool = False
    require_approval: bool = False
    state_dir: str = ""
    allow_no_failure: bool = False
    lf: bool = False
    open_tests: bool = False
    replies: str = ""
    answers: tuple[str, ...] = ()
    answered_by: str = ""
    old_answers: bool = True
    cache: bool = True
    allow_module_imports: bool = False
    coverage_threshold: Percent = 85.0
    coverage_data: str = ""
    coverage_file: str = ""
    mutants: Annotated[int, Field(ge=0)] = 20
    require_each: bool = False
    generated: tuple[str, ...] = ()
    least_cases: Count = 3
    color: Literal["auto", "always", "never"] = "auto"
    progress: bool = True
    verbosity: int = 0
    debug: bool = False
    from_file: tuple[str, ...] = ()
    """Fields whose values the project's file has set and nobody else: a stranger may have written them."""

    @property
    def chosen_proposers(self) -> tuple[str, ...]:
        """The proposers to ask: those named, else search, and model and agent too where one is named."""
        named = (("model", self.model), ("agent", self.agent))
        return self.proposers or ("search", *(name for name, given in named if given))


OWN_PROPOSERS = ("search", "model", "agent", "scripted", "memory")

GATES, PROPOSERS, CHECKS = "repair.gates", "repair.proposers", "repair.checks"
"""The groups of entry points of third parties."""

NAMES = {
    "proposer": "proposers",
    "extra_gate": "extra_gates",
    "extra_check": "extra_checks",
    "json": "output_format",
    "answer": "answers",
    "also_model": "models",
}
"""Other spellings of a key: the option's name where it differs from the field's."""

NOT_IN_A_FILE = frozenset(
    (
        *("root", "apply", "commit", "function", "task", "lf", "open_tests", "debug", "script", "replies", "answers"),
        *("answered_by", "memory", "old_answers", "extra_checks"),
        *(
            "coverage_data",
            "coverage_file",
            "model",
            "base_url",
            "agent",
            "agent_seconds",
            "models",
            "strong_model",
            "strong_base_url",
            "strong_input_price",
            "strong_output_price",
            "strong_from",
            "strong_classes",
            "input_price",
            "output_price",
            "state_dir",
            "isolation_image",
        ),
    )
)
"""Keys that concern one run only, and those that only the user may decide."""

MOST_IN_A_FILE = {
    "max_cost": DEFAULT_MAX_COST,
    "max_requests": DEFAULT_MAX_REQUESTS,
    "request_seconds": 120.0,
}
"""What a project's file may set at most: it spends the user's money."""

TIGHTENING = ("require_approval",)
"""Keys that any source sets for good: none after it takes them back."""

FOUND_OUT = frozenset({"from_file"})
"""Fields that nobody sets: reading the options fills them."""


def load_options(root: str | Path, cli: Mapping[str, Any], env: Mapping[str, str]) -> Options:
    """The options of one run. ``cli`` holds what was given on the command line (``None`` counts as not given).

    Raises ``UsageError`` that names the place and the key, with a suggestion for an unknown one.
    """
    base = Path(root).absolute()
    found, file = config_file(base), dict[str, Any]()
    if found is not None:
        file = _check_table(found[1], found[0].name, strict=True)
        _refuse_untrusted(found[0].name, file, base)
    given = {key: value for key, value in cli.items() if value is not None}
    own = {**_read_environment(env), **_check_table(given, COMMAND_LINE, strict=False)}
    from_file = tuple(sorted(file.keys() - own.keys()))
    asked = {name: True for name in TIGHTENING if file.get(name) or own.get(name)}
    options = Options(**{**file, **own, **asked, "root": str(base), "from_file": from_file})
    _refuse_contradictions(options)
    for name in options.pass_env if "pass_env" in from_file else ():
        if CREDENTIALS.search(env.get(name, "")):
            raise UsageError(
                f"A project's file cannot ask for {name}, whose value holds credentials",
                where="pass-env",
                remedy="Give --pass-env yourself.",
            )
    return options


def api_key(env: Mapping[str, str]) -> str:
    """The model's key, ``""`` where there is none."""
    return next((env[name] for name in KEYS if env.get(name)), "")


def config_file(root: Path) -> tuple[Path, Mapping[str, Any]] | None:
    """The file that configures us, with our table; ``repair.toml`` wins over ``pyproject.toml``."""
    own, shared = root / "repair.toml", root / "pyproject.toml"
    if own.is_file():
        return own, _read_toml(own)
    tools = _read_toml(shared).get("tool") if shared.is_file() else None
    table = tools.get("repair") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError("[tool.repair] is not a table", where=str(shared), remedy="Write it as a TOML table.")
    return None if table is None else (shared, table)


def file_needs_approval(root: Path) -> bool:
    """Whether the project's file says now that a person has to approve what is written; also where it says nonsense."""
    try:
        found = config_file(root)
    except UsageError:
        return True
    values = {key.replace("-", "_").lower(): value for key, value in found[1].items()} if found is not None else {}
    return values.get("require_approval", False) is not False


def describe_file_settings(options: Options) -> str:
    """What the project's file has set and nobody else, as a sentence; ``""`` where that is nothing."""
    found = config_file(Path(options.root))
    if not options.from_file or found is None:
        return ""
    values = []
    for name in options.from_file:
        value = getattr(options, name)
        text = repr(list(value) if isinstance(value, tuple) else value)
        values.append(f"{_spell(name)} = {text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + '…'}")
    return f"{found[0].name} sets {', '.join(values)}"


WHOLE_FILES = ("repair.toml", "repair-rules.toml")
"""Files that hold nothing but what a change is judged by."""


def refuse_changed_settings(before: Files, after: Files, read: Callable[[str], bytes | None]) -> None:
    """Raise where our settings in the working tree are what the change made of them: nobody sets his own bar.

    ``read`` gives a file of the working tree.
    """
    old, new = dict(before), dict(after)
    for path in sorted({*WHOLE_FILES, "pyproject.toml"} & {*old, *new}):
        in_place = read(path) == new.get(path)
        if in_place and _own_table(path, old.get(path)) != _own_table(path, new.get(path)):
            raise UsageError(
                "The change edits the settings that it would be judged by",
                where=path,
                remedy="Take that edit out, or judge the change as a patch against the tree without it.",
            )


def _own_table(path: str, content: bytes | None) -> object:
    """Our settings in one file; its bytes where they cannot be read."""
    try:
        table = tomllib.loads((content or b"").decode("utf-8"))
    except (ValueError, RecursionError):
        return content
    tool = table.get("tool", {})
    return table if path in WHOLE_FILES else tool.get("repair") if isinstance(tool, dict) else tool


def _read_environment(env: Mapping[str, str]) -> dict[str, Any]:
    hints = get_type_hints(Options)
    table: dict[str, Any] = {}
    for name, text in sorted(env.items()):
        if not name.startswith("REPAIR_") or KEY_VARIABLE.fullmatch(name) or name in NO_SETTINGS or not text:
            continue
        key = NAMES.get(name[7:].lower(), name[7:].lower())
        table[name] = text.split(",") if str(hints.get(key)).startswith("tuple") else text
    return _check_table(table, "the environment", strict=False)


def _check_table(table: Mapping[str, Any], place: str, *, strict: bool) -> dict[str, Any]:
    """The table with field names and typed values."""
    hints = get_type_hints(Options, include_extras=True)
    values = {}
    for given, value in table.items():
        key = given.removeprefix("REPAIR_").lower().replace("-", "_")
        key = NAMES.get(key, key)
        if key not in hints or key in FOUND_OUT:
            raise UsageError(f"Unknown key {given!r}", where=place, remedy=_suggestion(given, key))
        where = f"--{_spell(key)}" if place == COMMAND_LINE else f"{given} in {place}"
        plain = tuple(value) if isinstance(value, list) else value
        try:
            values[key] = TypeAdapter(hints[key]).validate_python(plain, strict=strict)
        except ValidationError as problem:
            said = problem.errors(include_url=False)[0]["msg"].lower()
            raise UsageError(
                f"{value!r} is no valid value: {said}", where=where, remedy="See the command's --help."
            ) from problem
    return values


def _suggestion(given: str, key: str) -> str:
    if "key" in key and "api" in key:
        return f"Secrets come from the environment only: set {KEYS[0]} or {KEYS[1]}."
    names = [field.name for field in dataclasses.fields(Options) if field.name not in FOUND_OUT]
    close = difflib.get_close_matches(key, [*names, *NAMES], n=1)
    if not close:
        return "See the command's --help for the known ones."
    name = f"REPAIR_{close[0].upper()}" if given.startswith("REPAIR_") else _spell(close[0])
    return f"Did you mean {name!r}?"


def _refuse_untrusted(place: str, values: Mapping[str, Any], root: Path) -> None:
    """Refuse what a project must not decide about the machine that it is repaired on."""
    key = next((key for key in values if key in NOT_IN_A_FILE), "")
    if key:
        raise UsageError(f"{_spell(key)} cannot be set in a file", where=place, remedy="Give it on the command line.")
    if values.get("isolation", "auto") not in FILE_ISOLATIONS:
        raise UsageError("A project's file cannot weaken isolation", where=place, remedy="Give --isolation yourself.")
    unasked = sorted(set(values.get("proposers", ())) - {"search"})
    if unasked:
        raise UsageError(
            f"A project's file cannot turn on the proposer {unasked[0]!r}",
            where=place,
            remedy="Give --proposer yourself.",
        )
    foreign = sorted(set(values.get("extra_gates", ())) - {*CORE_GATES, *EXTRA_GATES})
    if foreign:
        raise UsageError(
            f"A project's file cannot bring in the gate {foreign[0]!r}",
            where=place,
            remedy="Give --extra-gate yourself.",
        )
    for name, most in MOST_IN_A_FILE.items():
        if (values.get(name) or 0) > most:
            raise UsageError(
                f"A project's file cannot raise what a model may take: {_spell(name)} is {most:g} at most",
                where=place,
                remedy=f"Give --{_spell(name)} yourself.",
            )
    if values.get("accept", "certified") != "certified":
        raise UsageError(
            "A project's file cannot lower what is accepted", where=place, remedy="Give --accept yourself."
        )
    if values.get("order") and not _is_within(root, values["order"]):
        raise UsageError("order leads out of the project", where=place, remedy="Give --order yourself.")
    for name in filter(is_secret, values.get("pass_env", ())):
        raise UsageError(
            f"A project's file cannot ask for {name}, which sounds like a secret",
            where=place,
            remedy="Give --pass-env yourself.",
        )


def _is_within(root: Path, relative: str) -> bool:
    """Whether the file lies in the project, links resolved."""
    try:
        return (root / relative).resolve().is_relative_to(root.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def _refuse_contradictions(options: Options) -> None:
    for place in (options.base_url, options.strong_base_url):
        refuse_credentials(place)
    leaked = sorted(filter(KEY_VARIABLE.fullmatch, options.pass_env))
    if leaked:
        raise UsageError(
            f"{leaked[0]} is the model's key and is never passed to the target",
            where="pass-env",
            remedy="Leave it out.",
        )
    refuse_uninstalled(PROPOSERS, set(options.proposers) - {*OWN_PROPOSERS}, OWN_PROPOSERS)
    refuse_uninstalled(GATES, options.extra_gates, (*CORE_GATES, *EXTRA_GATES))
    refuse_uninstalled(CHECKS, options.extra_checks, ())
    if "model" in options.proposers and not options.model:
        raise UsageError("The model proposer has no model", remedy="Name one with --model or REPAIR_MODEL.")
    if (options.strong_model or options.models) and not options.model:
        raise UsageError("A further model is named, and no first one", remedy="Name one with --model.")
    named = [options.model, *filter(None, [options.strong_model]), *(read_arm(text).model for text in options.models)]
    twice = next((name for name in named if name and named.count(name) > 1), "")
    if twice:
        raise UsageError(f"The model {twice} is named twice", remedy="Name each model once.")
    if "agent" in options.proposers and not options.agent:
        raise UsageError("The agent proposer has no command", remedy="Name one with --agent COMMAND.")
    if "scripted" in options.proposers and not options.script:
        raise UsageError("The scripted proposer has no edits", remedy="Name a file of them with --script.")


def refuse_uninstalled(group: str, names: Iterable[str], own: Collection[str]) -> None:
    """Raise ``UsageError`` where no installed package offers one of the names; one of our own is none of theirs."""
    asked = sorted({*names})
    known = {point.name for point in entry_points(group=group)} - {*own} if asked else set()
    for name in asked:
        if name not in known:
            kind = group.removeprefix("repair.").removesuffix("s")
            raise UsageError(
                f"No {kind} {name!r} of a third party is installed beside the engine",
                remedy=f"Installed are: {', '.join(sorted(known)) or 'none'}.",
            )


def refuse_credentials(base_url: str) -> None:
    """Raise ``UsageError``, which does not quote it, for an address that holds a user, a query or a fragment."""
    try:
        urlsplit(base_url)
    except ValueError as problem:
        raise UsageError("base-url is no address", remedy="Write it as http://HOST:PORT/v1.") from problem
    if holds_credentials(base_url):
        raise UsageError(
            "base-url holds credentials: a user, a query, or a fragment",
            remedy=f"Secrets come from the environment only: set {KEYS[0]}.",
        )


def _spell(key: str) -> str:
    return key.replace("_", "-")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as problem:  # beside what the library calls its own: numbers without end
        raise UsageError(f"Not valid TOML: {problem}", where=path.name, remedy="Mend the file.") from problem
    except OSError as problem:
        raise UsageError(
            f"The configuration cannot be read: {problem.strerror}", where=str(path), remedy="Allow reading it."
        ) from problem
