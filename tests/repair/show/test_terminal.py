"""The one guard before a terminal."""

import ast
import io
import sys
from pathlib import Path

import pytest

from repair.show.terminal import make_visible, tell, write_out, write_text

ROOT = Path(__file__).parents[3]
HOSTILE = "a\x1b]0;PWNED\x07\x1b[2J\x9b31m\r\u202eb\x00\u200f\ud800é\n\tend"
SHOWN = "a\\x1b]0;PWNED\\x07\\x1b[2J\\x9b31m\\x0d\\x202eb\\x00\\x200f\\xd800é\n\tend"


class Terminal(io.StringIO):
    """Standard output with bytes below it, as at a terminal or into a file."""

    encoding = "utf-8"

    def __init__(self, *, is_terminal):
        super().__init__()
        self.is_terminal, self.buffer = is_terminal, io.BytesIO()

    def isatty(self):
        return self.is_terminal


def test_control_characters_are_spelled_out():
    assert make_visible(HOSTILE) == SHOWN


@pytest.mark.parametrize("put", [tell, write_text])
def test_people_see_no_command_of_a_terminal(put, monkeypatch):
    out = Terminal(is_terminal=True)
    monkeypatch.setattr(sys, "stderr" if put is tell else "stdout", out)
    put(HOSTILE)
    assert out.getvalue().removesuffix("\n").removesuffix("\n") == SHOWN.removesuffix("\n")


def test_our_own_colours_stay_and_nothing_else(monkeypatch):
    out = Terminal(is_terminal=True)
    monkeypatch.setattr(sys, "stdout", out)
    write_text("\x1b[1;32mcertified\x1b[0m\x1b[2J\x1b]0;x\x07", colour=True)
    assert out.getvalue() == "\x1b[1;32mcertified\x1b[0m\\x1b[2J\\x1b]0;x\\x07"


def test_programs_get_the_bytes_and_a_terminal_does_not(monkeypatch):
    for is_terminal in (False, True):
        out = Terminal(is_terminal=is_terminal)
        monkeypatch.setattr(sys, "stdout", out)
        write_out("-\x1b[2J\udcff\n")
        seen = (out.buffer.getvalue(), out.getvalue())
        assert seen == ((b"", "-\\x1b[2J\\xdcff\n") if is_terminal else (b"-\x1b[2J\xff\n", ""))


def written_past_the_guard(path):
    """Lines that put text on a stream by themselves."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (
            *("click.echo", "click.secho", "print", "sys.stdout.write", "sys.stderr.write", "sys.stdout.buffer.write"),
        ):
            yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_no_command_writes_past_the_guard():
    own = [*(ROOT / "repair").rglob("*.py"), *(ROOT / "corpora/commands").rglob("*.py")]
    own += [*(ROOT / "corpora/bench").rglob("*.py")]
    found = [line for path in own if path.name != "terminal.py" for line in written_past_the_guard(path)]
    told = "a child's answer to its parent"
    children = ("repair/memory/learning.py", "repair/observe/parsing.py", "repair/observe/statements_child.py")
    others = dict.fromkeys(children, told)
    assert [line.partition(":")[0] for line in sorted(found)] == sorted(others)
