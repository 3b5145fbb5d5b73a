"""``repair lsp``: the open question of the last verdict, in an editor, by the Language Server Protocol.

Nothing is judged here: what is shown was recorded before. A question is a diagnostic at the changed lines, as long as
the file is one of the two that were judged. Each of its answers is a code action that adds a test; the editor writes.
"""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from analysis.errors import RepairError
from repair.commands.paths import find_root
from repair.show.open_questions import AnswerTest, PlacedQuestion, insert_test, questions_in
from repair.store.state import POINTER
from repair.store.store import RunStore, open_store

SOURCE = "repair"

OURS_AND_GITS = {".git", ".repair"}
"""Folders that hold no tests."""

LOOK_SECONDS = 1.0
"""How often it is looked whether something new was recorded."""


class QuestionServer:
    """What is known of the files that an editor has open."""

    def __init__(self, state_dir: str = "", look_seconds: float = LOOK_SECONDS) -> None:
        self.server = LanguageServer("repair", version("repair-engine"))
        self._state_dir, self._look_seconds = state_dir, look_seconds
        self._open: dict[str, tuple[PlacedQuestion, ...]] = {}
        self._seen: dict[Path, object] = {}
        self._follower: asyncio.Task[None] | None = None
        self._listen()

    def _listen(self) -> None:
        """Hear what the editor says; the library writes attributes into what it calls, which methods do not take."""
        feature = self.server.feature
        feature(types.INITIALIZED)(lambda params: self._initialized())
        feature(types.TEXT_DOCUMENT_DID_OPEN)(lambda params: self._publish(params.text_document.uri))
        feature(types.TEXT_DOCUMENT_DID_SAVE)(lambda params: self._publish(params.text_document.uri))
        feature(types.TEXT_DOCUMENT_DID_CLOSE)(lambda params: self._open.pop(params.text_document.uri, None))
        kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
        feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(lambda params: self._actions(params))

    def _initialized(self) -> None:
        self._follower = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        """Tell the editor anew where a run was recorded meanwhile."""
        while True:
            await asyncio.sleep(self._look_seconds)
            for uri in tuple(self._open):
                store = self._store_of(uri)
                now = _newest(store) if store is not None else None
                if store is not None and self._seen.get(store.root) != now:
                    self._publish(uri)

    def _publish(self, uri: str) -> None:
        """Show the questions about one file, as it lies on the disk."""
        store, found = self._store_of(uri), tuple[PlacedQuestion, ...]()
        path = to_fs_path(uri)
        if store is not None and path is not None:
            self._seen[store.root] = _newest(store)
            try:
                relative = Path(path).resolve().relative_to(store.root.resolve()).as_posix()
                found = questions_in(store, relative, Path(path).read_bytes())
            except (OSError, ValueError, RepairError):
                found = ()
        self._open[uri] = found
        shown = [_diagnostic(each) for each in found]
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=shown))

    def _store_of(self, uri: str) -> RunStore | None:
        """The records of the file's project; ``None`` where there are none, or they cannot be opened."""
        path = to_fs_path(uri)
        if path is None or not path.endswith(".py"):
            return None
        try:
            root = Path(find_root(Path(path).parent, None, anywhere=True))
            return open_store(root, self._state_dir) if (root / POINTER).exists() else None
        except (RepairError, OSError):
            return None

    def _actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """For each reading of a question in these lines: a test that holds it."""
        uri, chosen = params.text_document.uri, params.range
        store = self._store_of(uri)
        return [
            action
            for question in self._open.get(uri, ())
            if store is not None and question.first - 1 <= chosen.end.line and question.last > chosen.start.line
            for answer in question.answers
            for action in self._action(store.root, question, answer)
        ]

    def _action(self, root: Path, question: PlacedQuestion, answer: AnswerTest) -> list[types.CodeAction]:
        """The code action, or none where the file of tests cannot take a test."""
        path = place_of_test(root, question.test_file)
        if path is None:
            return []
        uri = from_fs_path(str(path)) or ""
        opened = self.server.workspace.text_documents.get(uri)
        try:
            text = opened.source if opened is not None else path.read_bytes().decode() if path.exists() else ""
        except (OSError, UnicodeDecodeError):
            return []
        edits = [types.TextEdit(_at(each.line), each.text) for each in insert_test(text, answer)]
        if not edits:
            return []
        document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=None)
        made = [] if path.exists() else [types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True))]
        return [
            types.CodeAction(
                title=f"{answer.answer} is right: add it as a test",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[_diagnostic(question)],
                edit=types.WorkspaceEdit(document_changes=[*made, types.TextDocumentEdit(document, [*edits])]),
            )
        ]


def _newest(store: RunStore) -> object:
    """Something that changes when a run is recorded."""
    names = store.run_ids()[:1]
    return [(name, store.run_named(name).stamp()) for name in names]


def _diagnostic(question: PlacedQuestion) -> types.Diagnostic:
    start, end = types.Position(max(0, question.first - 1), 0), types.Position(max(1, question.last), 0)
    return types.Diagnostic(
        range=types.Range(start, end),
        message=question.text,
        severity=types.DiagnosticSeverity.Warning,
        source=SOURCE,
        code=question.status,
    )


def _at(line: int) -> types.Range:
    return types.Range(types.Position(line, 0), types.Position(line, 0))


def place_of_test(root: Path, test_file: str) -> Path | None:
    """The file of tests, else one of its name in ``tests`` or in the root; ``None`` where each lies elsewhere.

    A record may name any path, and a link may lead anywhere: the editor would write there.
    """
    path, name = root / test_file, Path(test_file).name
    if path.is_file() and _is_inside(path, root):
        return path
    folders = (root / "tests", root) if (root / "tests").is_dir() else (root,)
    return next((folder / name for folder in folders if name and _is_inside(folder / name, root)), None)


def _is_inside(path: Path, root: Path) -> bool:
    place, base = path.resolve(), root.resolve()
    return place.is_relative_to(base) and not OURS_AND_GITS & {*place.relative_to(base).parts}


def serve(state_dir: str) -> None:
    """Serve on stdin and stdout until the editor leaves."""
    QuestionServer(state_dir).server.start_io()
