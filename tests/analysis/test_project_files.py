"""Where the modules lie that a module imports."""

from __future__ import annotations

import ast

import pytest

from analysis.project_files import ImportedName, imported_from_project

PATHS = frozenset(
    {"src/shop/__init__.py", "src/shop/cart.py", "src/shop/tax/__init__.py", "src/shop/tax/rates.py", "tools.py"}
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from .tax import rates", ("rates", "src/shop/tax/rates.py", "")),
        ("from .tax import Rate as R", ("R", "src/shop/tax/__init__.py", "Rate")),
        ("from . import tax", ("tax", "src/shop/tax/__init__.py", "")),
        ("from . import VERSION", ("VERSION", "src/shop/__init__.py", "VERSION")),
        ("from shop.tax.rates import rate_of", ("rate_of", "src/shop/tax/rates.py", "rate_of")),
        ("import shop.tax.rates as rates", ("rates", "src/shop/tax/rates.py", "")),
        ("import shop.tax", ("shop.tax", "src/shop/tax/__init__.py", "")),
        ("def f():\n    import tools", ("tools", "tools.py", "")),
        ("import os", None),
        ("from .tax import *", None),
        ("from ...far import away", None),
        ("from .cart import Cart", None),
    ],
)
def test_imports(text: str, found: tuple[str, str, str] | None) -> None:
    expected = (ImportedName(*found),) if found else ()
    assert imported_from_project("src/shop/cart.py", ast.parse(text), PATHS) == expected


def test_from_a_package_itself() -> None:
    found = imported_from_project(
        "src/shop/tax/__init__.py", ast.parse("from .rates import a\nfrom ..cart import b"), PATHS
    )
    assert [i.path for i in found] == ["src/shop/tax/rates.py", "src/shop/cart.py"]
