"""``docs/isolation.md`` says of each kind which probes it must stop, as the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.cgroups import Cgroups
from sandbox.host_capabilities import Means
from sandbox.jail_protocol import no_jail
from sandbox.jails import bwrap as bubblewrap
from sandbox.jails import landlock as own_walls
from sandbox.jails.containers import Container
from sandbox.jails.landlock_alone import landlock_alone
from sandbox.probe_catalog import PROBES

PAGE = (Path(__file__).parents[2] / "docs" / "isolation.md").read_text("utf-8")
GROUPS = Cgroups(("/sys/fs/cgroup/x",), 2, 1 << 30)
NO_GROUPS = "not here"
BARE = "limits alone"


def bwrap(call_filter=b"x", cgroups=GROUPS, root=True):
    return bubblewrap.bwrap("bwrap", Means(call_filter, cgroups, root))


def landlock(call_filter=b"x", cgroups=GROUPS, root=True):
    return own_walls.landlock(6, Means(call_filter, cgroups, root))


def container(call_filter=b"x", cgroups=GROUPS, root=True):
    return Container("podman", "podman", "root", bounded=cgroups is GROUPS, call_filter=call_filter).jail


def none(call_filter=b"x", cgroups=GROUPS, root=True):
    return no_jail(cgroups=cgroups)


def alone(call_filter=b"x", cgroups=GROUPS, root=True):
    return landlock_alone(6, b"x", cgroups)


COLUMNS = {
    "bwrap": bwrap,
    "landlock": landlock,
    "podman`, `docker": container,
    "landlock-only": alone,
    "none": none,
}


def word(make, name):
    """When the probe is stopped, found by taking one thing away."""
    if name not in make().stops:
        return "open"
    needs = []
    if name not in make(call_filter=b"").stops:
        needs.append("with the filter")
    if name not in make(cgroups=NO_GROUPS).stops:
        user = name in make(cgroups=NO_GROUPS, root=False).stops
        needs.append("with a group, or not as root" if user else "with a group")
    return ", ".join(needs) or "stopped"


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_the_table_has_a_row_for_the_probe(probe):
    cells = [probe.tries, *(word(make, probe.name) for make in COLUMNS.values())]
    assert f"| `{probe.name}` | {' | '.join(cells)} |" in PAGE.splitlines()


def test_the_table_has_its_columns_and_no_other_rows():
    lines = PAGE.splitlines()
    header = f"| probe | it tries to | {' | '.join(f'`{name}`' for name in COLUMNS)} |"
    start = lines.index(header) + 2
    assert all(line.startswith("| `") for line in lines[start : start + len(PROBES)])
    assert lines[start + len(PROBES)] == ""


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_what_is_left_open_is_on_the_page(make):
    for jail in (make(), make(b"", NO_GROUPS, root=True)):
        assert [words for words in jail.opens if words not in PAGE] == []
