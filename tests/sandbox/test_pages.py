"""A process's own data can be put into large pages, and is still the same; what it does not use stays unused."""

import subprocess
import sys
from typing import Any

import pytest

from sandbox.request import PROBE

_MB = 1 << 20
_ENLARGED = """
import sys
sys.path.insert(0, sys.argv[1])
from _repair_probe.fork.huge_pages import enlarge
data = bytearray(b"0123456789abcdef" * (1 << 20))
count = enlarge()
assert data == b"0123456789abcdef" * (1 << 20)
with open("/proc/self/smaps_rollup") as stream:
    kilobytes = next(int(line.split()[1]) for line in stream if line.startswith("AnonHugePages:"))
print(count, kilobytes)
"""


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROBE))
    from _repair_probe.fork import huge_pages as pages  # noqa: PLC0415

    return pages


def mapped(start: int, size: int, used: int, rights: str = "rw-p", name: str = "") -> list[str]:
    """A mapping as ``/proc/self/smaps`` shows it."""
    head = f"{start:x}-{start + size:x} {rights} 00000000 00:00 0 {name}".rstrip()
    return [head, f"Size: {size >> 10} kB", f"Rss: {used >> 10} kB", "VmFlags: rd wr mr mw me ac"]


@pytest.mark.parametrize("name", ["", "[heap]"])
def test_data_in_use_is_given_large_pages_where_they_fit(pages: Any, name: str) -> None:
    smaps = mapped(0x10000000 - 4096, 5 * _MB, 4 * _MB, name=name)
    assert list(pages.places_in(smaps)) == [0x10000000, 0x10000000 + 2 * _MB]


@pytest.mark.parametrize(
    "smaps",
    [
        mapped(0x10000000, 64 * _MB, _MB),
        mapped(0x10000000, 4 * _MB, 4 * _MB, rights="r--p"),
        mapped(0x10000000, 4 * _MB, 4 * _MB, rights="rw-s"),
        mapped(0x10000000, 4 * _MB, 4 * _MB, name="/usr/lib/libc.so"),
        mapped(0x10000000, 4 * _MB, 4 * _MB, name="[stack]"),
        mapped(0x10000000 + 4096, 2 * _MB, 2 * _MB),
    ],
    ids=["reserved", "read-only", "shared", "a file's", "the stack", "too small"],
)
def test_other_memory_is_left_alone(pages: Any, smaps: list[str]) -> None:
    assert list(pages.places_in(smaps)) == []


def test_enlarged_data_is_as_before() -> None:
    run = subprocess.run([sys.executable, "-c", _ENLARGED, str(PROBE)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    count, kilobytes = map(int, run.stdout.split())
    if not count:
        pytest.skip("this system gives no large pages")
    assert kilobytes >= 2048
