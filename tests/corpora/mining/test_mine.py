"""Mining end to end: candidates are tried by their tests, kept line by line, and never tried twice."""

from __future__ import annotations

import json
import os
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.history import FIRST, HALF_TEST, MENDED, STEPS, make_history

from analysis.errors import TargetError, UsageError
from analysis.facts import Limits
from corpora.bug import Bug
from corpora.catalog import open_corpus
from corpora.loaders.mined import COMMITS, SOURCE, read_examined
from corpora.mining.mine import Mined, Mining, mine_git, mine_releases
from corpora.verify import Terms
from repair.cli import main
from sandbox.jail_protocol import NO_JAIL


def how(out: Path) -> Mining:
    env = {"PATH": os.environ["PATH"], "HOME": str(out)}
    return Mining(out, Terms(sys.executable, Limits(), 0, out / "cache", tuple(env.items())), NO_JAIL, 2)


def test_a_history_becomes_a_corpus_and_is_not_tried_twice(tmp_path: Path):
    untested = ("Fix twice", {"lib.py": MENDED.replace("n * 2", "n + n"), "test_lib.py": HALF_TEST + "\n# more\n"})
    root, out = make_history(tmp_path / "lib", (*STEPS[:2], untested)), tmp_path / "mined"
    said: list[str] = []
    assert mine_git(root, "HEAD", None, "", how(out), said.append) == Mined(2, 0, 1, 1)
    assert said[0] == "2 candidates, 0 of them examined before"
    (bug,) = (found for found in open_corpus(f"mined:{out}").bugs() if isinstance(found, Bug))
    assert bug.failing == ("test_lib.py::test_half",)
    assert bug.environment.python == f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f"pytest=={pytest.__version__}" in bug.environment.requirements
    lines = out / COMMITS
    whole = lines.read_bytes()
    lines.write_bytes(whole[:-20])  # as a kill in the middle of a line leaves it
    assert mine_git(root, "HEAD", None, "", how(out), said.append).known == 1
    assert len(read_examined(out)) == 2
    known = json.loads((out / SOURCE).read_bytes())
    unnamed = replace(how(out), terms=replace(how(out).terms, python=""))
    assert mine_git(root, "HEAD", None, "", unnamed, said.append) == Mined(2, 2, 0, 0)
    assert json.loads((out / SOURCE).read_bytes()) == known


def test_files_of_a_build_are_laid_into_each_tree_and_what_lacked_them_is_tried_again(tmp_path: Path):
    built = {"lib.py": "from made import TWO\n" + FIRST["lib.py"]}
    steps = (
        ("First", {**FIRST, **built}),
        ("Fix", {"lib.py": "from made import TWO\n" + MENDED, "test_lib.py": HALF_TEST}),
    )
    root, out = make_history(tmp_path / "lib", steps), tmp_path / "mined"
    assert mine_git(root, "HEAD", None, "", how(out), print) == Mined(1, 0, 0, 1)
    assert "No module named 'made'" in read_examined(out)[0].reason
    made = replace(how(out), made=(("made.py", b"TWO = 2\n"), ("lib.py", b"never laid over a file of the commit\n")))
    assert mine_git(root, "HEAD", None, "", made, print) == Mined(1, 1, 0, 0)
    assert mine_git(root, "HEAD", None, "", replace(made, again=True), print) == Mined(1, 0, 1, 0)
    assert mine_git(root, "HEAD", None, "", replace(how(out), again=True), print).known == 1
    corpus = open_corpus(f"mined:{out}")
    (bug,) = corpus.bugs()
    assert isinstance(bug, Bug)
    corpus.write_tree(bug, tmp_path / "tree")
    assert (tmp_path / "tree" / "made.py").read_text() == "TWO = 2\n"
    assert "never" not in (tmp_path / "tree" / "lib.py").read_text()


def test_what_fails_with_and_without_the_change_is_another_matter(tmp_path: Path):
    broken = HALF_TEST + "\n\ndef test_elsewhere():\n    assert False\n"
    steps = (STEPS[0], ("Fix half", {"lib.py": MENDED, "test_lib.py": broken}))
    out = tmp_path / "mined"
    assert mine_git(make_history(tmp_path / "lib", steps), "HEAD", None, "", how(out), print) == Mined(1, 0, 1, 0)
    assert read_examined(out)[0].failing == ("test_lib.py::test_half",)


def test_a_change_that_mends_nothing_is_set_aside(tmp_path: Path):
    steps = (STEPS[0], ("Fix half", {"lib.py": MENDED, "test_lib.py": "def test_elsewhere():\n    assert False\n"}))
    out = tmp_path / "mined"
    assert mine_git(make_history(tmp_path / "lib", steps), "HEAD", None, "", how(out), print) == Mined(1, 0, 0, 1)
    assert "mends none of 1 failing tests: test_lib.py::test_elsewhere" in read_examined(out)[0].reason


def test_a_folder_of_built_files_that_holds_none_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    root = make_history(tmp_path / "lib", STEPS[:1])
    words = ["corpus", "mine", "--git", str(root), "--out", str(tmp_path / "out"), "--with", str(tmp_path / "none")]
    assert main(words) == 2
    assert "holds no file" in capsys.readouterr().err


def test_releases_become_a_corpus_with_their_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def download(name: str, version: str, kept: Path) -> None:
        files = {"lib.py": FIRST["lib.py"] if version == "1" else MENDED, "test_lib.py": HALF_TEST}
        with tarfile.open(kept, "w:gz") as tar:
            for path, text in files.items():
                (tmp_path / path).write_text(text)
                tar.add(tmp_path / path, f"{name}-{version}/{path}")

    monkeypatch.setattr("corpora.mining.releases.download", download)
    out = tmp_path / "mined"
    assert mine_releases("lib", "1", "2", how(out), lambda line: None) == Mined(1, 0, 1, 0)
    corpus = open_corpus(f"mined:{out}")
    (bug,) = corpus.bugs()
    assert isinstance(bug, Bug)
    assert (bug.provenance.kind, bug.failing) == ("release-pair", ("test_lib.py::test_half",))
    corpus.write_tree(bug, tmp_path / "tree")
    assert (tmp_path / "tree" / "lib.py").read_text() == FIRST["lib.py"]
    assert dict(corpus.oracle(bug).reference)["lib.py"].decode() == MENDED


def test_a_folder_of_another_source_is_refused(tmp_path: Path):
    out = tmp_path / "mined"
    empty = make_history(tmp_path / "first", STEPS[:1])
    assert mine_git(empty, "HEAD", None, "", how(out), lambda line: None) == Mined(0, 0, 0, 0)
    with pytest.raises(UsageError, match="holds a corpus of first"):
        mine_git(make_history(tmp_path / "second", STEPS[:1]), "HEAD", None, "", how(out), lambda line: None)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(TargetError, match="cannot be written"):
        mine_git(make_history(tmp_path / "lib", STEPS[:1]), "HEAD", None, "", how(tmp_path / "file" / "out"), print)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Either --git or --releases is needed"),
        (("--git", ".", "--since", "last year"), "is no day"),
        (("--git", "/nowhere"), "no git repository"),
        (("--releases", "lib", "1", "1"), "Both releases are the same"),
    ],
)
def test_wrong_words_are_told(tmp_path: Path, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["corpus", "mine", "--out", str(tmp_path / "out"), *words]) in (2, 3)
    assert said in capsys.readouterr().err


def test_nothing_new_is_said_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    root = make_history(tmp_path / "lib", STEPS[:1])
    assert main(["corpus", "mine", "--git", str(root), "--out", str(tmp_path / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"candidates": 0, "known": 0, "bugs": 0, "set_aside": 0}
