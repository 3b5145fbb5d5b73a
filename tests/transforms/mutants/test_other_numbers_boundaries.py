"""Mutants that move a boundary which the patch has from the old function."""

import pytest

from transforms.mutants.other_numbers import moves_a_kept_boundary


def function(condition: str) -> bytes:
    return f"    def f(self, n, m):\n        if {condition}:\n            return 1\n        return n > m\n".encode()


@pytest.mark.parametrize(
    ("old", "new", "mutant"),
    [
        ("60 <= n < 120", "60 <= n < 3600", "60 < n < 3600"),
        ("n >= 60", "60 <= n < 3600", "60 < n < 3600"),
        ("n > 3", "n > 3 and m", "n >= 3 and m"),
        ("len(n) < m[0]", "not m[0] > len(n)", "not m[0] >= len(n)"),
    ],
)
def test_a_boundary_of_the_old_function_is_kept(old, new, mutant):
    assert moves_a_kept_boundary(function(old), function(new), function(mutant))


@pytest.mark.parametrize(
    ("old", "new", "mutant"),
    [
        ("60 <= n < 120", "60 <= n < 3600", "60 <= n <= 3600"),  # this one is the patch's
        ("n * 2 > m * 3", "n * 2 > m", "n * 2 >= m"),
        ("n > 3", "n >= 3", "n > 3"),
        ("n < 3", "n > 3", "n >= 3"),
        ("n > 3", "n > 3 and m", "n < 3 and m"),
        ("n > 3", "n > 3 and m", "n >= 4 and m"),
        ("n > 3", "n > 3 and m > 4", "n >= 3 and m >= 4"),
        ("n > 3", "n > 3 and m", "n > 3 and m"),
        ("n == 3", "n == 3 and m", "n != 3 and m"),
        ("n > 3", "n > 3 and (", "n >= 3 and ("),
    ],
)
def test_no_other_mutant_is(old, new, mutant):
    assert not moves_a_kept_boundary(function(old), function(new), function(mutant))
