"""Five historical bugs of real libraries, each with its pinned packages, its failing test and its test environment.

Each was found by comparing two releases. In two runs out of two, some tests of the new release fail on the old text of
one function. They pass on its new text. The packages need no build: what is tested is the unpacked tree.
"""

from __future__ import annotations

from dataclasses import dataclass

from corpora.lab.pinned import SourcePackage
from corpora.lab.release_pair import ReleasePair

PYTEST = ("iniconfig==2.1.0", "packaging==25.0", "pluggy==1.6.0", "pytest==8.3.5")


@dataclass(frozen=True, slots=True)
class Case:
    """One bug. ``tests`` fail in the tree and pass with the upstream fix; ``fault`` says what is wrong."""

    name: str
    pair: ReleasePair
    tests: tuple[str, ...]
    requirements: tuple[str, ...]
    fault: str


HUMANIZE = Case(
    "humanize-naturalsize",
    ReleasePair(
        SourcePackage("humanize", "4.12.3", "8430be3a615106fdfceb0b2c1b41c4c98c6b0fc5cc59663a5539b111dd325fb0"),
        SourcePackage("humanize", "4.12.2", "ce0715740e9caacc982bb89098182cf8ded3552693a433311c6a4ce6f4e12a2c"),
        "src/humanize/filesize.py",
        "naturalsize",
    ),
    (
        "tests/test_filesize.py::test_naturalsize[test_args58-1 Byte]",
        "tests/test_filesize.py::test_naturalsize[test_args59-1 Byte]",
    ),
    (*PYTEST, "freezegun==1.5.5", "python-dateutil==2.9.0.post0", "six==1.17.0"),
    "naturalsize(1.0) prints '1.0 Byte' where '1 Byte' is meant",
)

ONE_TO_ONE = Case(
    "boltons-one-to-one",
    ReleasePair(
        SourcePackage("boltons", "24.0.0", "7153feccaea1ff2e1472f68d4b57fadb796a2ee49d29f638f1c9cd8fb5ebd916"),
        SourcePackage("boltons", "23.1.1", "d2cb2fa83cf2ebe791be1e284183e8a43a1031355156a968f8e0a333ad2448fc"),
        "boltons/dictutils.py",
        "OneToOne.update",
    ),
    ("tests/test_dictutils.py::test_one_to_one",),
    PYTEST,
    "OneToOne.update() with an empty mapping extends a list that was never made",
)

LRI = Case(
    "boltons-lri",
    ReleasePair(
        SourcePackage("boltons", "23.1.0", "ab4023d57a69609f7742dcc21c12bb57f2970d278d315f28eb2d3110a64114a8"),
        SourcePackage("boltons", "23.0.0", "8c50a71829525835ca3c849c7ed2511610c972b4dddfcd41a4a5447222beb4b0"),
        "boltons/cacheutils.py",
        "LRI.__setitem__",
    ),
    (
        "tests/test_cacheutils.py::test_lru_dict_replacement[LRI]",
        "tests/test_cacheutils.py::test_lru_dict_replacement[LRU]",
    ),
    PYTEST,
    "setting a key that an LRI cache already holds leaves the old value visible to dict()",
)

SQLPARSE = Case(
    "sqlparse-create-table-as",
    ReleasePair(
        SourcePackage("sqlparse", "0.6.0", "113c35c75365ab9cc9c7231d68c6428fb11c085fc8e9eb1ad659b7ddbf6cd2b9"),
        SourcePackage("sqlparse", "0.5.5", "e20d4a9b0b8585fdf63b10d30066c7c94c5d7a7ec47c889a2d83a3caa93ff28e"),
        "sqlparse/engine/grouping.py",
        "group_functions",
    ),
    ("tests/test_grouping.py::test_grouping_alias_ctas_lowercase_as",),
    PYTEST,
    "the AS of a CREATE TABLE … AS is only seen in capitals",
)

TABULATE = Case(
    "tabulate-thousands",
    ReleasePair(
        SourcePackage("tabulate", "0.8.10", "6c57f3f3dd7ac2782770155f3adb2db0b1a269637e42f27599925e64b114f519"),
        SourcePackage("tabulate", "0.8.9", "eb1d13f25760052e8931f2ef80aaf6045a6cceb47514db8beab24cded16f13a7"),
        "tabulate.py",
        "_afterpoint",
    ),
    ("test/test_internal.py::test_align_column_decimal_with_thousand_separators",),
    PYTEST,
    "numbers with thousands separators are not aligned at the decimal point",
)

CASES = (HUMANIZE, ONE_TO_ONE, LRI, SQLPARSE, TABULATE)
