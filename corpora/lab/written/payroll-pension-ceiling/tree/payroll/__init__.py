from .employee import Employee, TaxClass
from .run import Payroll, Payslip

__all__ = ["Employee", "TaxClass", "Payroll", "Payslip"]
