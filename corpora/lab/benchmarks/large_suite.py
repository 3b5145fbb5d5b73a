"""A project with a large suite and one fault, and how soon `repair fix` has its first candidates there.

Of the tests one half is parametrized and one half plain. Only a few files touch the function at fault: the named test,
and others that lie far from it. Run it with ``make bench-large``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FILES, TESTS = 200, 20_000
NAMED = "tests/test_part_000.py::test_charge_of_a_large_order"
FAULT = ("limit > 100", "limit >= 100")
"""What the program should say, and what it says."""

_SHARED = """\
def charge(amount, limit):
    \"\"\"The charge on an amount: a tenth more where its limit is above a hundred.\"\"\"
    if {condition}:
        return amount + amount // 10
    return amount


def discount(amount):
    \"\"\"A discount of five from fifty on.\"\"\"
    if amount >= 50:
        return amount - 5
    return amount
"""

_PART = """\
from shop.shared import discount


def price(count, each):
    total = 0
    for _ in range(count):
        total += each
    return discount(total)


def label(number):
    if number % 2:
        return f"odd-{number}"
    return f"even-{number}"
"""

_NAMED = """\
def test_charge_of_a_large_order():
    assert charge(200, 100) == 200


def test_charge_above_the_limit():
    assert charge(200, 101) == 220


"""


def write_large_project(root: Path, files: int = FILES, tests: int = TESTS) -> None:
    """A package of as many modules as there are files of tests, with one fault in a module that few of them touch."""
    package, suite = root / "shop", root / "tests"
    package.mkdir(parents=True)
    suite.mkdir()
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    (package / "__init__.py").write_text("")
    (package / "shared.py").write_text(_SHARED.format(condition=FAULT[1]))
    for number in range(files):
        (package / f"part_{number:03}.py").write_text(_PART)
        (suite / f"test_part_{number:03}.py").write_text(_tests_of(number, tests // files))


def _tests_of(number: int, count: int) -> str:
    touches = number % 50 == 0
    lines = [
        "import pytest\n",
        *(["from shop.shared import charge"] if touches else []),
        f"from shop.part_{number:03} import label, price\n\n",
    ]
    own = _NAMED if number == 0 else ""
    if touches and number:
        own = "def test_small_charge():\n    assert charge(7, 3) == 7\n\n\n"
    plain = [
        f"def test_label_{n}():\n    assert label({n}) == '{'odd' if n % 2 else 'even'}-{n}'\n\n"
        for n in range(count // 2)
    ]
    rows = ", ".join(f"({n}, {n + 1})" for n in range(count - count // 2))
    many = (
        f"@pytest.mark.parametrize('count, each', [{rows}])\n"
        "def test_price(count, each):\n"
        "    total = count * each\n"
        "    assert price(count, each) == (total - 5 if total >= 50 else total)\n"
    )
    return "\n".join(lines) + own + "\n".join(plain) + "\n" + many


def time_first_candidates(root: Path, *words: str) -> dict[str, float | str]:
    """Seconds from the start of `repair fix` to each of its first events, by the event's type, and the verdict."""
    command = [str(Path(sys.executable).with_name("repair")), "fix", *words, "--root", str(root)]
    began = time.monotonic()
    seen: dict[str, float | str] = {}
    with subprocess.Popen(
        [*command, "--output-format", "jsonl", "--no-progress"], stdout=subprocess.PIPE, text=True, cwd=root
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            happened: dict[str, Any] = json.loads(line)
            kind = str(happened.get("type", "result"))
            name = f"{kind} {happened['name']}" if "name" in happened else kind
            seen.setdefault(name, round(time.monotonic() - began, 2))
            if "status" in happened:
                seen["status"] = str(happened["status"])
    return seen


def main() -> None:
    """Write the project, run `repair fix` on its one failing test, twice, and print what came when."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--files", type=int, default=FILES)
    asked.add_argument("--tests", type=int, default=TESTS)
    asked.add_argument("--max-seconds", default="120")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="large-suite-") as folder:
        root = Path(folder, "shop")
        write_large_project(root, given.files, given.tests)
        for turn in ("cold", "with kept line maps"):
            words = (NAMED, "--max-seconds", given.max_seconds, "--state-dir", str(Path(folder, "state")))
            sys.stdout.write(f"{turn}: {json.dumps(time_first_candidates(root, *words))}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
