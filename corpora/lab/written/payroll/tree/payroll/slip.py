from dataclasses import dataclass
from decimal import Decimal

from .money import money, show
from .tax import income_tax
from .wages import year_wage


@dataclass(frozen=True)
class Slip:
    name: str
    gross: Decimal
    pension: Decimal
    tax: Decimal

    @property
    def net(self):
        return self.gross - self.pension - self.tax

    def text(self):
        lines = [self.name]
        for label in ("gross", "pension", "tax", "net"):
            lines.append(f"  {label:<8}{show(getattr(self, label)):>12}")
        return "\n".join(lines)


def year_slip(employee, weeks) -> Slip:
    """The pension is paid from the gross wage and lowers the taxed income."""
    gross = year_wage(employee, weeks)
    pension = money(gross * employee.pension)
    return Slip(employee.name, gross, pension, income_tax(gross - pension))
