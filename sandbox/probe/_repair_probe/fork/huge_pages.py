"""Large pages for what a process has in memory, so that forking it is cheap.

A fork copies an entry for each page, and the child's end looks at each again. A page of 2 MB has one entry instead of
512. Where parent or child writes to it, its entries become small again, and no more than 4 KB are copied.
"""

from __future__ import annotations

import ctypes

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LARGE = 2 << 20
_MOST = 256
_COLLAPSE = 25  # MADV_COLLAPSE, since Linux 6.1


def enlarge() -> int:
    """Put the data of this process into large pages; how many there are now, 0 where the system has none."""
    try:
        advise = ctypes.CDLL(None).madvise
        with open("/proc/self/smaps") as stream:
            places = list(places_in(stream))
    except (OSError, AttributeError):
        return 0
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return sum(advise(place, _LARGE, _COLLAPSE) == 0 for place in places[:_MOST])


def places_in(smaps: Iterable[str]) -> Iterator[int]:
    """Where large pages would lie in data of this process's own. What was reserved and never used stays so."""
    start = end = 0
    for line in smaps:
        word, *rest = line.split()
        if not word.endswith(":"):
            start, end = (int(each, 16) for each in word.split("-"))
            own = rest[0] == "rw-p" and (len(rest) == 4 or rest[4] == "[heap]")
        elif word == "Rss:" and own and 2 * int(rest[0]) << 10 >= end - start:
            for place in range(-(-start // _LARGE) * _LARGE, end - _LARGE + 1, _LARGE):
                yield place
