"""The server for editors, by the client of pytest-lsp: what is shown, what an answer adds, and when it changes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from fakes.reviewed import OLD, run_to_review, text_of
from lsprotocol import types
from pygls.uris import from_fs_path
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

from repair.records.result import RegionView

REPAIR = str(Path(sys.executable).with_name("repair"))
PUBLISHED = "textDocument/publishDiagnostics"

Talk = Callable[[LanguageClient, str], Awaitable[None]]


def with_server(root: Path, talk: Talk) -> None:
    """Start the server as an editor would, open ``shop.py``, talk, and see the server end."""

    async def run() -> None:
        client = make_test_lsp_client()
        command = ClientServerConfig(server_command=[REPAIR, "lsp"]).server_command
        await client.start_io(*command)
        parameters = types.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"), root_uri=from_fs_path(str(root))
        )
        told = await client.initialize_session(parameters)
        assert told.server_info is not None
        assert told.server_info.name == "repair"
        uri = from_fs_path(str(root / "shop.py")) or ""
        heard = asyncio.ensure_future(client.wait_for_notification(PUBLISHED))
        await asyncio.sleep(0)
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, (root / "shop.py").read_text()))
        )
        await asyncio.wait_for(heard, 30)
        try:
            await asyncio.wait_for(talk(client, uri), 60)
        finally:
            await client.shutdown_session()
            await client.stop()

    asyncio.run(run())


async def until(client: LanguageClient, uri: str, count: int) -> None:
    """Wait until so many diagnostics are shown."""
    for _ in range(300):
        if len(client.diagnostics.get(uri, ())) == count:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(client.diagnostics)


def project_of(root: Path) -> Path:
    (root / "pyproject.toml").write_text("")
    run = run_to_review(root)
    result = run.ended_result()
    patch = replace(result.patches[0], region=RegionView(2, 2))
    run.save_json("result.json", replace(result, patches=(patch,)).to_json())
    (root / "test_shop.py").write_text("import os\n\n\ndef test_bulk():\n    assert os\n")
    return root


def test_the_open_question_is_shown_and_an_answer_adds_a_test(tmp_path: Path) -> None:
    root = project_of(tmp_path)

    async def talk(client: LanguageClient, uri: str) -> None:
        (shown,) = client.diagnostics[uri]
        assert shown.message.startswith("Should price(10) return 50 (this patch) or return 40?")
        assert (shown.source, shown.code, shown.severity) == ("repair", "plausible", types.DiagnosticSeverity.Warning)
        assert (shown.range.start.line, shown.range.end.line) == (1, 2)
        asked = types.CodeActionParams(types.TextDocumentIdentifier(uri), shown.range, types.CodeActionContext([shown]))
        actions = await client.text_document_code_action_async(asked)
        assert [each.title for each in actions or ()] == [
            "shop.price(10) == 50 is right: add it as a test",
            "shop.price(10) == 40 is right: add it as a test",
        ]
        edit = getattr(actions[0], "edit", None) if actions else None
        (document,) = edit.document_changes
        lines = (root / "test_shop.py").read_text().splitlines(keepends=True)
        for each in sorted(document.edits, key=lambda each: -each.range.start.line):
            lines.insert(each.range.start.line, each.new_text)
        assert document.text_document.uri == from_fs_path(str(root / "test_shop.py"))
        (root / "test_shop.py").write_text("".join(lines))
        elsewhere = types.Range(types.Position(40, 0), types.Position(41, 0))
        none = types.CodeActionParams(types.TextDocumentIdentifier(uri), elsewhere, types.CodeActionContext([]))
        assert not await client.text_document_code_action_async(none)

    with_server(root, talk)
    (root / "shop.py").write_bytes(text_of(1))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shop.py"],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "2 passed" in done.stdout, done.stdout


def test_a_save_judges_nothing_and_takes_away_what_is_out_of_date(tmp_path: Path) -> None:
    root = project_of(tmp_path)
    runs = next(Path(line.strip()) for line in (root / ".repair" / "README.txt").read_text().splitlines()
                 if line.strip().startswith("/"))  # fmt: skip
    before = sorted((runs / "runs").iterdir())

    async def talk(client: LanguageClient, uri: str) -> None:
        (root / "shop.py").write_bytes(OLD + b"\n")
        client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
        await until(client, uri, 0)
        (root / "shop.py").write_bytes(OLD)
        client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
        await until(client, uri, 1)

    with_server(root, talk)
    assert sorted((runs / "runs").iterdir()) == before


def test_a_run_that_is_recorded_meanwhile_is_shown_without_a_save(tmp_path: Path) -> None:
    root = project_of(tmp_path)

    async def talk(client: LanguageClient, uri: str) -> None:
        assert len(client.diagnostics[uri]) == 1
        run_to_review(root, "bb", patches=())
        run_to_review(root, "cc", first=2)
        await asyncio.sleep(0)
        for _ in range(100):
            if client.diagnostics[uri][0].range.start.line == 0:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(client.diagnostics)

    with_server(root, talk)


def test_a_file_without_records_is_shown_nothing_and_gets_no_folder(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "shop.py").write_bytes(OLD)

    async def talk(client: LanguageClient, uri: str) -> None:
        assert not client.diagnostics[uri]

    with_server(tmp_path, talk)
    assert not (tmp_path / ".repair").exists()
