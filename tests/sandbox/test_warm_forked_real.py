"""The same on real code: queues with locks, a parser in the middle of an open file, a reader of sound, a cache."""

import queue
import shlex
import wave
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from fakes.bare import bare_target

from analysis.behaviour import EndingKind
from analysis.calls import Comparison
from analysis.facts import FunctionId, Limits, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from repair.records.witness_text import describe_both
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

TESTS = """\
import array, io
import pytest
from lexers import shlex
from queues import Empty, Full, Queue
from sounds import open as sound
from zict.lru import LRU

def test_queue():
    queue = Queue(2)
    queue.put(5)
    queue.put(6)
    with pytest.raises(Full):
        queue.put(7, block=False)
    assert (queue.get(), queue.get(), queue.qsize()) == (5, 6, 0)
def test_lexer(tmp_path):
    (tmp_path / "a").write_text("one 'two three' # four\\nfive")
    with open(tmp_path / "a") as stream:
        lexer = shlex(stream, posix=True)
        assert [lexer.get_token() for _ in range(4)] == ["one", "two three", "five", None]
def test_sound(tmp_path):
    path = str(tmp_path / "a.wav")
    with sound(path, "wb") as out:
        out.setnchannels(1), out.setsampwidth(2), out.setframerate(8000)
        out.writeframes(array.array("h", range(100)).tobytes())
    with sound(path) as source:
        source.setpos(10)
        assert source.readframes(2) == array.array("h", [10, 11]).tobytes()
        assert source.readframes(1) == array.array("h", [12]).tobytes()
def test_cache():
    gone = []
    cache = LRU(10, {}, on_evict=[lambda key, value: gone.append(key)], weight=lambda key, value: value)
    cache["a"] = 4
    cache["b"] = 5
    cache["c"] = 3
    assert gone == ["a"] and cache.total_weight == 8
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("real")
    for name, module in {"queues": queue, "lexers": shlex, "sounds": wave}.items():
        (root / f"{name}.py").write_bytes(Path(module.__file__).read_bytes())
    zict = find_spec("zict")
    assert zict is not None
    assert zict.origin is not None
    (root / "zict").mkdir()
    for path in Path(zict.origin).parent.glob("*.py"):
        (root / "zict" / path.name).write_bytes(path.read_bytes())
    (root / "test_real.py").write_text(TESTS)
    return root


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[WarmServer]:
    sandbox = LocalSandbox(bare_target(root))
    opened = sandbox.warm((), limits=Limits(wall_seconds=60.0, test_seconds=20.0), jobs=1)
    assert isinstance(opened, WarmServer), opened
    yield opened
    opened.close()
    sandbox.close()


@pytest.fixture
def compared(root: Path, server: WarmServer) -> Callable[[str, str, str, str], Comparison]:
    def run(path: str, name: str, old: str, new: str) -> Comparison:
        text, function = _text_of(root, path, name)
        assert old in text
        mine, other = (
            Trial(digest(name, each), function, each.encode(), "test") for each in (text, text.replace(old, new))
        )
        return server.questions.compare(mine, [], [], other, ())

    return run


@pytest.mark.parametrize(
    ("path", "name", "old", "new", "seen"),
    [
        ("queues.py", "Queue.put", ">= self.maxsize", "> self.maxsize", ("raises Full", "returns None")),
        ("queues.py", "Queue.get", "item = self._get()", "item = self.queue.pop()", ("returns 5", "returns 6")),
        (
            "lexers.py",
            "shlex.read_token",
            "self.instream.readline()",
            "self.instream.read(1)",
            ("returns 'five'", "'four'"),
        ),
        (
            "sounds.py",
            "Wave_read.readframes",
            "self._soundpos * self._framesize",
            "self._soundpos",
            ("returns b'", "b'"),
        ),
        ("sounds.py", "Wave_read.setpos", "pos < 0", "pos <= 0", ("returns None", "raises Error")),
        (
            "zict/lru.py",
            "LRU.set_noevict",
            "self.total_weight += weight",
            "self.total_weight = weight",
            ("returns", "returns"),
        ),
    ],
)
def test_methods_over_what_cannot_be_copied_are_compared(
    compared: Callable[[str, str, str, str], Comparison],
    path: str,
    name: str,
    old: str,
    new: str,
    seen: tuple[str, str],
) -> None:
    found = compared(path, name, old, new)
    told = [describe_both(each) for each in found.old.departures]
    assert any(seen[0] in mine and seen[1] in other for mine, other in told), (told, found.tried)
    same = compared(path, name, "    def ", "    def  ")
    assert (same.old.first, same.tried.is_exercised) == (None, True), same.tried


@pytest.mark.parametrize(
    ("path", "name", "old", "new", "source"),
    [
        (
            "lexers.py",
            "shlex.read_token",
            "self.instream.readline()",
            "self.instream.read(1)",
            "assert [lexer.get_token",
        ),
        ("sounds.py", "Wave_read.setpos", "= pos", "= pos + 1", "assert source.readframes(2)"),
        ("queues.py", "Queue.get", "item = self._get()", "item = self.queue.pop()", "assert (queue.get()"),
    ],
)
def test_a_test_of_real_code_goes_on_with_a_rival(
    root: Path, server: WarmServer, path: str, name: str, old: str, new: str, source: str
) -> None:
    text, function = _text_of(root, path, name)
    mine, rival = (Trial(digest(name, t), function, t.encode(), "test") for t in (text, text.replace(old, new)))
    found = server.questions.compare(mine, [rival], [], mine, (), ends=True)
    (ends,) = [each.ends for _, each in found.rivals.differences if each.ends is not None]
    assert (ends.mine.kind, ends.other.kind) == (EndingKind.PASSED, EndingKind.FAILED), ends
    assert ends.other.source.startswith(source)


def _text_of(root: Path, path: str, name: str) -> tuple[str, FunctionId]:
    source = (root / path).read_bytes()
    span = find_function(functions_of(path, source), name)
    assert span is not None
    return source[span.start : span.end].decode(), span.function
