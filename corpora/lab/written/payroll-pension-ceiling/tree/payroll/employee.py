from dataclasses import dataclass
from decimal import Decimal
from enum import Enum


class TaxClass(Enum):
    SINGLE = "single"
    MARRIED = "married"


@dataclass(frozen=True)
class Employee:
    number: int
    name: str
    salary: Decimal
    tax_class: TaxClass = TaxClass.SINGLE
    children: int = 0

    def __post_init__(self):
        if self.salary < 0:
            raise ValueError("salary must not be negative")
