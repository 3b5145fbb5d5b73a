"""What a corpus is made of, without running anything."""

from __future__ import annotations

import textwrap
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analysis.functions import functions_of
from corpora.bug import SetAside
from corpora.stats import MOST_ROWS, bar_chart, shapes_of, stats_of
from corpora.verification import Verification, write_verification
from corpora.verify import Verified


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


BUG = 'function = "half.py:half"\n[provenance]\ndate = "2024-02-03"\nkind = "mined"\n'


def test_figures_of_a_corpus(tmp_path: Path):
    put(tmp_path / "one", {"bug.toml": BUG, "half.py": "def half(n):\n    return n // 3\n"})
    put(tmp_path / "one" / "reference", {"half.py": "def half(n):\n    return n // 2\n"})
    put(tmp_path / "two", {"bug.toml": 'expected = ["flaky"]\n', "test_it.py": "def test_it():\n    assert False\n"})
    put(tmp_path / "bad", {"bug.toml": "colour = 1\n", "a.py": "a = 1\n"})
    put(tmp_path / "odd", {"bug.toml": BUG, "half.py": "def half(n:\n", "reference/half.py": "def half(n): return\n"})
    one = Verified("one", ("t",), (), "logic", "wrong_value", 1)
    write_verification(f"flat:{tmp_path}", Verification((one,), (SetAside("two", "flaky: it is"),)))
    found = stats_of(f"flat:{tmp_path}", 1)
    assert (found.bugs, found.set_aside, found.refuse) == (3, 1, 1)
    assert found.kinds == (("mined", 2), ("handwritten", 1))
    assert found.classes == (("unknown", 2), ("logic/wrong_value", 1))
    assert found.lines == (("1", 1), ("unknown", 2))
    assert found.nodes == (("2", 1), ("unknown", 2))
    assert found.dates == (("2024", 2), ("unknown", 1))
    assert found.shapes == (("function", 1),)
    assert found.to_json()["dates"] == {"2024": 2, "unknown": 1}


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("def f():\n    return [x for x in ()]\n", ("comprehension", "function")),
        ("class C:\n    @property\n    def f(self):\n        return 1\n", ("method", "property")),
        ("class C:\n    @f.setter\n    def f(self, v):\n        self.v = v\n", ("method", "property")),
        ("class C:\n    @classmethod\n    def f(cls):\n        return cls()\n", ("class method", "method")),
        ("class C:\n    def __add__(self, other):\n        return super().__add__(other)\n", ("operator",)),
        ("@cache\ndef f(n):\n    return f(n - 1)\n", ("decorated", "function", "recursive")),
        ("async def f():\n    yield lambda: 1\n", ("async", "closure", "function", "generator")),
    ],
)
def test_shapes(text: str, shapes: tuple[str, ...]):
    source = text.encode()
    (span,) = functions_of("a.py", source)
    assert shapes_of(span, source) == shapes


def test_the_shape_of_a_function_within_a_function():
    source = textwrap.dedent("""
        def f():
            def g():
                return 1
            return g
    """).encode()
    outer, inner = functions_of("a.py", source)
    assert (shapes_of(outer, source), shapes_of(inner, source)) == (("closure", "function"), ("nested",))


def test_a_picture_is_well_formed_and_tells_every_count():
    long = [(f"label {n}", 1000 + n) for n in range(MOST_ROWS + 5)]
    text = bar_chart("a <corpus>", (("Sizes & more", [("1", 7), ("nothing", 0)]), ("Empty", []), ("Long", long)))
    root = ElementTree.fromstring(text)
    words = [element.text for element in root.iter() if element.tag.endswith("}text")]
    assert words[0] == "a <corpus>"
    assert {"Sizes & more", "1", "7", "0", "6 others"} <= set(words)
    assert str(sum(count for _, count in long[MOST_ROWS - 1 :])) in words
    assert "Empty" not in words
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
