"""A function that ends at one of its new statements."""

import textwrap

import pytest

from analysis.functions import functions_of
from transforms.mutants.changed_lines import abort_mutants
from transforms.tree.candidate import Rejected
from transforms.tree.scope import EditScope, open_scope


def opened(source: str) -> EditScope:
    content = textwrap.dedent(source).encode()
    scope = open_scope(content, functions_of("m.py", content)[0])
    assert not isinstance(scope, Rejected)
    return scope


OLD = """
    def f(a):
        b = a + 1
        return b
    """


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("b = a + 1\n    return b", []),
        ("b = a + 2\n    return b", [("raise NotImplementedError\n    return b", 2)]),
        (
            "if a > 9:\n        return 0\n    b = a + 1\n    return b",
            [("if a > 9:\n        raise NotImplementedError\n    b = a + 1\n    return b", 3)],
        ),
        (
            "if a > 9: return 0\n    b = a + 1\n    return b",
            [("if a > 9: raise NotImplementedError\n    b = a + 1\n    return b", 2)],
        ),
        ("if a > 9:\n        b = a + 1\n    return b", []),
        (
            "b = a + 1\n    return b if a else 0",
            [
                ("b = a + 1\n    raise NotImplementedError", 3),
                ("b = a + 1\n    return ().nothing if a else 0", 3),
                ("b = a + 1\n    return b if a else ().nothing", 3),
            ],
        ),
    ],
)
def test_which_statements_and_branches_end_it(new: str, expected: list[tuple[str, int]]) -> None:
    found = abort_mutants(opened(f"def f(a):\n    {new}\n"), opened(OLD))
    assert [(each.text.decode().removeprefix("def f(a):\n    ").rstrip(), each.line) for each in found] == expected
