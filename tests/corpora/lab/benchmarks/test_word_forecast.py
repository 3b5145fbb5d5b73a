"""The bench of words: what a history repeats is foretold, another one foretells nothing, and only the past counts."""

from __future__ import annotations

import random
import statistics
import subprocess
from pathlib import Path

import pytest

from corpora.lab.benchmarks.unreached import travelling_figures
from corpora.lab.benchmarks.word_forecast import PastWords, WordChange, gains, word_figures

MODULE = (("total", 5), ("shop.price", 2))


def told(day: int, *words: str, path: str = "shop.py") -> WordChange:
    return WordChange(day, path, words)


def fix(day: int, *missing: str) -> WordChange:
    return WordChange(day, "shop.py", (), missing, MODULE)


def test_a_word_that_the_history_repeats_is_foretold_and_one_of_the_module_hardly_less() -> None:
    past = [told(day, "self.encoding") for day in range(50)]
    assert min(gains([fix(100, "self.encoding")], past)) > 3
    (lost,) = gains([fix(100, "total")], past)
    assert -0.2 < lost < 0


def test_only_what_lies_before_a_fix_counts() -> None:
    later = [told(day, "self.encoding") for day in range(100, 150)]
    assert gains([fix(100, "self.encoding")], later) == gains([fix(100, "self.encoding")], [])


def test_how_much_the_history_counts_is_learned() -> None:
    past = [told(day, "self.encoding") for day in range(50)]
    found = gains([fix(60 + n, "self.encoding") for n in range(30)], past)
    assert found[-1] > found[0]
    strange = gains([fix(60 + n, "total") for n in range(30)], past)
    assert strange[-1] > strange[0]


def test_a_young_word_and_one_of_the_same_file_count_more() -> None:
    known = PastWords()
    for change in (told(0, "old"), told(365, "young"), told(365, "other", path="tax.py")):
        known.add(change)
    old, young, other = (known.share(word, "shop.py", 400) for word in ("old", "young", "other"))
    assert young == pytest.approx(2 * old, rel=0.01)
    assert young == pytest.approx(3 * other, rel=0.01)


def test_by_counts_alone_neither_day_nor_file_says_anything() -> None:
    past = [told(day, "near") for day in range(50)] + [told(day, "far", path="tax.py") for day in range(50)]
    past.sort(key=lambda each: each.day)
    near, far = (gains([fix(100, word)], past, counts_alone=True) for word in ("near", "far"))
    assert near == far
    near, far = (gains([fix(100, word)], past) for word in ("near", "far"))
    assert near > far


def test_words_that_are_drawn_from_the_module_gain_nothing() -> None:
    source = random.Random(3)
    leaves = [word for word, count in MODULE for _ in range(count)]
    past = [told(day, source.choice(("a", "b", "c"))) for day in range(200)]
    found = gains([fix(day, source.choice(leaves)) for day in range(0, 200, 4)], past)
    assert statistics.fmean(found) < 0


def project(root: Path) -> Path:
    """A program whose second fix puts in what the first one did."""

    def git(*words: str) -> None:
        named = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
        subprocess.run(["git", "-C", str(root), *named, *words], check=True, capture_output=True)

    root.mkdir()
    git("init", "--quiet")
    first = "def one(items):\n    return items[len(items)]\n\n\ndef two(rows):\n    return rows[len(rows)]\n"
    second = first.replace("items[len(items)]", "items[len(items) - 7]")
    for number, text in enumerate((first, second, second.replace("rows[len(rows)]", "rows[len(rows) - 7]"))):
        (root / "shop.py").write_text(text)
        git("add", "--all")
        day = f"2026-01-0{number + 1}T00:00:00"
        env = {"GIT_COMMITTER_DATE": day, "GIT_AUTHOR_DATE": day, "PATH": "/usr/bin:/bin"}
        named = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
        words = ["git", "-C", str(root), *named, "commit", "--quiet", "--message", f"Fix {number}"]
        subprocess.run(words, check=True, capture_output=True, env=env)
    return root


def test_histories_are_read_by_date_and_kept(tmp_path: Path) -> None:
    roots = [project(tmp_path / name) for name in ("a", "b")]
    found = word_figures(roots, tmp_path / "keep", lambda said: None)
    assert (found["a"]["fixes"], found["a"]["missing words"]) == (2, 2)
    assert (found["a"]["in the past alone"], found["a"]["new"]) == (0, 1)
    assert word_figures(roots, tmp_path / "keep", lambda said: None) == found
    assert (tmp_path / "keep" / "words-a.json").exists()


def test_a_template_travels_where_three_projects_have_it(tmp_path: Path) -> None:
    roots = [project(tmp_path / name) for name in ("a", "b", "c")]
    found = travelling_figures(roots, lambda said: None)
    assert found["fixes of one piece"] == 6
    assert found["in 3 projects or more"] >= 1
    assert travelling_figures(roots[:2], lambda said: None)["in three or more"] == []
