"""Facts of types, read from trees."""

import ast

import pytest

from analysis.specified.declared import class_facts, signature_facts
from analysis.stated.function import stated_functions


def of_classes(text):
    return [
        f"{f.subject.partition(':')[2]}.{f.part} {f.predicate} {f.value}" for f in class_facts("a.py", ast.parse(text))
    ]


def of_signature(text):
    functions = stated_functions("a.py", ast.parse(text))
    return [f"{f.part} {f.predicate} {f.value}" for each in functions for f in signature_facts("a.py", each)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class A(TypedDict):\n    n: NotRequired[int]", ["A.n type int", "A.n required False"]),
        ("@dataclass\nclass A:\n    n: int = 3", ["A.n type int", "A.n default 3", "A.n required False"]),
        ("class A(IntEnum):\n    X = 2\n    Y = 1", ["A. enum 1, 2"]),
        (
            "class A(BaseModel):\n    n: int = Field(..., ge=1, lt=9)",
            ["A.n type int", "A.n range >= 1", "A.n range < 9", "A.n required True"],
        ),
        ("class A(BaseModel):\n    n: conint", ["A.n type conint", "A.n required True"]),
        (
            "class A(BaseModel): pass\nclass B(A):\n    n: PositiveInt",
            ["B.n type int", "B.n range > 0", "B.n required True"],
        ),
        ("class A:\n    n: int = 3", []),
        ("class A(Enum):\n    X = auto()", []),
        ("@dataclass\nclass A:\n    n: ClassVar[int] = 3", []),
    ],
)
def test_classes(text, expected):
    assert of_classes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(n: int = 2) -> str | None: ...", ["n type int", "n default 2", " type NoneType | str"]),
        ("def f(*, mode: Literal['b', 'a']): ...", ["mode enum 'a', 'b'"]),
        ("def f(n: Annotated[int, Ge(0)]): ...", ["n type int", "n range >= 0"]),
        ("class A:\n    def f(self, n: int): ...", ["n type int"]),
        ("def f(n=g()): ...", []),
    ],
)
def test_signatures(text, expected):
    assert of_signature(text) == expected


def test_a_class_that_is_its_own_base_is_read():
    assert of_classes("class A(A):\n    n: int") == []
