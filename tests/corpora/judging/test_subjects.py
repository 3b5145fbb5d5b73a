"""The fix that patches are held against: its one function, without the rest of the commit."""

from __future__ import annotations

from analysis.functions import find_function, functions_of
from corpora.judging.subjects import function_alone
from repair.functions import edit_scope

OLD = b'"""Old words."""\nimport os\n\n\ndef size(rows):\n    return len(rows) - 1\n\n\nLIMIT = 3\n'
WHOLE = OLD.replace(b"Old", b"New").replace(b" - 1", b"").replace(b"LIMIT = 3\n", b"LIMIT = 4\nMORE = 5\n")


def test_nothing_but_the_function_is_taken() -> None:
    span = find_function(functions_of("sizes.py", OLD), "size")
    assert span is not None
    old = edit_scope((("sizes.py", OLD),), span.function)
    alone = function_alone(old, (("sizes.py", WHOLE), ("other.py", b"")), span.function)
    assert alone == (("sizes.py", OLD.replace(b" - 1", b"")),)
