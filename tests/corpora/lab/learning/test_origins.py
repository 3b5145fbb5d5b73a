"""Where the words of a change stood before it."""

from __future__ import annotations

import pytest

from analysis.functions import functions_of
from corpora.lab.learning.origins import origins
from corpora.lab.learning.producing import describe_wanted
from transforms.tree.scope import EditScope, open_scope

MODULE = """
LIMIT = 3


class Shelf:
    def label(self):
        return self.title.strip()

    def upto(self, names, skip=None):
        found = []
        for name in names:
            if name:
                found.append(name)
        return found[0:2]
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0:2", "0:LIMIT", {"constants": "module once"}),
        ("if name:", "if name and skip:", {"names": "function once"}),
        ("if name:", "if name.strip():", {"methods": "class once"}),
        ("0:2", "0:self.size", {"attribute_names": "new"}),
        ("0:2", "0:7", {"numbers": "new"}),
        ("found = []", "found = self.title.strip()", {"calls": "class once", "attributes": "class once"}),
        ("found[0:2]", "found", {}),
    ],
)
def test_each_new_word_is_traced_by_its_kind(old: str, new: str, expected: dict[str, str]) -> None:
    source = MODULE.encode()
    span = functions_of("m.py", source)[-1]
    scope = open_scope(source, span)
    assert isinstance(scope, EditScope)
    assert old in scope.text.decode()
    goal = describe_wanted(scope, scope.text.replace(old.encode(), new.encode()))
    assert goal is not None
    found = origins(goal)
    kinds = {origin.kind: origin.place for origin in found}
    assert expected.items() <= kinds.items()
    assert expected or not found
    for origin in found:
        assert origin.place == "new" or sum(origin.expected.values()) == pytest.approx(1.0)
