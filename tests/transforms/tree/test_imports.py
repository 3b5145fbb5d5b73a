"""Declared imports: their form, and the two places where they may go."""

from __future__ import annotations

import libcst as cst
import pytest

from transforms.tree.candidate import Rejected, RejectReason
from transforms.tree.imports import ModuleImports, at_module_level, parse_imports, with_imports

GOOD = [
    "import os",
    "import os.path as p",
    "import a, b as c",
    "from os import path",
    "from os import path as p, sep",
    "from . import x",
    "from .. import x",
    "from ..y import x",
    " import os \n",
]
BAD = [
    "",
    "os",
    "import",
    "import 1",
    "import os as",
    "import os, ",
    "import os; import sys",
    "import os\nimport sys",
    "import os # why",
    "import " + "a." * 5000 + "b",
    "from os import *",
    "from . import *",
    "from os import (path)",
    "from ... import x",
    "from __future__ import x",
    "x = 1",
]


@pytest.mark.parametrize("line", GOOD)
def test_plain_imports_are_taken(line: str) -> None:
    assert not isinstance(parse_imports("pkg/sub/mod.py", [line]), Rejected)


@pytest.mark.parametrize("line", BAD)
def test_anything_else_is_refused(line: str) -> None:
    outcome = parse_imports("pkg/sub/mod.py", [line])
    assert isinstance(outcome, Rejected)
    assert outcome.reason is RejectReason.IMPORT


def function(code: str) -> cst.FunctionDef:
    return cst.ensure_type(cst.parse_statement(code), cst.FunctionDef)


INSIDE = [
    ("def f():\n    return 1\n", "def f():\n    import os\n    import re\n    return 1\n"),
    (
        'def f():\n    """Doc."""\n    return 1\n',
        'def f():\n    """Doc."""\n    import os\n    import re\n    return 1\n',
    ),
    ("def f():\n    import os\n    return 1\n", "def f():\n    import re\n    import os\n    return 1\n"),
    ("def f(): return 1; pass  # x\n", "def f():\n    import os\n    import re\n    return 1\n    pass  # x\n"),
]


@pytest.mark.parametrize(("before", "after"), INSIDE)
def test_inside_a_function_they_follow_the_docstring(before: str, after: str) -> None:
    statements = parse_imports("m.py", ["import os", "import re", "import os"])
    assert not isinstance(statements, Rejected)
    assert cst.Module([with_imports(function(before), statements)]).code == after


DEF = "def f():\n    pass\n"
MODULES = [
    ("import os\n", "import os\nimport re\n"),
    ("import os\nx = 1\nfrom a import (\n    b,\n)\n", "import os\nx = 1\nfrom a import (\n    b,\n)\nimport re\n"),
    ('"""Doc."""\n\n', '"""Doc."""\nimport re\n\n'),
    ("#!/bin/python\n# coding: utf-8\n", "#!/bin/python\n# coding: utf-8\nimport re\n"),
    ("from __future__ import annotations\n\n", "from __future__ import annotations\nimport re\n\n"),
    ("class A:\n    pass\n\n\nimport late\n", "import re\nclass A:\n    pass\n\n\nimport late\n"),
    ("import re\n", "import re\n"),
    ("", "import re\n"),
    ("import os; import sys  # both\r\n", "import os; import sys  # both\r\nimport re\r\n"),
    ("\ufeffimport os\n", "\ufeffimport os\nimport re\n"),
    ("\ufeff", "\ufeffimport re\n"),
]


@pytest.mark.parametrize(("head", "expected"), MODULES)
def test_at_module_level_they_follow_the_leading_imports(head: str, expected: str) -> None:
    newline = "\r\n" if "\r\n" in head else "\n"
    tail = DEF.replace("\n", newline)
    source = (head + tail).encode()
    outcome = at_module_level("m.py", source, ["import re"], len(head.encode()))
    assert isinstance(outcome, ModuleImports)
    assert outcome.source.decode() == expected + tail
    assert source == outcome.source[: outcome.offset] + outcome.source[outcome.offset + len(outcome.added) :]


def test_bad_lines_and_bad_modules_are_refused() -> None:
    assert isinstance(at_module_level("m.py", DEF.encode(), ["import *"], 0), Rejected)
    assert isinstance(at_module_level("m.py", b"def (", ["import os"], 0), Rejected)
    assert isinstance(at_module_level("m.py", b'"""Doc."""; import os; x = 1', ["import re"], 10), Rejected)
